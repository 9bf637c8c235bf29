// SPDX-License-Identifier: Apache-2.0
#include "models/bus_port.h"

#include <algorithm>

namespace tpu {

bus_port::bus_port(const char *name, core::cycle latency, const sc_core::sc_time &period)
    : socket(name), latency_(latency), period_(period) {}

core::transfer bus_port::read(core::cycle at, std::uint64_t address, void *to, std::size_t bytes) {
  return transport(tlm::TLM_READ_COMMAND, at, address, static_cast<unsigned char *>(to), bytes);
}

core::transfer bus_port::write(core::cycle at, std::uint64_t address, const void *from,
                               std::size_t bytes) {
  // A target does not write to the data of a write command; the interface is not const.
  auto *data = static_cast<unsigned char *>(const_cast<void *>(from));
  return transport(tlm::TLM_WRITE_COMMAND, at, address, data, bytes);
}

core::transfer bus_port::transport(tlm::tlm_command command, core::cycle at, std::uint64_t address,
                                   unsigned char *data, std::size_t bytes) {
  const sc_core::sc_time when =
      origin_ + sc_core::sc_time::from_value(static_cast<std::uint64_t>(at) * period_.value());
  const sc_core::sc_time begin = std::max(when, sc_core::sc_time_stamp());
  sc_core::sc_time delay = begin - sc_core::sc_time_stamp();
  payload_.set_command(command);
  payload_.set_address(address);
  payload_.set_data_ptr(data);
  payload_.set_data_length(static_cast<unsigned>(bytes));
  payload_.set_streaming_width(static_cast<unsigned>(bytes));
  payload_.set_byte_enable_ptr(nullptr);
  payload_.set_dmi_allowed(false);
  payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  socket->b_transport(payload_, delay);
  // A target that let simulation time pass has consumed part of the delay.
  const sc_core::sc_time end = sc_core::sc_time_stamp() + delay;
  const std::uint64_t taken = end > begin ? (end - begin).value() : 0;
  const auto cycles = static_cast<core::cycle>((taken + period_.value() - 1) / period_.value());
  const core::cycle latency = std::min(cycles, latency_);
  return {payload_.is_response_ok(), latency, cycles - latency};
}

} // namespace tpu
