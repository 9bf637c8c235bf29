/* SPDX-License-Identifier: Apache-2.0 */
// The core on the bus: what happens, and when, depends neither on the quantum nor on the order of
// processes.
#include "test/bus/machine_system.h"

using namespace machine_systems;

namespace {

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
