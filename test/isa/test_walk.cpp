// SPDX-License-Identifier: Apache-2.0
#include "isa/walk.h"

#include "support.hpp"

namespace {

using namespace tpu_test;

// A random nest, trips small enough to be run out; terms may name loops that are closed.
void grow(chooser &c, unsigned depth, unsigned size, insns &out) {
  for (unsigned k = 0; k < size; ++k) {
    if (depth < TPU_LOOP_DEPTH && c.one_in(3)) {
      out.push_back(loop(c.upto(4)));
      grow(c, depth + 1, c.upto(3), out);
      out.push_back(endloop());
    } else if (c.one_in(4)) {
      out.push_back(nop());
    } else {
      tpu_insn i = dma(c.upto(3), c.upto(9), c.upto(9), c.upto(9), c.upto(127));
      for (unsigned n = c.upto(3); n > 0; --n)
        i = with(i, c.upto(3), c.upto(3), c.upto(2047));
      out.push_back(i);
    }
  }
}

void expect_walk_equals_expansion(insns program) {
  const expansion expected(program);
  const tpu_code code = code_of(program);
  tpu_walk w;
  tpu_walk_begin(&w, &code);
  tpu_issue i{};
  size_t n = 0;
  while (tpu_walk_next(&w, &i)) {
    ASSERT_LT(n, expected.issues.size());
    const tpu_issue &x = expected.issues[n++];
    ASSERT_EQ(i.index, x.index);
    ASSERT_EQ(i.op, x.op);
    ASSERT_EQ(i.nr, x.nr);
    ASSERT_EQ(i.depth, x.depth);
    for (unsigned k = 0; k < 4; ++k) {
      ASSERT_EQ(i.f[k], x.f[k]);
      ASSERT_EQ(i.iv[k], x.iv[k]);
    }
  }
  EXPECT_EQ(n, expected.issues.size());
  EXPECT_EQ(w.fetches, expected.fetches);
  EXPECT_EQ(tpu_total_fetches(&code), expected.fetches);
  for (unsigned k = 0; k < TPU_LOOP_DEPTH; ++k)
    EXPECT_EQ(w.iv[k], expected.iv[k]) << "the registers a program leaves behind";
  EXPECT_FALSE(tpu_walk_next(&w, &i)) << "the end stays the end";
}

TEST(Walk, EqualsTheExpansionOfRandomNests) {
  chooser c(21);
  for (int n = 0; n < 3000; ++n) {
    insns program;
    grow(c, 0, 1 + c.upto(5), program);
    ASSERT_NO_FATAL_FAILURE(expect_walk_equals_expansion(program));
  }
}

TEST(Walk, RunsATripOfZeroOnceAndKeepsTheRegister) {
  const tpu_insn probe = with(with(vrelu(0, 0, 1), 0, 0, 10), 1, 1, 10);
  expect_walk_equals_expansion({probe, loop(0), probe, endloop(), probe});
  expect_walk_equals_expansion({loop(3), loop(0), nop(), endloop(), endloop(), probe});
  expect_walk_equals_expansion({loop(3), loop(5), endloop(), probe, endloop(), probe});
}

TEST(Walk, AStaleRegisterHoldsTheTripCount) {
  insns program = {loop(7), vrelu(0, 0, 1), endloop(), with(vrelu(0, 0, 1), 0, 0, 3)};
  const tpu_code code = code_of(program);
  tpu_walk w;
  tpu_walk_begin(&w, &code);
  tpu_issue i{};
  for (int n = 0; n < 8; ++n)
    ASSERT_TRUE(tpu_walk_next(&w, &i));
  EXPECT_EQ(i.f[0], 21U);
  EXPECT_EQ(i.depth, 0);
}

TEST(Walk, ResolvesFieldsBeyondTheirRange) {
  insns program = {loop(127)};
  tpu_insn big = vrelu(2047, 0, 1);
  for (unsigned k = 0; k < 3; ++k)
    big = with(big, 0, 0, 2047);
  program = program + insns{big, endloop()};
  const tpu_code code = code_of(program);
  tpu_walk w;
  tpu_walk_begin(&w, &code);
  tpu_issue i{};
  for (int n = 0; n < 127; ++n)
    ASSERT_TRUE(tpu_walk_next(&w, &i));
  EXPECT_EQ(i.f[0], 2047U + 3U * 126U * 2047U);
}

// 4,000 nests of 127^4 passes each: only arithmetic gets to the end of them.
TEST(Walk, EmptyLoopsCostTheirStaticSize) {
  const insns nest = insns(4, loop(127)) + insns(4, endloop());
  insns program = insns{vrelu(1, 2, 3)} + repeat(4000, nest) + insns{vrelu(4, 5, 6)};
  const tpu_code code = code_of(program);
  tpu_walk w;
  tpu_walk_begin(&w, &code);
  tpu_issue i{};
  ASSERT_TRUE(tpu_walk_next(&w, &i));
  ASSERT_TRUE(tpu_walk_next(&w, &i));
  EXPECT_EQ(i.f[0], 4U);
  // innermost: 127 endloops; each level outwards: (loop + inner + endloop) 127 times
  uint64_t one = 127;
  for (int level = 0; level < 3; ++level)
    one = 127 * (1 + one + 1);
  one += 1;
  EXPECT_EQ(w.fetches, 2 + 4000 * one);
  EXPECT_EQ(tpu_total_fetches(&code), 2 + 4000 * one);
}

// Walks all of the code; how many instructions it issued.
int issues_of(const tpu_code &code, tpu_walk &w) {
  tpu_issue i{};
  int issues = 0;
  tpu_walk_begin(&w, &code);
  while (tpu_walk_next(&w, &i))
    ++issues;
  return issues;
}

// What a pass costs is what it has of work: instructions without any are looked at once.
TEST(Walk, InstructionsWithoutWorkAreMeasuredOnce) {
  const insns idle = repeat(200, {nop(), loop(3), endloop()});
  insns program = {loop(127), loop(127)};
  for (int n = 0; n < 7; ++n)
    program =
        program + idle + insns{vrelu(0, 0, 1)} + idle + insns{loop(2), vrelu(0, 0, 1), endloop()};
  program = program + insns{endloop(), endloop()};
  const tpu_code code = code_of(program);
  tpu_walk w;
  EXPECT_EQ(issues_of(code, w), 127 * 127 * 7 * 3);
  EXPECT_LE(w.stretches, 16U); // 2 loops, 7 idle stretches before work and 7 before a loop
  EXPECT_EQ(w.fetches, tpu_total_fetches(&code));
}

TEST(Walk, MoreStretchesThanAreRememberedAreWalkedAll) {
  insns program = {loop(3)};
  for (uint32_t n = 0; n < 40; ++n)
    program = program + insns{nop(), loop(1 + n % 3), loop(n % 4), endloop(), endloop()} +
              insns{with(with(vrelu(n, 0, 1), 0, 0, 10), 1, 1, 7)};
  expect_walk_equals_expansion(program + insns{endloop()});
}

TEST(Walk, EmptyLoopsInsideALoopWithWorkCostTheirStaticSize) {
  const insns empty = insns(3, loop(127)) + insns{nop()} + insns(3, endloop());
  insns program = insns{loop(127)} + repeat(900, empty) + insns{vrelu(0, 0, 1), endloop()};
  const tpu_code code = code_of(program);
  tpu_walk w;
  EXPECT_EQ(issues_of(code, w), 127);
  const uint64_t inner = 1 + 127 * (1 + 127 * (1 + 127 * 2 + 1) + 1);
  EXPECT_EQ(w.fetches, 1 + 127 * (900 * inner + 2));
}

TEST(Walk, EndsAtAStructureItHasNoFrameFor) {
  for (insns program : {insns(5, loop(2)) + insns{vrelu(0, 0, 1)} + insns(5, endloop()),
                        insns{endloop(), vrelu(0, 0, 1)}}) {
    const tpu_code code = code_of(program);
    tpu_walk w;
    tpu_walk_begin(&w, &code);
    tpu_issue i{};
    EXPECT_FALSE(tpu_walk_next(&w, &i));
  }
}

struct structure {
  insns program;
  int rule;
  uint32_t bad;
};

TEST(Loops, AreCheckedForStructure) {
  const tpu_insn use0 = with(vrelu(0, 0, 1), 0, 0, 1);
  const tpu_insn use3 = with(vrelu(0, 0, 1), 1, 3, 0);
  const structure table[] = {
      {insns(4, loop(127)) + insns{use3} + insns(4, endloop()), TPU_RULE_NONE, 0},
      {insns(5, loop(2)) + insns(5, endloop()), TPU_RULE_LOOP_DEPTH, 4},
      {{loop(1), endloop()}, TPU_RULE_NONE, 0},
      {{loop(1), nop(), loop(0), endloop(), endloop()}, TPU_RULE_LOOP_TRIP, 2},
      {{loop(2), endloop(), endloop()}, TPU_RULE_LOOP_UNBALANCED, 2},
      {{endloop(), loop(2)}, TPU_RULE_LOOP_UNBALANCED, 0},
      {{loop(2), loop(2), endloop()}, TPU_RULE_LOOP_UNCLOSED, 0},
      {{loop(2), loop(2)}, TPU_RULE_LOOP_UNCLOSED, 1},
      {{loop(2), use0, endloop()}, TPU_RULE_NONE, 0},
      {{use0, loop(2), endloop()}, TPU_RULE_LOOP_STALE_IV, 0},
      {{loop(2), endloop(), use0}, TPU_RULE_LOOP_STALE_IV, 2},
      {insns(3, loop(2)) + insns{use3} + insns(3, endloop()), TPU_RULE_LOOP_STALE_IV, 3},
      // nesting comes first: whoever hears of a trip or a register may walk all the same
      {{loop(0), use3, endloop(), loop(2)}, TPU_RULE_LOOP_UNCLOSED, 3},
  };
  for (const auto &row : table) {
    insns program = row.program;
    const tpu_code code = code_of(program);
    int rule = TPU_RULE_NONE;
    uint32_t bad = 99;
    tpu_error e{};
    const int ok = tpu_check_loops(&code, &rule, &bad, &e);
    EXPECT_EQ(ok != 0, row.rule == TPU_RULE_NONE);
    EXPECT_STREQ(tpu_rule_name(rule), tpu_rule_name(row.rule)) << e.text;
    if (ok == 0) {
      EXPECT_EQ(bad, row.bad) << e.text;
      EXPECT_STRNE(e.text, "");
      EXPECT_FALSE(tpu_check_loops(&code, nullptr, nullptr, nullptr));
    }
  }
}

} // namespace
