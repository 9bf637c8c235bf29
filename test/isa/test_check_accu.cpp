// SPDX-License-Identifier: Apache-2.0
// The accumulator: nothing is read before it is written, nor fewer than four steps after.
#include "isa/check.h"

#include "support.hpp"

namespace {

using namespace tpu_test;

struct accu_case {
  const char *name;
  insns program; // after loads of vr 0..15 and spad 0..3
  const char *rule;
  uint32_t first, rows;
};

verdict run(const insns &program) {
  return check(params_of(4, 16), insns{dma(2, 0, 0, 0, 16), dma(1, 0, 0, 0, 4)} + program);
}

void expect_case(const accu_case &row) {
  const verdict x = run(row.program);
  EXPECT_EQ(x.rule, row.rule) << row.name << ": " << x;
  EXPECT_EQ(x.v.first, row.first) << row.name << ": " << x;
  EXPECT_EQ(x.v.rows, row.rows) << row.name << ": " << x;
  if (!x.legal) {
    EXPECT_EQ(x.v.mem, TPU_MEM_AR) << row.name;
    EXPECT_EQ(x.v.index, static_cast<int32_t>(row.program.size()) + 1) << row.name;
  }
}

constexpr const char *legal = "";
constexpr const char *unwritten = "mem.write_before_read";
constexpr const char *close = "ar.raw_distance";

TEST(CheckAccu, EveryReaderNeedsAWrittenRow) {
  const insns w = {mm(0, 0, 0, 0, 8)}; // ar 0..7
  const accu_case table[] = {
      {"mvout", w + insns{mvout(8, 0, 0, 4)}, unwritten, 8, 4},
      {"mvout ok", w + insns{mvout(4, 0, 0, 4)}, legal, 0, 0},
      {"vrelu", w + insns{vrelu(20, 8, 2)}, unwritten, 8, 2},
      {"vrelu ok", w + insns{vrelu(20, 3, 2)}, legal, 0, 0},
      {"accumulate", w + insns{mm(0, 6, 1, 0, 4)}, close, 6, 2},
      {"accumulate beyond", w + insns{mm(0, 0, 1, 0, 10)}, unwritten, 8, 2},
      {"accumulate ok", w + insns{mm(0, 0, 1, 0, 8)}, legal, 0, 0},
      {"overwrite reads nothing", w + insns{mm(0, 8, 0, 0, 4)}, legal, 0, 0},
      {"vadd source 1", w + insns{vadd(20, 8, 0, 1)}, unwritten, 8, 1},
      {"vadd source 2", w + insns{vadd(20, 0, 8, 1)}, unwritten, 8, 1},
      {"vadd ok", w + insns{vadd(20, 0, 1, 1)}, legal, 0, 0},
  };
  for (const auto &row : table)
    expect_case(row);
}

TEST(CheckAccu, OneStepARow) {
  const accu_case table[] = {
      {"mm mvout 3", {mm(0, 0, 0, 0, 3), mvout(0, 0, 0, 3)}, close, 0, 3},
      {"mm mvout 4", {mm(0, 0, 0, 0, 4), mvout(0, 0, 0, 4)}, legal, 0, 0},
      {"mm mm 3", {mm(0, 0, 0, 0, 3), mm(0, 0, 1, 0, 3)}, close, 0, 3},
      {"mm mm 4", {mm(0, 0, 0, 0, 4), mm(0, 0, 1, 0, 4)}, legal, 0, 0},
      {"mm vrelu 3", {mm(0, 0, 0, 0, 3), vrelu(9, 0, 1)}, close, 0, 1},
      {"mm vrelu 4", {mm(0, 0, 0, 0, 4), vrelu(9, 0, 1)}, legal, 0, 0},
      {"only the first rows are close", {mm(0, 0, 0, 0, 5), mvout(2, 0, 0, 1)}, close, 2, 1},
      {"the write that counts is the last",
       {mm(0, 0, 0, 0, 4), mm(0, 0, 0, 0, 2), mvout(0, 0, 0, 4)},
       close,
       0,
       2},
      {"an mm in between takes its steps",
       {mm(0, 0, 0, 0, 1), mm(0, 50, 0, 0, 3), mvout(0, 0, 0, 1)},
       legal,
       0,
       0},
      {"a step short", {mm(0, 0, 0, 0, 1), mm(0, 50, 0, 0, 2), mvout(0, 0, 0, 1)}, close, 0, 1},
      {"a mvout in between takes its steps",
       {mm(0, 50, 0, 0, 4), mm(0, 0, 0, 0, 1), mvout(50, 0, 0, 3), mvout(0, 0, 0, 1)},
       legal,
       0,
       0},
  };
  for (const auto &row : table)
    expect_case(row);
}

TEST(CheckAccu, TwoStepsARowOfVadd) {
  const insns w = {mm(0, 0, 0, 0, 4)}; // ar r written in step r, the next step is 4
  const accu_case table[] = {
      {"source 1 on the even step", w + insns{vadd(20, 0, 0, 1)}, legal, 0, 0},
      {"source 1 a step short", w + insns{vadd(20, 1, 0, 1)}, close, 1, 1},
      {"source 2 on the odd step", w + insns{vadd(20, 0, 1, 1)}, legal, 0, 0},
      {"source 2 a step short", w + insns{vadd(20, 0, 2, 1)}, close, 2, 1},
      {"the second row comes two steps later", w + insns{vadd(20, 0, 0, 2)}, legal, 0, 0},
      {"the write is on the odd step", // written in 5, read in 9 or in 8
       w + insns{vadd(20, 0, 0, 1), mm(0, 50, 0, 0, 3), vrelu(30, 20, 1)}, legal, 0, 0},
      {"the write a step short", w + insns{vadd(20, 0, 0, 1), mm(0, 50, 0, 0, 2), vrelu(30, 20, 1)},
       close, 20, 1},
      {"two vadds in a row", // written in 5, read in 7
       w + insns{vadd(20, 0, 0, 1), vadd(30, 0, 20, 1)}, close, 20, 1},
      {"with one between", // written in 5, read in 9
       w + insns{vadd(20, 0, 0, 1), vadd(40, 0, 0, 1), vadd(30, 0, 20, 1)}, legal, 0, 0},
      {"first source, one between", // written in 5, read in 8
       w + insns{vadd(20, 0, 0, 1), vadd(40, 0, 0, 1), vadd(30, 20, 0, 1)}, close, 20, 1},
  };
  for (const auto &row : table)
    expect_case(row);
}

TEST(CheckAccu, RowsOfOneInstructionCount) {
  const insns w = {mm(0, 0, 0, 0, 8), mm(0, 50, 0, 0, 4)};
  const accu_case table[] = {
      {"vrelu reads its row four back", w + insns{vrelu(4, 0, 8)}, legal, 0, 0},
      {"vrelu reads its row three back", w + insns{vrelu(3, 0, 8)}, close, 3, 5},
      {"vrelu in place", w + insns{vrelu(0, 0, 8)}, legal, 0, 0},
      {"vrelu upwards", w + insns{vrelu(0, 1, 7)}, legal, 0, 0},
      {"vadd reads its row two back", w + insns{vadd(2, 0, 0, 8)}, close, 2, 6},
      {"source 2 exactly two rows back", w + insns{vadd(2, 4, 0, 4)}, legal, 0, 0},
      {"source 1 two rows back is a step short", w + insns{vadd(2, 0, 4, 4)}, close, 2, 2},
      {"an own row makes the source written", w + insns{vrelu(8, 4, 8)}, legal, 0, 0},
  };
  for (const auto &row : table)
    expect_case(row);
}

TEST(CheckAccu, SaysTheDistance) {
  const verdict x = run({mm(0, 0, 0, 0, 3), mvout(0, 0, 0, 3)});
  EXPECT_STREQ(x.v.detail, "reads ar row(s) 0..2 as source, the first of them 3 accu step(s) after "
                           "the write it depends on; allowed is 4 or more");
  const verdict y = run({mm(0, 0, 0, 0, 4), vadd(20, 0, 3, 1)});
  EXPECT_STREQ(y.v.detail,
               "reads ar row(s) 3..3 as source 2, the first of them 2 accu step(s) after "
               "the write it depends on; allowed is 4 or more");
  const verdict z = run({mm(0, 9, 1, 0, 4)});
  EXPECT_STREQ(z.v.detail,
               "reads ar row(s) 9..12 as accumulator before any instruction wrote them");
}

TEST(CheckAccu, DistanceRunsThroughLoops) {
  // three rows a pass, the accumulate of the next pass reads them again
  const verdict bad =
      run({mm(0, 0, 0, 0, 3), mm(0, 50, 0, 0, 1), loop(3), mm(0, 0, 1, 0, 3), endloop()});
  EXPECT_EQ(bad.rule, "ar.raw_distance") << bad;
  EXPECT_EQ(bad.v.iv[0], 1U);
  EXPECT_EQ(bad.v.depth, 1);
  const verdict good = run({mm(0, 0, 0, 0, 4), loop(3), mm(0, 0, 1, 0, 4), endloop()});
  EXPECT_TRUE(good.legal) << good;
}

} // namespace
