// SPDX-License-Identifier: Apache-2.0
// What a bus master must know of the memory behind the bus.
#ifndef TPU_MODELS_MEMORY_TRAITS_H
#define TPU_MODELS_MEMORY_TRAITS_H

#include <algorithm>
#include <cstdint>

namespace tpu {

struct memory_traits {
  std::uint32_t bytes_per_cycle = 0; // 0: any number at once
  std::uint32_t burst_bytes = 0;     // a longer transfer is cut at multiples of it; 0: never

  // Cycles that the data of a request move: ceil(bytes / bytes_per_cycle), where less than the 4
  // bytes of the data bus takes as long as 4.
  std::uint64_t data_cycles(std::size_t bytes) const {
    constexpr std::size_t bus_bytes = 4;
    return bytes_per_cycle == 0
               ? 0
               : (std::max(bytes, bus_bytes) + bytes_per_cycle - 1) / bytes_per_cycle;
  }
};

} // namespace tpu
#endif
