/* SPDX-License-Identifier: Apache-2.0 */
// Traps of the machine-mode core, and what ends a run of it.
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
