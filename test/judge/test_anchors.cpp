// SPDX-License-Identifier: Apache-2.0
// Which anchor moved, and where: a program that is wrong, a design that is, both, and pictures.
#include "judge/anchors.h"

#include "isa/check.h"
#include "isa/mapper.h"
#include "judge/gold.h"
#include "judge/operands.h"
#include "testing.h"

#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace {

// C = A * B of 8 x 8 on T = 4, MAXDIM = 16, and an engine that does what the interpreter does, but
// for what a test has it do.
class anchors : public testing::Test {
protected:
  static constexpr std::uint32_t edge = 16;

  void SetUp() override {
    tpu_report r{};
    tpu_error e{};
    ASSERT_EQ(tpu_spec_read(TPU_SOURCE_DIR "/corpus/02_gemm_8x8x8.json", &spec_, &r), 1) << r.text;
    p_.maxdim = edge;
    ASSERT_EQ(tpu_params_resolve(&p_, &e), 1);
    words_.resize(tpu_program_capacity(&p_));
    program_ = {words_.data(), static_cast<std::uint32_t>(words_.size()), 0};
    ASSERT_EQ(tpu_map_baseline(&p_, &spec_.workload, &program_, &e), 1);
    insns_.resize(program_.count);
    code_ = {insns_.data(), program_.count, 0};
    tpu_violation v{};
    std::vector<tpu_check_work> work(1);
    ASSERT_EQ(tpu_check_program(&p_, &program_, &code_, work.data(), &counts_, &v), 1);
    tpu_operand_set set{};
    ASSERT_EQ(tpu_operands_draw(&spec_, TPU_DISTRIBUTION_SMALL, 1, &set), 1);
    expected_.resize(64);
    (void)tpu_gold(&spec_.workload, &set.view, expected_.data());
    for (std::uint32_t i = 0; i < 3; ++i) {
      image_[i].resize(edge * edge);
      if (i == TPU_BUFFER_C)
        tpu_image_prefill(&p_, i, image_[i].data());
      else
        tpu_image_operand(&p_, &spec_.workload, &set.view, i, i + 1, image_[i].data());
    }
    tpu_operands_release(&set);
    ASSERT_EQ(tpu_reference_open(&p_, 1, &reference_, &r), 1);
    ASSERT_EQ(tpu_reference_open(&p_, 2, &design_, &r), 1);
  }
  void TearDown() override {
    tpu_reference_close(&design_);
    tpu_reference_close(&reference_);
    tpu_spec_release(&spec_);
    EXPECT_EQ(held_, 0);
  }

  tpu_anchor_run run() {
    const tpu_engine engine{this, 1, engine_run, release};
    const tpu_anchor_request request{&spec_.workload,
                                     &program_,
                                     &code_,
                                     &counts_,
                                     {image_[0].data(), image_[1].data(), image_[2].data()},
                                     expected_.data(),
                                     1};
    tpu_anchor_run out{};
    tpu_report r{};
    EXPECT_EQ(tpu_anchors_run(&engine, &reference_, &request, &out, &r), 1) << r.text;
    return out;
  }

  std::function<void(tpu_engine_result &, std::int8_t *c)> ends_ = [](auto &, auto *) {};
  std::vector<std::int8_t> expected_;

private:
  static int engine_run(void *context, const tpu_engine_request *q, tpu_engine_result *result,
                        tpu_report *) {
    auto &self = *static_cast<anchors *>(context);
    tpu_error e{};
    EXPECT_EQ(tpu_reference_run(&self.design_, &self.code_, q->image, &e), 1) << e.text;
    *result = tpu_engine_result{};
    result->outcome = TPU_ENGINE_COMPLETED;
    result->cycles = 77;
    result->text = "";
    self.ends_(*result, self.design_.c);
    result->image = self.design_.c;
    result->storage = context;
    ++self.held_;
    return 1;
  }
  static void release(tpu_engine_result *result) {
    --static_cast<anchors *>(result->storage)->held_;
  }

  tpu_params p_ = tpu_params_default();
  tpu_spec spec_{};
  std::vector<tpu_word> words_;
  std::vector<tpu_insn> insns_;
  tpu_program program_{};
  tpu_code code_{};
  tpu_counts counts_{};
  std::vector<std::int8_t> image_[3];
  tpu_reference reference_{}, design_{};
  int held_ = 0;
};

TEST_F(anchors, both_hold) {
  const tpu_anchor_run x = run();
  EXPECT_EQ(x.verdict, TPU_VERDICT_EXACT);
  EXPECT_EQ(x.moved, TPU_ANCHOR_NONE);
  EXPECT_EQ(x.program.verdict, TPU_VERDICT_EXACT);
  EXPECT_EQ(x.design.verdict, TPU_VERDICT_EXACT);
  EXPECT_EQ(x.picture.rows, 0U);
  EXPECT_EQ(x.cycles, 77U);
  EXPECT_STREQ(x.text, "");
}

TEST_F(anchors, the_program_moved) {
  ++expected_[3 * 8 + 5];
  const tpu_anchor_run x = run();
  EXPECT_EQ(x.verdict, TPU_VERDICT_WRONG);
  EXPECT_EQ(x.moved, TPU_ANCHOR_PROGRAM);
  EXPECT_EQ(x.design.verdict, TPU_VERDICT_EXACT);
  EXPECT_EQ(x.program.comparison.row, 3U);
  EXPECT_EQ(x.program.comparison.col, 5U);
  EXPECT_NE(std::string(x.text).find("program against spec: 1 of 64 output bytes wrong"),
            std::string::npos)
      << x.text;
  ASSERT_EQ(x.picture.rows, 8U);
  EXPECT_STREQ(x.picture.line[2], "........");
  EXPECT_STREQ(x.picture.line[3], ".....#..");
}

