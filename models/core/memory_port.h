// SPDX-License-Identifier: Apache-2.0
// How a unit reaches memory. The ideal memory answers at once; what a real one adds is returned as
// latency (adds along the path) and occupancy (the port is taken that long; overlaps with work).
#ifndef TPU_MODELS_CORE_MEMORY_PORT_H
#define TPU_MODELS_CORE_MEMORY_PORT_H

#include <cstddef>
#include <cstdint>

#include "models/core/timing.h"

namespace tpu::core {

struct transfer {
  bool ok = true;
  cycle latency = 0;
  cycle occupancy = 0;
};

class memory_port {
public:
  memory_port() = default;
  memory_port(const memory_port &) = delete;
  memory_port &operator=(const memory_port &) = delete;
  virtual ~memory_port() = default;

  // Moves `bytes` bytes, starting at cycle `at` of the run. May suspend the calling process until
  // simulation time has come to `at`, where the order of transfers matters.
  virtual transfer read(cycle at, std::uint64_t address, void *to, std::size_t bytes) = 0;
  virtual transfer write(cycle at, std::uint64_t address, const void *from, std::size_t bytes) = 0;
};

} // namespace tpu::core
#endif
