// SPDX-License-Identifier: Apache-2.0
#include "support.hpp"

#include <functional>

namespace {

using namespace tpu_test;

struct built {
  std::vector<tpu_word> words;
  bool ok = false;
  tpu_error error{};
};

built build(uint32_t capacity, const std::function<void(tpu_builder *)> &body) {
  built x;
  x.words.resize(capacity);
  tpu_program program{x.words.data(), capacity, 77};
  tpu_builder b{};
  tpu_builder_begin(&b, &program);
  body(&b);
  x.ok = tpu_builder_end(&b, &x.error) != 0;
  x.words.resize(program.count);
  return x;
}

void expect_words(const std::vector<tpu_word> &a, const std::vector<tpu_word> &b) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t k = 0; k < a.size(); ++k) {
    EXPECT_EQ(a[k].w0, b[k].w0) << k;
    EXPECT_EQ(a[k].w1, b[k].w1) << k;
  }
}

TEST(Builder, EmitsEveryInstruction) {
  const built x = build(24, [](tpu_builder *b) {
    const tpu_loop outer = tpu_build_loop(b, 3);
    tpu_build_dma_ld(b, TPU_DMA_SOURCE_B | TPU_DMA_DEST_VR, tpu_at(5),
                     tpu_plus(tpu_at(0), outer, 1), tpu_plus(tpu_at(2), outer, 16), 4);
    const tpu_loop inner = tpu_build_loop(b, 127);
    tpu_build_nop(b);
    tpu_build_vld(b, tpu_plus(tpu_at(1), inner, 4), tpu_at(2), 127);
    tpu_build_mm(b, tpu_plus(tpu_at(1), inner, 2), tpu_at(2), 1,
                 tpu_plus(tpu_plus(tpu_at(3), outer, 5), inner, 6), 4);
    tpu_build_endloop(b);
    tpu_build_endloop(b);
    tpu_build_vadd(b, tpu_at(1), tpu_at(2), tpu_at(2047), 1);
    tpu_build_vrelu(b, tpu_at(3), tpu_at(4), 2);
    tpu_build_mvout(b, tpu_at(5), tpu_at(6), tpu_at(7), 3);
  });
  ASSERT_TRUE(x.ok) << x.error.text;
  expect_words(x.words,
               encoded({loop(3), with(with(dma(3, 5, 0, 2, 4), 2, 0, 1), 3, 0, 16), loop(127),
                        nop(), with(vld(1, 2, 127), 0, 1, 4),
                        with(with(with(mm(1, 2, 1, 3, 4), 0, 1, 2), 3, 0, 5), 3, 1, 6), endloop(),
                        endloop(), vadd(1, 2, 2047, 1), vrelu(3, 4, 2), mvout(5, 6, 7, 3)}));
}

TEST(Builder, ALevelIsTheDepthAtWhichTheLoopOpens) {
  build(24, [](tpu_builder *b) {
    EXPECT_EQ(tpu_build_loop(b, 1).level, 0);
    EXPECT_EQ(tpu_build_loop(b, 1).level, 1);
    tpu_build_endloop(b);
    EXPECT_EQ(tpu_build_loop(b, 1).level, 1);
    EXPECT_EQ(tpu_build_loop(b, 1).level, 2);
    EXPECT_EQ(tpu_build_loop(b, 1).level, 3);
  });
}

struct refused {
  const char *name;
  std::function<void(tpu_builder *)> body;
  tpu_error_code code;
  const char *text;
};

void nest(tpu_builder *b, int n) {
  for (int k = 0; k < n; ++k)
    tpu_build_loop(b, 2);
}

