// SPDX-License-Identifier: Apache-2.0
// Tiers, the gate, and finding a measurement.
#include "judge/speed.h"

#include <gtest/gtest.h>
#include <vector>

namespace {

TEST(tier, every_lower_one_must_hold) {
  const auto tier = [](int legal, int correct, int timed, int hangs, int measured) {
    const tpu_findings f{legal, correct, timed, hangs, measured};
    return tpu_tier_of(&f);
  };
  EXPECT_EQ(tier(0, 1, 1, 0, 1), TPU_TIER_NONE);
  EXPECT_EQ(tier(1, 0, 1, 0, 1), TPU_TIER_LEGAL);
  EXPECT_EQ(tier(1, 1, 0, 0, 0), TPU_TIER_CORRECT);
  EXPECT_EQ(tier(1, 1, 1, 0, 0), TPU_TIER_TIMED);
  EXPECT_EQ(tier(1, 1, 1, 0, 1), TPU_TIER_CONFIRMED);
  EXPECT_EQ(tier(1, 1, 0, 0, 1), TPU_TIER_CONFIRMED);
  EXPECT_EQ(tier(1, 1, 0, 1, 1), TPU_TIER_CORRECT);
}

TEST(tier, names) {
  EXPECT_STREQ(tpu_tier_name(TPU_TIER_CONFIRMED), "confirmed");
  EXPECT_STRNE(tpu_tier_sentence(TPU_TIER_TIMED), "");
  EXPECT_STREQ(tpu_tier_name(TPU_TIER_COUNT), "?");
  EXPECT_STREQ(tpu_tier_sentence(TPU_TIER_COUNT), "");
}

TEST(gate, passes_up_to_ten_per_cent_above) {
  EXPECT_EQ(tpu_gate_passes(110.0, 100.0), 1);
  EXPECT_EQ(tpu_gate_passes(111.0, 100.0), 0);
  EXPECT_EQ(tpu_gate_passes(50.0, 100.0), 1);
}

TEST(measured, is_found_by_parameters_and_words) {
  std::vector<tpu_word> a{{1, 2}};
  std::vector<tpu_word> b{{1, 3}};
  std::vector<tpu_measured_point> points(2);
  tpu_params p = tpu_params_default();
  points[0].params = points[1].params = p;
  points[0].program = {a.data(), 1, 1};
  points[1].program = {b.data(), 1, 1};
  const tpu_calibration table{points.data(), points.size()};
  EXPECT_EQ(tpu_measured_find(&table, &p, &points[1].program), &points[1]);
  std::vector<tpu_word> c{{1, 4}};
  const tpu_program other{c.data(), 1, 1};
  EXPECT_EQ(tpu_measured_find(&table, &p, &other), nullptr);
  p.qd = 8;
  EXPECT_EQ(tpu_measured_find(&table, &p, &points[1].program), nullptr);
}

} // namespace
