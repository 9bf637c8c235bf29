// SPDX-License-Identifier: Apache-2.0
// What a memory holds before anything is written to it.
#ifndef TPU_MODELS_CORE_GARBAGE_H
#define TPU_MODELS_CORE_GARBAGE_H

#include <cstdint>
#include <vector>

#include "isa/random.h"

namespace tpu::core {

template <class Element> void fill_with_garbage(std::vector<Element> &memory, std::uint32_t seed) {
  tpu_random random = tpu_random_seeded(seed);
  for (Element &e : memory) {
    e = static_cast<Element>(tpu_random_next(&random));
  }
}

} // namespace tpu::core
#endif
