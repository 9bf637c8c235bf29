// SPDX-License-Identifier: Apache-2.0
#include "isa/check.h"

#include "support.hpp"

#include <cstring>

namespace {

using namespace tpu_test;

tpu_workload gemm(uint32_t m, uint32_t n, uint32_t window) {
  tpu_workload w{};
  std::strcpy(w.name, "test");
  w.indices = 3;
  w.index[0] = {'m', m};
  w.index[1] = {'k', 4};
  w.index[2] = {'n', n};
  w.inputs = 2;
  std::strcpy(w.input[0].subscript, "mk");
  std::strcpy(w.input[1].subscript, "kn");
  w.input[1].buffer = TPU_BUFFER_B;
  std::strcpy(w.output.subscript, "mn");
  w.output.buffer = TPU_BUFFER_C;
  w.write_window = window;
  return w;
}

verdict check_spec(const tpu_workload &w, insns program) {
  const tpu_params p = params_of(4, 16);
  std::vector<uint8_t> covered(8, 0xff);
  const tpu_code code = code_of(program);
  verdict x;
  x.legal = tpu_check_spec(&p, &code, &w, covered.data(), covered.size(), &x.v) != 0;
  if (!x.legal)
    x.rule = tpu_rule_name(x.v.rule);
  return x;
}

TEST(CheckSpec, RowsStayInTheWindow) {
  const tpu_workload w = gemm(6, 8, TPU_WINDOW_EXACT);
  EXPECT_TRUE(check_spec(w, {loop(2), with(mvout(0, 0, 0, 6), 2, 0, 1), endloop()}).legal);
  const verdict x = check_spec(w, {loop(2), with(mvout(0, 0, 0, 8), 2, 0, 1), endloop()});
  EXPECT_EQ(x.rule, "spec.write_window") << x;
  EXPECT_EQ(x.v.index, 1);
  EXPECT_EQ(x.v.op, TPU_OP_MVOUT);
  EXPECT_EQ(x.v.depth, 1);
  EXPECT_EQ(x.v.mem, TPU_MEM_C);
  EXPECT_EQ(x.v.first, 6U);
  EXPECT_EQ(x.v.rows, 2U);
  EXPECT_STREQ(x.v.detail, "writes C row(s) 6..7, columns 0..3; the write window is rows 0..5, "
                           "columns 0..7");
}

TEST(CheckSpec, OneRowOrColumnTooManyIsTooMany) {
  const verdict row = check_spec(gemm(6, 4, TPU_WINDOW_EXACT), {mvout(0, 0, 0, 7)});
  EXPECT_EQ(row.rule, "spec.write_window") << row;
  EXPECT_EQ(row.v.first, 6U);
  EXPECT_EQ(row.v.rows, 1U);
  const verdict column = check_spec(gemm(4, 7, TPU_WINDOW_EXACT), {mvout(0, 0, 1, 4)});
  EXPECT_EQ(column.rule, "spec.write_window") << column;
}

TEST(CheckSpec, ColumnsStayInTheWindow) {
  const insns two = {mvout(0, 0, 0, 4), mvout(0, 0, 1, 4)};
  EXPECT_TRUE(check_spec(gemm(4, 8, TPU_WINDOW_EXACT), two).legal);
  const verdict third = check_spec(gemm(4, 8, TPU_WINDOW_EXACT), two + insns{mvout(0, 1, 2, 2)});
  EXPECT_EQ(third.rule, "spec.write_window") << third;
  EXPECT_EQ(third.v.index, 2);
  EXPECT_EQ(third.v.first, 1U);
  EXPECT_EQ(third.v.rows, 2U);
  // n = 6 cannot avoid columns 6 and 7
  EXPECT_EQ(check_spec(gemm(4, 6, TPU_WINDOW_EXACT), two).v.index, 1);
  EXPECT_TRUE(check_spec(gemm(4, 6, TPU_WINDOW_COLUMN_BLOCK), two).legal);
}

TEST(CheckSpec, TheWindowBeginsAtTheOrigin) {
  tpu_workload w = gemm(4, 4, TPU_WINDOW_EXACT);
  w.output.row = 3;
  w.output.col = 8;
  EXPECT_TRUE(check_spec(w, {mvout(0, 3, 2, 4)}).legal);
  const verdict above = check_spec(w, {mvout(0, 2, 2, 4)});
  EXPECT_EQ(above.rule, "spec.write_window") << above;
  EXPECT_EQ(above.v.first, 2U);
  EXPECT_EQ(above.v.rows, 1U);
  const verdict far = check_spec(w, {mvout(0, 9, 2, 2)});
  EXPECT_EQ(far.v.first, 9U);
  EXPECT_EQ(far.v.rows, 2U);
  const verdict wholly_above = check_spec(w, {mvout(0, 0, 2, 2)});
  EXPECT_EQ(wholly_above.v.first, 0U);
  EXPECT_EQ(wholly_above.v.rows, 2U);
  EXPECT_EQ(check_spec(w, {mvout(0, 3, 1, 4)}).rule, "spec.write_window");
}

TEST(CheckSpec, EveryOutputWordIsWritten) {
  const tpu_workload w = gemm(6, 8, TPU_WINDOW_EXACT);
  const verdict none = check_spec(w, {nop()});
  EXPECT_EQ(none.rule, "spec.output_incomplete") << none;
  EXPECT_EQ(none.v.index, -1);
  EXPECT_EQ(none.v.first, 0U);
  EXPECT_EQ(none.v.rows, 6U);
  const verdict hole = check_spec(w, {mvout(0, 0, 0, 6), mvout(0, 0, 1, 2), mvout(0, 5, 1, 1)});
  EXPECT_EQ(hole.rule, "spec.output_incomplete") << hole;
  EXPECT_EQ(hole.v.first, 2U);
  EXPECT_EQ(hole.v.rows, 3U);
  EXPECT_STREQ(hole.v.detail, "no mvout writes C row(s) 2..4, columns 4..7, which hold output");
  EXPECT_TRUE(check_spec(w, {mvout(0, 0, 0, 6), mvout(0, 0, 1, 2), mvout(0, 2, 1, 4)}).legal);
}

TEST(CheckSpec, RefusesAMapThatIsTooSmall) {
  const tpu_params p = params_of(4, 16);
  const tpu_workload w = gemm(4, 4, TPU_WINDOW_EXACT);
  insns program = {mvout(0, 0, 0, 4)};
  const tpu_code code = code_of(program);
  std::vector<uint8_t> covered(8);
  tpu_violation v{};
  EXPECT_TRUE(tpu_check_spec(&p, &code, &w, covered.data(), 8, &v));
  EXPECT_FALSE(tpu_check_spec(&p, &code, &w, covered.data(), 7, &v));
  EXPECT_EQ(v.rule, TPU_RULE_NONE);
  EXPECT_STRNE(v.detail, "");
}

} // namespace