TEST_F(anchors, the_design_moved_outside_the_output) {
  ends_ = [](tpu_engine_result &, std::int8_t *c) {
    c[9 * edge + 13] = static_cast<std::int8_t>(c[9 * edge + 13] + 1);
    c[10 * edge + 15] = static_cast<std::int8_t>(c[10 * edge + 15] + 1);
  };
  const tpu_anchor_run x = run();
  EXPECT_EQ(x.verdict, TPU_VERDICT_FAULT);
  EXPECT_EQ(x.moved, TPU_ANCHOR_DESIGN);
  EXPECT_EQ(x.program.verdict, TPU_VERDICT_EXACT);
  EXPECT_EQ(x.design.comparison.wrong, 2U);
  EXPECT_NE(std::string(x.text).find("design against ISA: 2 of 256 bytes of C"), std::string::npos);
  EXPECT_EQ(x.picture.row, 9U);
  EXPECT_EQ(x.picture.col, 13U);
  EXPECT_EQ(x.picture.rows, 2U);
  EXPECT_STREQ(x.picture.line[0], "#..");
  EXPECT_STREQ(x.picture.line[1], "..#");
}

TEST_F(anchors, both_moved_is_the_designs_fault) {
  ++expected_[0];
  ends_ = [](tpu_engine_result &, std::int8_t *c) { c[0] = static_cast<std::int8_t>(~c[0]); };
  const tpu_anchor_run x = run();
  EXPECT_EQ(x.verdict, TPU_VERDICT_FAULT);
  EXPECT_EQ(x.moved, TPU_ANCHOR_BOTH);
}

TEST_F(anchors, a_hang_and_an_engine_that_fails) {
  ends_ = [](tpu_engine_result &result, std::int8_t *) {
    result.outcome = TPU_ENGINE_DEADLOCK;
    result.text = "all wait";
  };
  tpu_anchor_run x = run();
  EXPECT_EQ(x.verdict, TPU_VERDICT_DEADLOCK);
  EXPECT_EQ(x.moved, TPU_ANCHOR_NONE);
  EXPECT_EQ(x.design.verdict, TPU_VERDICT_NOT_RUN);
  EXPECT_STREQ(x.text, "all wait");
  EXPECT_EQ(x.outcome, TPU_ENGINE_DEADLOCK);
  ends_ = [](tpu_engine_result &result, std::int8_t *) {
    result.outcome = TPU_ENGINE_FAULT;
    result.text = "bad";
  };
  x = run();
  EXPECT_EQ(x.verdict, TPU_VERDICT_FAULT);
  EXPECT_STREQ(x.text, "the engine failed: bad");
  EXPECT_EQ(x.outcome, TPU_ENGINE_FAULT);
}

TEST(anchor, names) {
  EXPECT_STREQ(tpu_anchor_name(TPU_ANCHOR_BOTH), "both");
  EXPECT_STREQ(tpu_anchor_name(TPU_ANCHOR_COUNT), "?");
  EXPECT_STREQ(tpu_anchor_sentence(TPU_ANCHOR_COUNT), "");
}

TEST(picture, is_of_what_differs_wherever_it_lies) {
  tpu_params p = tpu_params_default();
  tpu_error e{};
  p.t = 64;
  p.maxdim = 320;
  ASSERT_EQ(tpu_params_resolve(&p, &e), 1) << e.text;
  std::vector<std::int8_t> interpreted(std::size_t{320} * 320);
  std::vector<std::int8_t> image = interpreted;
  image[300 * 320 + 317] = 1;
  image[301 * 320 + 319] = 1;
  tpu_picture x{};
  tpu_picture_design(&p, interpreted.data(), image.data(), &x);
  EXPECT_EQ(x.row, 300U);
  EXPECT_EQ(x.col, 317U);
  EXPECT_EQ(x.cell, 1U);
  ASSERT_EQ(x.rows, 2U);
  EXPECT_STREQ(x.line[0], "#..");
  EXPECT_STREQ(x.line[1], "..#");
}

TEST(picture, a_large_image_is_drawn_in_tiles_and_a_clobber_marked) {
  tpu_params p = tpu_params_default();
  tpu_error e{};
  ASSERT_EQ(tpu_params_resolve(&p, &e), 1);
  tpu_spec spec{};
  tpu_report r{};
  ASSERT_EQ(tpu_spec_read(TPU_SOURCE_DIR "/corpus/19_gemm_steady_48x48x48.json", &spec, &r), 1);
  const std::vector<std::int8_t> expected(std::size_t{48} * 48, 5);
  const std::vector<std::int8_t> prefill(std::size_t{64} * 64, 7);
  std::vector<std::int8_t> image = prefill;
  for (std::size_t i = 0; i < 48; ++i)
    for (std::size_t j = 0; j < 48; ++j)
      image[i * 64 + j] = 5;
  tpu_picture x{};
  tpu_picture_program(&p, &spec.workload, expected.data(), prefill.data(), image.data(), &x);
  EXPECT_EQ(x.rows, 0U);
  image[63 * 64 + 60] = 0; // outside the window
  image[47 * 64 + 4] = 6;  // the last row of the output, its second tile
  tpu_picture_program(&p, &spec.workload, expected.data(), prefill.data(), image.data(), &x);
  EXPECT_EQ(x.cell, 4U);
  ASSERT_EQ(x.rows, 16U);
  EXPECT_EQ(x.cols, 16U);
  EXPECT_STREQ(x.line[0], "................");
  EXPECT_STREQ(x.line[11], ".#..............");
  EXPECT_STREQ(x.line[15], "...............!");
  tpu_spec_release(&spec);
}

} // namespace
