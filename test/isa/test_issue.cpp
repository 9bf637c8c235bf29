// SPDX-License-Identifier: Apache-2.0
#include "isa/issue.h"

#include "support.hpp"

namespace {

using namespace tpu_test;

TEST(Issue, NamesTheOffendingRows) {
  const tpu_params p = params_of(4, 16); // 64 spad and vr rows, 128 ar rows
  struct {
    tpu_insn insn;
    int rule;
    tpu_mem mem;
    uint32_t first, rows;
    const char *text;
  } const table[] = {
      {dma(0, 0, 0, 61, 4), TPU_RULE_OUT_OF_RANGE, TPU_MEM_SPAD, 64, 1,
       "writes spad row(s) 61..64; allowed is 0..63"},
      {dma(2, 0, 0, 100, 4), TPU_RULE_OUT_OF_RANGE, TPU_MEM_VR, 100, 4,
       "writes vr row(s) 100..103; allowed is 0..63"},
      {dma(0, 13, 0, 0, 4), TPU_RULE_DRAM_OPERAND, TPU_MEM_A, 16, 1,
       "reads A row(s) 13..16; allowed is 0..15"},
      {dma(1, 0, 4, 0, 4), TPU_RULE_DRAM_OPERAND, TPU_MEM_B, 0, 4,
       "reads column block 4 of B; allowed is 0..3"},
      {mm(0, 0, 0, 62, 4), TPU_RULE_OUT_OF_RANGE, TPU_MEM_SPAD, 64, 2,
       "reads spad row(s) 62..65; allowed is 0..63"},
      {mm(0, 126, 0, 0, 4), TPU_RULE_OUT_OF_RANGE, TPU_MEM_AR, 128, 2,
       "writes ar row(s) 126..129; allowed is 0..127"},
      {mvout(0, 15, 0, 2), TPU_RULE_DRAM_RESULT, TPU_MEM_C, 16, 1,
       "writes C row(s) 15..16; allowed is 0..15"},
      {mvout(0, 0, 4, 2), TPU_RULE_DRAM_RESULT, TPU_MEM_C, 0, 2,
       "writes column block 4 of C; allowed is 0..3"},
      {vld(0, 0, 0), TPU_RULE_ZERO_ROWS, TPU_MEM_NONE, 0, 0,
       "field nr is 0 rows; allowed is 1..127"},
      {mm(0, 0, 2, 0, 1), TPU_RULE_MM_ACC_FIELD, TPU_MEM_NONE, 0, 0,
       "field f2 (acc) resolves to 2; allowed is 0 (overwrite) or 1 (accumulate)"},
      {dma(4, 0, 0, 0, 1), TPU_RULE_DMA_LD_FIELD, TPU_MEM_NONE, 0, 0,
       "field f0 (mode) resolves to 4; allowed is 0..3"},
  };
  for (const auto &row : table) {
    const tpu_issue i = expansion({row.insn}).issues[0];
    tpu_fault f{};
    tpu_error e{};
    EXPECT_FALSE(tpu_issue_check(&p, &i, &f, &e)) << row.text;
    EXPECT_STREQ(tpu_rule_name(f.rule), tpu_rule_name(row.rule));
    EXPECT_EQ(f.mem, row.mem) << row.text;
    EXPECT_EQ(f.first, row.first) << row.text;
    EXPECT_EQ(f.rows, row.rows) << row.text;
    EXPECT_STREQ(e.text, row.text);
    EXPECT_FALSE(tpu_issue_check(&p, &i, nullptr, nullptr));
  }
}

TEST(Issue, IsADataInstruction) {
  const tpu_params p = params_of(4, 16);
  for (const unsigned op : {0U, 2U, 8U, 9U, 10U, 255U}) {
    tpu_issue i{};
    i.op = static_cast<uint8_t>(op);
    i.nr = 1;
    tpu_error e{};
    tpu_fault f{};
    EXPECT_FALSE(tpu_issue_check(&p, &i, &f, &e)) << op;
    EXPECT_EQ(f.rule, TPU_RULE_OP_UNKNOWN);
    EXPECT_EQ(f.mem, TPU_MEM_NONE);
  }
}

} // namespace
