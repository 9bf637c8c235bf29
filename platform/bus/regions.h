/* SPDX-License-Identifier: Apache-2.0 */
// The memory map of platform/hw as data.
#ifndef TPU_PLATFORM_BUS_REGIONS_H
#define TPU_PLATFORM_BUS_REGIONS_H

#include "platform/hw/memory_map.h"

#include <cstdint>

namespace tpu {

struct region {
  const char *name;
  std::uint64_t base;
  std::uint64_t size; // bytes

  constexpr bool contains(std::uint64_t address, std::uint64_t bytes) const {
    return address >= base && address - base < size && bytes <= size - (address - base);
  }
  constexpr bool overlaps(const region &other) const {
    return base < other.base + other.size && other.base < base + size;
  }
};

#define TPU_REGION_CONSTANT(id, base, size, name, text)                                            \
  inline constexpr region region_##id = {name, base, size};
TPU_MEMORY_MAP(TPU_REGION_CONSTANT)
#undef TPU_REGION_CONSTANT

} // namespace tpu
#endif
