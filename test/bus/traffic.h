/* SPDX-License-Identifier: Apache-2.0 */
// A bus initiator for tests: one call, one transaction.
#ifndef TPU_TEST_BUS_TRAFFIC_H
#define TPU_TEST_BUS_TRAFFIC_H

#include "platform/bus/clock.h"

#include <systemc>
#include <tlm.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <vector>

class traffic : public sc_core::sc_module {
public:
  tlm_utils::simple_initiator_socket<traffic> socket;

  explicit traffic(const sc_core::sc_module_name &name) : sc_module(name), socket("socket") {
    socket.register_invalidate_direct_mem_ptr(this, &traffic::invalidate);
  }

  struct result {
    tlm::tlm_response_status status;
    std::uint64_t cycles; // annotated
    bool dmi_allowed;
  };

  static void fill(tlm::tlm_generic_payload &trans, tlm::tlm_command command, std::uint64_t address,
                   std::vector<std::uint8_t> &data) {
    trans.reset();
    trans.set_byte_enable_ptr(nullptr);
    trans.set_command(command);
    trans.set_address(address);
    trans.set_data_ptr(data.data());
    trans.set_data_length(static_cast<unsigned>(data.size()));
    trans.set_streaming_width(static_cast<unsigned>(data.size()));
  }

  result send(tlm::tlm_generic_payload &trans) {
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket->b_transport(trans, delay);
    return {trans.get_response_status(), tpu::time_to_cycles(delay), trans.is_dmi_allowed()};
  }

  result read(std::uint64_t address, std::vector<std::uint8_t> &data) {
    tlm::tlm_generic_payload trans;
    fill(trans, tlm::TLM_READ_COMMAND, address, data);
    return send(trans);
  }
  result write(std::uint64_t address, std::vector<std::uint8_t> data) {
    tlm::tlm_generic_payload trans;
    fill(trans, tlm::TLM_WRITE_COMMAND, address, data);
    return send(trans);
  }

  // Words, little endian; the status goes to `status`.
  std::uint32_t word(std::uint64_t address) {
    std::vector<std::uint8_t> d(4);
    status = read(address, d).status;
    return d[0] | static_cast<std::uint32_t>(d[1]) << 8 | static_cast<std::uint32_t>(d[2]) << 16 |
           static_cast<std::uint32_t>(d[3]) << 24;
  }
  void set_word(std::uint64_t address, std::uint32_t v) {
    status =
        write(address, {static_cast<std::uint8_t>(v), static_cast<std::uint8_t>(v >> 8),
                        static_cast<std::uint8_t>(v >> 16), static_cast<std::uint8_t>(v >> 24)})
            .status;
  }

  struct range {
    std::uint64_t start, end;
  };
  std::vector<range> invalidated;
  tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;

private:
  void invalidate(sc_dt::uint64 start, sc_dt::uint64 end) { invalidated.push_back({start, end}); }
};

#endif
