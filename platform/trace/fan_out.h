/* SPDX-License-Identifier: Apache-2.0 */
// Several receivers of one trace.
#ifndef TPU_PLATFORM_TRACE_FAN_OUT_H
#define TPU_PLATFORM_TRACE_FAN_OUT_H

#include "models/core/trace.h"

namespace tpu::trace {

class fan_out : public core::trace_sink {
public:
  void add(core::trace_sink &sink) { sinks_.push_back(&sink); }

  void begin(const core::trace_shape &shape) override {
    each([&](core::trace_sink &s) { s.begin(shape); });
  }
  void dispatched(std::int32_t issue, const tpu_issue &what) override {
    each([&](core::trace_sink &s) { s.dispatched(issue, what); });
  }
  void segment(const core::trace_segment &segment) override { segments(&segment, 1); }
  void segments(const core::trace_segment *first, std::size_t count) override {
    each([&](core::trace_sink &s) { s.segments(first, count); });
  }
  void occupancy(core::cycle at, std::size_t stream, std::uint32_t tokens) override {
    each([&](core::trace_sink &s) { s.occupancy(at, stream, tokens); });
  }
  void end(core::cycle elapsed) override {
    each([&](core::trace_sink &s) { s.end(elapsed); });
  }

private:
  template <class Tell> void each(Tell tell) {
    for (core::trace_sink *s : sinks_)
      tell(*s);
  }

  std::vector<core::trace_sink *> sinks_;
};

} // namespace tpu::trace
#endif
