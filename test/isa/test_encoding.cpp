// SPDX-License-Identifier: Apache-2.0
#include "support.hpp"

namespace {

using namespace tpu_test;

// Positions and widths once more, by hand: the encoder has its own table.
uint64_t bits(uint64_t w, unsigned lo, unsigned width) {
  return (w >> lo) & ((uint64_t{1} << width) - 1);
}

// Operand fields an opcode uses, by hand.
const std::array<int, 10> fields = {0, 4, -1, 2, 4, 3, 2, 3, 0, 0};

tpu_insn random_insn(chooser &c) {
  const unsigned ops[] = {0, 1, 3, 4, 5, 6, 7, 8, 9};
  const unsigned op = ops[c.upto(8)];
  tpu_insn i{};
  i.op = static_cast<uint8_t>(op);
  if (op != TPU_OP_NOP && op != TPU_OP_ENDLOOP)
    i.nr = static_cast<uint8_t>(c.upto(127));
  for (int k = 0; k < fields[op]; ++k)
    i.f[k] = static_cast<uint16_t>(c.upto(2047));
  if (fields[op] > 0)
    for (auto &t : i.term)
      if (!c.one_in(3))
        t = {static_cast<uint8_t>(1 + c.upto(static_cast<uint32_t>(fields[op]) - 1)),
             static_cast<uint8_t>(c.upto(3)), static_cast<uint16_t>(c.upto(2047))};
  return i;
}

bool same(const tpu_insn &a, const tpu_insn &b) {
  bool equal = a.op == b.op && a.nr == b.nr;
  for (unsigned k = 0; k < 4; ++k)
    equal = equal && a.f[k] == b.f[k];
  for (unsigned k = 0; k < TPU_AGU_TERMS; ++k)
    equal = equal && a.term[k].target == b.term[k].target && a.term[k].level == b.term[k].level &&
            a.term[k].stride == b.term[k].stride;
  return equal;
}

TEST(Encoding, PlacesEveryFieldWhereTheTableSays) {
  const tpu_insn i =
      with(with(with(mm(0x123, 0x234, 1, 0x345, 77), 0, 1, 0x456), 1, 2, 0x567), 3, 3, 0x678);
  const tpu_word w = encoded({i})[0];
  EXPECT_EQ(bits(w.w0, 0, 6), 4U);
  EXPECT_EQ(bits(w.w0, 6, 12), 0x123U);
  EXPECT_EQ(bits(w.w0, 18, 12), 0x234U);
  EXPECT_EQ(bits(w.w0, 30, 12), 1U);
  EXPECT_EQ(bits(w.w0, 42, 12), 0x345U);
  EXPECT_EQ(bits(w.w0, 54, 8), 77U);
  EXPECT_EQ(bits(w.w0, 62, 2), 0U);
  const unsigned target[] = {1, 2, 4};
  const unsigned level[] = {1, 2, 3};
  const unsigned stride[] = {0x456, 0x567, 0x678};
  for (unsigned k = 0; k < 3; ++k) {
    EXPECT_EQ(bits(w.w1, 19 * k, 4), target[k]);
    EXPECT_EQ(bits(w.w1, 19 * k + 4, 3), level[k]);
    EXPECT_EQ(bits(w.w1, 19 * k + 7, 12), stride[k]);
  }
  EXPECT_EQ(bits(w.w1, 57, 7), 0U);
}

TEST(Encoding, RoundTripsRandomInstructions) {
  chooser c(11);
  for (int n = 0; n < 20000; ++n) {
    const tpu_insn i = random_insn(c);
    tpu_word w{};
    tpu_error e{};
    ASSERT_TRUE(tpu_encode(&i, &w, &e)) << e.text;
    tpu_insn back{};
    ASSERT_TRUE(tpu_decode(&w, &back, nullptr, &e)) << e.text;
    ASSERT_TRUE(same(i, back));
  }
}

// Nothing is masked: what decode accepts is exactly what encode would have written.
void expect_exact_or_refused(const tpu_word &w) {
  tpu_insn i{};
  tpu_error e{};
  int rule = TPU_RULE_NONE;
  if (!tpu_decode(&w, &i, &rule, &e)) {
    EXPECT_TRUE(rule == TPU_RULE_FIELD_RANGE || rule == TPU_RULE_OP_UNKNOWN) << rule;
    EXPECT_NE(std::string(e.text).find("allowed is"), std::string::npos) << e.text;
    return;
  }
  tpu_word again{};
  ASSERT_TRUE(tpu_encode(&i, &again, &e)) << e.text;
  EXPECT_EQ(again.w0, w.w0);
  EXPECT_EQ(again.w1, w.w1);
}

TEST(Encoding, EverySingleBitIsKeptOrRefused) {
  chooser c(12);
  insns seeds = {
      nop(),          dma(3, 1, 2, 3, 4), vld(1, 2, 3), mm(1, 2, 1, 3, 4), vadd(1, 2, 3, 4),
      vrelu(1, 2, 3), mvout(1, 2, 3, 4),  loop(5),      endloop()};
  for (int n = 0; n < 200; ++n)
    seeds.push_back(random_insn(c));
  for (const auto &w : encoded(seeds))
    for (unsigned b = 0; b < 64; ++b) {
      expect_exact_or_refused({w.w0 ^ (uint64_t{1} << b), w.w1});
      expect_exact_or_refused({w.w0, w.w1 ^ (uint64_t{1} << b)});
    }
  for (unsigned b = 0; b < 64; ++b) { // and alone
    expect_exact_or_refused({uint64_t{1} << b, 0});
    expect_exact_or_refused({0, uint64_t{1} << b});
  }
}

TEST(Encoding, RandomWordsAreKeptOrRefused) {
  chooser c(13);
  for (int n = 0; n < 20000; ++n) {
    tpu_word w{};
    for (unsigned k = 0; k < 4; ++k) {
      w.w0 = (w.w0 << 16) | c.upto(0xffff);
      w.w1 = (w.w1 << 16) | c.upto(0xffff);
    }
    w.w0 &= ~uint64_t{0x38}; // an op that exists, mostly
    expect_exact_or_refused(w);
  }
}

struct refusal {
  tpu_word w;
  int rule;
  const char *text;
};

TEST(Encoding, RefusalsNameFieldValueAndRange) {
  const auto at = [](uint64_t v, unsigned lo) { return v << lo; };
  const refusal table[] = {
      {{2, 0}, TPU_RULE_OP_UNKNOWN, "op 2 is retired; allowed is 0, 1, 3..9"},
      {{10, 0}, TPU_RULE_OP_UNKNOWN, "op 10 is unknown; allowed is 0, 1, 3..9"},
      {{31, 0}, TPU_RULE_OP_UNKNOWN, "op 31 is unknown; allowed is 0, 1, 3..9"},
      {{32, 0}, TPU_RULE_FIELD_RANGE, "field op is 32; allowed is 0..31"},
      {{33, 0}, TPU_RULE_FIELD_RANGE, "field op is 33; allowed is 0..31"},
      {{1 | at(2048, 6), 0}, TPU_RULE_FIELD_RANGE, "field f0 is 2048; allowed is 0..2047"},
      {{1 | at(4095, 42), 0}, TPU_RULE_FIELD_RANGE, "field f3 is 4095; allowed is 0..2047"},
      {{1 | at(128, 54), 0}, TPU_RULE_FIELD_RANGE, "field nr is 128; allowed is 0..127"},
      {{3 | at(5, 30), 0},
       TPU_RULE_FIELD_RANGE,
       "field f2 is 5; vld does not use it, allowed is 0"},
      {{9 | at(1, 54), 0},
       TPU_RULE_FIELD_RANGE,
       "field nr is 1; endloop does not use it, allowed is 0"},
      {{at(1, 54), 0}, TPU_RULE_FIELD_RANGE, "field nr is 1; nop does not use it, allowed is 0"},
      {{1 | at(3, 62), 0},
       TPU_RULE_FIELD_RANGE,
       "bits 62..63 of word 0 are 3; they are unused, allowed is 0"},
      {{1, at(127, 57)},
       TPU_RULE_FIELD_RANGE,
       "bits 57..63 of word 1 are 127; they are unused, allowed is 0"},
      {{1, 5}, TPU_RULE_FIELD_RANGE, "term 0: target is 5; allowed is 0..4"},
      {{1, at(1 | at(4, 4), 19)}, TPU_RULE_FIELD_RANGE, "term 1: level is 4; allowed is 0..3"},
      {{1, at(1 | at(2048, 7), 38)},
       TPU_RULE_FIELD_RANGE,
       "term 2: stride is 2048; allowed is 0..2047"},
      {{1, at(1, 4)},
       TPU_RULE_FIELD_RANGE,
       "term 0: level is 1 while target is 0 (unused); allowed is 0"},
      {{1, at(9, 7)},
       TPU_RULE_FIELD_RANGE,
       "term 0: stride is 9 while target is 0 (unused); allowed is 0"},
      {{8 | at(2, 54), 1},
       TPU_RULE_FIELD_RANGE,
       "term 0: target is 1; loop carries no terms, allowed is 0"},
      {{9, at(2, 19)},
       TPU_RULE_FIELD_RANGE,
       "term 1: target is 2; endloop carries no terms, allowed is 0"},
      {{0, 4}, TPU_RULE_FIELD_RANGE, "term 0: target is 4; nop carries no terms, allowed is 0"},
      {{3, 3},
       TPU_RULE_FIELD_RANGE,
       "term 0: target is 3, a field vld does not use; allowed is 0..2"},
  };
  for (const auto &row : table) {
    tpu_insn i{};
    tpu_error e{};
    int rule = TPU_RULE_NONE;
    EXPECT_FALSE(tpu_decode(&row.w, &i, &rule, &e)) << row.text;
    EXPECT_EQ(rule, row.rule) << row.text;
    EXPECT_STREQ(e.text, row.text);
    EXPECT_FALSE(tpu_decode(&row.w, &i, nullptr, nullptr));
  }
}

TEST(Encoding, EncodeRefusesWhatDecodeRefuses) {
  tpu_insn table[] = {
      insn_of(2, {}, 0),
      insn_of(10, {}, 0),
      insn_of(200, {}, 0),
      dma(0, 2048, 0, 0, 1),
      dma(0, 0, 0, 0, 128),
      insn_of(TPU_OP_VLD, {0, 0, 1, 0}, 1),
      insn_of(TPU_OP_VADD, {0, 0, 0, 1}, 1),
      insn_of(TPU_OP_ENDLOOP, {}, 1),
      insn_of(TPU_OP_LOOP, {1, 0, 0, 0}, 1),
      with(dma(0, 0, 0, 0, 1), 4, 0, 1),
      with(dma(0, 0, 0, 0, 1), 0, 4, 1),
      with(dma(0, 0, 0, 0, 1), 0, 0, 2048),
      with(loop(1), 0, 0, 1),
      with(vrelu(0, 0, 1), 2, 0, 1),
  };
  for (const auto &i : table) {
    tpu_word w{1, 1};
    tpu_error e{};
    EXPECT_FALSE(tpu_encode(&i, &w, &e)) << unsigned{i.op};
    EXPECT_EQ(e.code, TPU_ERR_RANGE);
    EXPECT_EQ(w.w0, 1U) << "nothing is written on refusal";
  }
  tpu_insn half_unused = dma(0, 0, 0, 0, 1);
  half_unused.term[1].stride = 4;
  tpu_word w{};
  EXPECT_FALSE(tpu_encode(&half_unused, &w, nullptr));
}

TEST(Encoding, KnowsEveryOpcode) {
  for (unsigned op = 0; op < 300; ++op) {
    const tpu_op_info *info = tpu_op_lookup(op);
    ASSERT_NE(info, nullptr);
    const bool known = op < 10 && op != 2;
    EXPECT_EQ(info->name != nullptr, known) << op;
    if (!known)
      continue;
    EXPECT_EQ(int{info->fields}, fields[op]) << op;
    EXPECT_EQ(info->is_data != 0, fields[op] > 0) << op;
    EXPECT_EQ(info->has_nr != 0, fields[op] > 0 || op == TPU_OP_LOOP) << op;
    for (unsigned k = 0; k < 4; ++k)
      EXPECT_EQ(info->field_name[k] != nullptr, static_cast<int>(k) < fields[op]) << op;
  }
}

TEST(Rules, HaveNamesAndLayers) {
  EXPECT_EQ(TPU_RULE_COUNT, 23);
  EXPECT_STREQ(tpu_rule_name(TPU_RULE_AR_RAW_DISTANCE), "ar.raw_distance");
  EXPECT_STREQ(tpu_rule_name(TPU_RULE_OUTPUT_INCOMPLETE), "spec.output_incomplete");
  EXPECT_STREQ(tpu_rule_name(TPU_RULE_NONE), "?");
  EXPECT_STREQ(tpu_rule_name(TPU_RULE_COUNT), "?");
  std::array<int, 4> per_layer{};
  for (int r = 0; r < TPU_RULE_COUNT; ++r)
    ++per_layer.at(tpu_rule_layer(r));
  EXPECT_EQ(per_layer, (std::array<int, 4>{16, 4, 1, 2}));
  EXPECT_STREQ(tpu_layer_name(TPU_LAYER_ISA), "isa");
  EXPECT_STREQ(tpu_layer_name(TPU_LAYER_ENCODING), "encoding");
  EXPECT_STREQ(tpu_layer_name(TPU_LAYER_PROTOCOL), "protocol");
  EXPECT_STREQ(tpu_layer_name(TPU_LAYER_SPEC), "spec");
}

} // namespace
