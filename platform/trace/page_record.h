/* SPDX-License-Identifier: Apache-2.0 */
// A run kept for a page, within bounds however long it was: segments and tokens as long as there
// are few enough of them, then sums over at most so many windows of equal length.
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

// A value over time, summed over windows of 2^shift cycles. It costs the same however many windows
// lie between two changes.
class window_sums {
public:
  // From cycle `at` on it is larger by so much.
  void change(core::cycle at, core::cycle by, unsigned shift) {
    const auto k = static_cast<std::size_t>(at >> shift);
    if (k >= parts_.size())
      parts_.resize(k + 1);
    parts_[k].change += by;
    parts_[k].sum += by * ((static_cast<core::cycle>(k + 1) << shift) - at);
  }
  void widen(unsigned shift); // two windows become one
  std::vector<core::cycle> sums(std::size_t count, unsigned shift) const;
  // By how much it is larger after a window than before it.
  core::cycle changed(std::size_t window) const {
    return window < parts_.size() ? parts_[window].change : 0;
  }

private:
  struct part {
    core::cycle change = 0;
    core::cycle sum = 0; // in the window itself, of what changed in it
  };
  std::vector<part> parts_;
};

// Of the array only wld[0][0] and pe[0][0], where words and rows enter; and all streams of a trace.
class page_record final : public core::trace_sink {
public:
  // One line of the chart. Lists over windows are of runs that are not `detailed`, the others of
  // those that are.
  struct process_record {
    std::string name;
    std::uint32_t unit = 0;
    std::vector<core::trace_segment> segments;       // one after the other, to the end
    std::vector<core::cycle> busy, starved, blocked; // cycles in each window; the rest is idle
  };
  struct change {
    core::cycle at;
    std::uint32_t tokens;
  };
  struct stream_record {
    std::string name;
    std::uint32_t depth = 0;
    core::cycle sum = 0;             // tokens summed over the cycles of the run
    std::uint32_t highest = 0;       // in a cycle of it
    std::vector<change> changes;     // the first in cycle 0
    std::vector<core::cycle> sums;   // tokens summed over the cycles of each window
    std::vector<std::uint32_t> most; // in a cycle of each window
  };

  void begin(const core::trace_shape &shape) override;
  void dispatched(std::int32_t issue, const tpu_issue &what) override;
  void segment(const core::trace_segment &s) override;
  void segments(const core::trace_segment *first, std::size_t count) override;
  void occupancy(core::cycle at, std::size_t stream, std::uint32_t tokens) override;
  void end(core::cycle elapsed) override;

  bool detailed() const { return detailed_; }
  core::cycle elapsed() const { return elapsed_; }
  const std::vector<process_record> &processes() const { return processes_; }
  const std::vector<stream_record> &streams() const { return streams_; }
  const std::vector<tpu_issue> &issues() const { return issues_; }       // of `detailed` runs
  core::cycle window_length() const { return core::cycle{1} << shift_; } // the last may be shorter
  const std::vector<core::cycle> &macs() const { return macs_; } // of all PEs, in each window

private:
  static constexpr std::int16_t not_shown = -1;

  struct place {       // of a process of the shape
    std::int16_t row;  // in processes_, or not_shown
    std::int16_t fill; // of a PE; -1: another process
  };
  struct peak {
    std::uint32_t most = 0;  // set in the window
    bool from_start = false; // a change was in its first cycle
  };
  struct stream_sums {
    window_sums tokens;
    std::vector<peak> peaks;
    std::uint32_t now = 0;
  };

  void count_item();
  void add_state(std::size_t row, const core::trace_segment &s);
  void add_tokens(std::size_t stream, const change &c);
  void total(stream_record &s) const;
  void reach(core::cycle at);
  void add(window_sums &to, core::cycle from, core::cycle until);

  std::size_t items_ = 0;
  bool detailed_ = true;
  std::vector<place> places_;
  std::vector<process_record> processes_;
  std::vector<stream_record> streams_;
  std::vector<tpu_issue> issues_;
  std::vector<core::cycle> macs_;
  std::vector<std::array<window_sums, 3>> state_sums_; // of processes_: busy, starved, blocked
  std::vector<stream_sums> stream_sums_;
  window_sums mac_sums_;
  unsigned shift_ = 0; // a window is 2^shift_ cycles long
  core::cycle elapsed_ = 0;
};

} // namespace tpu::trace
#endif
