// SPDX-License-Identifier: Apache-2.0
// The oracle of the stream engine: the same machine stepped cycle by cycle, timing only. Every
// clock cycle each process looks at the state its streams had at the start of the cycle, and moves
// or does not. Shares the parameters, the timing profile and the dynamic stream with the models,
// and none of their engine.
#ifndef TPU_TEST_MODELS_CYCLE_STEPPED_H
#define TPU_TEST_MODELS_CYCLE_STEPPED_H

#include <cstdint>
#include <string>
#include <vector>

#include "isa/header.h"
#include "models/core/timing.h"
#include "platform/hw/registers.h"

namespace oracle {

struct account {
  std::int64_t done = 0, busy = 0, starved = 0, blocked = 0, idle = 0;
};

struct result {
  bool completed = false;
  std::int64_t cycles = 0;                // start to done, or to the detected deadlock
  account units[TPU_UNIT_COUNT];          // wld and pe summed over instances
  std::vector<account> loaders, elements; // the instances of wld and pe, row-major
};

// code: decoded, loops well formed, every issue executable; header counts as given, true or not.
result simulate(const tpu_params &p, const tpu::core::timing_profile &timing, const tpu_code &code,
                const tpu_counts &counts);

} // namespace oracle
#endif
