// SPDX-License-Identifier: Apache-2.0
#include "isa/header.h"

#include "support.hpp"

#include <algorithm>

namespace {

using namespace tpu_test;

using member = uint32_t tpu_counts::*;
const std::array<member, 10> members = {
    &tpu_counts::insns,  &tpu_counts::dma_ld,  &tpu_counts::spm,  &tpu_counts::vru,
    &tpu_counts::mm,     &tpu_counts::mm_rows, &tpu_counts::accu, &tpu_counts::dma_st,
    &tpu_counts::a_span, &tpu_counts::b_span};

// The table of the header, summed over the naive expansion.
tpu_counts summed(const tpu_params &p, const insns &program) {
  tpu_counts c{};
  c.insns = static_cast<uint32_t>(program.size());
  for (const auto &i : expansion(program).issues) {
    const uint32_t n = i.nr;
    const bool load = i.op == TPU_OP_DMA_LD;
    const bool to_vr = load && (i.f[0] == 2 || i.f[0] == 3);
    const bool from_b = load && (i.f[0] == 1 || i.f[0] == 3);
    const bool is_mm = i.op == TPU_OP_MM;
    c.dma_ld += load ? n : 0;
    c.spm += (load && !to_vr) || i.op == TPU_OP_VLD ? n : is_mm ? p.t + 1 : 0;
    c.vru += to_vr || i.op == TPU_OP_VLD || is_mm ? n : 0;
    c.mm += is_mm ? 1 : 0;
    c.mm_rows += is_mm ? n : 0;
    c.accu += is_mm || i.op == TPU_OP_VRELU || i.op == TPU_OP_MVOUT ? n : 0;
    c.accu += i.op == TPU_OP_VADD ? 2 * n : 0;
    c.dma_st += i.op == TPU_OP_MVOUT ? n : 0;
    if (load && !from_b)
      c.a_span = std::max(c.a_span, i.f[1] + n);
    if (from_b)
      c.b_span = std::max(c.b_span, i.f[1] + n);
  }
  return c;
}

insns random_program(chooser &c, int depth) {
  insns out;
  for (unsigned n = 1 + c.upto(4); n > 0; --n) {
    const uint32_t rows = 1 + c.upto(126);
    insns table = {dma(c.upto(3), c.upto(50), 0, 0, rows),
                   vld(0, 0, rows),
                   mm(0, 0, 0, 0, rows),
                   vadd(0, 0, 0, rows),
                   vrelu(0, 0, rows),
                   mvout(0, 0, 0, rows),
                   nop()};
    if (depth > 0)
      table[0] = with(table[0], 1, 0, c.upto(9));
    if (depth < 4 && c.one_in(3))
      out = out + insns{loop(1 + c.upto(2))} + random_program(c, depth + 1) + insns{endloop()};
    else
      out.push_back(table[c.upto(6)]);
  }
  return out;
}

void expect_equal(const tpu_counts &a, const tpu_counts &b) {
  for (size_t k = 0; k < members.size(); ++k)
    EXPECT_EQ(a.*members[k], b.*members[k]) << "count " << k;
}

TEST(Header, CountsEqualTheSumOverTheExpansion) {
  chooser c(31);
  int counted = 0;
  for (const uint32_t t : {4U, 8U, 32U}) {
    const tpu_params p = params_of(t, 64);
    for (int n = 0; n < 1000; ++n) {
      insns program = random_program(c, 0);
      const tpu_code code = code_of(program);
      const tpu_counts expected = summed(p, program);
      tpu_counts got{};
      tpu_error e{};
      int rule = TPU_RULE_NONE;
      uint32_t bad = 0;
      if (tpu_counts_of(&p, &code, &got, &rule, &bad, &e)) {
        expect_equal(got, expected);
        ++counted;
      } else {
        EXPECT_TRUE(std::any_of(members.begin(), members.end(), [&](member m) {
          return expected.*m > 32767;
        })) << e.text;
      }
      ASSERT_FALSE(HasFailure());
    }
  }
  EXPECT_GT(counted, 2000);
}

TEST(Header, PacksIntoTheWordsOfTheTable) {
  const tpu_counts c = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  uint64_t w[TPU_HEADER_WORDS];
  ASSERT_TRUE(tpu_header_pack(&c, w));
  const uint64_t expected[] = {1, 2, 3, 4, 5 | (6 << 16), 7, 8, 9 | (10 << 16)};
  for (unsigned k = 0; k < TPU_HEADER_WORDS; ++k)
    EXPECT_EQ(w[k], expected[k]) << k;
  tpu_counts back{};
  ASSERT_TRUE(tpu_header_unpack(w, &back));
  expect_equal(back, c);
}

TEST(Header, HoldsEveryCountUpToItsSpareBit) {
  for (const auto m : members) {
    tpu_counts c{};
    c.*m = 32767;
    uint64_t w[TPU_HEADER_WORDS];
    ASSERT_TRUE(tpu_header_pack(&c, w));
    tpu_counts back{};
    ASSERT_TRUE(tpu_header_unpack(w, &back));
    EXPECT_EQ(back.*m, 32767U);
    int rule = TPU_RULE_NONE;
    tpu_error e{};
    EXPECT_TRUE(tpu_counts_fit(&c, &rule, &e));
    c.*m = 32768;
    EXPECT_FALSE(tpu_header_pack(&c, w));
    EXPECT_FALSE(tpu_counts_fit(&c, &rule, &e));
    const bool array = m == &tpu_counts::mm || m == &tpu_counts::mm_rows;
    EXPECT_EQ(rule, array ? TPU_RULE_ARRAY_OVERFLOW : TPU_RULE_COUNT_OVERFLOW);
    EXPECT_NE(std::string(e.text).find("reaches 32768; allowed is 0..32767"), std::string::npos);
  }
}

TEST(Header, UnpackRefusesSpareAndUnusedBits) {
  const unsigned slices[TPU_HEADER_WORDS] = {1, 1, 1, 1, 2, 1, 1, 2};
  for (unsigned word = 0; word < TPU_HEADER_WORDS; ++word)
    for (unsigned b = 0; b < 64; ++b) {
      uint64_t w[TPU_HEADER_WORDS] = {};
      w[word] = uint64_t{1} << b;
      tpu_counts c{};
      const bool held = b < 16 * slices[word] && b % 16 != 15;
      EXPECT_EQ(tpu_header_unpack(w, &c) != 0, held) << word << " bit " << b;
    }
}

TEST(Header, StopsAtTheIssueThatOverflows) {
  const tpu_params p = params_of(4, 64);
  // 257 x 127 rows = 32639, then 127 more = 32766, then 2
  insns program = {loop(127),      loop(2), vrelu(0, 0, 127), endloop(),
                   endloop(),      loop(4), vrelu(0, 0, 127), endloop(),
                   vrelu(0, 0, 1), nop(),   vrelu(0, 0, 1),   vrelu(0, 0, 127)};
  tpu_code code = code_of(program);
  tpu_counts c{};
  int rule = TPU_RULE_NONE;
  uint32_t bad = 0;
  tpu_error e{};
  EXPECT_FALSE(tpu_counts_of(&p, &code, &c, &rule, &bad, &e));
  EXPECT_EQ(rule, TPU_RULE_COUNT_OVERFLOW);
  EXPECT_EQ(bad, 10U);
  EXPECT_EQ(c.accu, 32768U);
  code.count = 10;
  EXPECT_TRUE(tpu_counts_of(&p, &code, &c, &rule, &bad, &e)) << e.text;
  EXPECT_EQ(c.accu, 32767U);
}

TEST(Header, TheEncodingLayerOnFinishedCounts) {
  const tpu_params p = params_of(4, 16);
  struct {
    member m;
    uint32_t good, bad;
    int rule;
  } const table[] = {
      {&tpu_counts::insns, 24, 25, TPU_RULE_IMEM_OVERFLOW},
      {&tpu_counts::a_span, 16, 17, TPU_RULE_DMA_SPAN},
      {&tpu_counts::b_span, 16, 17, TPU_RULE_DMA_SPAN},
      {&tpu_counts::spm, 32767, 32768, TPU_RULE_COUNT_OVERFLOW},
      {&tpu_counts::mm_rows, 32767, 32768, TPU_RULE_ARRAY_OVERFLOW},
  };
  for (const auto &row : table) {
    tpu_counts c{};
    int rule = TPU_RULE_NONE;
    tpu_error e{};
    c.*row.m = row.good;
    EXPECT_TRUE(tpu_counts_legal(&p, &c, &rule, &e)) << e.text;
    c.*row.m = row.bad;
    EXPECT_FALSE(tpu_counts_legal(&p, &c, &rule, &e));
    EXPECT_EQ(rule, row.rule) << e.text;
    EXPECT_NE(std::string(e.text).find("allowed is"), std::string::npos);
    EXPECT_FALSE(tpu_counts_legal(&p, &c, nullptr, nullptr));
  }
}

TEST(Header, CriticalWorkIsTheLargestOfFiveUnits) {
  for (const auto m : members) {
    tpu_counts c = {0, 5, 5, 5, 0, 0, 5, 5, 0, 0};
    c.*m = 9;
    const bool unit = m == &tpu_counts::dma_ld || m == &tpu_counts::spm || m == &tpu_counts::vru ||
                      m == &tpu_counts::accu || m == &tpu_counts::dma_st;
    EXPECT_EQ(tpu_critical_work(&c), unit ? 9U : 5U);
  }
}

} // namespace
