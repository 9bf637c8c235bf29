/* SPDX-License-Identifier: Apache-2.0 */
// One port of a memory that is not ideal, as arithmetic: who is accepted when, and when the data
// are there. docs/memory.md tells the model.
#ifndef TPU_PLATFORM_BUS_MEMORY_CHANNEL_H
#define TPU_PLATFORM_BUS_MEMORY_CHANNEL_H

#include <cstdint>
#include <vector>

#include "models/memory_traits.h"

namespace tpu {

// A DMA engine cuts its transfers into requests of at most this, at multiples of it: a beat of the
// program prefetch, sixteen beats of a 4-byte data bus.
constexpr std::uint32_t memory_burst_bytes = 64;

struct dram_config {
  std::uint32_t bytes = 0;           // size, at least 1
  std::uint32_t latency_cycles = 0;  // from a request accepted to its first data
  std::uint32_t bytes_per_cycle = 0; // 0 = unlimited
  std::uint32_t outstanding = 1;     // requests accepted and not yet answered, per port; at least 1
  bool per_initiator = false;        // a port for each initiator, or one for all

  // Answers everything at once: the others cannot matter.
  bool ideal() const { return latency_cycles == 0 && bytes_per_cycle == 0; }
  memory_traits traits() const {
    return ideal() ? memory_traits{} : memory_traits{bytes_per_cycle, memory_burst_bytes};
  }
};

// What a port did for one initiator. in_memory = waiting + requests * latency + busy.
struct port_account {
  std::uint64_t requests = 0;
  std::uint64_t bytes = 0;
  std::uint64_t busy = 0;      // cycles in which its data moved
  std::uint64_t waiting = 0;   // cycles its requests waited to be accepted, its data to move
  std::uint64_t in_memory = 0; // cycles from request to last data, summed over its requests

  port_account &operator+=(const port_account &other) {
    requests += other.requests;
    bytes += other.bytes;
    busy += other.busy;
    waiting += other.waiting;
    in_memory += other.in_memory;
    return *this;
  }
};

// Cycles are absolute. All requests made for a cycle or before must be known before the port
// accepts one in it.
class memory_channel {
public:
  static constexpr std::uint64_t never = UINT64_MAX;

  explicit memory_channel(const dram_config &config);

  // An initiator has a request from this cycle on. It has no other.
  void ask(unsigned initiator, std::uint64_t cycle, std::uint32_t bytes);

  // The first cycle in which a request can be accepted; never when there is none.
  std::uint64_t next() const;

  struct grant {
    unsigned initiator;
    std::uint64_t response; // the cycle in which its last data are there
  };
  // Accepts in cycle `now`, no earlier than next(): the request made first, of several made in one
  // cycle that of the lowest number.
  grant accept(std::uint64_t now);

  // Accounts by initiator, as far as requests have been accepted; those not named made none.
  const std::vector<port_account> &accounts() const { return accounts_; }
  // Cycles since the reset up to `now` or the last data, whichever is later, and those of them in
  // which no data moved.
  std::uint64_t elapsed(std::uint64_t now) const;
  std::uint64_t idle(std::uint64_t now) const;
  // Counts from now on, or from the end of the data under way.
  void reset_accounts(std::uint64_t now);

private:
  struct request {
    unsigned initiator;
    std::uint64_t cycle;
    std::uint32_t bytes;
  };

  const dram_config config_;
  std::vector<request> asked_;
  std::vector<std::uint64_t> responses_; // of the last `outstanding` requests, in a ring
  std::uint64_t accepted_ = 0;           // requests, all together
  std::uint64_t earliest_ = 0;           // the next one's: one a cycle, and room for it
  std::uint64_t data_free_ = 0;          // from this cycle on data can move
  std::vector<port_account> accounts_;
  std::uint64_t since_ = 0;
  std::uint64_t idle_ = 0; // from since_ to data_free_
};

} // namespace tpu
#endif
