/* SPDX-License-Identifier: Apache-2.0 */
// The counters of a run in windows of so many cycles, as CSV: a row for each window and unit, with
// the cycles of each state, of wld and pe summed over instances, and the multiply-accumulates done,
// which are pe's. The sums over windows are the counters of the run.
#ifndef TPU_PLATFORM_TRACE_WINDOWS_H
#define TPU_PLATFORM_TRACE_WINDOWS_H

#include "models/core/trace.h"
#include "platform/trace/text_file.h"

#include <array>
#include <deque>

namespace tpu::trace {

class window_writer final : public core::trace_sink {
public:
  explicit window_writer(core::cycle length) : length_(length) {}
  int open(const std::string &path, tpu_report *r) { return file_.open(path, r); }
  int close(tpu_report *r) { return file_.close(r); }

  void begin(const core::trace_shape &shape) override;
  void segment(const core::trace_segment &s) override;
  void end(core::cycle elapsed) override;

private:
  struct account {
    core::cycle busy = 0, starved = 0, blocked = 0, macs = 0;
  };
  using window = std::array<account, TPU_UNIT_COUNT>;

  // The cycles of [from, to), window by window.
  template <class Each> void spread(core::cycle from, core::cycle to, Each each);
  void write(const window &w, core::cycle until);

  const core::cycle length_;
  text_file file_;
  core::trace_shape shape_;
  std::array<core::cycle, TPU_UNIT_COUNT> instances_{};
  std::deque<window> windows_; // from from_ on
  core::cycle from_ = 0;
};

} // namespace tpu::trace
#endif
