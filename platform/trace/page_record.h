/* SPDX-License-Identifier: Apache-2.0 */
// A run kept for a page, within bounds however long it was: segments and tokens as long as there
// are few enough of them, and in any case shares of at most so many windows of equal length.
#ifndef TPU_PLATFORM_TRACE_PAGE_RECORD_H
#define TPU_PLATFORM_TRACE_PAGE_RECORD_H

#include "models/core/trace.h"

#include <array>
#include <string>
#include <vector>

namespace tpu::trace {

// Segments, changes of tokens and issues that a page shows one by one, all together.
constexpr std::size_t page_items = 40000;
constexpr std::size_t page_windows = 1024;

// Of the array only wld[0][0] and pe[0][0], where words and rows enter; and all streams of a trace.
class page_record final : public core::trace_sink {
public:
  explicit page_record(std::size_t items = page_items) : allowed_(items) {}

  // One line of the chart.
  struct process_record {
    std::string name;
    std::uint32_t unit = 0;
    std::vector<core::trace_segment>
        segments; // one after the other, to the end; of `detailed` runs
  };
  struct change {
    core::cycle at;
    std::uint32_t tokens;
  };
  struct stream_record {
    std::string name;
    std::uint32_t depth = 0;
    std::vector<change> changes; // the first in cycle 0; of `detailed` runs
  };
  // Cycles of busy, starved and blocked of a process; the rest is idle.
  using shares = std::array<core::cycle, 3>;
  // Tokens summed over cycles, and most at a time.
  struct held {
    core::cycle sum = 0;
    std::uint32_t most = 0;
  };
  struct window {
    std::vector<shares> processes;
    std::vector<held> streams;
    core::cycle macs = 0; // of all PEs
  };

  void begin(const core::trace_shape &shape) override;
  void dispatched(std::int32_t issue, const tpu_issue &what) override;
  void segment(const core::trace_segment &s) override;
  void occupancy(core::cycle at, std::size_t stream, std::uint32_t tokens) override;
  void end(core::cycle elapsed) override;

  bool detailed() const { return detailed_; }
  core::cycle elapsed() const { return elapsed_; }
  const std::vector<process_record> &processes() const { return processes_; }
  const std::vector<stream_record> &streams() const { return streams_; }
  const std::vector<tpu_issue> &issues() const { return issues_; } // of `detailed` runs
  core::cycle window_length() const { return length_; }            // the last one may be shorter
  const std::vector<window> &windows() const { return windows_; }

private:
  static constexpr std::size_t not_shown = SIZE_MAX;

  void count_item();
  void widen();
  // The cycles of [from, to), window by window.
  template <class Each> void spread(core::cycle from, core::cycle to, Each each);
  void hold(std::size_t stream, core::cycle until);

  const std::size_t allowed_;
  std::size_t items_ = 0;
  bool detailed_ = true;
  std::vector<std::size_t> row_of_; // of each process of the shape, in processes_
  std::vector<int> fill_;           // of PEs; -1: another process
  std::vector<process_record> processes_;
  std::vector<stream_record> streams_;
  std::vector<change> now_; // of each stream
  std::vector<tpu_issue> issues_;
  std::vector<window> windows_;
  core::cycle length_ = 1;
  core::cycle elapsed_ = 0;
};

} // namespace tpu::trace
#endif
