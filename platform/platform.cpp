/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/platform.h"

#include "platform/bus/clock.h"
#include "platform/elf.h"
#include "platform/hw/memory_map.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <new>
#include <vector>

namespace tpu {

namespace {

cpu_config core_of(const tpu_cpu_config &c) {
  cpu_config out;
  out.core = {0, c.load_cycles, c.mul_cycles, c.div_cycles};
  return out;
}

dram_config memory_of(const tpu_memory_config &m) {
  return {TPU_DRAM_SIZE, m.latency_cycles, m.bytes_per_cycle, m.outstanding,
          m.ports == TPU_PORTS_PER_INITIATOR};
}

const char *cause_text(std::uint32_t cause) {
  switch (cause) {
  case RV_CAUSE_FETCH_MISALIGNED:
    return "misaligned instruction address";
  case RV_CAUSE_FETCH_FAULT:
    return "bus error on an instruction fetch";
  case RV_CAUSE_ILLEGAL:
    return "illegal instruction";
  case RV_CAUSE_BREAKPOINT:
    return "breakpoint";
  case RV_CAUSE_LOAD_MISALIGNED:
    return "misaligned load";
  case RV_CAUSE_LOAD_FAULT:
    return "bus error on a load";
  case RV_CAUSE_STORE_MISALIGNED:
    return "misaligned store";
  case RV_CAUSE_STORE_FAULT:
    return "bus error on a store";
  case RV_CAUSE_ECALL:
    return "environment call";
  default:
    return (cause & RV_CAUSE_INTERRUPT) != 0 ? "interrupt" : "unknown cause";
  }
}

template <typename... Values> std::string format(const char *text, Values... values) {
  char line[256];
  (void)std::snprintf(line, sizeof line, text, values...);
  return line;
}

// One segment's bytes on their way into DRAM.
int put_bytes(void *context, std::uint32_t address, const std::uint8_t *source,
              std::uint32_t bytes) {
  std::uint8_t *const to = static_cast<platform *>(context)->memory(address, bytes);
  if (to == nullptr)
    return 0;
  if (source != nullptr)
    std::memcpy(to, source, bytes);
  else
    std::memset(to, 0, bytes);
  return 1;
}

// What ended a simulation, on one line. Lack of memory goes on as itself: SystemC wraps what
// befalls a process, and has an error of its own for a process that gets no stack.
std::string line_of(const std::exception &error) {
  std::string what = error.what();
  for (const char *lacking : {std::bad_alloc().what(), sc_core::SC_ID_STACK_SETUP_FAILED_})
    if (what.find(lacking) != std::string::npos)
      throw std::bad_alloc();
  std::replace(what.begin(), what.end(), '\n', ' ');
  return what;
}

constexpr const char *initiator_names[] = {"cpu", "program", "operands", "results"};

} // namespace

void silence_systemc() {
  (void)setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1); // read by the library on first use
  sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  sc_core::sc_report_handler::set_actions(sc_core::SC_WARNING, sc_core::SC_DO_NOTHING);
  sc_core::sc_report_handler::set_actions(sc_core::SC_ERROR, sc_core::SC_THROW);
}

platform::platform(const sc_core::sc_module_name &name, const tpu_platform_config &config,
                   const core::timing_profile &timing, std::ostream *console_out,
                   std::uint32_t seed)
    : sc_module(name), cpu_("cpu", core_of(config.cpu)), router_("router"),
      dram_("dram", memory_of(config.memory)), console_("console", console_out), timer_("timer"),
      finisher_("finisher"),
      accelerator_("accelerator", config.params, timing, dram_.traits(), cycles_to_time(1), seed),
      registers_("accelerator_registers", accelerator_) {
  cpu_.socket.bind(router_.initiators); // in the order of initiator_names
  for (bus_port *port : {&accelerator_.program, &accelerator_.operands, &accelerator_.results})
    port->socket.bind(router_.initiators);
  const bool mapped =
      router_.map(region_DRAM, dram_.socket) && router_.map(region_CONSOLE, console_.socket) &&
      router_.map(region_TIMER, timer_.socket) && router_.map(region_FINISHER, finisher_.socket) &&
      router_.map(region_ACCELERATOR, registers_.socket);
  if (!mapped)
    SC_REPORT_ERROR("platform", "the memory map overlaps itself");
  cpu_.connect(RV_IRQ_TIMER, timer_.interrupt);
  cpu_.connect(RV_IRQ_EXTERNAL, registers_.interrupt);
  cpu_.set_time([this](std::uint64_t cycle) { return timer_.mtime_at(cycle); });
  finisher_.set_on_finish([this] { cpu_.halt(); });
}

std::uint8_t *platform::memory(std::uint32_t address, std::size_t bytes) {
  return region_DRAM.contains(address, bytes) ? dram_.data() + (address - TPU_DRAM_BASE) : nullptr;
}

