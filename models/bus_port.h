// SPDX-License-Identifier: Apache-2.0
// A unit's way onto the bus: its accesses as TLM-2.0 transactions.
#ifndef TPU_MODELS_BUS_PORT_H
#define TPU_MODELS_BUS_PORT_H

#include <systemc>
#include <tlm.h>
#include <tlm_utils/simple_initiator_socket.h>

#include "models/core/memory_port.h"
#include "models/memory_traits.h"

namespace tpu {

// Local time of the unit travels in the transaction's delay. A transaction returns, maybe later in
// simulation time, when the memory has accepted it; the delay then says when its last data are
// there. So the requests of one transfer, and of two that are under way at once, follow each other
// without waiting for data; those of two alternate.
class bus_port final : public core::memory_port {
public:
  tlm_utils::simple_initiator_socket<bus_port> socket;

  bus_port(const char *name, const memory_traits &memory, const sc_core::sc_time &period);
  // The simulation time of the run's cycle 0.
  void set_origin(const sc_core::sc_time &origin) { origin_ = origin; }

  core::transfer read(core::cycle at, std::uint64_t address, void *to, std::size_t bytes) override;
  core::transfer write(core::cycle at, std::uint64_t address, const void *from,
                       std::size_t bytes) override;
  std::array<core::transfer, 2> read_both(core::cycle at, const core::read_request &a,
                                          const core::read_request &b) override;

private:
  // A transfer under way.
  struct part {
    std::uint64_t address;
    unsigned char *data;
    std::size_t left;
    core::transfer taken{};
    bool begun = false;
  };
  // One request of it.
  void send(tlm::tlm_command command, core::cycle at, part &p);
  core::transfer transport(tlm::tlm_command command, core::cycle at, part p);
  core::cycle cycles_since(const sc_core::sc_time &t) const; // whole ones, rounded up

  const memory_traits memory_;
  const sc_core::sc_time period_;
  sc_core::sc_time origin_;
  tlm::tlm_generic_payload payload_;
};

} // namespace tpu
#endif