std::vector<refused> refusals() {
  return {
      {"fifth nest", [](tpu_builder *b) { nest(b, 5); }, TPU_ERR_USE,
       "instruction 4: loop: 4 loops are open; allowed is 4 deep"},
      {"trip 0", [](tpu_builder *b) { tpu_build_loop(b, 0); }, TPU_ERR_RANGE,
       "instruction 0: loop: trip count is 0; allowed is 1..127"},
      {"trip 128", [](tpu_builder *b) { tpu_build_loop(b, 128); }, TPU_ERR_RANGE,
       "instruction 0: loop: trip count is 128; allowed is 1..127"},
      {"loop variable after its loop",
       [](tpu_builder *b) {
         const tpu_loop l = tpu_build_loop(b, 2);
         tpu_build_endloop(b);
         tpu_build_vrelu(b, tpu_plus(tpu_at(0), l, 1), tpu_at(0), 1);
       },
       TPU_ERR_USE, "instruction 2: vrelu: dest uses a loop variable outside its loop"},
      {"loop variable in a sibling at the same level",
       [](tpu_builder *b) {
         const tpu_loop l = tpu_build_loop(b, 2);
         tpu_build_endloop(b);
         tpu_build_loop(b, 2);
         tpu_build_vrelu(b, tpu_at(0), tpu_plus(tpu_at(0), l, 1), 1);
       },
       TPU_ERR_USE, "instruction 3: vrelu: src uses a loop variable outside its loop"},
      {"loop of another builder, never opened here",
       [](tpu_builder *b) { tpu_build_vrelu(b, tpu_plus(tpu_at(0), tpu_loop{}, 1), tpu_at(0), 1); },
       TPU_ERR_USE, "instruction 0: vrelu: dest uses a loop variable outside its loop"},
      {"fourth term over all fields",
       [](tpu_builder *b) {
         const tpu_loop l = tpu_build_loop(b, 2);
         tpu_build_mm(b, tpu_plus(tpu_plus(tpu_at(0), l, 1), l, 2), tpu_plus(tpu_at(0), l, 1), 0,
                      tpu_plus(tpu_at(0), l, 1), 1);
       },
       TPU_ERR_RANGE, "instruction 1: mm: a fourth address term; allowed is 3 over all fields"},
      {"five terms on one field",
       [](tpu_builder *b) {
         const tpu_loop l = tpu_build_loop(b, 2);
         tpu_addr a = tpu_at(0);
         for (int k = 0; k < 5; ++k)
           a = tpu_plus(a, l, 1);
         tpu_build_vld(b, a, tpu_at(0), 1);
       },
       TPU_ERR_RANGE, "instruction 1: vld: a fourth address term; allowed is 3 over all fields"},
      {"base too large",
       [](tpu_builder *b) { tpu_build_mvout(b, tpu_at(0), tpu_at(2048), tpu_at(0), 1); },
       TPU_ERR_RANGE, "instruction 0: mvout: row is 2048; allowed is 0..2047"},
      {"base beyond sixteen bits",
       [](tpu_builder *b) { tpu_build_vld(b, tpu_at(65536), tpu_at(0), 1); }, TPU_ERR_RANGE,
       "instruction 0: vld: vr is 65536; allowed is 0..2047"},
      {"stride too large",
       [](tpu_builder *b) {
         const tpu_loop l = tpu_build_loop(b, 2);
         tpu_build_vld(b, tpu_plus(tpu_at(0), l, 65536), tpu_at(0), 1);
       },
       TPU_ERR_RANGE, "instruction 1: vld: stride is 65536; allowed is 0..2047"},
      {"rows 0", [](tpu_builder *b) { tpu_build_vld(b, tpu_at(0), tpu_at(0), 0); }, TPU_ERR_RANGE,
       "instruction 0: vld: row count is 0; allowed is 1..127"},
      {"rows 128", [](tpu_builder *b) { tpu_build_vld(b, tpu_at(0), tpu_at(0), 128); },
       TPU_ERR_RANGE, "instruction 0: vld: row count is 128; allowed is 1..127"},
      {"rows 256", [](tpu_builder *b) { tpu_build_vld(b, tpu_at(0), tpu_at(0), 257); },
       TPU_ERR_RANGE, "instruction 0: vld: row count is 257; allowed is 1..127"},
      {"mode", [](tpu_builder *b) { tpu_build_dma_ld(b, 4, tpu_at(0), tpu_at(0), tpu_at(0), 1); },
       TPU_ERR_RANGE, "instruction 0: dma_ld: mode is 4; allowed is 0..3"},
      {"unopened", [](tpu_builder *b) { tpu_build_endloop(b); }, TPU_ERR_USE,
       "instruction 0: endloop: no loop is open"},
      {"unclosed", [](tpu_builder *b) { nest(b, 2); }, TPU_ERR_USE,
       "the program ends with 2 loop(s) open"},
      {"full",
       [](tpu_builder *b) {
         for (int k = 0; k < 9; ++k)
           tpu_build_nop(b);
       },
       TPU_ERR_CAPACITY, "instruction 8: the program is full; allowed is 8"},
  };
}

