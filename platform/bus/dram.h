/* SPDX-License-Identifier: Apache-2.0 */
// Main memory. An ideal one answers at once, and gives direct access; one that is not has ports
// that accept requests one after the other, in the order of simulation time.
#ifndef TPU_PLATFORM_BUS_DRAM_H
#define TPU_PLATFORM_BUS_DRAM_H

#include "platform/bus/memory_channel.h"

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <systemc>
#include <tlm.h>
#include <tlm_utils/simple_target_socket.h>
#include <vector>

namespace tpu {

// Any length and alignment inside the memory, byte enables included. Contents start as zeros.
//
// b_transport of a memory that is not ideal must be called from a thread, and by one thread an
// initiator: it returns, later in simulation time, when the request has been accepted, half a cycle
// into that cycle, and adds to the delay what is left until the last data. All requests for a
// cycle are made before its half, so that what is accepted does not depend on who ran first. Direct
// access is for fetching code only then, which takes no bus time.
class dram : public sc_core::sc_module {
public:
  tlm_utils::simple_target_socket<dram> socket;

  dram(const sc_core::sc_module_name &name, const dram_config &config);

  // Cycles that a transfer takes which nothing else is in the way of: latency and data.
  std::uint64_t access_cycles(std::uint32_t bytes) const;

  bool ideal() const { return config_.ideal(); }
  memory_traits traits() const { return config_.traits(); }
  bool per_initiator() const { return config_.per_initiator; }
  std::uint32_t latency_cycles() const { return config_.latency_cycles; }
  // One for all initiators, or as many as have come by or are counted.
  const std::vector<std::unique_ptr<memory_channel>> &ports() const { return ports_; }
  // Counts afresh, for so many initiators.
  void reset_accounts(unsigned initiators);

  // The memory itself, for loaders and checks; size() bytes.
  std::uint8_t *data() { return memory_.get(); }
  const std::uint8_t *data() const { return memory_.get(); }
  std::uint32_t size() const { return config_.bytes; }

  // All zeros again; whoever holds a direct pointer is told to drop it.
  void clear();

private:
  // Where a thread waits for its request to be accepted.
  struct turn {
    sc_core::sc_event accepted;
    std::uint64_t response = 0;
  };

  memory_channel &port_of(unsigned initiator);
  void await(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay);
  void notify_next(const memory_channel &port);
  void accept();
  void b_transport(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay);
  unsigned transport_dbg(tlm::tlm_generic_payload &trans);
  bool get_direct_mem_ptr(tlm::tlm_generic_payload &trans, tlm::tlm_dmi &dmi);

  struct free_memory {
    void operator()(std::uint8_t *p) const { std::free(p); }
  };
  dram_config config_;
  std::unique_ptr<std::uint8_t, free_memory> memory_; // pages untouched cost nothing
  std::vector<std::unique_ptr<memory_channel>> ports_;
  std::vector<std::unique_ptr<turn>> turns_; // by initiator
  sc_core::sc_event acceptable_;             // some port can accept a request in this cycle
};

} // namespace tpu
#endif
