/* SPDX-License-Identifier: Apache-2.0 */
// The bus: decodes addresses, forwards transactions with target-relative addresses and the number
// of their initiator, adds no time.
#ifndef TPU_PLATFORM_BUS_ROUTER_H
#define TPU_PLATFORM_BUS_ROUTER_H

#include "platform/bus/regions.h"

#include <systemc>
#include <tlm.h>
#include <tlm_utils/multi_passthrough_initiator_socket.h>
#include <tlm_utils/multi_passthrough_target_socket.h>
#include <vector>

namespace tpu {

// Loosely timed. A transaction that no region holds as a whole gets TLM_ADDRESS_ERROR_RESPONSE.
class router : public sc_core::sc_module {
public:
  tlm_utils::multi_passthrough_target_socket<router> initiators; // any number

  explicit router(const sc_core::sc_module_name &name);

  // Puts a target at a region, before simulation starts. Returns false, and binds nothing, when
  // the region is empty, passes 2^64 or overlaps one that is mapped.
  [[nodiscard]] bool map(const region &where, tlm::tlm_target_socket<> &target);

  // Time that the transactions of an initiator, numbered in the order of binding, took from when
  // they were made to their end, whatever their target; and counting afresh.
  sc_core::sc_time time_taken(unsigned initiator) const;
  void reset_accounts() { taken_.clear(); }

private:
  // The number of the region that holds all these bytes, or -1.
  int find(std::uint64_t address, std::uint64_t bytes) const;
  void b_transport(int id, tlm::tlm_generic_payload &trans, sc_core::sc_time &delay);
  unsigned transport_dbg(int id, tlm::tlm_generic_payload &trans);
  bool get_direct_mem_ptr(int id, tlm::tlm_generic_payload &trans, tlm::tlm_dmi &dmi);
  void invalidate(int index, sc_dt::uint64 start, sc_dt::uint64 end);

  tlm_utils::multi_passthrough_initiator_socket<router> targets_; // in the order of regions_
  std::vector<region> regions_;
  std::vector<sc_core::sc_time> taken_; // by initiator
};

} // namespace tpu
#endif
