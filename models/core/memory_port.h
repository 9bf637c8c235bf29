// SPDX-License-Identifier: Apache-2.0
// How a unit reaches memory. The ideal memory answers at once; what a real one adds is returned as
// latency, until the first data (adds along the path), and occupancy, from then to the last data
// (overlaps with work).
#ifndef TPU_MODELS_CORE_MEMORY_PORT_H
#define TPU_MODELS_CORE_MEMORY_PORT_H

#include <array>
#include <cstddef>
#include <cstdint>

#include "models/core/timing.h"

namespace tpu::core {

struct transfer {
  bool ok = true;
  cycle latency = 0;
  cycle occupancy = 0;
  cycle end() const { return latency + occupancy; } // cycles from its start
};

// One of several transfers that are under way at once; of no bytes: none.
struct read_request {
  std::uint64_t address = 0;
  void *to = nullptr;
  std::size_t bytes = 0;
};

class memory_port {
public:
  memory_port() = default;
  memory_port(const memory_port &) = delete;
  memory_port &operator=(const memory_port &) = delete;
  virtual ~memory_port() = default;

  // Moves `bytes` bytes, starting at cycle `at` of the run. May suspend the calling process, where
  // the order of transfers matters, but not past the transfer's end: latency + occupancy after at.
  virtual transfer read(cycle at, std::uint64_t address, void *to, std::size_t bytes) = 0;
  virtual transfer write(cycle at, std::uint64_t address, const void *from, std::size_t bytes) = 0;
  // Both at once, through the one port they share.
  virtual std::array<transfer, 2> read_both(cycle at, const read_request &a,
                                            const read_request &b) {
    std::array<transfer, 2> taken;
    if (a.bytes != 0) {
      taken[0] = read(at, a.address, a.to, a.bytes);
    }
    if (b.bytes != 0) {
      taken[1] = read(at, b.address, b.to, b.bytes);
    }
    return taken;
  }
};

} // namespace tpu::core
#endif
