/* SPDX-License-Identifier: Apache-2.0 */
// Every RV32IM instruction at the edges of its definition; expected values are worked by hand.
#include "test/cpu/encode.h"
#include "test/cpu/machine.h"

#include <gtest/gtest.h>

using namespace rv;

namespace {

// Runs words from the start of RAM; x1 = a, x2 = b beforehand.
void run(machine &m, const std::vector<word> &words, word a = 0, word b = 0) {
  m.put(machine::base, words);
  m.core.x[1] = a;
  m.core.x[2] = b;
  m.core.pc = machine::base;
  const std::uint64_t before = m.core.retired;
  for (std::size_t i = 0; i < words.size(); i++)
    ASSERT_EQ(rv_run(&m.core, m.core.cycle + 1), RV_STOP_CYCLE);
  ASSERT_EQ(m.core.retired - before, words.size());
}

struct binary {
  word kind, a, b, expected;
};

const binary register_cases[] = {
    {add, 0xffffffff, 1, 0},
    {add, 0x7fffffff, 1, 0x80000000},
    {sub, 0, 1, 0xffffffff},
    {sub, 0x80000000, 1, 0x7fffffff},
    {sll, 1, 31, 0x80000000},
    {sll, 1, 32, 1}, // only five bits of the amount count
    {sll, 3, 0xffffffff, 0x80000000},
    {slt, 0x80000000, 0x7fffffff, 1},
    {slt, 0x7fffffff, 0x80000000, 0},
    {slt, 5, 5, 0},
    {sltu, 0x80000000, 0x7fffffff, 0},
    {sltu, 0, 0xffffffff, 1},
    {xor_, 0xf0f0f0f0, 0xff00ff00, 0x0ff00ff0},
    {srl, 0x80000000, 31, 1},
    {srl, 0x80000000, 33, 0x40000000},
    {sra, 0x80000000, 31, 0xffffffff},
    {sra, 0x80000000, 1, 0xc0000000},
    {sra, 0x40000000, 30, 1},
    {or_, 0xf0f0f0f0, 0x0f000000, 0xfff0f0f0},
    {and_, 0xf0f0f0f0, 0xff00ff00, 0xf000f000},
    {mul, 0x80000000, 0xffffffff, 0x80000000},
    {mul, 0x12345678, 0x9abcdef0, 0x242d2080},
    {mulh, 0x80000000, 0x80000000, 0x40000000},
    {mulh, 0xffffffff, 0xffffffff, 0},
    {mulh, 0xffffffff, 1, 0xffffffff},
    {mulh, 0x7fffffff, 0x80000000, 0xc0000000},
    {mulhsu, 0xffffffff, 0xffffffff, 0xffffffff},
    {mulhsu, 0x80000000, 0x80000000, 0xc0000000},
    {mulhsu, 0x7fffffff, 0xffffffff, 0x7ffffffe},
    {mulhu, 0xffffffff, 0xffffffff, 0xfffffffe},
    {mulhu, 0x80000000, 0x80000000, 0x40000000},
    {div_, 7, 0xfffffffe, 0xfffffffd}, // towards zero
    {div_, 0xfffffff9, 2, 0xfffffffd},
    {div_, 5, 0, 0xffffffff},
    {div_, 0x80000000, 0xffffffff, 0x80000000},
    {div_, 0, 0, 0xffffffff},
    {divu, 0xffffffff, 2, 0x7fffffff},
    {divu, 5, 0, 0xffffffff},
    {divu, 0x80000000, 0xffffffff, 0},
    {rem, 7, 0xfffffffe, 1}, // sign of the dividend
    {rem, 0xfffffff9, 2, 0xffffffff},
    {rem, 5, 0, 5},
    {rem, 0x80000000, 0xffffffff, 0},
    {remu, 7, 0, 7},
    {remu, 0xffffffff, 10, 5},
    {remu, 0x80000000, 0xffffffff, 0x80000000},
};

TEST(instructions, register_operations) {
  machine m;
  for (const binary &c : register_cases) {
    run(m, {op(c.kind, 3, 1, 2)}, c.a, c.b);
    EXPECT_EQ(m.core.x[3], c.expected) << "kind " << c.kind << " of " << c.a << ", " << c.b;
  }
}

TEST(instructions, destination_may_be_a_source) {
  machine m;
  run(m, {op(sub, 1, 2, 1), op(mul, 2, 2, 2)}, 3, 10);
  EXPECT_EQ(m.core.x[1], 7u);
  EXPECT_EQ(m.core.x[2], 100u);
}

TEST(instructions, immediates_are_sign_extended) {
  machine m;
  run(m,
      {addi(3, 1, -1), op_imm(slt, 4, 1, -2048), op_imm(sltu, 5, 1, -1), op_imm(xor_, 6, 1, -1),
       op_imm(or_, 7, 1, -2048), op_imm(and_, 8, 1, -16)},
      0x1234567f);
  EXPECT_EQ(m.core.x[3], 0x1234567eu);
  EXPECT_EQ(m.core.x[4], 0u);
  EXPECT_EQ(m.core.x[5], 1u);
  EXPECT_EQ(m.core.x[6], ~0x1234567fu);
  EXPECT_EQ(m.core.x[7], 0xfffffe7fu);
  EXPECT_EQ(m.core.x[8], 0x12345670u);
}

TEST(instructions, immediate_shifts) {
  machine m;
  run(m,
      {shift_imm(sll, 3, 1, 31), shift_imm(srl, 4, 1, 31), shift_imm(sra, 5, 1, 31),
       shift_imm(sra, 6, 1, 0)},
      0x80000001);
  EXPECT_EQ(m.core.x[3], 0x80000000u);
  EXPECT_EQ(m.core.x[4], 1u);
  EXPECT_EQ(m.core.x[5], 0xffffffffu);
  EXPECT_EQ(m.core.x[6], 0x80000001u);
}

TEST(instructions, upper_immediates) {
  machine m;
  run(m, {lui(3, 0xfffff000), auipc(4, 0x1000), auipc(5, 0xfffff000)});
  EXPECT_EQ(m.core.x[3], 0xfffff000u);
  EXPECT_EQ(m.core.x[4], machine::base + 4 + 0x1000);
  EXPECT_EQ(m.core.x[5], machine::base + 8 - 0x1000);
}

TEST(instructions, x0_stays_zero) {
  machine m;
  run(m,
      {addi(0, 1, 5), lui(0, 0x1000), op(mul, 0, 1, 1), load(lw, 0, 2, 0), csr(csrrs, 0, mip, 0),
       op(add, 3, 0, 0)},
      7, machine::base);
  EXPECT_EQ(m.core.x[0], 0u);
  EXPECT_EQ(m.core.x[3], 0u);
}

struct branch_case {
  word kind, a, b;
  bool taken;
};

const branch_case branch_cases[] = {
    {beq, 1, 1, true},   {beq, 1, 2, false},          {bne, 1, 2, true},
    {bne, 2, 2, false},  {blt, 0xffffffff, 0, true},  {blt, 0, 0xffffffff, false},
    {blt, 3, 3, false},  {bge, 0, 0xffffffff, true},  {bge, 0x80000000, 0, false},
    {bge, 3, 3, true},   {bltu, 0, 0xffffffff, true}, {bltu, 0xffffffff, 0, false},
    {bltu, 3, 3, false}, {bgeu, 0xffffffff, 0, true}, {bgeu, 0, 0x80000000, false},
    {bgeu, 3, 3, true},
};

TEST(instructions, branches) {
  machine m;
  for (const branch_case &c : branch_cases) {
    for (const std::int32_t offset : {4092, 16, 8}) {
      run(m, {branch(c.kind, 1, 2, offset)}, c.a, c.b);
      const word expected = machine::base + (c.taken ? static_cast<word>(offset) : 4);
      EXPECT_EQ(m.core.pc, expected) << "kind " << c.kind << " of " << c.a << ", " << c.b;
    }
  }
}

TEST(instructions, branches_and_jumps_go_back) {
  machine m;
  m.put(machine::base + 0x1000, {branch(beq, 0, 0, -4096)});
  m.core.pc = machine::base + 0x1000;
  rv_run(&m.core, m.core.cycle + 1);
  EXPECT_EQ(m.core.pc, machine::base);
  m.put(machine::base + 0x1000, {jal(3, -0x1000)});
  m.core.pc = machine::base + 0x1000;
  rv_run(&m.core, m.core.cycle + 1);
  EXPECT_EQ(m.core.pc, machine::base);
  EXPECT_EQ(m.core.x[3], machine::base + 0x1004);
}

TEST(instructions, jumps_link) {
  machine m;
  run(m, {jal(1, 0x7fc)});
  EXPECT_EQ(m.core.pc, machine::base + 0x7fc);
  EXPECT_EQ(m.core.x[1], machine::base + 4);
  run(m, {jalr(1, 1, -3)}, machine::base + 0x104); // source and link, bit 0 dropped
  EXPECT_EQ(m.core.pc, machine::base + 0x100);
  EXPECT_EQ(m.core.x[1], machine::base + 4);
}

class both_memories : public testing::TestWithParam<machine::memory> {};

TEST_P(both_memories, loads_extend) {
  machine m(GetParam());
  const word data = machine::base + 0x1000;
  m.put(data, {0x8091a2b3, 0x7fffff80});
  run(m,
      {load(lb, 3, 1, 0), load(lb, 4, 1, 7), load(lbu, 5, 1, 3), load(lh, 6, 1, 2),
       load(lhu, 7, 1, 2), load(lw, 8, 1, 4), load(lh, 9, 1, 6), load(lw, 10, 1, 0)},
      data);
  EXPECT_EQ(m.core.x[3], 0xffffffb3u);
  EXPECT_EQ(m.core.x[4], 0x7fu);
  EXPECT_EQ(m.core.x[5], 0x80u);
  EXPECT_EQ(m.core.x[6], 0xffff8091u);
  EXPECT_EQ(m.core.x[7], 0x8091u);
  EXPECT_EQ(m.core.x[8], 0x7fffff80u);
  EXPECT_EQ(m.core.x[9], 0x7fffu);
  EXPECT_EQ(m.core.x[10], 0x8091a2b3u);
}

TEST_P(both_memories, stores_write_their_bytes_only) {
  machine m(GetParam());
  const word data = machine::base + 0x1000;
  m.put(data, {0x11111111, 0x22222222, 0x33333333});
  run(m, {store(sb, 2, 1, -1), store(sh, 2, 1, 2), store(sw, 2, 1, 4), store(sb, 0, 1, 1)},
      data + 4, 0xaabbccdd);
  EXPECT_EQ(m.word_at(data), 0xdd111111u);
  EXPECT_EQ(m.word_at(data + 4), 0xccdd0022u);
  EXPECT_EQ(m.word_at(data + 8), 0xaabbccddu);
}

TEST_P(both_memories, code_written_by_the_program_runs) {
  machine m(GetParam());
  // Two rounds over the same patched instruction: the first version must not stay decoded.
  const std::vector<word> program = {
      addi(3, 3, 1), store(sw, 2, 1, 0), addi(4, 4, 1), branch(beq, 0, 5, 8),
      ebreak,        addi(5, 0, 1),      jal(0, -24)};
  m.put(machine::base, program);
  m.core.x[1] = machine::base; // becomes addi x3, x3, 16
  m.core.x[2] = addi(3, 3, 16);
  EXPECT_EQ(rv_run(&m.core, 100), RV_STOP_UNHANDLED);
  EXPECT_EQ(m.core.report.cause, word{RV_CAUSE_BREAKPOINT});
  EXPECT_EQ(m.core.x[3], 17u);
  EXPECT_EQ(m.core.x[4], 2u);
}

INSTANTIATE_TEST_SUITE_P(ways, both_memories,
                         testing::Values(machine::memory::window, machine::memory::callbacks));

TEST(instructions, code_written_by_others_runs_once_announced) {
  machine m;
  run(m, {addi(3, 0, 1), addi(3, 0, 2)});
  m.put(machine::base + 4, {addi(3, 0, 5)}); // put() invalidates
  m.core.pc = machine::base;
  rv_run(&m.core, m.core.cycle + 2);
  EXPECT_EQ(m.core.x[3], 5u);

  const word patched = addi(3, 0, 6); // behind the core's back: fence.i announces it
  std::memcpy(m.at(machine::base + 4), &patched, 4);
  m.put(machine::base, {fence_i});
  m.core.pc = machine::base;
  rv_run(&m.core, m.core.cycle + 2);
  EXPECT_EQ(m.core.x[3], 6u);
}

TEST(instructions, code_runs_across_pages_and_to_the_end_of_memory) {
  machine m(machine::memory::window, 0x2004);
  m.put(machine::base + 0xffc, {addi(3, 3, 1), addi(3, 3, 1)});
  m.put(machine::base + 0x1ffc, {addi(3, 3, 1), addi(3, 3, 1)});
  m.core.pc = machine::base + 0xffc;
  rv_run(&m.core, 2);
  EXPECT_EQ(m.core.x[3], 2u);
  m.core.pc = machine::base + 0x1ffc;
  EXPECT_EQ(rv_run(&m.core, 5), RV_STOP_UNHANDLED); // runs off the end
  EXPECT_EQ(m.core.x[3], 4u);
  EXPECT_EQ(m.core.report.pc, machine::base + 0x2004);
  EXPECT_EQ(m.core.report.cause, word{RV_CAUSE_FETCH_FAULT});
}

TEST(instructions, invalidate_of_any_range_is_safe) {
  machine m;
  run(m, {addi(3, 0, 1)});
  rv_invalidate(&m.core, 0, 0xffffffff);
  rv_invalidate(&m.core, machine::base - 4, 8);
  rv_invalidate(&m.core, machine::base + 0x1ffff, 0x7fffffff);
  rv_invalidate(&m.core, machine::base, 0);
  run(m, {addi(3, 0, 9)});
  EXPECT_EQ(m.core.x[3], 9u);
}

TEST(instructions, take_the_configured_cycles) {
  const rv_config config = {0, 3, 5, 33};
  machine m(machine::memory::window, 0x20000, config);
  struct {
    word insn;
    std::uint64_t cycles;
  } const cases[] = {
      {addi(3, 0, 1), 1},      {load(lw, 3, 1, 0), 3},      {load(lbu, 3, 1, 0), 3},
      {store(sw, 3, 1, 0), 1}, {op(mul, 3, 1, 2), 5},       {op(mulhsu, 3, 1, 2), 5},
      {op(div_, 3, 1, 2), 33}, {op(remu, 3, 1, 2), 33},     {branch(beq, 0, 0, 8), 1},
      {jal(0, 8), 1},          {csr(csrrs, 3, mepc, 0), 1}, {fence, 1}};
  for (const auto &c : cases) {
    m.put(machine::base, {c.insn});
    m.core.x[1] = machine::base + 0x100;
    m.core.pc = machine::base;
    const std::uint64_t before = m.core.cycle;
    rv_run(&m.core, before + 1);
    EXPECT_EQ(m.core.cycle - before, c.cycles) << std::hex << c.insn;
  }
}

TEST(instructions, memory_adds_its_cycles) {
  machine m;
  const rv_window slow = {m.at(machine::base), machine::base, 0x20000, 7, 2, 0};
  ASSERT_EQ(rv_set_window(&m.core, &slow), 1);
  run(m, {load(lw, 3, 1, 0)}, machine::base + 0x100);
  EXPECT_EQ(m.core.cycle, 8u);
  run(m, {store(sw, 3, 1, 0)}, machine::base + 0x100);
  EXPECT_EQ(m.core.cycle, 11u);
  m.extra_cycles = 20; // the console answers late
  m.put(machine::base, {store(sb, 3, 1, 0)});
  m.core.x[1] = TPU_CONSOLE_BASE;
  m.core.pc = machine::base;
  rv_run(&m.core, m.core.cycle + 1);
  EXPECT_EQ(m.core.cycle, 32u);
}

TEST(instructions, a_window_must_be_aligned) {
  machine m;
  const rv_window odd_base = {m.at(machine::base), machine::base + 2, 0x1000, 0, 0, 0};
  const rv_window odd_size = {m.at(machine::base), machine::base, 0x1002, 0, 0, 0};
  const rv_window too_far = {m.at(machine::base), 0xfffff000, 0x2000, 0, 0, 0};
  for (const rv_window *w : {&odd_base, &odd_size, &too_far}) {
    EXPECT_EQ(rv_set_window(&m.core, w), 0);
    EXPECT_EQ(m.core.window.bytes, 0u);
  }
  run(m, {addi(3, 0, 4)}); // through the callbacks
  EXPECT_EQ(m.core.x[3], 4u);
}

} // namespace
