// SPDX-License-Identifier: Apache-2.0
#include "models/bus_port.h"

#include <algorithm>

namespace tpu {

bus_port::bus_port(const char *name, const memory_traits &memory, const sc_core::sc_time &period)
    : socket(name), memory_(memory), period_(period) {}

core::transfer bus_port::read(core::cycle at, std::uint64_t address, void *to, std::size_t bytes) {
  return transport(tlm::TLM_READ_COMMAND, at, {address, static_cast<unsigned char *>(to), bytes});
}

core::transfer bus_port::write(core::cycle at, std::uint64_t address, const void *from,
                               std::size_t bytes) {
  // A target does not write to the data of a write command; the interface is not const.
  auto *data = static_cast<unsigned char *>(const_cast<void *>(from));
  return transport(tlm::TLM_WRITE_COMMAND, at, {address, data, bytes});
}

core::transfer bus_port::transport(tlm::tlm_command command, core::cycle at, part p) {
  do {
    send(command, at, p);
  } while (p.left != 0);
  return p.taken;
}

std::array<core::transfer, 2> bus_port::read_both(core::cycle at, const core::read_request &a,
                                                  const core::read_request &b) {
  std::array<part, 2> parts = {part{a.address, static_cast<unsigned char *>(a.to), a.bytes},
                               part{b.address, static_cast<unsigned char *>(b.to), b.bytes}};
  while (parts[0].left != 0 || parts[1].left != 0) {
    for (part &p : parts) {
      if (p.left != 0) {
        send(tlm::TLM_READ_COMMAND, at, p);
      }
    }
  }
  return {parts[0].taken, parts[1].taken};
}

core::cycle bus_port::cycles_since(const sc_core::sc_time &t) const {
  const std::uint64_t ticks = t > origin_ ? (t - origin_).value() : 0;
  return static_cast<core::cycle>((ticks + period_.value() - 1) / period_.value());
}

void bus_port::send(tlm::tlm_command command, core::cycle at, part &p) {
  std::size_t bytes = p.left;
  if (memory_.burst_bytes != 0) {
    bytes = std::min<std::size_t>(bytes, memory_.burst_bytes - p.address % memory_.burst_bytes);
  }
  // A request that followed one which had to wait is presented in the cycle after.
  const core::cycle presented = std::max(at, cycles_since(sc_core::sc_time_stamp()));
  const sc_core::sc_time begin =
      origin_ +
      sc_core::sc_time::from_value(static_cast<std::uint64_t>(presented) * period_.value());
  sc_core::sc_time delay = begin - sc_core::sc_time_stamp();
  payload_.set_command(command);
  payload_.set_address(p.address);
  payload_.set_data_ptr(p.data);
  payload_.set_data_length(static_cast<unsigned>(bytes));
  payload_.set_streaming_width(static_cast<unsigned>(bytes));
  payload_.set_byte_enable_ptr(nullptr);
  payload_.set_dmi_allowed(false);
  payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  socket->b_transport(payload_, delay);
  const core::cycle end = cycles_since(sc_core::sc_time_stamp() + delay) - at;
  if (!p.begun) { // before its data moved came what it waited for
    const auto moving = static_cast<core::cycle>(memory_.data_cycles(bytes));
    p.begun = true;
    p.taken.latency = payload_.is_response_ok() ? end - moving : end;
  }
  // A request that fails is answered at once, while data of those before are on their way.
  p.taken.occupancy = std::max(p.taken.end(), end) - p.taken.latency;
  p.taken.ok = payload_.is_response_ok();
  p.address += bytes;
  p.data += bytes;
  p.left = p.taken.ok ? p.left - bytes : 0;
}

} // namespace tpu
