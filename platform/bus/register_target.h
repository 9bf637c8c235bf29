/* SPDX-License-Identifier: Apache-2.0 */
// A small device made of registers: the bus manners that they share.
#ifndef TPU_PLATFORM_BUS_REGISTER_TARGET_H
#define TPU_PLATFORM_BUS_REGISTER_TARGET_H

#include <cstdint>
#include <systemc>
#include <tlm.h>
#include <tlm_utils/simple_target_socket.h>

namespace tpu {

// Accesses are naturally aligned, of 1, 2 or 4 bytes, without byte enables, inside the device:
// others get a TLM error response before they reach the handlers, which answer
// TLM_ADDRESS_ERROR_RESPONSE for what is reserved. Time: the access takes place at the whole cycle
// `at`, the one at or after sc_time_stamp() plus the annotated delay.
class register_target : public sc_core::sc_module {
public:
  tlm_utils::simple_target_socket<register_target> socket;

  register_target(const sc_core::sc_module_name &name, std::uint32_t bytes);

protected:
  virtual tlm::tlm_response_status read_register(std::uint32_t offset, std::uint32_t bytes,
                                                 std::uint64_t at, std::uint32_t &value) = 0;
  virtual tlm::tlm_response_status write_register(std::uint32_t offset, std::uint32_t bytes,
                                                  std::uint64_t at, std::uint32_t value) = 0;
  // A read for debuggers, without side effects; false = not offered.
  virtual bool peek_register(std::uint32_t offset, std::uint32_t bytes, std::uint64_t at,
                             std::uint32_t &value);

private:
  tlm::tlm_response_status check(const tlm::tlm_generic_payload &trans) const;
  void b_transport(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay);
  unsigned transport_dbg(tlm::tlm_generic_payload &trans);

  std::uint32_t bytes_;
};

} // namespace tpu
#endif
