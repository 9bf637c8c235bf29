// SPDX-License-Identifier: Apache-2.0
// Counted work against time, on an engine made up: bounds, ties, and accounts that disagree.
#include "judge/work.h"

#include "isa/check.h"

#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace {

// A 4 x 4 x 4 tile, as a program and decoded.
class work : public testing::Test {
protected:
  void SetUp() override {
    tpu_error e{};
    tpu_violation v{};
    ASSERT_EQ(tpu_params_resolve(&p_, &e), 1);
    tpu_builder b{};
    tpu_builder_begin(&b, &program_);
    tpu_build_dma_ld(&b, TPU_DMA_DEST_VR, tpu_at(0), tpu_at(0), tpu_at(0), 4);
    tpu_build_dma_ld(&b, TPU_DMA_SOURCE_B, tpu_at(0), tpu_at(0), tpu_at(0), 4);
    tpu_build_mm(&b, tpu_at(0), tpu_at(0), 0, tpu_at(0), 4);
    tpu_build_mvout(&b, tpu_at(0), tpu_at(0), tpu_at(0), 4);
    ASSERT_EQ(tpu_builder_end(&b, &e), 1) << e.text;
    std::vector<tpu_check_work> storage(1);
    ASSERT_EQ(tpu_check_program(&p_, &program_, &code_, storage.data(), &counts_, &v), 1);
  }
  void TearDown() override { EXPECT_EQ(held_, 0); }

  tpu_work run() {
    const tpu_engine engine{this, 0, engine_run, release};
    const tpu_engine_request request{&p_, &program_, &counts_, {nullptr, nullptr, nullptr}, 1, 0};
    tpu_work out{};
    tpu_report r{};
    EXPECT_EQ(tpu_work_run(&engine, &request, &code_, &out, &r), 1) << r.text;
    return out;
  }

  std::function<void(tpu_engine_result &)> ends_ = [](auto &) {};
  tpu_counts counts_{};

private:
  static int engine_run(void *context, const tpu_engine_request *, tpu_engine_result *result,
                        tpu_report *) {
    auto &self = *static_cast<work *>(context);
    *result = tpu_engine_result{};
    result->outcome = TPU_ENGINE_COMPLETED;
    result->cycles = 100;
    result->text = "";
    result->storage = context;
    for (int u = 0; u < TPU_UNIT_COUNT; ++u) {
      const bool array = u == TPU_UNIT_WLD || u == TPU_UNIT_PE;
      result->unit[u].promised = result->unit[u].done = array ? 16 * 4 : 8;
    }
    self.ends_(*result);
    ++self.held_;
    return 1;
  }
  static void release(tpu_engine_result *result) { --static_cast<work *>(result->storage)->held_; }

  tpu_params p_ = tpu_params_default();
  tpu_word words_[4]{};
  tpu_insn insns_[4]{};
  tpu_program program_{words_, 4, 0};
  tpu_code code_{insns_, 4, 0};
  int held_ = 0;
};

TEST_F(work, the_bound_is_the_largest_count_of_an_instance_and_ties_are_shown) {
  ends_ = [](tpu_engine_result &result) {
    result.unit[TPU_UNIT_SPM].promised = result.unit[TPU_UNIT_SPM].done = 9;
    result.unit[TPU_UNIT_PE].promised = result.unit[TPU_UNIT_PE].done = 16 * 9;
  };
  const tpu_work x = run();
  EXPECT_EQ(x.bound, 9U);
  EXPECT_DOUBLE_EQ(x.over_bound, 100.0 / 9);
  EXPECT_DOUBLE_EQ(x.estimate, 179.0 + 1.573 * 9);
  EXPECT_NEAR(x.estimate_error_pct, 93.157, 1e-9);
  for (int u = 0; u < TPU_UNIT_COUNT; ++u)
    EXPECT_EQ(x.unit[u].at_bound, u == TPU_UNIT_SPM || u == TPU_UNIT_PE ? 1 : 0) << u;
  EXPECT_DOUBLE_EQ(x.unit[TPU_UNIT_PE].utilization, 0.09);
  EXPECT_DOUBLE_EQ(x.unit[TPU_UNIT_ACCU].utilization, 0.08);
  EXPECT_GT(x.rounds, 20U);
  EXPECT_EQ(x.outcome, TPU_ENGINE_COMPLETED);
  EXPECT_STREQ(x.text, "");
}

TEST_F(work, ratios_are_exact_however_large_the_bound) {
  ends_ = [](tpu_engine_result &result) {
    result.unit[TPU_UNIT_SEQUENCER].promised = result.unit[TPU_UNIT_SEQUENCER].done = 16777217;
    result.cycles = UINT64_C(2) * 16777217; // no float holds the bound
  };
  const tpu_work x = run();
  EXPECT_EQ(x.bound, 16777217U);
  EXPECT_EQ(x.over_bound, 2.0);
  EXPECT_EQ(x.unit[TPU_UNIT_SEQUENCER].at_bound, 1);
  EXPECT_EQ(x.unit[TPU_UNIT_SEQUENCER].utilization, 0.5);
}

TEST_F(work, a_unit_that_did_other_work_than_promised_is_named) {
  ends_ = [](tpu_engine_result &result) { result.unit[TPU_UNIT_ACCU].done = 7; };
  const tpu_work x = run();
  EXPECT_EQ(x.outcome, TPU_ENGINE_FAULT);
  EXPECT_STREQ(x.text, "accu was promised 8 and has done 7 in a completed run: a fault of "
                       "assembler or model");
}

TEST_F(work, a_network_that_does_not_come_out_even_is_a_fault) {
  counts_.dma_st = 5;
  const tpu_work x = run();
  EXPECT_EQ(x.outcome, TPU_ENGINE_FAULT);
  EXPECT_NE(std::string(x.text).find("dma_st"), std::string::npos) << x.text;
}

TEST_F(work, a_hang_has_a_bound_and_no_ratio) {
  ends_ = [](tpu_engine_result &result) {
    result.outcome = TPU_ENGINE_DEADLOCK;
    result.text = "all wait";
    result.unit[TPU_UNIT_ACCU].done = 0;
  };
  const tpu_work x = run();
  EXPECT_EQ(x.outcome, TPU_ENGINE_DEADLOCK);
  EXPECT_STREQ(x.text, "all wait");
  EXPECT_EQ(x.bound, 8U);
  EXPECT_EQ(x.over_bound, 0);
}

} // namespace
