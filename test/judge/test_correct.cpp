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
    ASSERT_TRUE(tpu_spec_read(folder_.write("case_x.json", text).c_str(), &spec_, &r)) << r.text;
    params_ = {8, 32, 16, 1, 0, 0, 0, 0};
    prefill_.resize(32 * 32);
    tpu_image_prefill(&params_, 3, prefill_.data());
    tpu_operand_set set;
    ASSERT_TRUE(tpu_operands_draw(&spec_, TPU_DISTRIBUTION_SMALL, 1, &set));
    expected_.resize(16 * 12);
    (void)tpu_gold(&spec_.workload, &set.view, expected_.data());
    tpu_operands_release(&set);
    image_ = prefill_;
    for (size_t i = 0; i < 16; i++)
      for (size_t k = 0; k < 12; k++)
        at(2 + i, 8 + k) = expected_[i * 12 + k];
  }
  void TearDown() override { tpu_spec_release(&spec_); }

  int8_t &at(size_t row, size_t col) { return image_[row * 32 + col]; }
  int judge() {
    return tpu_correct_program(&params_, &spec_.workload, expected_.data(), prefill_.data(),
                               image_.data(), &result_);
  }

  scratch_folder folder_;
  tpu_spec spec_ = {};
  tpu_params params_ = {};
  std::vector<int8_t> prefill_, expected_, image_;
  tpu_correctness result_ = {};
};

TEST_F(correct, exact) {
  EXPECT_TRUE(judge());
  EXPECT_EQ(result_.verdict, TPU_VERDICT_EXACT);
  EXPECT_STREQ(result_.text,
               "all 192 output bytes are right, nothing outside the write window changed");
}

TEST_F(correct, the_rest_of_the_column_block_is_free_to_write) {
  for (size_t i = 2; i < 18; i++)
    for (size_t k = 20; k < 24; k++)
      at(i, k) = static_cast<int8_t>(at(i, k) + 1);
  EXPECT_TRUE(judge());
  spec_.workload.write_window = TPU_WINDOW_EXACT;
  EXPECT_FALSE(judge());
  EXPECT_EQ(result_.verdict, TPU_VERDICT_CLOBBERED);
  EXPECT_EQ(result_.comparison.clobbered, 64U);
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
      EXPECT_EQ(result_.verdict, verdict) << row << " " << col;
      at(row, col) = static_cast<int8_t>(at(row, col) ^ 1);
    }
  }
}

TEST_F(correct, the_sentence_says_what_differs_and_where) {
  expected_[0] = 5;
  at(2, 8) = -7;
  at(17, 19) = static_cast<int8_t>(at(17, 19) ^ 1);
  at(0, 0) = static_cast<int8_t>(at(0, 0) ^ 1);
  EXPECT_FALSE(judge());
  EXPECT_EQ(result_.verdict, TPU_VERDICT_WRONG);
  EXPECT_STREQ(result_.text, "2 of 192 output bytes wrong, 1 clobbered; first at C[2][8]: "
                             "expected 5, got -7");
}

TEST_F(correct, a_clobber_alone_is_named) {
  prefill_[31 * 32 + 31] = 1;
  at(31, 31) = 2;
  EXPECT_FALSE(judge());
  EXPECT_EQ(result_.verdict, TPU_VERDICT_CLOBBERED);
  EXPECT_STREQ(result_.text, "the output is right, but 1 byte(s) outside the write window changed; "
                             "first at C[31][31]: held 1, holds 2");
}

TEST_F(correct, design_compares_all_bytes) {
  std::vector<int8_t> interpreted = image_;
  EXPECT_TRUE(tpu_correct_design(&params_, interpreted.data(), image_.data(), &result_));
  EXPECT_EQ(result_.verdict, TPU_VERDICT_EXACT);
  EXPECT_STREQ(result_.text, "all 1024 bytes of C are the reference interpreter's");
  for (size_t i = 0; i < image_.size(); i++) {
    interpreted[i] = static_cast<int8_t>(interpreted[i] ^ 64);
    EXPECT_FALSE(tpu_correct_design(&params_, interpreted.data(), image_.data(), &result_));
    EXPECT_EQ(result_.verdict, TPU_VERDICT_FAULT);
    EXPECT_EQ(result_.comparison.row * 32 + result_.comparison.col, i);
    interpreted[i] = static_cast<int8_t>(interpreted[i] ^ 64);
  }
  interpreted[2 * 32 + 8] = -7;
  at(2, 8) = 5;
  interpreted[31 * 32] = 1;
  at(31, 0) = 2;
  EXPECT_FALSE(tpu_correct_design(&params_, interpreted.data(), image_.data(), &result_));
  EXPECT_STREQ(result_.text, "2 of 1024 bytes of C differ from the reference interpreter's; first "
                             "at C[2][8]: expected -7, got 5");
}

} // namespace
