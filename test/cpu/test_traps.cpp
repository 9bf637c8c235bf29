/* SPDX-License-Identifier: Apache-2.0 */
// Traps, interrupts and CSRs of the machine-mode core.
#include "test/cpu/encode.h"
#include "test/cpu/machine.h"

#include <gtest/gtest.h>

using namespace rv;

namespace {

constexpr word handler = machine::base + 0x400;
constexpr word data = machine::base + 0x1000;

struct trap_case {
  const char *what;
  word insn;
  word x1;
  word cause;
  word value; // 1 = the instruction word itself, 2 = its address
};

constexpr word unmapped = 0x40000000;

const trap_case trap_cases[] = {
    {"all zeros", 0x00000000, 0, RV_CAUSE_ILLEGAL, 1},
    {"all ones", 0xffffffff, 0, RV_CAUSE_ILLEGAL, 1},
    {"compressed nop", 0x00000001, 0, RV_CAUSE_ILLEGAL, 1},
    {"unknown branch", branch(2, 1, 1, 8), 0, RV_CAUSE_ILLEGAL, 1},
    {"unknown load", load(3, 1, 1, 0), 0, RV_CAUSE_ILLEGAL, 1},
    {"lwu is 64 bit", load(6, 1, 1, 0), 0, RV_CAUSE_ILLEGAL, 1},
    {"sd is 64 bit", store(3, 1, 1, 0), 0, RV_CAUSE_ILLEGAL, 1},
    {"shift by 32", i_type(32, 1, 1, 1, 0x13), 0, RV_CAUSE_ILLEGAL, 1},
    {"srai with a wrong funct7", r_type(0x10, 1, 1, 5, 1, 0x13), 0, RV_CAUSE_ILLEGAL, 1},
    {"and with sub's funct7", r_type(0x20, 1, 1, 7, 1, 0x33), 0, RV_CAUSE_ILLEGAL, 1},
    {"unknown funct7", r_type(0x02, 1, 1, 0, 1, 0x33), 0, RV_CAUSE_ILLEGAL, 1},
    {"jalr with a funct3", i_type(0, 1, 1, 1, 0x67), 0, RV_CAUSE_ILLEGAL, 1},
    {"fence with a funct3", i_type(0, 0, 2, 0, 0x0f), 0, RV_CAUSE_ILLEGAL, 1},
    {"sret without supervisor mode", 0x10200073, 0, RV_CAUSE_ILLEGAL, 1},
    {"sfence.vma", 0x12000073, 0, RV_CAUSE_ILLEGAL, 1},
    {"ecall with a register", 0x000000f3, 0, RV_CAUSE_ILLEGAL, 1},
    {"unknown CSR", csr(csrrw, 3, 0x3a0, 1), 0, RV_CAUSE_ILLEGAL, 1},
    {"unknown CSR, immediate form", csr(csrrci, 3, 0x7c0, 5), 0, RV_CAUSE_ILLEGAL, 1},
    {"write of a read-only CSR", csr(csrrw, 0, mhartid, 1), 0, RV_CAUSE_ILLEGAL, 1},
    {"set of no bits in a read-only CSR, by register", csr(csrrs, 0, cycle, 1), 0, RV_CAUSE_ILLEGAL,
     1},
    {"clear by immediate of a read-only CSR", csr(csrrci, 9, instret, 1), 0, RV_CAUSE_ILLEGAL, 1},
    {"floating-point load", 0x00002007, 0, RV_CAUSE_ILLEGAL, 1},
    {"atomic", 0x0000202f, 0, RV_CAUSE_ILLEGAL, 1},
    {"ecall", ecall, 0, RV_CAUSE_ECALL, 0},
    {"ebreak", ebreak, 0, RV_CAUSE_BREAKPOINT, 2},
    {"lh misaligned", load(lh, 3, 1, 1), data, RV_CAUSE_LOAD_MISALIGNED, data + 1},
    {"lhu misaligned", load(lhu, 3, 1, 3), data, RV_CAUSE_LOAD_MISALIGNED, data + 3},
    {"lw misaligned", load(lw, 3, 1, 2), data, RV_CAUSE_LOAD_MISALIGNED, data + 2},
    {"sh misaligned", store(sh, 3, 1, -1), data, RV_CAUSE_STORE_MISALIGNED, data - 1},
    {"sw misaligned", store(sw, 3, 1, 1), data, RV_CAUSE_STORE_MISALIGNED, data + 1},
    {"load fault", load(lbu, 3, 1, 5), unmapped, RV_CAUSE_LOAD_FAULT, unmapped + 5},
    {"store fault", store(sb, 3, 1, 5), unmapped, RV_CAUSE_STORE_FAULT, unmapped + 5},
    {"load misaligned before fault", load(lw, 3, 1, 1), unmapped, RV_CAUSE_LOAD_MISALIGNED,
     unmapped + 1},
    {"store misaligned before fault", store(sh, 3, 1, 1), unmapped, RV_CAUSE_STORE_MISALIGNED,
     unmapped + 1},
    {"load at the end of memory", load(lw, 3, 1, 0), machine::base + 0x20000, RV_CAUSE_LOAD_FAULT,
     machine::base + 0x20000},
    {"load below memory", load(lw, 3, 1, -4), machine::base, RV_CAUSE_LOAD_FAULT,
     machine::base - 4},
    {"taken branch to a half word", branch(beq, 0, 0, 6), 0, RV_CAUSE_FETCH_MISALIGNED,
     machine::base + 6},
    {"jal to a half word", jal(3, 10), 0, RV_CAUSE_FETCH_MISALIGNED, machine::base + 10},
    {"jalr to a half word", jalr(3, 1, 3), data, RV_CAUSE_FETCH_MISALIGNED, data + 2},
};

TEST(traps, cause_value_and_state) {
  for (const trap_case &c : trap_cases) {
    for (const machine::memory how : {machine::memory::window, machine::memory::callbacks}) {
      SCOPED_TRACE(c.what);
      machine m(how);
      m.put(machine::base, {c.insn});
      m.put(data, {0x12345678, 0x9abcdef0});
      m.core.mtvec = handler;
      m.core.mstatus = 0x8; // interrupts on
      m.core.x[1] = c.x1;
      m.core.x[3] = 0xdeadbeef;
      ASSERT_EQ(rv_run(&m.core, 1), RV_STOP_CYCLE);
      EXPECT_EQ(m.core.pc, handler);
      EXPECT_EQ(m.core.mcause, c.cause);
      EXPECT_EQ(m.core.mepc, machine::base);
      EXPECT_EQ(m.core.mtval, c.value == 1 ? c.insn : c.value == 2 ? machine::base : c.value);
      EXPECT_EQ(m.core.mstatus, 0x80u); // MIE moved to MPIE
      EXPECT_EQ(m.core.x[3], 0xdeadbeefu);
      EXPECT_EQ(m.core.cycle, 1u);
      EXPECT_EQ(m.core.retired, 0u);
      EXPECT_EQ(m.word_at(data), 0x12345678u);
    }
  }
}

TEST(traps, branch_not_taken_to_a_half_word_is_none) {
  machine m;
  m.put(machine::base, {branch(bne, 0, 0, 6)});
  rv_run(&m.core, 1);
  EXPECT_EQ(m.core.pc, machine::base + 4);
}

TEST(traps, fetch_fault_is_of_the_target) {
  machine m;
  m.put(machine::base, {jalr(3, 1, 0)});
  m.core.mtvec = handler;
  m.core.x[1] = unmapped;
  rv_run(&m.core, 2);
  EXPECT_EQ(m.core.mcause, word{RV_CAUSE_FETCH_FAULT});
  EXPECT_EQ(m.core.mepc, unmapped);
  EXPECT_EQ(m.core.mtval, unmapped);
  EXPECT_EQ(m.core.x[3], machine::base + 4); // the jump itself was fine
}

TEST(traps, misaligned_entry) {
  machine m;
  rv_reset(&m.core, machine::base + 2);
  EXPECT_EQ(rv_run(&m.core, 1), RV_STOP_UNHANDLED);
  EXPECT_EQ(m.core.report.cause, word{RV_CAUSE_FETCH_MISALIGNED});
  EXPECT_EQ(m.core.report.pc, machine::base + 2);
}

TEST(traps, without_a_handler_end_the_run_with_a_report) {
  machine m;
  m.put(machine::base, {addi(1, 0, 1), load(lw, 3, 0, 8)});
  EXPECT_EQ(rv_run(&m.core, 100), RV_STOP_UNHANDLED);
  EXPECT_EQ(m.core.report.pc, machine::base + 4);
  EXPECT_EQ(m.core.report.cause, word{RV_CAUSE_LOAD_FAULT});
  EXPECT_EQ(m.core.report.value, 8u);
  EXPECT_EQ(m.core.report.insn, load(lw, 3, 0, 8));
  EXPECT_EQ(m.core.report.cycle, 1u);
}

TEST(traps, in_the_first_instruction_of_the_handler_end_the_run) {
  machine m;
  m.put(machine::base, {ecall});
  m.core.mtvec = handler; // holds 0: illegal, for ever
  EXPECT_EQ(rv_run(&m.core, 1000), RV_STOP_UNHANDLED);
  EXPECT_EQ(m.core.report.pc, handler);
  EXPECT_EQ(m.core.report.cause, word{RV_CAUSE_ILLEGAL});
}

TEST(traps, vectored_mode_sends_exceptions_to_the_base) {
  machine m;
  m.put(machine::base, {ecall});
  m.core.mtvec = handler | 1;
  rv_run(&m.core, 1);
  EXPECT_EQ(m.core.pc, handler);
}

TEST(traps, mret_restores) {
  machine m;
  m.put(machine::base, {mret});
  m.core.mepc = data;
  m.core.mstatus = 0x80;
  rv_run(&m.core, 1);
  EXPECT_EQ(m.core.pc, data);
  EXPECT_EQ(m.core.mstatus, 0x88u);
  m.core.pc = machine::base;
  m.core.mstatus = 0x8;
  rv_run(&m.core, 2);
  EXPECT_EQ(m.core.mstatus, 0x80u);
}

// x3 counts instructions; the handler counts in x4 and masks the interrupts in mie.
struct interrupt_machine : machine {
  interrupt_machine() {
    put(base, std::vector<word>(64, addi(3, 3, 1)));
    put(handler, {addi(4, 4, 1), csr(csrrw, 0, mie, 0), mret});
    core.mtvec = handler;
    core.mie = 1u << RV_IRQ_TIMER | 1u << RV_IRQ_EXTERNAL;
    core.mstatus = 0x8;
  }
};

TEST(interrupts, are_taken_at_the_next_boundary) {
  interrupt_machine m;
  rv_run(&m.core, 5);
  rv_set_irq(&m.core, RV_IRQ_TIMER, 1);
  rv_run(&m.core, 6);
  EXPECT_EQ(m.core.mepc, machine::base + 20);
  EXPECT_EQ(m.core.mcause, RV_CAUSE_INTERRUPT | RV_IRQ_TIMER);
  EXPECT_EQ(m.core.mtval, 0u);
  EXPECT_EQ(m.core.x[4], 1u); // the handler's first instruction ran
  EXPECT_EQ(m.core.cycle, 6u);
  rv_run(&m.core, 10);
  EXPECT_EQ(m.core.x[3], 7u);
  EXPECT_EQ(m.core.mstatus, 0x88u);
}

TEST(interrupts, external_goes_before_timer) {
  interrupt_machine m;
  rv_set_irq(&m.core, RV_IRQ_TIMER, 1);
  rv_set_irq(&m.core, RV_IRQ_EXTERNAL, 1);
  rv_run(&m.core, 1);
  EXPECT_EQ(m.core.mcause, RV_CAUSE_INTERRUPT | RV_IRQ_EXTERNAL);
}

TEST(interrupts, vectored) {
  interrupt_machine m;
  m.core.mtvec = handler | 1;
  m.put(handler + 4 * RV_IRQ_EXTERNAL, {addi(5, 5, 1), jal(0, -4)});
  rv_set_irq(&m.core, RV_IRQ_EXTERNAL, 1);
  rv_run(&m.core, 1);
  EXPECT_EQ(m.core.pc, handler + 4 * RV_IRQ_EXTERNAL + 4);
  EXPECT_EQ(m.core.x[5], 1u);
}

TEST(interrupts, wait_until_enabled) {
  interrupt_machine m;
  m.core.mie = 0;
  m.core.mstatus = 0;
  rv_set_irq(&m.core, RV_IRQ_EXTERNAL, 1);
  m.core.x[6] = 1u << RV_IRQ_EXTERNAL;
  m.put(machine::base, {nop(), csr(csrrw, 0, mie, 6), nop(), csr(csrrsi, 7, mstatus, 8), nop()});
  rv_run(&m.core, 4);
  EXPECT_EQ(m.core.pc, machine::base + 16); // enabled; taken at the next boundary
  EXPECT_EQ(m.core.x[7], 0x1800u);
  rv_run(&m.core, 5);
  EXPECT_EQ(m.core.mepc, machine::base + 16);
  EXPECT_EQ(m.core.mcause, RV_CAUSE_INTERRUPT | RV_IRQ_EXTERNAL);
}

// In one long run the CSR write that enables it takes effect at the very next boundary too.
TEST(interrupts, enabling_acts_within_a_run) {
  interrupt_machine m;
  m.core.mstatus = 0;
  rv_set_irq(&m.core, RV_IRQ_TIMER, 1);
  m.put(machine::base + 8, {csr(csrrsi, 0, mstatus, 8)});
  rv_run(&m.core, 40);
  EXPECT_EQ(m.core.mepc, machine::base + 12);
  EXPECT_EQ(m.core.x[4], 1u);
}

TEST(interrupts, mret_that_enables_acts_within_a_run) {
  interrupt_machine m;
  m.core.mstatus = 0x80; // as inside a handler
  m.core.mepc = machine::base + 0x20;
  rv_set_irq(&m.core, RV_IRQ_TIMER, 1);
  m.put(machine::base, {mret});
  rv_run(&m.core, 3);
  EXPECT_EQ(m.core.mepc, machine::base + 0x20); // before the instruction returned to
  EXPECT_EQ(m.core.x[3], 0u);
  EXPECT_EQ(m.core.x[4], 1u);
}

TEST(interrupts, wfi_sleeps_until_pending_even_if_not_enabled_globally) {
  interrupt_machine m;
  m.core.mstatus = 0;
  m.put(machine::base, {wfi, addi(5, 0, 1)});
  EXPECT_EQ(rv_run(&m.core, 100), RV_STOP_SLEEP);
  EXPECT_EQ(m.core.cycle, 1u);
  EXPECT_EQ(rv_run(&m.core, 100), RV_STOP_SLEEP);
  EXPECT_EQ(m.core.cycle, 1u);
  m.core.cycle = 50;
  rv_set_irq(&m.core, RV_IRQ_EXTERNAL, 1);
  EXPECT_EQ(rv_run(&m.core, 51), RV_STOP_CYCLE);
  EXPECT_EQ(m.core.x[5], 1u);
  EXPECT_EQ(m.core.x[4], 0u);
}

TEST(interrupts, wfi_wakes_into_the_handler) {
  interrupt_machine m;
  m.put(machine::base, {wfi});
  EXPECT_EQ(rv_run(&m.core, 100), RV_STOP_SLEEP);
  rv_set_irq(&m.core, RV_IRQ_TIMER, 1);
  rv_run(&m.core, 2);
  EXPECT_EQ(m.core.mepc, machine::base + 4);
}

TEST(interrupts, wfi_with_one_pending_goes_on) {
  interrupt_machine m;
  m.core.mstatus = 0;
  m.put(machine::base, {wfi, addi(5, 0, 1)});
  rv_set_irq(&m.core, RV_IRQ_TIMER, 1);
  EXPECT_EQ(rv_run(&m.core, 2), RV_STOP_CYCLE);
  EXPECT_EQ(m.core.x[5], 1u);
}

TEST(interrupts, without_a_handler_end_the_run) {
  interrupt_machine m;
  m.core.mtvec = 0;
  rv_set_irq(&m.core, RV_IRQ_EXTERNAL, 1);
  EXPECT_EQ(rv_run(&m.core, 10), RV_STOP_UNHANDLED);
  EXPECT_EQ(m.core.report.cause, RV_CAUSE_INTERRUPT | RV_IRQ_EXTERNAL);
  EXPECT_EQ(m.core.report.pc, machine::base);
}

TEST(host, stops_after_the_instruction) {
  machine m;
  m.put(machine::base, {store(sw, 2, 1, 0), addi(3, 0, 1)});
  m.core.x[1] = TPU_FINISHER_BASE;
  m.core.x[2] = TPU_FINISHER_PASS;
  EXPECT_EQ(rv_run(&m.core, 100), RV_STOP_HOST);
  EXPECT_EQ(m.core.pc, machine::base + 4);
  EXPECT_EQ(m.core.retired, 1u);
  EXPECT_EQ(m.finish_word, word{TPU_FINISHER_PASS});
}

// A CSR: what a write of all ones and of zeros leaves, and its number.
struct csr_case {
  word number, ones, zeros;
};

const csr_case csr_cases[] = {
    {mstatus, 0x1888, 0x1800},
    {misa, 0x40001100, 0x40001100},
    {mie, 0x888, 0},
    {mtvec, 0xfffffffd, 0},
    {0x310, 0, 0}, // mstatush
    {mcountinhibit, 5, 0},
    {mscratch, 0xffffffff, 0},
    {mepc, 0xfffffffc, 0},
    {mcause, 0xffffffff, 0},
    {mtval, 0xffffffff, 0},
    {mip, 0, 0},
    {0x323, 0, 0}, // mhpmevent3
    {0xb03, 0, 0}, // mhpmcounter3
    {0xb9f, 0, 0}, // mhpmcounter31h
};

TEST(csrs, keep_what_they_can) {
  for (const csr_case &c : csr_cases) {
    machine m;
    m.core.x[1] = 0xffffffff;
    m.put(machine::base, {csr(csrrw, 0, c.number, 1), csr(csrrs, 3, c.number, 0),
                          csr(csrrw, 4, c.number, 0), csr(csrrs, 5, c.number, 0)});
    ASSERT_EQ(rv_run(&m.core, 4), RV_STOP_CYCLE) << std::hex << c.number;
    EXPECT_EQ(m.core.x[3], c.ones) << std::hex << c.number;
    EXPECT_EQ(m.core.x[4], c.ones) << std::hex << c.number;
    EXPECT_EQ(m.core.x[5], c.zeros) << std::hex << c.number;
  }
}

TEST(csrs, set_and_clear) {
  machine m;
  m.core.mscratch = 0xf0;
  m.core.x[1] = 0x3c;
  m.put(machine::base,
        {csr(csrrs, 3, mscratch, 1), csr(csrrc, 4, mscratch, 1), csr(csrrsi, 5, mscratch, 31),
         csr(csrrci, 6, mscratch, 1), csr(csrrwi, 7, mscratch, 9), csr(csrrsi, 8, mscratch, 0)});
  rv_run(&m.core, 6);
  EXPECT_EQ(m.core.x[3], 0xf0u);
  EXPECT_EQ(m.core.x[4], 0xfcu);
  EXPECT_EQ(m.core.x[5], 0xc0u);
  EXPECT_EQ(m.core.x[6], 0xdfu);
  EXPECT_EQ(m.core.x[7], 0xdeu);
  EXPECT_EQ(m.core.x[8], 9u);
}

TEST(csrs, swap_with_the_same_register) {
  machine m;
  m.core.mscratch = 5;
  m.core.x[1] = 6;
  m.put(machine::base, {csr(csrrw, 1, mscratch, 1)});
  rv_run(&m.core, 1);
  EXPECT_EQ(m.core.x[1], 5u);
  EXPECT_EQ(m.core.mscratch, 6u);
}

TEST(csrs, identification) {
  const rv_config config = {7, 1, 1, 1};
  machine m(machine::memory::window, 0x20000, config);
  m.put(machine::base,
        {csr(csrrs, 3, mhartid, 0), csr(csrrs, 4, 0xf11, 0), csr(csrrs, 5, 0xf15, 0)});
  ASSERT_EQ(rv_run(&m.core, 3), RV_STOP_CYCLE);
  EXPECT_EQ(m.core.x[3], 7u);
  EXPECT_EQ(m.core.x[4], 0u);
  EXPECT_EQ(m.core.x[5], 0u);
}

TEST(csrs, mip_shows_the_lines) {
  machine m;
  rv_set_irq(&m.core, RV_IRQ_EXTERNAL, 1);
  rv_set_irq(&m.core, RV_IRQ_TIMER, 1);
  rv_set_irq(&m.core, RV_IRQ_TIMER, 0);
  m.core.x[1] = 0xffffffff;
  m.put(machine::base, {csr(csrrc, 0, mip, 1), csr(csrrs, 3, mip, 0)});
  rv_run(&m.core, 2);
  EXPECT_EQ(m.core.x[3], 0x800u);
}

TEST(csrs, counters_count_cycles_and_instructions) {
  const rv_config config = {0, 1, 10, 1};
  machine m(machine::memory::window, 0x20000, config);
  m.put(machine::base,
        {csr(csrrs, 3, mcycle, 0), op(mul, 4, 4, 4), csr(csrrs, 5, cycle, 0),
         csr(csrrs, 6, minstret, 0), csr(csrrs, 7, instret, 0), csr(csrrs, 8, time_, 0)});
  rv_run(&m.core, 20 - 5);
  EXPECT_EQ(m.core.x[3], 0u);
  EXPECT_EQ(m.core.x[5], 11u);
  EXPECT_EQ(m.core.x[6], 3u);
  EXPECT_EQ(m.core.x[7], 4u);
  EXPECT_EQ(m.core.x[8], 14u);
}

// A written counter holds the value at the next instruction, carries into its high word, and a
// reset starts it from 0 again.
TEST(csrs, counters_can_be_written) {
  machine m;
  m.core.x[1] = 0xfffffffe;
  m.put(machine::base,
        {csr(csrrw, 0, mcycle, 1), csr(csrrs, 3, mcycle, 0), csr(csrrs, 4, mcycle, 0),
         csr(csrrs, 5, mcycleh, 0), csr(csrrw, 0, minstreth, 1), csr(csrrs, 6, minstreth, 0),
         csr(csrrwi, 0, minstret, 5), csr(csrrs, 7, minstret, 0)});
  rv_run(&m.core, 8);
  EXPECT_EQ(m.core.x[3], 0xfffffffeu);
  EXPECT_EQ(m.core.x[4], 0xffffffffu);
  EXPECT_EQ(m.core.x[5], 1u);
  EXPECT_EQ(m.core.x[6], 0xfffffffeu);
  EXPECT_EQ(m.core.x[7], 5u);
  rv_reset(&m.core, machine::base + 4);
  rv_run(&m.core, 9);
  EXPECT_EQ(m.core.x[3], 0u);
}

TEST(csrs, counters_can_be_inhibited) {
  machine m;
  m.put(machine::base,
        {nop(), csr(csrrwi, 0, mcountinhibit, 5), csr(csrrs, 3, mcycle, 0), nop(),
         csr(csrrs, 4, mcycle, 0), csr(csrrs, 5, minstret, 0), csr(csrrwi, 0, mcycle, 9),
         csr(csrrs, 6, mcycle, 0), csr(csrrwi, 0, mcountinhibit, 0), csr(csrrs, 7, mcycle, 0),
         csr(csrrs, 8, minstret, 0)});
  rv_run(&m.core, 11);
  EXPECT_EQ(m.core.x[3], 2u);
  EXPECT_EQ(m.core.x[4], 2u);
  EXPECT_EQ(m.core.x[5], 2u);
  EXPECT_EQ(m.core.x[6], 9u);
  EXPECT_EQ(m.core.x[7], 9u);
  EXPECT_EQ(m.core.x[8], 3u);
}

TEST(configuration, of_no_cycles_is_refused) {
  rv_core core;
  const rv_host host = {nullptr, nullptr, nullptr, nullptr};
  for (const rv_config &config :
       {rv_config{0, 0, 1, 1}, rv_config{0, 1, 0, 1}, rv_config{0, 1, 1, 0}})
    EXPECT_EQ(rv_init(&core, &config, &host), 0);
}

TEST(configuration, a_core_without_host_faults) {
  rv_core core;
  const rv_config config = {0, 1, 1, 1};
  const rv_host host = {nullptr, nullptr, nullptr, nullptr};
  ASSERT_EQ(rv_init(&core, &config, &host), 1);
  EXPECT_EQ(rv_run(&core, 10), RV_STOP_UNHANDLED);
  EXPECT_EQ(core.report.cause, word{RV_CAUSE_FETCH_FAULT});
  rv_destroy(&core);
}

} // namespace
