/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/bus/accelerator_registers.h"

#include "platform/bus/clock.h"

namespace tpu {

accelerator_registers::accelerator_registers(const sc_core::sc_module_name &name,
                                             accelerator &device)
    : register_target(name, TPU_REG_SPACE), interrupt("accelerator_interrupt"), device_(device) {
  device_.on_outcome([this] { outcome(); });
}

void accelerator_registers::reset() {
  phase_ = phase::idle;
  cleared_ = true;
  irq_enable_ = 0;
  base_program_ = base_a_ = base_b_ = base_c_ = 0;
  interrupt.clear();
  interrupt.set_undetermined(false);
}

std::uint32_t accelerator_registers::error_code() const {
  if (phase_ == phase::refused)
    return TPU_HW_ERROR_BAD_BASE;
  switch (device_.result()) {
  case core::outcome::failed:
    return static_cast<std::uint32_t>(device_.failure().code);
  case core::outcome::deadlock:
    return TPU_HW_ERROR_DEADLOCK;
  default:
    return TPU_HW_ERROR_NONE;
  }
}

std::uint32_t accelerator_registers::status_at(const sc_core::sc_time &now) const {
  if (phase_ == phase::idle)
    return 0;
  if (phase_ == phase::running && (device_.undetermined() || now < device_.end_time()))
    return TPU_STATUS_BUSY;
  const std::uint32_t code = error_code();
  if (code == TPU_HW_ERROR_NONE)
    return TPU_STATUS_DONE;
  return TPU_STATUS_ERROR | code << TPU_STATUS_CODE_SHIFT;
}

bool accelerator_registers::pending_at(const sc_core::sc_time &now) const {
  return !cleared_ && (status_at(now) & (TPU_STATUS_DONE | TPU_STATUS_ERROR)) != 0;
}

// Cycles from start to now while busy, to the end of the run after it.
std::uint64_t accelerator_registers::cycles_at(std::uint64_t at) const {
  if (phase_ != phase::running)
    return 0;
  if (status_at(cycles_to_time(at)) == TPU_STATUS_BUSY)
    return at > started_at_ ? at - started_at_ : 0;
  return static_cast<std::uint64_t>(device_.elapsed());
}

// Counters stand once the run has ended; before that they read 0.
bool accelerator_registers::read_counter(std::uint32_t offset, const sc_core::sc_time &now,
                                         std::uint32_t &value) const {
  const std::uint32_t place = offset - TPU_REG_COUNTERS;
  const std::uint32_t u = place / TPU_REG_UNIT_STRIDE;
  const std::uint32_t c = place % TPU_REG_UNIT_STRIDE / 8;
  if (u >= TPU_UNIT_COUNT || c >= TPU_COUNTER_COUNT)
    return false;
  value = 0;
  if (phase_ != phase::running || status_at(now) == TPU_STATUS_BUSY)
    return true;
  const core::unit_counters k = device_.counters(static_cast<enum tpu_unit>(u));
  const std::uint64_t whole = k.value(static_cast<enum tpu_counter>(c));
  value = static_cast<std::uint32_t>(whole >> (place % 8 == 0 ? 0 : 32));
  return true;
}

tlm::tlm_response_status accelerator_registers::read_register(std::uint32_t offset,
                                                              std::uint32_t bytes, std::uint64_t at,
                                                              std::uint32_t &value) {
  if (bytes != 4)
    return tlm::TLM_BURST_ERROR_RESPONSE;
  const tpu_params &p = device_.params();
  const sc_core::sc_time now = cycles_to_time(at);
  switch (offset) {
  case TPU_REG_ID:
    value = TPU_REG_ID_VALUE;
    break;
  case TPU_REG_VERSION:
    value = TPU_REG_VERSION_VALUE;
    break;
  case TPU_REG_T:
    value = p.t;
    break;
  case TPU_REG_MAXDIM:
    value = p.maxdim;
    break;
  case TPU_REG_QD:
    value = p.qd;
    break;
  case TPU_REG_DMA_WORDS:
    value = p.dma_words;
    break;
  case TPU_REG_SPAD_ROWS:
    value = p.spad_rows;
    break;
  case TPU_REG_NVR:
    value = p.nvr;
    break;
  case TPU_REG_NAR:
    value = p.nar;
    break;
  case TPU_REG_IMEM_SIZE:
    value = p.imem_size;
    break;
  case TPU_REG_CONTROL:
    value = 0;
    break;
  case TPU_REG_STATUS:
    value = status_at(now);
    break;
  case TPU_REG_IRQ_ENABLE:
    value = irq_enable_;
    break;
  case TPU_REG_IRQ_STATUS:
    value = pending_at(now) ? TPU_IRQ_DONE : 0;
    break;
  case TPU_REG_BASE_PROGRAM:
    value = base_program_;
    break;
  case TPU_REG_BASE_A:
    value = base_a_;
    break;
  case TPU_REG_BASE_B:
    value = base_b_;
    break;
  case TPU_REG_BASE_C:
    value = base_c_;
    break;
  case TPU_REG_CYCLES_LO:
    value = static_cast<std::uint32_t>(cycles_at(at));
    break;
  case TPU_REG_CYCLES_HI:
    value = static_cast<std::uint32_t>(cycles_at(at) >> 32);
    break;
  case TPU_REG_ERROR_INFO:
    value = 0;
    if ((status_at(now) & TPU_STATUS_ERROR) != 0)
      value = phase_ == phase::refused ? refused_info_ : device_.failure().info;
    break;
  default:
    if (offset < TPU_REG_COUNTERS || !read_counter(offset, now, value))
      return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    break;
  }
  return tlm::TLM_OK_RESPONSE;
}

bool accelerator_registers::peek_register(std::uint32_t offset, std::uint32_t bytes,
                                          std::uint64_t at, std::uint32_t &value) {
  return read_register(offset, bytes, at, value) == tlm::TLM_OK_RESPONSE;
}

tlm::tlm_response_status accelerator_registers::write_register(std::uint32_t offset,
                                                               std::uint32_t bytes,
                                                               std::uint64_t at,
                                                               std::uint32_t value) {
  if (bytes != 4)
    return tlm::TLM_BURST_ERROR_RESPONSE;
  const sc_core::sc_time now = cycles_to_time(at);
  const bool is_busy = status_at(now) == TPU_STATUS_BUSY;
  std::uint32_t *base = nullptr;
  switch (offset) {
  case TPU_REG_CONTROL:
    if ((value & ~std::uint32_t{TPU_CONTROL_START}) != 0 || (value != 0 && is_busy))
      return tlm::TLM_COMMAND_ERROR_RESPONSE;
    if (value != 0)
      start(at);
    return tlm::TLM_OK_RESPONSE;
  case TPU_REG_IRQ_ENABLE:
    if ((value & ~std::uint32_t{TPU_IRQ_DONE}) != 0)
      return tlm::TLM_COMMAND_ERROR_RESPONSE;
    irq_enable_ = value;
    update_interrupt();
    return tlm::TLM_OK_RESPONSE;
  case TPU_REG_IRQ_STATUS:
    if ((value & ~std::uint32_t{TPU_IRQ_DONE}) != 0)
      return tlm::TLM_COMMAND_ERROR_RESPONSE;
    if (value != 0 && pending_at(now)) {
      cleared_ = true;
      update_interrupt();
    }
    return tlm::TLM_OK_RESPONSE;
  case TPU_REG_BASE_PROGRAM:
    base = &base_program_;
    break;
  case TPU_REG_BASE_A:
    base = &base_a_;
    break;
  case TPU_REG_BASE_B:
    base = &base_b_;
    break;
  case TPU_REG_BASE_C:
    base = &base_c_;
    break;
  default: // read-only or reserved
    return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  }
  if (is_busy)
    return tlm::TLM_COMMAND_ERROR_RESPONSE;
  *base = value;
  return tlm::TLM_OK_RESPONSE;
}

void accelerator_registers::start(std::uint64_t at) {
  started_at_ = at;
  cleared_ = false;
  const struct {
    std::uint32_t base, alignment;
  } bases[] = {{base_program_, 8}, {base_a_, 4}, {base_b_, 4}, {base_c_, 4}};
  for (const auto &b : bases) {
    if (b.base == 0 || b.base % b.alignment != 0) {
      phase_ = phase::refused;
      refused_info_ = b.base;
      refused_at_ = cycles_to_time(at);
      update_interrupt();
      return;
    }
  }
  if (started_)
    started_();
  phase_ = phase::running;
  interrupt.clear();
  interrupt.set_undetermined(true);
  device_.start({base_program_, base_a_, base_b_, base_c_}, cycles_to_time(at));
}

void accelerator_registers::outcome() {
  interrupt.set_undetermined(false);
  update_interrupt();
}

void accelerator_registers::update_interrupt() {
  if (irq_enable_ == 0 || cleared_ || phase_ == phase::idle) {
    interrupt.clear();
  } else if (phase_ == phase::refused) {
    interrupt.schedule(refused_at_);
  } else if (!device_.undetermined()) {
    interrupt.schedule(device_.end_time());
  }
}

} // namespace tpu
