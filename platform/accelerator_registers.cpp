/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/accelerator_registers.h"

#include "platform/bus/clock.h"

namespace tpu {

namespace {

constexpr std::uint32_t low_word(std::uint64_t v) { return static_cast<std::uint32_t>(v); }
constexpr std::uint32_t high_word(std::uint64_t v) { return static_cast<std::uint32_t>(v >> 32); }

enum base_index { base_program, base_a, base_b, base_c };
constexpr std::uint32_t base_alignment[4] = {8, 4, 4, 4};

// The place of a base address among base_, or -1.
int base_of(std::uint32_t offset) {
  switch (offset) {
  case TPU_REG_BASE_PROGRAM:
    return base_program;
  case TPU_REG_BASE_A:
    return base_a;
  case TPU_REG_BASE_B:
    return base_b;
  case TPU_REG_BASE_C:
    return base_c;
  default:
    return -1;
  }
}

bool is_counter(std::uint32_t offset) {
  return offset >= TPU_REG_COUNTERS &&
         offset < TPU_REG_COUNTERS + TPU_UNIT_COUNT * TPU_REG_UNIT_STRIDE &&
         (offset - TPU_REG_COUNTERS) % TPU_REG_UNIT_STRIDE < TPU_COUNTER_COUNT * 8;
}

// Identity and configuration never change; false = not one of them.
bool read_constant(const tpu_params &p, std::uint32_t offset, std::uint32_t &value) {
  switch (offset) {
  case TPU_REG_ID:
    value = TPU_REG_ID_VALUE;
    return true;
  case TPU_REG_VERSION:
    value = TPU_REG_VERSION_VALUE;
    return true;
  case TPU_REG_T:
    value = p.t;
    return true;
  case TPU_REG_MAXDIM:
    value = p.maxdim;
    return true;
  case TPU_REG_QD:
    value = p.qd;
    return true;
  case TPU_REG_DMA_WORDS:
    value = p.dma_words;
    return true;
  case TPU_REG_SPAD_ROWS:
    value = p.spad_rows;
    return true;
  case TPU_REG_NVR:
    value = p.nvr;
    return true;
  case TPU_REG_NAR:
    value = p.nar;
    return true;
  case TPU_REG_IMEM_SIZE:
    value = p.imem_size;
    return true;
  default:
    return false;
  }
}

} // namespace

accelerator_registers::accelerator_registers(const sc_core::sc_module_name &name,
                                             accelerator &device)
    : register_target(name, TPU_REG_SPACE), interrupt("accelerator_interrupt"), device_(device) {
  device_.on_outcome([this] { run_ended(); });
}

accelerator_registers::phase accelerator_registers::phase_at(std::uint64_t at) const {
  if (!started_)
    return phase::never;
  return outcome_known_ && at >= end_ ? phase::over : phase::running;
}

std::uint32_t accelerator_registers::status_at(std::uint64_t at) const {
  switch (phase_at(at)) {
  case phase::running:
    return TPU_STATUS_BUSY;
  case phase::over:
    return error_ == TPU_HW_ERROR_NONE
               ? std::uint32_t{TPU_STATUS_DONE}
               : std::uint32_t{TPU_STATUS_ERROR} | error_ << TPU_STATUS_CODE_SHIFT;
  case phase::never:
    break;
  }
  return 0;
}

std::uint64_t accelerator_registers::cycles_at(std::uint64_t at) const {
  switch (phase_at(at)) {
  case phase::running:
    return at > origin_ ? at - origin_ : 0;
  case phase::over:
    return end_ - origin_;
  case phase::never:
    break;
  }
  return 0;
}

std::uint64_t accelerator_registers::counter_at(std::uint32_t offset, std::uint64_t at) const {
  if (phase_at(at) != phase::over || !ran_)
    return 0;
  const std::uint32_t at_unit = offset - TPU_REG_COUNTERS;
  const core::unit_counters c =
      device_.counters(static_cast<tpu_unit>(at_unit / TPU_REG_UNIT_STRIDE));
  switch (at_unit % TPU_REG_UNIT_STRIDE / 8) {
  case TPU_COUNTER_PROMISED:
    return c.promised;
  case TPU_COUNTER_DONE:
    return c.done;
  case TPU_COUNTER_BUSY:
    return static_cast<std::uint64_t>(c.busy);
  case TPU_COUNTER_STARVED:
    return static_cast<std::uint64_t>(c.starved);
  case TPU_COUNTER_BLOCKED:
    return static_cast<std::uint64_t>(c.blocked);
  default:
    return static_cast<std::uint64_t>(c.idle);
  }
}

bool accelerator_registers::peek_register(std::uint32_t offset, std::uint32_t bytes,
                                          std::uint64_t at, std::uint32_t &value) {
  return read_register(offset, bytes, at, value) == tlm::TLM_OK_RESPONSE;
}

tlm::tlm_response_status accelerator_registers::read_register(std::uint32_t offset,
                                                              std::uint32_t bytes, std::uint64_t at,
                                                              std::uint32_t &value) {
  if (bytes != 4)
    return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  if (read_constant(device_.params(), offset, value))
    return tlm::TLM_OK_RESPONSE;
  if (is_counter(offset)) {
    const std::uint64_t counter = counter_at(offset & ~std::uint32_t{7}, at);
    value = (offset & 4) != 0 ? high_word(counter) : low_word(counter);
    return tlm::TLM_OK_RESPONSE;
  }
  const int base = base_of(offset);
  if (base >= 0) {
    value = base_[base];
    return tlm::TLM_OK_RESPONSE;
  }
  switch (offset) {
  case TPU_REG_CONTROL:
    value = 0;
    break;
  case TPU_REG_STATUS:
    value = status_at(at);
    break;
  case TPU_REG_IRQ_ENABLE:
    value = enabled_ ? TPU_IRQ_DONE : 0;
    break;
  case TPU_REG_IRQ_STATUS:
    value = pending_at(at) ? TPU_IRQ_DONE : 0;
    break;
  case TPU_REG_CYCLES_LO:
    value = low_word(cycles_at(at));
    break;
  case TPU_REG_CYCLES_HI:
    value = high_word(cycles_at(at));
    break;
  case TPU_REG_ERROR_INFO:
    value = phase_at(at) == phase::over ? info_ : 0;
    break;
  default:
    return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  }
  return tlm::TLM_OK_RESPONSE;
}

tlm::tlm_response_status accelerator_registers::write_register(std::uint32_t offset,
                                                               std::uint32_t bytes,
                                                               std::uint64_t at,
                                                               std::uint32_t value) {
  if (bytes != 4)
    return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  const int base = base_of(offset);
  if (base >= 0) {
    base_[base] = value;
    return tlm::TLM_OK_RESPONSE;
  }
  switch (offset) {
  case TPU_REG_CONTROL:
    if ((value & ~std::uint32_t{TPU_CONTROL_START}) != 0 ||
        (value != 0 && phase_at(at) == phase::running))
      return tlm::TLM_COMMAND_ERROR_RESPONSE;
    if (value != 0)
      start(at);
    return tlm::TLM_OK_RESPONSE;
  case TPU_REG_IRQ_ENABLE:
    if ((value & ~std::uint32_t{TPU_IRQ_DONE}) != 0)
      return tlm::TLM_COMMAND_ERROR_RESPONSE;
    enabled_ = value != 0;
    drive_line();
    return tlm::TLM_OK_RESPONSE;
  case TPU_REG_IRQ_STATUS:
    if ((value & ~std::uint32_t{TPU_IRQ_DONE}) != 0)
      return tlm::TLM_COMMAND_ERROR_RESPONSE;
    if (value != 0 && pending_at(at)) {
      pending_ = false;
      drive_line();
    }
    return tlm::TLM_OK_RESPONSE;
  default:
    return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  }
}

void accelerator_registers::start(std::uint64_t at) {
  started_ = true;
  ran_ = false;
  outcome_known_ = false;
  origin_ = at;
  info_ = 0;
  for (int i = base_program; i <= base_c; ++i) {
    if (base_[i] == 0 || base_[i] % base_alignment[i] != 0) {
      end(at, TPU_HW_ERROR_BAD_BASE, base_[i]);
      return;
    }
  }
  ran_ = true;
  interrupt.set_undetermined(true);
  device_.start({base_[base_program], base_[base_a], base_[base_b], base_[base_c]},
                cycles_to_time(at));
}

// The model knows how the run ends, perhaps ahead of time.
void accelerator_registers::run_ended() {
  const std::uint64_t cycle = origin_ + static_cast<std::uint64_t>(device_.elapsed());
  interrupt.set_undetermined(false);
  switch (device_.result()) {
  case core::outcome::completed:
    end(cycle, TPU_HW_ERROR_NONE, 0);
    break;
  case core::outcome::deadlock:
    end(cycle, TPU_HW_ERROR_DEADLOCK, 0);
    break;
  default:
    end(cycle, static_cast<std::uint32_t>(device_.failure().code), device_.failure().info);
    break;
  }
}

void accelerator_registers::end(std::uint64_t cycle, std::uint32_t error, std::uint32_t info) {
  outcome_known_ = true;
  end_ = cycle;
  error_ = error;
  info_ = info;
  if (!pending_) { // an earlier end that nobody has cleared stays pending
    pending_ = true;
    pending_from_ = cycle;
  }
  drive_line();
}

void accelerator_registers::drive_line() {
  if (enabled_ && pending_)
    interrupt.schedule(cycles_to_time(pending_from_));
  else
    interrupt.clear();
}

} // namespace tpu
