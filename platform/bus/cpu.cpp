/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/bus/cpu.h"

#include "platform/bus/clock.h"

#include <algorithm>
#include <cstring>

namespace tpu {

cpu::cpu(const sc_core::sc_module_name &name, const cpu_config &config)
    : sc_module(name), socket("socket"), config_(config) {
  SC_HAS_PROCESS(cpu);
  SC_THREAD(run);
  set_stack_size(0x40000);
  for (std::uint32_t *cycles :
       {&config_.core.load_cycles, &config_.core.mul_cycles, &config_.core.div_cycles})
    *cycles = std::max<std::uint32_t>(*cycles, 1);
  config_.quantum_cycles = std::max<std::uint64_t>(config_.quantum_cycles, 1);
  const rv_host host = {this, &cpu::read, &cpu::write, &cpu::time};
  rv_init(&core_, &config_.core, &host);
  socket.register_invalidate_direct_mem_ptr(this, &cpu::invalidate_direct_mem_ptr);
  wake_ |= reset_event_;
}

cpu::~cpu() { rv_destroy(&core_); }

void cpu::connect(unsigned irq, const irq_line &line) {
  inputs_.push_back({irq, &line});
  wake_ |= line.raised_event();
}

void cpu::reset(std::uint32_t entry) {
  entry_ = entry;
  reset_pending_ = true;
  state_ = cpu_state::running;
  rv_request(&core_, RV_REQUEST_STOP); // if it is inside an access: end that run
  reset_event_.notify(sc_core::SC_ZERO_TIME);
}

void cpu::halt() { rv_request(&core_, RV_REQUEST_STOP); }

void cpu::run() {
  for (;;) {
    if (reset_pending_)
      start();
    else if (state_ == cpu_state::running)
      step();
    else if (state_ == cpu_state::sleeping)
      sleep();
    else
      wait(reset_event_);
  }
}

void cpu::start() {
  reset_pending_ = false;
  core_.cycle = std::max(core_.cycle, time_to_cycles(sc_core::sc_time_stamp()));
  start_cycle_ = core_.cycle;
  rv_reset(&core_, entry_);
  state_ = cpu_state::running;
}

void cpu::step() {
  synchronise();
  if (reset_pending_)
    return;
  sample_interrupts();
  switch (rv_run(&core_, bound())) {
  case RV_STOP_CYCLE:
    break;
  case RV_STOP_SLEEP:
    state_ = cpu_state::sleeping;
    break;
  case RV_STOP_UNHANDLED:
    stop(cpu_state::trapped);
    break;
  case RV_STOP_HOST:
    stop(cpu_state::halted);
    break;
  }
}

void cpu::sleep() {
  synchronise();
  if (reset_pending_)
    return;
  sample_interrupts();
  if (rv_irq_pending(&core_)) {
    state_ = cpu_state::running;
    return;
  }
  wait(wake_);
  core_.cycle = std::max(core_.cycle, time_to_cycles(sc_core::sc_time_stamp()));
}

void cpu::stop(cpu_state state) {
  if (reset_pending_)
    return;
  state_ = state;
  synchronise();
  if (!reset_pending_)
    sc_core::sc_pause();
}

// Lets simulation time catch up with the core's, or a reset come in.
void cpu::synchronise() {
  const sc_core::sc_time due = cycles_to_time(core_.cycle) + half_cycle();
  while (sc_core::sc_time_stamp() < due && !reset_pending_)
    wait(due - sc_core::sc_time_stamp(), reset_event_);
}

void cpu::sample_interrupts() {
  for (const input &i : inputs_)
    rv_set_irq(&core_, i.irq, i.line->level());
}

// How far the core may run on what it knows about its interrupts now.
std::uint64_t cpu::bound() const {
  std::uint64_t until = core_.cycle + config_.quantum_cycles;
  for (const input &i : inputs_) {
    if (i.line->undetermined())
      until = core_.cycle + 1;
    else if (!i.line->level() && !i.line->quiet())
      until = std::min(until, time_to_cycles(i.line->high_from()));
  }
  return until;
}

// Asks the target at an address for direct access; the core keeps one window.
bool cpu::find_window(std::uint32_t address) {
  if (!config_.use_dmi || core_.window.bytes != 0)
    return false;
  tlm::tlm_generic_payload trans;
  tlm::tlm_dmi dmi;
  trans.set_address(address);
  trans.set_read();
  if (!socket->get_direct_mem_ptr(trans, dmi) || !dmi.is_read_allowed())
    return false;
  const sc_dt::uint64 start = dmi.get_start_address();
  const sc_dt::uint64 bytes = dmi.get_end_address() - start + 1;
  if (start > UINT32_MAX || bytes > UINT32_MAX)
    return false;
  const rv_window window = {dmi.get_dmi_ptr(),
                            static_cast<std::uint32_t>(start),
                            static_cast<std::uint32_t>(bytes) & ~std::uint32_t{3},
                            static_cast<std::uint32_t>(time_to_cycles(dmi.get_read_latency())),
                            static_cast<std::uint32_t>(time_to_cycles(dmi.get_write_latency())),
                            dmi.is_write_allowed() ? 0 : 1};
  return rv_set_window(&core_, &window) != 0 && core_.window.bytes != 0;
}

// The access that found the window goes through it already, in no other time than the next.
bool cpu::through_window(bool write, std::uint32_t address, std::uint32_t bytes, void *data) {
  const std::uint32_t offset = address - core_.window.base;
  if (offset >= core_.window.bytes)
    return false;
  std::uint8_t *const memory = core_.window.host + offset;
  if (write)
    std::memcpy(memory, data, bytes);
  else
    std::memcpy(data, memory, bytes);
  return true;
}

bool cpu::access(bool write, rv_access kind, std::uint32_t address, std::uint32_t bytes,
                 void *data) {
  if (find_window(address) && (kind == RV_ACCESS_FETCH || core_.window.code_only == 0) &&
      through_window(write, address, bytes, data)) {
    if (kind != RV_ACCESS_FETCH)
      core_.cycle += write ? core_.window.store_extra : core_.window.load_extra;
    return true;
  }
  synchronise();
  if (reset_pending_)
    return false;
  tlm::tlm_generic_payload trans;
  trans.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
  trans.set_address(address);
  trans.set_data_ptr(static_cast<unsigned char *>(data));
  trans.set_data_length(bytes);
  trans.set_streaming_width(bytes);
  rv_request(&core_, RV_REQUEST_YIELD); // what interrupts will do may have changed
  if (kind == RV_ACCESS_FETCH)          // in no bus time, so in nobody's way
    return socket->transport_dbg(trans) == bytes;
  sc_core::sc_time delay = half_cycle();
  socket->b_transport(trans, delay);
  // The next whole cycle at no delay: this instruction's own.
  core_.cycle = std::max(core_.cycle, time_to_cycles(sc_core::sc_time_stamp() + delay) - 1);
  if (write)
    rv_invalidate(&core_, address, bytes); // it may be code that the window has been read for
  return trans.is_response_ok();
}

void cpu::invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end) {
  const sc_dt::uint64 base = core_.window.base;
  const rv_window none = {nullptr, 0, 0, 0, 0, 0};
  if (core_.window.bytes != 0 && start < base + core_.window.bytes && end >= base)
    rv_set_window(&core_, &none);
}

int cpu::read(void *context, rv_core *, rv_access kind, std::uint32_t address, std::uint32_t bytes,
              std::uint32_t *value) {
  *value = 0;
  return static_cast<cpu *>(context)->access(false, kind, address, bytes, value) ? 1 : 0;
}

int cpu::write(void *context, rv_core *, std::uint32_t address, std::uint32_t bytes,
               std::uint32_t value) {
  auto *self = static_cast<cpu *>(context);
  return self->access(true, RV_ACCESS_STORE, address, bytes, &value) ? 1 : 0;
}

std::uint64_t cpu::time(void *context, std::uint64_t cycle) {
  const auto *self = static_cast<const cpu *>(context);
  return self->time_ ? self->time_(cycle) : cycle;
}

} // namespace tpu
