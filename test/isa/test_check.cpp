// SPDX-License-Identifier: Apache-2.0
// Every rule with programs that break it and the nearest program that does not.
#include "isa/check.h"

#include "support.hpp"

namespace {

using namespace tpu_test;

const tpu_params small = [] { // 64 spad and vr rows, 128 ar rows, 24 instructions
  tpu_params p = tpu_params_default();
  p.maxdim = 16;
  tpu_params_resolve(&p, nullptr);
  return p;
}();

// vr 0..15, spad 0..15 written.
const insns loaded = {dma(2, 0, 0, 0, 16), dma(1, 0, 0, 0, 16)};
// and ar 0..15, with the distance to any of them kept
const insns computed = loaded + insns{mm(0, 0, 0, 0, 16), mm(0, 100, 0, 0, 4)};

struct border {
  const char *rule;
  insns bad, good;
  int32_t index; // of the violation
};

void expect_border(const tpu_params &p, const border &row) {
  const verdict bad = check(p, row.bad);
  EXPECT_EQ(bad.rule, row.rule) << bad;
  EXPECT_EQ(bad.v.index, row.index) << bad;
  EXPECT_STRNE(bad.v.detail, "") << row.rule;
  const verdict good = check(p, row.good);
  EXPECT_TRUE(good.legal) << row.rule << " near miss: " << good;
}

TEST(Check, EachMemoryAndImageHasItsBorder) {
  const border table[] = {
      {"mem.out_of_range", {dma(0, 0, 0, 61, 4)}, {dma(0, 0, 0, 60, 4)}, 0},
      {"mem.out_of_range", {dma(2, 0, 0, 61, 4)}, {dma(2, 0, 0, 60, 4)}, 0},
      {"mem.out_of_range", loaded + insns{vld(61, 0, 4)}, loaded + insns{vld(60, 0, 4)}, 2},
      {"mem.out_of_range", loaded + insns{vld(0, 61, 4)}, loaded + insns{vld(0, 60, 4)}, 2},
      {"mem.out_of_range", loaded + insns{mm(0, 125, 0, 0, 4)}, loaded + insns{mm(0, 124, 0, 0, 4)},
       2},
      {"mem.out_of_range", loaded + insns{mm(61, 0, 0, 0, 4)}, loaded + insns{mm(12, 0, 0, 0, 4)},
       2},
      {"mem.out_of_range", loaded + insns{mm(0, 0, 0, 61, 4)}, loaded + insns{mm(0, 0, 0, 12, 4)},
       2},
      {"mem.out_of_range", computed + insns{vadd(126, 0, 0, 3)},
       computed + insns{vadd(125, 0, 0, 3)}, 4},
      {"mem.out_of_range", computed + insns{vadd(0, 126, 0, 3)},
       computed + insns{vadd(0, 12, 0, 3)}, 4},
      {"mem.out_of_range", computed + insns{vadd(0, 0, 126, 3)},
       computed + insns{vadd(0, 0, 13, 3)}, 4},
      {"mem.out_of_range", computed + insns{vrelu(126, 0, 3)}, computed + insns{vrelu(125, 0, 3)},
       4},
      {"mem.out_of_range", computed + insns{vrelu(0, 126, 3)}, computed + insns{vrelu(0, 13, 3)},
       4},
      {"mem.out_of_range", computed + insns{mvout(126, 0, 0, 3)},
       computed + insns{mvout(13, 0, 0, 3)}, 4},
      {"dram.operand_range", {dma(0, 13, 0, 0, 4)}, {dma(0, 12, 0, 0, 4)}, 0},
      {"dram.operand_range", {dma(0, 0, 4, 0, 4)}, {dma(0, 0, 3, 0, 4)}, 0},
      {"dram.operand_range", {dma(3, 13, 0, 0, 4)}, {dma(3, 12, 0, 0, 4)}, 0},
      {"dram.operand_range", {dma(3, 0, 4, 0, 4)}, {dma(3, 0, 3, 0, 4)}, 0},
      {"dram.result_range", computed + insns{mvout(0, 13, 0, 4)},
       computed + insns{mvout(0, 12, 0, 4)}, 4},
      {"dram.result_range", computed + insns{mvout(0, 0, 4, 4)},
       computed + insns{mvout(0, 0, 3, 4)}, 4},
  };
  for (const auto &row : table)
    expect_border(small, row);
}

TEST(Check, FieldsOfAnIssueMeanSomething) {
  const border table[] = {
      {"enc.zero_rows", {dma(0, 0, 0, 0, 0)}, {dma(0, 0, 0, 0, 1)}, 0},
      {"enc.zero_rows", loaded + insns{vld(0, 0, 0)}, loaded + insns{vld(0, 0, 1)}, 2},
      {"enc.zero_rows", loaded + insns{mm(0, 0, 0, 0, 0)}, loaded + insns{mm(0, 0, 0, 0, 1)}, 2},
      {"enc.zero_rows", computed + insns{vadd(0, 0, 0, 0)}, computed + insns{vadd(0, 0, 0, 1)}, 4},
      {"enc.zero_rows", computed + insns{vrelu(0, 0, 0)}, computed + insns{vrelu(0, 0, 1)}, 4},
      {"enc.zero_rows", computed + insns{mvout(0, 0, 0, 0)}, computed + insns{mvout(0, 0, 0, 1)},
       4},
      {"op.mm_acc_field", computed + insns{mm(0, 0, 2, 0, 4)}, computed + insns{mm(0, 0, 1, 0, 4)},
       4},
      {"op.mm_acc_field", // 0 overwrites, 1 accumulates, 2 is nothing
       loaded + insns{loop(3), with(mm(0, 0, 0, 0, 4), 2, 0, 1), endloop()},
       loaded + insns{loop(2), with(mm(0, 0, 0, 0, 4), 2, 0, 1), endloop()}, 3},
      {"op.dma_ld_field", {dma(4, 0, 0, 0, 1)}, {dma(3, 0, 0, 0, 1)}, 0},
      {"op.dma_ld_field",
       {loop(5), with(dma(0, 0, 0, 0, 1), 0, 0, 1), endloop()},
       {loop(4), with(dma(0, 0, 0, 0, 1), 0, 0, 1), endloop()},
       1},
  };
  for (const auto &row : table)
    expect_border(small, row);
}

TEST(Check, AResolvedFieldStaysInItsRange) {
  tpu_params p = small;
  p.spad_rows = 2048; // every value a field holds is a row
  expect_border(p, {"enc.field_range",
                    {loop(2), with(dma(0, 0, 0, 2000, 1), 3, 0, 48), endloop()},
                    {loop(2), with(dma(0, 0, 0, 2000, 1), 3, 0, 47), endloop()},
                    1});
  // three terms of one field add up
  tpu_insn d = with(with(with(dma(0, 0, 0, 2042, 1), 3, 0, 1), 3, 0, 2), 3, 0, 3);
  expect_border(p, {"enc.field_range", {loop(2), d, endloop()}, {loop(1), d, endloop()}, 1});
}

TEST(Check, WordsStayInTheirSpareBits) {
  auto words = encoded({dma(0, 0, 0, 0, 1), nop()});
  ASSERT_TRUE(check_words(small, words).legal);
  const uint64_t spare[] = {uint64_t{1} << 5,  uint64_t{1} << 17, uint64_t{1} << 53,
                            uint64_t{1} << 61, uint64_t{1} << 62, uint64_t{1} << 63};
  for (const uint64_t bit : spare) {
    auto bad = words;
    bad[1].w0 |= bit;
    const verdict x = check_words(small, bad);
    EXPECT_EQ(x.rule, "enc.field_range") << x;
    EXPECT_EQ(x.v.index, 1);
  }
  for (const unsigned op : {2U, 10U, 31U}) {
    auto bad = words;
    bad[1].w0 = op;
    const verdict x = check_words(small, bad);
    EXPECT_EQ(x.rule, "op.unknown") << x;
    EXPECT_EQ(x.v.index, 1);
  }
}

TEST(Check, LoopsAreWellFormed) {
  const insns four = insns(4, loop(2)) + insns{dma(0, 0, 0, 0, 1)} + insns(4, endloop());
  const tpu_insn use1 = with(dma(0, 0, 0, 0, 1), 3, 1, 1);
  const border table[] = {
      {"loop.depth", insns{loop(2)} + four + insns{endloop()}, four, 4},
      {"loop.trip",
       {loop(0), dma(0, 0, 0, 0, 1), endloop()},
       {loop(1), dma(0, 0, 0, 0, 1), endloop()},
       0},
      {"loop.unbalanced", {loop(1), endloop(), endloop()}, {loop(1), endloop()}, 2},
      {"loop.unclosed", {loop(1), nop()}, {loop(1), endloop()}, 0},
      {"loop.stale_iv",
       {loop(2), use1, endloop()},
       {loop(2), loop(2), use1, endloop(), endloop()},
       1},
  };
  for (const auto &row : table)
    expect_border(small, row);
}

TEST(Check, AProgramIsNotEmptyAndFitsItsMemory) {
  const verdict empty = check(small, {});
  EXPECT_EQ(empty.rule, "prog.empty") << empty;
  EXPECT_EQ(empty.v.index, -1);
  expect_border(small, {"imem.overflow", insns(25, nop()), insns(24, nop()), -1});
  tpu_params p = small;
  p.imem_size = 16;
  expect_border(p, {"imem.overflow", insns(5, nop()), insns(4, nop()), -1});
}

TEST(Check, LayersComeInTheirOrder) {
  // isa before encoding, wherever it stands
  const verdict isa = check(small, insns(25, nop()) + insns{vrelu(0, 0, 1)});
  EXPECT_EQ(isa.rule, "mem.write_before_read") << isa;
  EXPECT_EQ(isa.v.index, 25);
  const insns long_one = insns(40000, nop());
  EXPECT_EQ(check(small, long_one + insns{vrelu(0, 0, 1)}).rule, "mem.write_before_read");
  EXPECT_EQ(check(small, long_one + insns{dma(0, 0, 0, 0, 1)}).rule, "imem.overflow");
  // what does not even fit the caller's storage is reported for that
  std::vector<tpu_word> words = encoded(insns(25, nop()));
  std::vector<tpu_insn> storage(24);
  tpu_program program{words.data(), 25, 25};
  tpu_code code{storage.data(), 24, 0};
  std::vector<tpu_check_work> work(1);
  tpu_violation v{};
  EXPECT_FALSE(tpu_check_program(&small, &program, &code, work.data(), nullptr, &v));
  EXPECT_STREQ(tpu_rule_name(v.rule), "imem.overflow");
  EXPECT_STREQ(v.detail, "the program has 25 instructions; allowed is 24 in an instruction memory "
                         "of 56 words");
  code.capacity = 3;
  program.count = 4;
  EXPECT_FALSE(tpu_check_program(&small, &program, &code, work.data(), nullptr, &v));
  EXPECT_EQ(v.rule, TPU_RULE_NONE);
  EXPECT_STRNE(v.detail, "");
}

TEST(Check, OperandsAreWrittenBeforeTheyAreRead) {
  const insns a = {dma(2, 0, 0, 0, 16)};
  const insns b = {dma(1, 0, 0, 0, 4)};
  const border table[] = {
      {"mem.write_before_read", a + insns{dma(1, 0, 0, 0, 3), mm(0, 0, 0, 0, 1)},
       a + insns{dma(1, 0, 0, 0, 4), mm(0, 0, 0, 0, 1)}, 2},
      {"mem.write_before_read", b + insns{dma(2, 0, 0, 0, 3), mm(0, 0, 0, 0, 4)},
       b + insns{dma(2, 0, 0, 0, 4), mm(0, 0, 0, 0, 4)}, 2},
      {"mem.write_before_read", // the copy is as written as its source
       b + insns{vld(0, 1, 4), mm(0, 0, 0, 0, 4)}, b + insns{vld(0, 0, 4), mm(0, 0, 0, 0, 4)}, 2},
      {"mem.write_before_read", // and takes the place of what was written
       a + b + insns{vld(0, 4, 1), mm(0, 0, 0, 0, 4)},
       a + b + insns{vld(4, 4, 1), mm(0, 0, 0, 0, 4)}, 3},
  };
  for (const auto &row : table)
    expect_border(small, row);
  const verdict later =
      check(small, a + b + insns{vld(0, 4, 1), dma(2, 0, 0, 0, 1), mm(0, 0, 0, 0, 4)});
  EXPECT_TRUE(later.legal) << later;
}

TEST(Check, AnUnwrittenReadNamesLoopValuesAndRows) {
  const insns program = {
      dma(2, 0, 0, 0, 16), dma(1, 0, 0, 0, 4), loop(3), loop(2), with(mm(0, 0, 0, 0, 4), 3, 1, 4),
      endloop(),           endloop()};
  const verdict x = check(small, program);
  EXPECT_EQ(x.rule, "mem.write_before_read");
  EXPECT_EQ(x.v.index, 4);
  EXPECT_EQ(x.v.op, TPU_OP_MM);
  EXPECT_EQ(x.v.depth, 2);
  EXPECT_EQ(x.v.iv[0], 0U);
  EXPECT_EQ(x.v.iv[1], 1U);
  EXPECT_EQ(x.v.mem, TPU_MEM_SPAD);
  EXPECT_EQ(x.v.first, 4U);
  EXPECT_EQ(x.v.rows, 4U);
  EXPECT_STREQ(x.v.detail, "reads spad row(s) 4..7 as weights before any instruction wrote them");
}

TEST(Check, ReportsTheFirstStretchOfUnwrittenRows) {
  const verdict x = check(small, {dma(1, 0, 0, 0, 4), dma(2, 0, 0, 0, 2), dma(2, 0, 0, 4, 1),
                                  dma(2, 0, 0, 6, 1), mm(0, 0, 0, 0, 8)});
  EXPECT_EQ(x.v.mem, TPU_MEM_VR);
  EXPECT_EQ(x.v.first, 2U);
  EXPECT_EQ(x.v.rows, 2U);
  EXPECT_EQ(std::string(x.v.detail).rfind("reads vr row(s) 2..3 as activations before", 0), 0U);
}

// 16 rows of vr loaded, then mm until vru stands at the number asked for (16-row steps, then one).
insns vru_work(uint32_t vru) {
  const uint32_t steps = (vru - 16) / 16;
  const uint32_t rest = (vru - 16) % 16;
  insns out = loaded + insns{loop(steps / 16), loop(16), mm(0, 0, 0, 0, 16), endloop(), endloop()};
  if (steps % 16 != 0)
    out = out + insns{loop(steps % 16), mm(0, 0, 0, 0, 16), endloop()};
  if (rest != 0)
    out.push_back(mm(0, 0, 0, 0, rest));
  return out;
}

TEST(Check, CountsFitTheirSlices) {
  const verdict full = check(small, vru_work(32767));
  EXPECT_TRUE(full.legal) << full;
  EXPECT_EQ(full.counts.vru, 32767U);
  EXPECT_EQ(full.counts.mm_rows, 32751U);
  const verdict over = check(small, vru_work(32767) + insns{mm(0, 0, 0, 0, 1)});
  EXPECT_EQ(over.rule, "hdr.count_overflow") << over;
  EXPECT_STREQ(over.v.detail, "the header count vru reaches 32768; allowed is 0..32767; later "
                              "instructions were not examined");
  EXPECT_EQ(over.v.index, static_cast<int32_t>(vru_work(32767).size()));
  // vru holds the loads as well, so only the last mm can take the array count over with it
  const verdict mm16 = check(small, vru_work(32767) + insns{mm(0, 0, 0, 0, 16)});
  EXPECT_EQ(mm16.rule, "hdr.count_overflow") << mm16;
  const verdict mm17 = check(small, vru_work(32767) + insns{mm(0, 0, 0, 0, 17)});
  EXPECT_EQ(mm17.rule, "hdr.array_overflow") << mm17;
  EXPECT_STREQ(mm17.v.detail, "the header count mm_rows reaches 32768; allowed is 0..32767; later "
                              "instructions were not examined");
}

TEST(Check, TheWalkStopsWhereACountOverflows) {
  const insns loads = {loop(127), loop(127), dma(0, 0, 0, 0, 16), endloop(), endloop()};
  const verdict x = check(small, loads + insns{vrelu(0, 0, 1)});
  EXPECT_EQ(x.rule, "hdr.count_overflow") << x;
  EXPECT_EQ(x.v.index, 2);
  EXPECT_EQ(x.v.iv[0] * 127 + x.v.iv[1], 32767U / 16);
  const verdict before = check(small, insns{vrelu(0, 0, 1)} + loads);
  EXPECT_EQ(before.rule, "mem.write_before_read") << before;
}

TEST(Check, DeepNestsAnswerAtOnce) {
  const auto nest = [](const insns &body) {
    return insns(4, loop(127)) + body + insns(4, endloop());
  };
  EXPECT_TRUE(check(small, nest({})).legal);
  EXPECT_EQ(check(small, nest({dma(0, 0, 0, 0, 1)})).rule, "hdr.count_overflow");
  EXPECT_EQ(check(small, nest({}) + insns{vrelu(0, 0, 1)}).rule, "mem.write_before_read");
  tpu_params big = small; // each of 4,000 nests has 127^4 passes
  big.imem_size = TPU_MAX_IMEM;
  EXPECT_TRUE(check(big, repeat(4000, nest({}))).legal);
}

TEST(Check, StopsAtTheFirstOfManyAndClearsTheVerdictOfALegalOne) {
  const verdict x = check(small, {vld(0, 0, 0), dma(4, 0, 0, 0, 1), vrelu(0, 0, 1)});
  EXPECT_EQ(x.rule, "enc.zero_rows");
  EXPECT_EQ(x.v.index, 0);
  const verdict ok = check(small, computed);
  EXPECT_TRUE(ok.legal);
  EXPECT_EQ(ok.v.rule, TPU_RULE_NONE);
  EXPECT_EQ(ok.v.index, -1);
}

} // namespace
