// SPDX-License-Identifier: Apache-2.0
#include "judge/correct.h"

#include "judge/gold.h"
#include "judge/operands.h"
#include "test/judge/spec_texts.h"
#include "test/judge/testing.h"

#include <string>
#include <vector>

namespace {

// The valid spec's output is 16 x 12 at [2, 4]; at T=8 its window is 16 columns wide.
class correct : public testing::Test {
protected:
  void SetUp() override {
    tpu_report r = {};
    std::string text = valid_spec();
    text.replace(text.find("[2, 4]"), 6, "[2, 8]");
    ASSERT_TRUE(tpu_spec_read(folder.write("case_x.json", text).c_str(), &spec, &r)) << r.text;
    params = {8, 32, 16, 1, 0, 0, 0, 0};
    prefill.resize(32 * 32);
    tpu_image_prefill(&params, 3, prefill.data());
    tpu_operand_set set;
    ASSERT_TRUE(tpu_operands_draw(&spec, TPU_DISTRIBUTION_SMALL, 1, &set));
    expected.resize(16 * 12);
    (void)tpu_gold(&spec.workload, &set.view, expected.data());
    tpu_operands_release(&set);
    image = prefill;
    for (size_t i = 0; i < 16; i++)
      for (size_t k = 0; k < 12; k++)
        at(2 + i, 8 + k) = expected[i * 12 + k];
  }
  void TearDown() override { tpu_spec_release(&spec); }

  int8_t &at(size_t row, size_t col) { return image[row * 32 + col]; }
  int judge() {
    return tpu_correct_program(&params, &spec.workload, expected.data(), prefill.data(),
                               image.data(), &result);
  }

  scratch_folder folder;
  tpu_spec spec = {};
  tpu_params params = {};
  std::vector<int8_t> prefill, expected, image;
  tpu_correctness result = {};
};

TEST_F(correct, exact) {
  EXPECT_TRUE(judge());
  EXPECT_EQ(result.verdict, TPU_VERDICT_EXACT);
  EXPECT_STREQ(result.text,
               "all 192 output bytes are right, nothing outside the write window changed");
}

TEST_F(correct, the_rest_of_the_column_block_is_free_to_write) {
  for (size_t i = 2; i < 18; i++)
    for (size_t k = 20; k < 24; k++)
      at(i, k) = static_cast<int8_t>(at(i, k) + 1);
  EXPECT_TRUE(judge());
  spec.workload.write_window = TPU_WINDOW_EXACT;
  EXPECT_FALSE(judge());
  EXPECT_EQ(result.verdict, TPU_VERDICT_CLOBBERED);
  EXPECT_EQ(result.comparison.clobbered, 64U);
}

// Every single byte of the image counts, and counts as what it is.
TEST_F(correct, every_byte_is_looked_at) {
  for (size_t row = 0; row < 32; row++) {
    for (size_t col = 0; col < 32; col++) {
      const bool in_rows = row >= 2 && row < 18;
      const bool in_output = in_rows && col >= 8 && col < 20;
      const bool in_window = in_rows && col >= 8 && col < 24;
      at(row, col) = static_cast<int8_t>(at(row, col) ^ 1);
      const tpu_verdict verdict = in_output   ? TPU_VERDICT_WRONG
                                  : in_window ? TPU_VERDICT_EXACT
                                              : TPU_VERDICT_CLOBBERED;
      EXPECT_EQ(judge(), verdict == TPU_VERDICT_EXACT);
      EXPECT_EQ(result.verdict, verdict) << row << " " << col;
      at(row, col) = static_cast<int8_t>(at(row, col) ^ 1);
    }
  }
}

TEST_F(correct, the_sentence_says_what_differs_and_where) {
  expected[0] = 5;
  at(2, 8) = -7;
  at(17, 19) = static_cast<int8_t>(at(17, 19) ^ 1);
  at(0, 0) = static_cast<int8_t>(at(0, 0) ^ 1);
  EXPECT_FALSE(judge());
  EXPECT_EQ(result.verdict, TPU_VERDICT_WRONG);
  EXPECT_STREQ(result.text, "2 of 192 output bytes wrong, 1 clobbered; first at C[2][8]: "
                            "expected 5, got -7");
}

TEST_F(correct, a_clobber_alone_is_named) {
  prefill[31 * 32 + 31] = 1;
  at(31, 31) = 2;
  EXPECT_FALSE(judge());
  EXPECT_EQ(result.verdict, TPU_VERDICT_CLOBBERED);
  EXPECT_STREQ(result.text, "the output is right, but 1 byte(s) outside the write window changed; "
                            "first at C[31][31]: held 1, holds 2");
}

TEST_F(correct, design_compares_all_bytes) {
  std::vector<int8_t> interpreted = image;
  EXPECT_TRUE(tpu_correct_design(&params, interpreted.data(), image.data(), &result));
  EXPECT_EQ(result.verdict, TPU_VERDICT_EXACT);
  for (size_t i = 0; i < image.size(); i++) {
    interpreted[i] = static_cast<int8_t>(interpreted[i] ^ 64);
    EXPECT_FALSE(tpu_correct_design(&params, interpreted.data(), image.data(), &result));
    EXPECT_EQ(result.verdict, TPU_VERDICT_FAULT);
    EXPECT_EQ(result.comparison.row * 32 + result.comparison.col, i);
    interpreted[i] = static_cast<int8_t>(interpreted[i] ^ 64);
  }
}

} // namespace
