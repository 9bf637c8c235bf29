/* SPDX-License-Identifier: Apache-2.0 */
// The accelerator as the bus sees it: its registers and its interrupt line.
#ifndef TPU_PLATFORM_ACCELERATOR_REGISTERS_H
#define TPU_PLATFORM_ACCELERATOR_REGISTERS_H

#include "models/accelerator.h"
#include "platform/bus/irq_line.h"
#include "platform/bus/register_target.h"
#include "platform/hw/registers.h"

#include <cstdint>

namespace tpu {

// Whole words only; reserved offsets and writes to read-only registers are
// TLM_ADDRESS_ERROR_RESPONSE. Refused with TLM_COMMAND_ERROR_RESPONSE: a start while a run is under
// way, and bits that a register does not have.
//
// A start takes the base addresses as they are then; one that is null or misaligned ends the run at
// once in error. A run under way shows as busy until the cycle in which it ends, in simulation
// time, however early the model knows its outcome; until then cycles count and the unit counters
// read 0. Then they keep what the run left until the next start. IRQ_STATUS goes pending when a run
// ends, whether or not the interrupt is enabled; the line is high while it is both.
class accelerator_registers : public register_target {
public:
  irq_line interrupt;

  accelerator_registers(const sc_core::sc_module_name &name, accelerator &device);

private:
  enum class phase { never, running, over };

  tlm::tlm_response_status read_register(std::uint32_t offset, std::uint32_t bytes,
                                         std::uint64_t at, std::uint32_t &value) override;
  tlm::tlm_response_status write_register(std::uint32_t offset, std::uint32_t bytes,
                                          std::uint64_t at, std::uint32_t value) override;
  bool peek_register(std::uint32_t offset, std::uint32_t bytes, std::uint64_t at,
                     std::uint32_t &value) override;

  void start(std::uint64_t at);
  void run_ended();
  void end(std::uint64_t cycle, std::uint32_t error, std::uint32_t info);
  void drive_line();

  phase phase_at(std::uint64_t at) const;
  bool pending_at(std::uint64_t at) const { return pending_ && at >= pending_from_; }
  std::uint32_t status_at(std::uint64_t at) const;
  std::uint64_t cycles_at(std::uint64_t at) const;
  std::uint64_t counter_at(std::uint32_t offset, std::uint64_t at) const;

  accelerator &device_;
  std::uint32_t base_[4] = {0, 0, 0, 0}; // program, A, B, C
  bool enabled_ = false;

  bool started_ = false;       // at least once
  bool ran_ = false;           // the last start reached the units
  bool outcome_known_ = false; // of the last start; it may lie ahead of time
  std::uint64_t origin_ = 0;   // cycle of the last start
  std::uint64_t end_ = 0;      // cycle of its end, once known
  std::uint32_t error_ = 0;    // enum tpu_hw_error
  std::uint32_t info_ = 0;
  bool pending_ = false; // IRQ_STATUS, from a cycle on
  std::uint64_t pending_from_ = 0;
};

} // namespace tpu
#endif
