/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/bus/router.h"

#include <algorithm>
#include <string>

namespace tpu {

router::router(const sc_core::sc_module_name &name) : sc_module(name), initiators("initiators") {
  initiators.register_b_transport(this, &router::b_transport);
  initiators.register_transport_dbg(this, &router::transport_dbg);
  initiators.register_get_direct_mem_ptr(this, &router::get_direct_mem_ptr);
}

bool router::map(const region &where, tlm::tlm_target_socket<> &target) {
  if (where.size == 0 || where.base + where.size < where.base)
    return false;
  for (const slot &s : slots_)
    if (s.where.overlaps(where))
      return false;
  auto socket = std::make_unique<out_socket>(("to_" + std::string(where.name)).c_str());
  socket->register_invalidate_direct_mem_ptr(this, &router::invalidate,
                                             static_cast<int>(slots_.size()));
  socket->bind(target);
  slots_.push_back({where, std::move(socket)});
  return true;
}

const router::slot *router::find(std::uint64_t address, std::uint64_t bytes) const {
  for (const slot &s : slots_)
    if (s.where.contains(address, bytes))
      return &s;
  return nullptr;
}

void router::b_transport(int, tlm::tlm_generic_payload &trans, sc_core::sc_time &delay) {
  const std::uint64_t address = trans.get_address();
  const slot *s = find(address, trans.get_data_length());
  trans.set_dmi_allowed(false);
  if (s == nullptr) {
    trans.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  trans.set_address(address - s->where.base);
  (*s->socket)->b_transport(trans, delay);
  trans.set_address(address);
}

// Debug reads and writes may reach past the region: as many bytes as it holds.
unsigned router::transport_dbg(int, tlm::tlm_generic_payload &trans) {
  const std::uint64_t address = trans.get_address();
  const slot *s = find(address, 1);
  if (s == nullptr)
    return 0;
  const unsigned length = trans.get_data_length();
  const std::uint64_t left = s->where.size - (address - s->where.base);
  trans.set_address(address - s->where.base);
  trans.set_data_length(static_cast<unsigned>(std::min<std::uint64_t>(length, left)));
  const unsigned done = (*s->socket)->transport_dbg(trans);
  trans.set_address(address);
  trans.set_data_length(length);
  return done;
}

// A target answers in its own addresses, granted or refused; the answer is cut to its region.
bool router::get_direct_mem_ptr(int, tlm::tlm_generic_payload &trans, tlm::tlm_dmi &dmi) {
  const std::uint64_t address = trans.get_address();
  const slot *s = find(address, 1);
  if (s == nullptr) {
    dmi.allow_none();
    dmi.set_start_address(address);
    dmi.set_end_address(address);
    return false;
  }
  trans.set_address(address - s->where.base);
  const bool granted = (*s->socket)->get_direct_mem_ptr(trans, dmi);
  trans.set_address(address);
  dmi.set_start_address(s->where.base +
                        std::min<std::uint64_t>(dmi.get_start_address(), s->where.size - 1));
  dmi.set_end_address(s->where.base +
                      std::min<std::uint64_t>(dmi.get_end_address(), s->where.size - 1));
  return granted;
}

void router::invalidate(int index, sc_dt::uint64 start, sc_dt::uint64 end) {
  const region &where = slots_[static_cast<std::size_t>(index)].where;
  if (start >= where.size)
    return;
  for (unsigned i = 0; i < initiators.size(); i++)
    initiators[static_cast<int>(i)]->invalidate_direct_mem_ptr(
        where.base + start, where.base + std::min<std::uint64_t>(end, where.size - 1));
}

} // namespace tpu