int platform::load(const std::string &file, const std::uint8_t *image, std::size_t bytes,
                   struct tpu_report *r) {
  const tpu_elf_region regions[] = {{region_DRAM.name, TPU_DRAM_BASE, TPU_DRAM_SIZE}};
  tpu_elf elf;
  tpu_error e{};
  if (tpu_elf_parse(file.c_str(), image, bytes, regions, 1, &elf, &e) == 0)
    return tpu_report_fail(r, e.code, "%s", e.text);
  if (tpu_elf_load(&elf, put_bytes, this) == 0)
    return tpu_report_fail(r, TPU_ERR_RANGE, "%s: a segment left memory", file.c_str());
  console_.reset();
  finisher_.reset();
  timer_.reset();
  if (!registers_.busy()) {
    registers_.reset();
    accelerator_.forget_result(); // an earlier image's
  }
  retired_before_ = cpu_.core().retired;
  router_.reset_accounts();
  dram_.reset_accounts(std::size(initiator_names));
  cpu_.reset(elf.entry);
  return 1;
}

memory_account platform::memory_use() const {
  memory_account out;
  const std::uint64_t now = time_to_cycles(sc_core::sc_time_stamp());
  const auto &ports = dram_.ports();
  unsigned number = 0;
  for (const char *name : initiator_names) {
    initiator_account a{name, {}, time_to_cycles(router_.time_taken(number))};
    for (const auto &port : ports)
      if (number < port->accounts().size() && port->accounts()[number].requests != 0)
        a.memory = port->accounts()[number];
    const port_account &m = a.memory;
    if (a.on_bus != m.in_memory ||
        a.on_bus != m.waiting + m.requests * dram_.latency_cycles() + m.busy)
      out.broken = std::string("the cycles of the requests of ") + name;
    out.initiators.push_back(a);
    ++number;
  }
  for (std::size_t k = 0; k < ports.size(); ++k) {
    memory_account::port p;
    p.name = dram_.per_initiator() ? initiator_names[k] : "shared";
    p.cycles = ports[k]->elapsed(now);
    p.idle = ports[k]->idle(now);
    for (const port_account &a : ports[k]->accounts())
      p.busy += a.busy;
    if (p.busy + p.idle != p.cycles)
      out.broken = "the cycles of the memory's port " + p.name;
    out.ports.push_back(p);
  }
  return out;
}

std::string platform::describe_trap(const rv_report &report) const {
  return format("trap at pc 0x%08x: %s (cause %u), value 0x%08x, instruction 0x%08x", report.pc,
                cause_text(report.cause), report.cause & ~RV_CAUSE_INTERRUPT, report.value,
                report.insn);
}

int platform::run_accelerator(const core::run_addresses &addresses, struct tpu_report *r) {
  try {
    sc_core::sc_start(sc_core::SC_ZERO_TIME); // threads reach their first wait
    accelerator_.start(addresses, sc_core::sc_time_stamp());
    sc_core::sc_start(sc_core::sc_max_time() - sc_core::sc_time_stamp(),
                      sc_core::SC_EXIT_ON_STARVATION);
    if (!accelerator_.undetermined())
      return 1;
  } catch (const std::exception &error) { // SystemC's own, of a model that misuses it
    return tpu_report_fail(r, TPU_ERR_USE, "the simulation ended with an error: %s",
                           line_of(error).c_str());
  }
  return tpu_report_fail(r, TPU_ERR_USE,
                         "the simulation of the accelerator ended without an outcome");
}

run_status platform::run(std::uint64_t limit) {
  run_status status;
  const std::uint64_t begin = time_to_cycles(sc_core::sc_time_stamp());
  try {
    // A pause comes from the core: it halted or trapped. Otherwise time is up, or nothing is left
    // that could ever happen.
    const std::uint64_t ceiling = UINT64_MAX / ticks_per_cycle - begin - 1;
    sc_core::sc_start(cycles_to_time(std::min(limit, ceiling)), sc_core::SC_EXIT_ON_STARVATION);
  } catch (const std::exception &error) { // SystemC's own, of a model that misuses it
    status.text = "the simulation ended with an error: " + line_of(error);
    return status;
  }
  console_.flush();
  const rv_core &core = cpu_.core();
  status.cycles = core.cycle - cpu_.start_cycle();
  status.instructions = core.retired - retired_before_;
  if (finisher_.finished()) {
    status.end = run_end::finished;
    status.exit_code = finisher_.exit_code();
    status.passed = finisher_.passed();
  } else if (cpu_.state() == cpu_state::trapped) {
    status.end = run_end::trapped;
    status.text = describe_trap(core.report);
  } else if (!sc_core::sc_pending_activity()) {
    status.end = run_end::asleep;
    status.text = format("asleep at pc 0x%08x, and nothing will wake it", core.pc);
  } else {
    status.end = run_end::over_limit;
    status.text = format("still running at pc 0x%08x after %llu cycles", core.pc,
                         static_cast<unsigned long long>(limit));
  }
  return status;
}

} // namespace tpu
