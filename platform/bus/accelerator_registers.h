/* SPDX-License-Identifier: Apache-2.0 */
// The accelerator's register file: platform/hw/registers.h as a device on the bus.
#ifndef TPU_PLATFORM_BUS_ACCELERATOR_REGISTERS_H
#define TPU_PLATFORM_BUS_ACCELERATOR_REGISTERS_H

#include "models/accelerator.h"
#include "platform/bus/irq_line.h"
#include "platform/bus/register_target.h"
#include "platform/hw/registers.h"

#include <functional>
#include <utility>

namespace tpu {

// Accesses are 32 bits wide. A reserved offset, another width, a write to a read-only register, an
// unknown bit of CONTROL, IRQ_ENABLE or IRQ_STATUS, and a start or a write of a base address while
// busy get a TLM error response and change nothing.
class accelerator_registers : public register_target {
public:
  irq_line interrupt; // high while enabled and pending

  accelerator_registers(const sc_core::sc_module_name &name, accelerator &device);

  // As after power-on; memories of the accelerator keep what they hold. Not while busy.
  void reset();
  // A run is under way at simulation time now.
  bool busy() const { return status_at(sc_core::sc_time_stamp()) == TPU_STATUS_BUSY; }
  // Called when a start is accepted, before the run has done anything. It observes: no time passes.
  void on_start(std::function<void()> listener) { started_ = std::move(listener); }

protected:
  tlm::tlm_response_status read_register(std::uint32_t offset, std::uint32_t bytes,
                                         std::uint64_t at, std::uint32_t &value) override;
  tlm::tlm_response_status write_register(std::uint32_t offset, std::uint32_t bytes,
                                          std::uint64_t at, std::uint32_t value) override;
  bool peek_register(std::uint32_t offset, std::uint32_t bytes, std::uint64_t at,
                     std::uint32_t &value) override;

private:
  enum class phase { idle, running, refused }; // refused: a bad start, no run

  std::uint32_t status_at(const sc_core::sc_time &now) const;
  std::uint32_t error_code() const;
  bool pending_at(const sc_core::sc_time &now) const;
  std::uint64_t cycles_at(std::uint64_t at) const;
  bool read_counter(std::uint32_t offset, const sc_core::sc_time &now, std::uint32_t &value) const;
  void start(std::uint64_t at);
  void outcome();
  void update_interrupt();

  accelerator &device_;
  std::function<void()> started_;
  phase phase_ = phase::idle;
  std::uint32_t refused_info_ = 0;
  sc_core::sc_time refused_at_;
  std::uint64_t started_at_ = 0; // cycle
  bool cleared_ = true;          // the outcome's interrupt has been acknowledged, or there is none
  std::uint32_t irq_enable_ = 0;
  std::uint32_t base_program_ = 0;
  std::uint32_t base_a_ = 0;
  std::uint32_t base_b_ = 0;
  std::uint32_t base_c_ = 0;
};

} // namespace tpu
#endif
