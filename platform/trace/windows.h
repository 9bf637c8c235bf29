/* SPDX-License-Identifier: Apache-2.0 */
// The counters of a run in windows of so many cycles, as CSV: a row for each window and unit, with
// the cycles of each state, of wld and pe summed over instances, and the multiply-accumulates done,
// which are pe's. The sums over windows are the counters of the run.
#ifndef TPU_PLATFORM_TRACE_WINDOWS_H
#define TPU_PLATFORM_TRACE_WINDOWS_H

#include "platform/trace/file_sink.h"

#include <array>
#include <vector>

namespace tpu::trace {

class window_writer final : public file_sink {
public:
  explicit window_writer(core::cycle length) : length_(length) {}

  void begin(const core::trace_shape &shape) override;
  void segment(const core::trace_segment &s) override;
  void segments(const core::trace_segment *first, std::size_t count) override;
  void end(core::cycle elapsed) override;

private:
  // Cycles in a unit_state, and after those the multiply-accumulates.
  static constexpr std::size_t macs = 4;
  using account = std::array<core::cycle, macs + 1>;
  struct kind { // of a process; fill: steps before its first row is done
    std::uint16_t unit, fill;
  };
  // Cycles [from, to) that count there.
  struct stretch {
    core::cycle from, to;
    std::uint32_t unit, counter;
  };

  void count(const stretch &s);
  void add(const stretch &s);
  void next(core::cycle until);
  void write(core::cycle until);

  const core::cycle length_;
  std::vector<kind> processes_;
  std::array<core::cycle, TPU_UNIT_COUNT> instances_{};
  core::cycle from_ = 0; // of the window that is open
  std::array<account, TPU_UNIT_COUNT> window_{};
  std::vector<stretch> later_; // what goes on after it: at most two of a process
};

} // namespace tpu::trace
#endif
