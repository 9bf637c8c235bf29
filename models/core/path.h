// SPDX-License-Identifier: Apache-2.0
// The critical path of a run. Each process logs when another's time, not its own last cycle, set
// one of its cycles; walked back from the last event these logs tell where every cycle went.
#ifndef TPU_MODELS_CORE_PATH_H
#define TPU_MODELS_CORE_PATH_H

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/core/timing.h"

namespace tpu::core {

// A process of the machine: its unit in the register map's order, and which instance of it.
struct process_id {
  std::uint32_t unit = 0;
  std::uint32_t instance = 0;
};

// In cycle `at` the owner of the log moved because `by` had done its part in cycle `released`.
struct path_entry {
  cycle at;
  cycle released; // before `at`
  process_id by;
};

class path_log {
public:
  void clear() { entries_.clear(); }
  // Entries come in the order of time.
  void add(const path_entry &e) { entries_.push_back(e); }
  // What set the owner going last, at or before cycle t; null: its own start.
  const path_entry *before(cycle t) const {
    const auto after = std::upper_bound(entries_.begin(), entries_.end(), t,
                                        [](cycle c, const path_entry &e) { return c < e.at; });
    return after == entries_.begin() ? nullptr : &*(after - 1);
  }

private:
  std::vector<path_entry> entries_;
};

} // namespace tpu::core
#endif
