/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/estimate.h"

#include <cmath>
#include <gtest/gtest.h>

namespace {

struct point {
  double work;
  double cycles;
};

// Published co-simulation results at T=4, MAXDIM=16, QD=16: 4^3, 8^3, 12^3, 16x16x8, 16^3.
constexpr point published[] = {{9, 175}, {48, 265}, {144, 421}, {192, 482}, {320, 674}};

} // namespace

TEST(estimate, is_the_least_squares_line_of_the_published_points) {
  double x = 0;
  double y = 0;
  double xx = 0;
  double xy = 0;
  const double n = std::size(published);
  for (const point &p : published) {
    x += p.work;
    y += p.cycles;
    xx += p.work * p.work;
    xy += p.work * p.cycles;
  }
  const double slope = (n * xy - x * y) / (n * xx - x * x);
  EXPECT_NEAR(TPU_ESTIMATE_PER_WORK, slope, 0.0005);
  EXPECT_NEAR(TPU_ESTIMATE_FIXED, (y - slope * x) / n, 0.05);
}

TEST(estimate, follows_the_largest_count) {
  tpu_counts counts{};
  counts.spm = 20;
  counts.vru = 320;
  counts.accu = 320;
  counts.mm_rows = 4000; // no unit of its own
  EXPECT_DOUBLE_EQ(tpu_estimate(&counts), 179.0 + 1.573 * 320);
}

TEST(estimate, names_every_unit_at_the_largest_count) {
  tpu_counts counts{};
  const char *names[TPU_CRITICAL_MAX];
  counts.dma_ld = 5;
  ASSERT_EQ(tpu_critical_units(&counts, names), 1U);
  EXPECT_STREQ(names[0], "dma_ld");
  counts.accu = 5;
  counts.dma_st = 5;
  counts.spm = 4;
  ASSERT_EQ(tpu_critical_units(&counts, names), 3U);
  EXPECT_STREQ(names[0], "dma_ld");
  EXPECT_STREQ(names[1], "accu");
  EXPECT_STREQ(names[2], "dma_st");
}
