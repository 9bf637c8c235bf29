/* SPDX-License-Identifier: Apache-2.0 */
// The core on the bus, beside a timer and a device that raises its interrupt at times of its own:
// what happens, and when, depends neither on the quantum nor on the order of processes.
#include "test/cpu/encode.h"

#include "platform/bus/clock.h"
#include "platform/bus/console.h"
#include "platform/bus/cpu.h"
#include "platform/bus/dram.h"
#include "platform/bus/finisher.h"
#include "platform/bus/router.h"
#include "platform/bus/timer.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

using namespace tpu;
using namespace rv;

namespace {

constexpr word base = TPU_DRAM_BASE;
constexpr word handler = base + 0x200;
constexpr word shared_word = base + 0x800;
constexpr word records = base + 0x1000;
constexpr std::uint32_t memory_bytes = 0x4000;

// Stands for the accelerator: a write of n to offset 0 starts it for n cycles, in which it counts
// up a word of memory every 10 cycles; a write to offset 4 clears its interrupt. Odd runs know
// their end from the middle on and leave memory alone from there; even ones never know.
class worker : public register_target {
public:
  irq_line interrupt{"worker_interrupt"};

  worker(const sc_core::sc_module_name &name, dram &memory)
      : register_target(name, 0x1000), memory_(memory) {
    SC_HAS_PROCESS(worker);
    SC_THREAD(run);
  }

private:
  tlm::tlm_response_status read_register(std::uint32_t offset, std::uint32_t, std::uint64_t,
                                         std::uint32_t &value) override {
    value = busy_ ? 1 : 0;
    return offset == 0 ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE;
  }

  tlm::tlm_response_status write_register(std::uint32_t offset, std::uint32_t, std::uint64_t at,
                                          std::uint32_t value) override {
    if (offset == 4) {
      interrupt.clear();
      return tlm::TLM_OK_RESPONSE;
    }
    busy_ = true;
    end_ = at + value;
    middle_ = runs_ % 2 == 1 ? at + value / 2 : end_;
    runs_++;
    interrupt.set_undetermined(true);
    start_.notify(cycles_to_time(at) - sc_core::sc_time_stamp());
    return tlm::TLM_OK_RESPONSE;
  }

  void run() {
    for (;;) {
      wait(start_);
      for (;;) {
        const std::uint64_t now = time_to_cycles(sc_core::sc_time_stamp());
        if (now >= middle_)
          break;
        std::uint32_t v;
        std::memcpy(&v, memory_.data() + (shared_word - base), 4);
        v += 3;
        std::memcpy(memory_.data() + (shared_word - base), &v, 4);
        wait(cycles_to_time(std::min<std::uint64_t>(10, middle_ - now)));
      }
      if (middle_ < end_) {
        interrupt.schedule(cycles_to_time(end_));
        wait(cycles_to_time(end_ - middle_));
      } else {
        interrupt.raise();
      }
      busy_ = false;
    }
  }

  dram &memory_;
  sc_core::sc_event start_;
  std::uint64_t middle_ = 0, end_ = 0;
  unsigned runs_ = 0;
  bool busy_ = false;
};

struct options {
  std::uint64_t quantum = 10000;
  bool worker_first = false;
  bool use_dmi = true;
  std::uint32_t latency = 0;
  std::uint32_t bytes_per_cycle = 0;
};

class machine_system : public sc_core::sc_module {
public:
  dram memory;
  router bus{"bus"};
  console uart{"uart", nullptr};
  timer clint{"clint"};
  finisher end{"end"};
  std::unique_ptr<worker> device;
  std::unique_ptr<cpu> core;

  machine_system(const sc_core::sc_module_name &name, const options &o)
      : sc_module(name), memory("memory", {memory_bytes, o.latency, o.bytes_per_cycle}) {
    if (o.worker_first)
      device = std::make_unique<worker>("device", memory);
    core = std::make_unique<cpu>("core", cpu_config{{0, 2, 3, 9}, o.quantum, o.use_dmi});
    if (!o.worker_first)
      device = std::make_unique<worker>("device", memory);
    core->socket.bind(bus.initiators);
    EXPECT_TRUE(bus.map({"dram", base, memory_bytes}, memory.socket) &&
                bus.map(region_CONSOLE, uart.socket) && bus.map(region_TIMER, clint.socket) &&
                bus.map(region_FINISHER, end.socket) &&
                bus.map(region_ACCELERATOR, device->socket));
    core->connect(RV_IRQ_TIMER, clint.interrupt);
    core->connect(RV_IRQ_EXTERNAL, device->interrupt);
    core->set_time([this](std::uint64_t cycle) { return clint.mtime_at(cycle); });
    end.set_on_finish([this] { core->halt(); });
  }

