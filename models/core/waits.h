// SPDX-License-Identifier: Apache-2.0
// What the starved and blocked cycles of a unit were spent on.
#ifndef TPU_MODELS_CORE_WAITS_H
#define TPU_MODELS_CORE_WAITS_H

#include <array>
#include <numeric>

#include "models/core/unit.h"

namespace tpu::core {

// Cycles by enum tpu_wait; the sums are the counters.
struct wait_sums {
  std::array<cycle, TPU_WAIT_COUNT> starved{}, blocked{};

  void add(unit_state state, std::uint8_t on, cycle cycles) {
    if (cycles != 0) {
      (state == unit_state::starved ? starved : blocked).at(on) += cycles;
    }
  }
  wait_sums &operator+=(const wait_sums &other) {
    for (std::size_t k = 0; k < TPU_WAIT_COUNT; ++k) {
      starved[k] += other.starved[k];
      blocked[k] += other.blocked[k];
    }
    return *this;
  }
  bool account_for(const unit_counters &c) const {
    const auto sum = [](const auto &of) { return std::accumulate(of.begin(), of.end(), cycle{0}); };
    return sum(starved) == c.starved && sum(blocked) == c.blocked;
  }
};

// A wait as a process's log has it: the process moved in each cycle from the one of its last entry
// on, or from its start, then waited in [from, to), and moved on in cycle `to`.
struct logged_wait {
  cycle from, to;
  unit_state state;
  std::uint8_t on;
};

// Reads a log entry by entry.
class wait_reader {
public:
  // start: the cycle of the process's first step if it need not wait.
  wait_reader() = default;
  explicit wait_reader(cycle start) : at_(start) {}

  logged_wait next(const path_entry &e) {
    const cycle from = time_of(e.step);
    at_ = e.at;
    step_ = e.step;
    return {from, e.at, e.slot ? unit_state::blocked : unit_state::starved, e.on};
  }
  // The cycle of a step that comes before the next wait.
  cycle time_of(std::int64_t step) const { return at_ + (step - step_); }

private:
  cycle at_ = 0;
  std::int64_t step_ = 0;
};

} // namespace tpu::core
#endif
