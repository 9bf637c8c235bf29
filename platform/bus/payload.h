/* SPDX-License-Identifier: Apache-2.0 */
// What every target refuses in a generic payload, in one place.
#ifndef TPU_PLATFORM_BUS_PAYLOAD_H
#define TPU_PLATFORM_BUS_PAYLOAD_H

#include <tlm.h>

namespace tpu {

// TLM_OK_RESPONSE if the transaction is a plain read or write of at least one byte without
// streaming, else the response to give. Byte enables are the target's matter.
inline tlm::tlm_response_status check_payload(const tlm::tlm_generic_payload &trans) {
  if (!trans.is_read() && !trans.is_write())
    return tlm::TLM_COMMAND_ERROR_RESPONSE;
  if (trans.get_data_ptr() == nullptr)
    return tlm::TLM_GENERIC_ERROR_RESPONSE;
  if (trans.get_data_length() == 0 || trans.get_streaming_width() < trans.get_data_length())
    return tlm::TLM_BURST_ERROR_RESPONSE;
  return tlm::TLM_OK_RESPONSE;
}

} // namespace tpu
#endif
