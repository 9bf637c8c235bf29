/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/bus/register_target.h"

#include "platform/bus/clock.h"
#include "platform/bus/payload.h"

#include <cstring>

namespace tpu {

register_target::register_target(const sc_core::sc_module_name &name, std::uint32_t bytes)
    : sc_module(name), socket("socket"), bytes_(bytes) {
  socket.register_b_transport(this, &register_target::b_transport);
  socket.register_transport_dbg(this, &register_target::transport_dbg);
}

bool register_target::peek_register(std::uint32_t, std::uint32_t, std::uint64_t, std::uint32_t &) {
  return false;
}

tlm::tlm_response_status register_target::check(const tlm::tlm_generic_payload &trans) const {
  const tlm::tlm_response_status status = check_payload(trans);
  if (status != tlm::TLM_OK_RESPONSE)
    return status;
  if (trans.get_byte_enable_ptr() != nullptr)
    return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  const unsigned length = trans.get_data_length();
  if (length != 1 && length != 2 && length != 4)
    return tlm::TLM_BURST_ERROR_RESPONSE;
  const std::uint64_t address = trans.get_address();
  if (address >= bytes_ || length > bytes_ - address || address % length != 0)
    return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  return tlm::TLM_OK_RESPONSE;
}

void register_target::b_transport(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay) {
  tlm::tlm_response_status status = check(trans);
  if (status == tlm::TLM_OK_RESPONSE) {
    const auto offset = static_cast<std::uint32_t>(trans.get_address());
    const unsigned length = trans.get_data_length();
    const std::uint64_t at = time_to_cycles(sc_core::sc_time_stamp() + delay);
    std::uint32_t value = 0;
    if (trans.is_write()) {
      std::memcpy(&value, trans.get_data_ptr(), length);
      status = write_register(offset, length, at, value);
    } else {
      status = read_register(offset, length, at, value);
      if (status == tlm::TLM_OK_RESPONSE)
        std::memcpy(trans.get_data_ptr(), &value, length);
    }
  }
  trans.set_response_status(status);
}

unsigned register_target::transport_dbg(tlm::tlm_generic_payload &trans) {
  std::uint32_t value = 0;
  if (!trans.is_read() || check(trans) != tlm::TLM_OK_RESPONSE)
    return 0;
  const unsigned length = trans.get_data_length();
  if (!peek_register(static_cast<std::uint32_t>(trans.get_address()), length,
                     time_to_cycles(sc_core::sc_time_stamp()), value))
    return 0;
  std::memcpy(trans.get_data_ptr(), &value, length);
  return length;
}

} // namespace tpu