  void load(word address, const std::vector<word> &words) {
    for (const word w : words) {
      std::memcpy(memory.data() + (address - base), &w, 4);
      address += 4;
    }
  }
  word at(word address) const {
    word w;
    std::memcpy(&w, memory.data() + (address - base), 4);
    return w;
  }
  bool stopped() const {
    return core->state() == cpu_state::halted || core->state() == cpu_state::trapped;
  }
};

using systems = std::vector<std::unique_ptr<machine_system>>;

// Starts all of them and simulates until the last has stopped, or 200,000 cycles have passed.
void simulate(const systems &all) {
  for (const auto &s : all)
    s->core->reset(base);
  const sc_core::sc_time limit = sc_core::sc_time_stamp() + cycles_to_time(200000);
  const auto running = [&all] {
    for (const auto &s : all)
      if (!s->stopped())
        return true;
    return false;
  };
  while (running() && sc_core::sc_time_stamp() < limit && sc_core::sc_pending_activity())
    sc_core::sc_start(limit - sc_core::sc_time_stamp(), sc_core::SC_EXIT_ON_STARVATION);
}

systems make(const std::vector<options> &variants) {
  systems all;
  for (const options &o : variants)
    all.push_back(
        std::make_unique<machine_system>(("system" + std::to_string(all.size())).c_str(), o));
  return all;
}

constexpr word to_finish[] = {lui(30, TPU_FINISHER_BASE), li_high(31, TPU_FINISHER_PASS),
                              li_low(31, TPU_FINISHER_PASS), store(sw, 31, 30, 0), jal(0, 0)};

std::vector<word> then_finish(std::vector<word> words) {
  words.insert(words.end(), std::begin(to_finish), std::end(to_finish));
  return words;
}

// Twelve interrupts of both sources while it computes, reads what the worker writes and polls; then
// twelve more, asleep. Each leaves a record: cycle, cause, loop count.
void load_busy_program(machine_system &s) {
  const std::vector<word> head = {
      auipc(9, 0),
      addi(9, 9, 0x200),
      csr(csrrw, 0, mtvec, 9),
      lui(1, TPU_TIMER_BASE + 0x4000),
      lui(2, TPU_ACCELERATOR_BASE),
      lui(3, records),
      lui(7, base),
      addi(7, 7, 0x700),
      addi(7, 7, 0x100),
      addi(8, 0, 12),
      addi(13, 0, 24),
      addi(24, 0, 60),
      addi(9, 0, 500),
      store(sw, 9, 1, 0),
      store(sw, 0, 1, 4),
      addi(9, 0, 333),
      store(sw, 9, 2, 0),
      li_high(9, 0x880),
      li_low(9, 0x880),
      csr(csrrw, 0, mie, 9),
      csr(csrrsi, 0, mstatus, 8),
  };
  const std::vector<word> loop = {
      load(lw, 11, 7, 0), op(add, 6, 6, 11), op(xor_, 6, 6, 5),       addi(5, 5, 1),
      op(divu, 12, 6, 5), op(add, 6, 6, 12), op_imm(and_, 14, 5, 63), branch(bne, 14, 0, 12),
      load(lw, 15, 2, 0), op(add, 6, 6, 15), branch(blt, 4, 8, -40)};
  const std::vector<word> asleep = {wfi,
                                    csr(csrrs, 11, mcycle, 0),
                                    store(sw, 11, 3, 0),
                                    addi(3, 3, 4),
                                    branch(blt, 4, 13, -16),
                                    store(sw, 6, 3, 0),
                                    store(sw, 5, 3, 4)};
  std::vector<word> program = head;
  program.insert(program.end(), loop.begin(), loop.end());
  program.insert(program.end(), asleep.begin(), asleep.end());
  s.load(base, then_finish(program));
  s.load(handler, {csr(csrrs, 20, mcycle, 0), store(sw, 20, 3, 0), csr(csrrs, 21, mcause, 0),
                   store(sw, 21, 3, 4), store(sw, 5, 3, 8), addi(3, 3, 12), addi(4, 4, 1),
                   op_imm(and_, 22, 21, 8), branch(bne, 22, 0, 24),
                   // timer: due again 211 cycles on
                   lui(26, TPU_TIMER_BASE + 0xc000), load(lw, 23, 26, -8), addi(23, 23, 211),
                   store(sw, 23, 1, 0), mret,
                   // worker: cleared, and started for longer
                   store(sw, 0, 2, 4), addi(24, 24, 37), store(sw, 24, 2, 0), mret});
}

std::vector<word> memory_of(const machine_system &s) {
  std::vector<word> out(memory_bytes / 4);
  std::memcpy(out.data(), s.memory.data(), memory_bytes);
  return out;
}

TEST(system, is_the_same_at_any_quantum_and_order) {
  std::vector<options> variants;
  for (const std::uint64_t quantum : {1U, 7U, 100U, 10000U})
    for (const bool worker_first : {false, true})
      for (const bool use_dmi : {true, false})
        variants.push_back({quantum, worker_first, use_dmi, 0, 0});
  const systems all = make(variants);
  for (const auto &s : all)
    load_busy_program(*s);
  simulate(all);
  const machine_system &first = *all[0];
  ASSERT_TRUE(first.end.passed());
  // The program saw both interrupts in both phases, and what the worker wrote.
  unsigned timer_interrupts = 0, worker_interrupts = 0;
  for (word i = 0; i < 12; i++) {
    const word cause = first.at(records + 12 * i + 4);
    timer_interrupts += cause == (RV_CAUSE_INTERRUPT | RV_IRQ_TIMER);
    worker_interrupts += cause == (RV_CAUSE_INTERRUPT | RV_IRQ_EXTERNAL);
  }
  EXPECT_EQ(timer_interrupts + worker_interrupts, 12u);
  EXPECT_GE(timer_interrupts, 3u);
  EXPECT_GE(worker_interrupts, 3u);
  EXPECT_GT(first.at(shared_word), 100u);
  for (std::size_t i = 1; i < all.size(); i++) {
    SCOPED_TRACE("quantum " + std::to_string(variants[i].quantum) +
                 (variants[i].worker_first ? ", worker first" : ", core first") +
                 (variants[i].use_dmi ? ", direct" : ", transport"));
    EXPECT_TRUE(all[i]->end.passed());
    EXPECT_EQ(all[i]->end.cycle(), first.end.cycle());
    EXPECT_EQ(all[i]->core->core().retired, first.core->core().retired);
    EXPECT_TRUE(memory_of(*all[i]) == memory_of(first));
  }
}

TEST(system, slow_memory_costs_the_same_with_and_without_direct_access) {
  const systems all = make({{1, false, true, 9, 3},
                            {10000, true, true, 9, 3},
                            {100, false, false, 9, 3},
                            {10000, false, true, 0, 0}});
  for (const auto &s : all)
    load_busy_program(*s);
  simulate(all);
  ASSERT_TRUE(all[0]->end.passed());
  for (std::size_t i = 1; i < 3; i++) {
    EXPECT_EQ(all[i]->end.cycle(), all[0]->end.cycle());
    EXPECT_TRUE(memory_of(*all[i]) == memory_of(*all[0]));
  }
  EXPECT_FALSE(memory_of(*all[3]) == memory_of(*all[0])); // an ideal memory is another machine
}

TEST(system, code_it_writes_is_the_code_it_runs_however_slow_memory_is) {
  const systems all = make({{10000, false, true, 0, 0},
                            {10000, false, true, 9, 3},
                            {10000, false, false, 9, 3},
                            {10000, false, false, 0, 0}});
  for (const auto &s : all) {
    s->load(base, then_finish({lui(1, base), load(lw, 6, 1, 0x100), addi(9, 0, 2),
                               addi(7, 7, 1), // overwritten by what adds 16
                               store(sw, 6, 1, 12), addi(9, 9, -1), branch(bne, 9, 0, -12)}));
    s->load(base + 0x100, {addi(7, 7, 16)});
  }
  simulate(all);
  for (const auto &s : all) {
    EXPECT_TRUE(s->end.passed());
    EXPECT_EQ(s->core->core().x[7], 17u);
  }
}

TEST(system, a_sleeping_core_wakes_at_the_very_cycle) {
  const systems all = make({{1}, {10000}, {10000, true}});
  for (const auto &s : all) {
    s->load(base, {lui(1, TPU_TIMER_BASE + 0x4000), addi(9, 0, 1000), store(sw, 9, 1, 0),
                   store(sw, 0, 1, 4), addi(9, 0, 0x80), csr(csrrw, 0, mie, 9), auipc(9, 0),
                   addi(9, 9, 0x1e8), csr(csrrw, 0, mtvec, 9), csr(csrrsi, 0, mstatus, 8), wfi,
                   jal(0, -4)});
    s->load(handler, then_finish({csr(csrrs, 20, mcycle, 0), csr(csrrs, 21, time_, 0),
                                  csr(csrrs, 22, mepc, 0)}));
  }
  simulate(all);
  for (const auto &s : all) {
    ASSERT_TRUE(s->end.passed());
    EXPECT_EQ(s->core->core().x[20], 1000u);
    EXPECT_EQ(s->core->core().x[21], 1001u);
    EXPECT_EQ(s->core->core().x[22], base + 44);
  }
}

TEST(system, a_running_core_is_interrupted_at_the_first_boundary) {
  const systems all = make({{1}, {10000}, {7, true}});
  for (const auto &s : all) {
    s->load(base, {lui(1, TPU_TIMER_BASE + 0x4000), addi(9, 0, 1000), store(sw, 9, 1, 0),
                   store(sw, 0, 1, 4), addi(9, 0, 0x80), csr(csrrw, 0, mie, 9), auipc(9, 0),
                   addi(9, 9, 0x1e8), csr(csrrw, 0, mtvec, 9), csr(csrrsi, 0, mstatus, 8),
                   op(divu, 3, 3, 4), jal(0, -4)}); // 10 cycles a round, from cycle 10
    s->load(handler, then_finish({csr(csrrs, 20, mcycle, 0), csr(csrrs, 22, mepc, 0)}));
  }
  simulate(all);
  for (const auto &s : all) {
    ASSERT_TRUE(s->end.passed());
    EXPECT_EQ(s->core->core().x[20], 1000u);
    EXPECT_EQ(s->core->core().x[22], base + 40);
  }
}

// A device access arrives one cycle after its instruction begins and sees everything before.
TEST(system, accesses_arrive_at_whole_cycles) {
  const systems all = make({{10000}});
  machine_system &s = *all[0];
  s.load(base, then_finish({nop(), nop(), lui(1, TPU_TIMER_BASE + 0xc000), load(lw, 5, 1, -8),
                            csr(csrrs, 6, mcycle, 0), csr(csrrs, 7, time_, 0)}));
  simulate(all);
  ASSERT_TRUE(s.end.passed());
  EXPECT_EQ(s.core->core().x[5], 4u);
  EXPECT_EQ(s.core->core().x[6], 5u); // a load takes 2 cycles here
  EXPECT_EQ(s.core->core().x[7], 6u);
  EXPECT_EQ(s.end.cycle(), 7u + 3 + 1);
}

TEST(system, bus_errors_are_traps) {
  struct {
    word insn, x1, cause;
  } const cases[] = {
      {load(lw, 3, 1, 0), 0x40000000, RV_CAUSE_LOAD_FAULT},
      {store(sw, 3, 1, 0), 0x40000000, RV_CAUSE_STORE_FAULT},
      {load(lw, 3, 1, 0), TPU_TIMER_BASE, RV_CAUSE_LOAD_FAULT},          // reserved
      {load(lb, 3, 1, 0), TPU_TIMER_BASE + 0x4000, RV_CAUSE_LOAD_FAULT}, // not a whole word
      {store(sw, 0, 1, 0), TPU_FINISHER_BASE, RV_CAUSE_STORE_FAULT},     // no such value
      {jalr(3, 1, 0), 0x40000000, RV_CAUSE_FETCH_FAULT},
      {load(lw, 3, 1, 0), base + memory_bytes, RV_CAUSE_LOAD_FAULT},
      {load(lw, 3, 1, 1), TPU_TIMER_BASE + 0x4000, RV_CAUSE_LOAD_MISALIGNED},
  };
  std::vector<options> variants(std::size(cases));
  const systems all = make(variants);
  for (std::size_t i = 0; i < all.size(); i++)
    all[i]->load(base, {li_high(1, cases[i].x1), li_low(1, cases[i].x1), cases[i].insn});
  simulate(all);
  for (std::size_t i = 0; i < all.size(); i++) {
    const rv_report &report = all[i]->core->core().report;
    EXPECT_EQ(all[i]->core->state(), cpu_state::trapped) << i;
    EXPECT_EQ(report.cause, cases[i].cause) << i;
    EXPECT_EQ(report.value, cases[i].x1 + (report.cause == RV_CAUSE_LOAD_MISALIGNED)) << i;
  }
}

TEST(system, runs_again_after_a_reset) {
  const systems all = make({{10000}});
  machine_system &s = *all[0];
  s.load(base, then_finish({csr(csrrs, 5, mcycle, 0), csr(csrrs, 6, minstret, 0), addi(7, 7, 1)}));
  for (int round = 0; round < 3; round++) {
    s.end.reset();
    simulate(all);
    ASSERT_TRUE(s.end.passed());
    EXPECT_EQ(s.core->state(), cpu_state::halted);
    EXPECT_EQ(s.core->core().x[5], 0u);
    EXPECT_EQ(s.core->core().x[6], 1u);
    EXPECT_EQ(s.core->core().x[7], 1u);
    EXPECT_EQ(s.end.cycle() - s.core->start_cycle(), 7u);
  }
}

// New code in the same memory: nothing decoded earlier survives a reset.
TEST(system, runs_a_new_image_after_a_reset) {
  const systems all = make({{10000}});
  machine_system &s = *all[0];
  for (std::int32_t round = 1; round < 4; round++) {
    s.load(base, then_finish({addi(5, 0, round)}));
    simulate(all);
    EXPECT_EQ(s.core->core().x[5], static_cast<word>(round));
  }
}

TEST(system, can_be_reset_in_the_middle) {
  const systems all = make({{10000}});
  machine_system &s = *all[0];
  s.load(base, {addi(5, 5, 1), lui(1, TPU_TIMER_BASE + 0xc000), load(lw, 6, 1, -8), jal(0, -12)});
  s.core->reset(base);
  sc_core::sc_start(cycles_to_time(5003));
  EXPECT_EQ(s.core->state(), cpu_state::running);
  s.load(base, then_finish({addi(7, 0, 1)}));
  simulate(all);
  ASSERT_TRUE(s.end.passed());
  EXPECT_EQ(s.core->core().x[5], 0u);
  EXPECT_EQ(s.core->core().x[7], 1u);
}

TEST(system, a_core_that_nothing_wakes_is_seen_to_sleep) {
  const systems all = make({{10000}});
  all[0]->load(base, {wfi});
  simulate(all);
  EXPECT_EQ(all[0]->core->state(), cpu_state::sleeping);
  EXPECT_FALSE(sc_core::sc_pending_activity());
  EXPECT_LT(time_to_cycles(sc_core::sc_time_stamp()), 10u);
}

TEST(system, direct_access_survives_its_withdrawal) {
  const systems all = make({{10000}});
  machine_system &s = *all[0];
  s.load(base, {addi(5, 5, 1), jal(0, -4)});
  s.core->reset(base);
  sc_core::sc_start(cycles_to_time(1000));
  EXPECT_NE(s.core->core().window.bytes, 0u);
  s.memory.clear();
  EXPECT_EQ(s.core->core().window.bytes, 0u);
  s.load(base, then_finish({addi(6, 0, 9)}));
  simulate(all);
  ASSERT_TRUE(s.end.passed());
  EXPECT_EQ(s.core->core().x[6], 9u);
  EXPECT_NE(s.core->core().window.bytes, 0u);
}

} // namespace
