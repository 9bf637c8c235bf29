/* SPDX-License-Identifier: Apache-2.0 */
// A run at one look: a line a unit, a column some cycles, in each what the unit did most.
#ifndef TPU_PLATFORM_TRACE_GANTT_H
#define TPU_PLATFORM_TRACE_GANTT_H

#include "models/core/trace.h"

#include <array>
#include <string>

namespace tpu::trace {

class gantt final : public core::trace_sink {
public:
  void begin(const core::trace_shape &shape) override;
  void segment(const core::trace_segment &s) override;
  void end(core::cycle elapsed) override { elapsed_ = elapsed; }

  // Lines of at most 80 columns, with a legend. utf8: of block characters, else of ASCII.
  std::string text(bool utf8) const;

private:
  static constexpr std::size_t columns = 60;
  struct cell {
    std::array<core::cycle, 4> cycles{}; // by unit_state; idle is what is left
  };

  void widen();

  std::vector<std::uint32_t> units_; // of each process
  std::array<core::cycle, TPU_UNIT_COUNT> instances_{};
  std::array<std::array<cell, columns>, TPU_UNIT_COUNT> cells_{};
  core::cycle width_ = 1; // cycles of a column
  core::cycle elapsed_ = 0;
};

} // namespace tpu::trace
#endif
