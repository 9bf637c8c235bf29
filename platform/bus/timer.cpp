/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/bus/timer.h"

#include "platform/bus/clock.h"
#include "platform/bus/regions.h"

namespace tpu {

timer::timer(const sc_core::sc_module_name &name)
    : register_target(name, static_cast<std::uint32_t>(region_TIMER.size)),
      interrupt("timer_interrupt") {}

void timer::reset() {
  offset_ = 0 - time_to_cycles(sc_core::sc_time_stamp());
  mtimecmp_ = ~std::uint64_t{0};
  interrupt.clear();
}

// Publishes when the line turns high, as seen from cycle `at`; never, if simulation time ends
// before that.
void timer::reschedule(std::uint64_t at) {
  const std::uint64_t last = sc_core::sc_max_time().value() / ticks_per_cycle - 1;
  const std::uint64_t mtime = mtime_at(at);
  const std::uint64_t wait = mtimecmp_ > mtime ? mtimecmp_ - mtime : 0;
  interrupt.clear();
  if (at <= last && wait <= last - at)
    interrupt.schedule(cycles_to_time(at + wait));
}

bool timer::peek_register(std::uint32_t offset, std::uint32_t bytes, std::uint64_t at,
                          std::uint32_t &value) {
  return read_register(offset, bytes, at, value) == tlm::TLM_OK_RESPONSE;
}

tlm::tlm_response_status timer::read_register(std::uint32_t offset, std::uint32_t bytes,
                                              std::uint64_t at, std::uint32_t &value) {
  if (bytes != 4)
    return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  switch (offset) {
  case TPU_TIMER_MTIMECMP:
    value = static_cast<std::uint32_t>(mtimecmp_);
    return tlm::TLM_OK_RESPONSE;
  case TPU_TIMER_MTIMECMP + 4:
    value = static_cast<std::uint32_t>(mtimecmp_ >> 32);
    return tlm::TLM_OK_RESPONSE;
  case TPU_TIMER_MTIME:
    value = static_cast<std::uint32_t>(mtime_at(at));
    return tlm::TLM_OK_RESPONSE;
  case TPU_TIMER_MTIME + 4:
    value = static_cast<std::uint32_t>(mtime_at(at) >> 32);
    return tlm::TLM_OK_RESPONSE;
  default:
    return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  }
}

static std::uint64_t with_low(std::uint64_t old, std::uint32_t low) {
  return (old & ~std::uint64_t{0xffffffff}) | low;
}

static std::uint64_t with_high(std::uint64_t old, std::uint32_t high) {
  return std::uint64_t{high} << 32 | (old & std::uint64_t{0xffffffff});
}

tlm::tlm_response_status timer::write_register(std::uint32_t offset, std::uint32_t bytes,
                                               std::uint64_t at, std::uint32_t value) {
  if (bytes != 4)
    return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  switch (offset) {
  case TPU_TIMER_MTIMECMP:
    mtimecmp_ = with_low(mtimecmp_, value);
    break;
  case TPU_TIMER_MTIMECMP + 4:
    mtimecmp_ = with_high(mtimecmp_, value);
    break;
  case TPU_TIMER_MTIME:
    offset_ = with_low(mtime_at(at), value) - at;
    break;
  case TPU_TIMER_MTIME + 4:
    offset_ = with_high(mtime_at(at), value) - at;
    break;
  default:
    return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  }
  reschedule(at);
  return tlm::TLM_OK_RESPONSE;
}

} // namespace tpu
