/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/bus/finisher.h"

#include "platform/bus/regions.h"

namespace tpu {

finisher::finisher(const sc_core::sc_module_name &name)
    : register_target(name, static_cast<std::uint32_t>(region_FINISHER.size)) {}

void finisher::reset() {
  finished_ = false;
  passed_ = false;
  exit_code_ = 0;
  cycle_ = 0;
}

tlm::tlm_response_status finisher::read_register(std::uint32_t offset, std::uint32_t bytes,
                                                 std::uint64_t, std::uint32_t &value) {
  if (offset != 0 || bytes != 4)
    return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  value = 0;
  return tlm::TLM_OK_RESPONSE;
}

tlm::tlm_response_status finisher::write_register(std::uint32_t offset, std::uint32_t bytes,
                                                  std::uint64_t at, std::uint32_t value) {
  if (offset != 0 || bytes != 4)
    return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  if (value != TPU_FINISHER_PASS && (value & 0xffff) != TPU_FINISHER_FAIL)
    return tlm::TLM_GENERIC_ERROR_RESPONSE;
  finished_ = true;
  passed_ = value == TPU_FINISHER_PASS;
  exit_code_ = passed_ ? 0 : value >> 16;
  cycle_ = at;
  if (on_finish_)
    on_finish_();
  return tlm::TLM_OK_RESPONSE;
}

} // namespace tpu
