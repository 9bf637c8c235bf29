// SPDX-License-Identifier: Apache-2.0
// A unit's way onto the bus: its accesses as TLM-2.0 transactions.
#ifndef TPU_MODELS_BUS_PORT_H
#define TPU_MODELS_BUS_PORT_H

#include <systemc>
#include <tlm.h>
#include <tlm_utils/simple_initiator_socket.h>

#include "models/core/memory_port.h"

namespace tpu {

// Local time of the unit travels in the transaction's delay; what the target adds to it comes back
// as latency (the part a memory of that latency accounts for) and occupancy (the rest).
class bus_port final : public core::memory_port {
public:
  tlm_utils::simple_initiator_socket<bus_port> socket;

  // latency: of the memory behind the bus, in cycles of `period`.
  bus_port(const char *name, core::cycle latency, const sc_core::sc_time &period);
  // The simulation time of the run's cycle 0.
  void set_origin(const sc_core::sc_time &origin) { origin_ = origin; }

  core::transfer read(core::cycle at, std::uint64_t address, void *to, std::size_t bytes) override;
  core::transfer write(core::cycle at, std::uint64_t address, const void *from,
                       std::size_t bytes) override;

private:
  core::transfer transport(tlm::tlm_command command, core::cycle at, std::uint64_t address,
                           unsigned char *data, std::size_t bytes);

  const core::cycle latency_;
  const sc_core::sc_time period_;
  sc_core::sc_time origin_;
  tlm::tlm_generic_payload payload_;
};

} // namespace tpu
#endif
