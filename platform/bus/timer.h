/* SPDX-License-Identifier: Apache-2.0 */
// The machine timer, in the layout of a CLINT: mtime counts cycles, the interrupt line is high
// while mtime >= mtimecmp.
#ifndef TPU_PLATFORM_BUS_TIMER_H
#define TPU_PLATFORM_BUS_TIMER_H

#include "platform/bus/irq_line.h"
#include "platform/bus/register_target.h"

namespace tpu {

// Registers: mtimecmp and mtime, two words each, accessed as whole words; the rest is reserved.
class timer : public register_target {
public:
  irq_line interrupt;

  explicit timer(const sc_core::sc_module_name &name);

  // mtime as it is at an absolute cycle.
  std::uint64_t mtime_at(std::uint64_t cycle) const { return cycle + offset_; }

  // mtime is 0 at the present cycle, mtimecmp the largest number, the line low.
  void reset();

private:
  tlm::tlm_response_status read_register(std::uint32_t offset, std::uint32_t bytes,
                                         std::uint64_t at, std::uint32_t &value) override;
  tlm::tlm_response_status write_register(std::uint32_t offset, std::uint32_t bytes,
                                          std::uint64_t at, std::uint32_t value) override;
  bool peek_register(std::uint32_t offset, std::uint32_t bytes, std::uint64_t at,
                     std::uint32_t &value) override;
  void reschedule(std::uint64_t at);

  std::uint64_t offset_ = 0; // mtime - cycle, modulo 2^64
  std::uint64_t mtimecmp_ = ~std::uint64_t{0};
};

} // namespace tpu
#endif
