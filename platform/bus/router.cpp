/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/bus/router.h"

#include "platform/bus/initiator.h"

#include <algorithm>

namespace tpu {

router::router(const sc_core::sc_module_name &name)
    : sc_module(name), initiators("initiators"), targets_("targets") {
  initiators.register_b_transport(this, &router::b_transport);
  initiators.register_transport_dbg(this, &router::transport_dbg);
  initiators.register_get_direct_mem_ptr(this, &router::get_direct_mem_ptr);
  targets_.register_invalidate_direct_mem_ptr(this, &router::invalidate);
}

bool router::map(const region &where, tlm::tlm_target_socket<> &target) {
  if (where.size == 0 || where.base + where.size < where.base)
    return false;
  for (const region &r : regions_)
    if (r.overlaps(where))
      return false;
  targets_.bind(target);
  regions_.push_back(where);
  return true;
}

int router::find(std::uint64_t address, std::uint64_t bytes) const {
  for (std::size_t i = 0; i < regions_.size(); i++)
    if (regions_[i].contains(address, bytes))
      return static_cast<int>(i);
  return -1;
}

sc_core::sc_time router::time_taken(unsigned initiator) const {
  return initiator < taken_.size() ? taken_[initiator] : sc_core::SC_ZERO_TIME;
}

namespace {
// A transaction as its target sees it, while this lives, however that ends.
class passage {
public:
  passage(tlm::tlm_generic_payload &trans, unsigned initiator, std::uint64_t base)
      : trans_(trans), address_(trans.get_address()), who_(initiator) {
    trans_.set_extension(&who_);
    trans_.set_address(address_ - base);
  }
  passage(const passage &) = delete;
  passage &operator=(const passage &) = delete;
  ~passage() {
    trans_.set_address(address_);
    trans_.clear_extension(&who_);
  }

private:
  tlm::tlm_generic_payload &trans_;
  std::uint64_t address_;
  initiator_extension who_;
};
} // namespace

void router::b_transport(int id, tlm::tlm_generic_payload &trans, sc_core::sc_time &delay) {
  const std::uint64_t address = trans.get_address();
  const int number = find(address, trans.get_data_length());
  trans.set_dmi_allowed(false);
  if (number < 0) {
    trans.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  const region &where = regions_[static_cast<std::size_t>(number)];
  const auto initiator = static_cast<unsigned>(id);
  const sc_core::sc_time begin = sc_core::sc_time_stamp() + delay;
  {
    const passage at_target(trans, initiator, where.base);
    targets_[number]->b_transport(trans, delay);
  }
  taken_.resize(std::max<std::size_t>(taken_.size(), initiator + 1));
  taken_[initiator] += sc_core::sc_time_stamp() + delay - begin;
}

// Debug reads and writes may reach past the region: as many bytes as it holds.
unsigned router::transport_dbg(int, tlm::tlm_generic_payload &trans) {
  const std::uint64_t address = trans.get_address();
  const int number = find(address, 1);
  if (number < 0)
    return 0;
  const region &where = regions_[static_cast<std::size_t>(number)];
  const unsigned length = trans.get_data_length();
  const std::uint64_t left = where.size - (address - where.base);
  trans.set_address(address - where.base);
  trans.set_data_length(static_cast<unsigned>(std::min<std::uint64_t>(length, left)));
  const unsigned done = targets_[number]->transport_dbg(trans);
  trans.set_address(address);
  trans.set_data_length(length);
  return done;
}

// A target answers in its own addresses, granted or refused; the answer is cut to its region.
bool router::get_direct_mem_ptr(int, tlm::tlm_generic_payload &trans, tlm::tlm_dmi &dmi) {
  const std::uint64_t address = trans.get_address();
  const int number = find(address, 1);
  if (number < 0) {
    dmi.allow_none();
    dmi.set_start_address(address);
    dmi.set_end_address(address);
    return false;
  }
  const region &where = regions_[static_cast<std::size_t>(number)];
  trans.set_address(address - where.base);
  const bool granted = targets_[number]->get_direct_mem_ptr(trans, dmi);
  trans.set_address(address);
  dmi.set_start_address(where.base +
                        std::min<std::uint64_t>(dmi.get_start_address(), where.size - 1));
  dmi.set_end_address(where.base + std::min<std::uint64_t>(dmi.get_end_address(), where.size - 1));
  return granted;
}

void router::invalidate(int index, sc_dt::uint64 start, sc_dt::uint64 end) {
  const region &where = regions_[static_cast<std::size_t>(index)];
  if (start >= where.size)
    return;
  for (unsigned i = 0; i < initiators.size(); i++)
    initiators[static_cast<int>(i)]->invalidate_direct_mem_ptr(
        where.base + start, where.base + std::min<std::uint64_t>(end, where.size - 1));
}

} // namespace tpu