TEST(Builder, RefusesWhatCannotBeAProgram) {
  for (const auto &row : refusals()) {
    const built x = build(8, row.body);
    EXPECT_FALSE(x.ok) << row.name;
    EXPECT_EQ(x.error.code, row.code) << row.name;
    EXPECT_STREQ(x.error.text, row.text) << row.name;
    if (std::string(row.text).rfind("instruction ", 0) == 0) { // the refused one is not there
      EXPECT_EQ("instruction " + std::to_string(x.words.size()),
                std::string(row.text).substr(0, std::string(row.text).find(':')));
    }
  }
}

TEST(Builder, KeepsTheFirstErrorAndDoesNothingAfterIt) {
  const built x = build(8, [](tpu_builder *b) {
    tpu_build_nop(b);
    tpu_build_loop(b, 0);
    tpu_build_nop(b);
    tpu_build_endloop(b);
    tpu_build_vld(b, tpu_at(0), tpu_at(0), 0);
    tpu_build_dma_ld(b, 9, tpu_at(0), tpu_at(0), tpu_at(0), 1);
  });
  EXPECT_FALSE(x.ok);
  EXPECT_STREQ(x.error.text, "instruction 1: loop: trip count is 0; allowed is 1..127");
  EXPECT_EQ(x.words.size(), 1U);
}

TEST(Builder, AcceptsTheEdges) {
  const built x = build(11, [](tpu_builder *b) {
    nest(b, 3);
    const tpu_loop l = tpu_build_loop(b, 127);
    tpu_build_dma_ld(b, 3, tpu_plus(tpu_at(2047), l, 2047), tpu_plus(tpu_at(0), l, 0),
                     tpu_plus(tpu_at(0), l, 1), 127);
    for (int k = 0; k < 4; ++k)
      tpu_build_endloop(b);
    tpu_build_nop(b);
    tpu_build_nop(b);
  });
  EXPECT_TRUE(x.ok) << x.error.text;
  EXPECT_EQ(x.words.size(), 11U);
}

TEST(DecodeProgram, NamesTheInstructionItRefuses) {
  std::vector<tpu_word> words = encoded({nop(), nop(), nop()});
  words[2].w0 = 2;
  std::vector<tpu_insn> storage(3);
  const tpu_program program{words.data(), 3, 3};
  tpu_code code{storage.data(), 3, 0};
  uint32_t bad = 99;
  int rule = TPU_RULE_NONE;
  tpu_error e{};
  EXPECT_FALSE(tpu_decode_program(&program, &code, &bad, &rule, &e));
  EXPECT_EQ(bad, 2U);
  EXPECT_EQ(rule, TPU_RULE_OP_UNKNOWN);
  EXPECT_FALSE(tpu_decode_program(&program, &code, nullptr, nullptr, nullptr));
}

TEST(DecodeProgram, RefusesMoreThanItsStorage) {
  std::vector<tpu_word> words = encoded({nop(), nop(), nop()});
  std::vector<tpu_insn> storage(2);
  const tpu_program program{words.data(), 3, 3};
  tpu_code code{storage.data(), 2, 0};
  int rule = TPU_RULE_OP_UNKNOWN;
  tpu_error e{};
  EXPECT_FALSE(tpu_decode_program(&program, &code, nullptr, &rule, &e));
  EXPECT_EQ(e.code, TPU_ERR_CAPACITY);
  EXPECT_EQ(rule, TPU_RULE_NONE);
}

} // namespace
