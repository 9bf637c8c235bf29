/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/calibration.h"
#include "judge/estimate.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <string>

namespace {

// Published co-simulation results at T=4, MAXDIM=16, QD=16.
constexpr const char *published[] = {"gemm_4x4x4@m16q16", "gemm_8x8x8@m16q16",
                                     "gemm_12x12x12@m16q16", "gemm_16x16x8@m16q16",
                                     "gemm_16x16x16@m16q16"};

} // namespace

TEST(estimate, is_the_least_squares_line_of_the_published_points) {
  tpu_calibration table;
  tpu_report r{};
  ASSERT_EQ(tpu_calibration_read(TPU_SOURCE_DIR "/test/data/rtl_calibration.json", &table, &r), 1)
      << r.text;
  double x = 0;
  double y = 0;
  double xx = 0;
  double xy = 0;
  double n = 0;
  for (const char *id : published) {
    const tpu_measured_point *end = table.point + table.count;
    const auto *p = std::find_if(table.point, table.point + table.count,
                                 [id](const auto &q) { return std::strcmp(q.id, id) == 0; });
    ASSERT_NE(p, end) << id;
    const double work = tpu_critical_work(&p->counts);
    const auto cycles = static_cast<double>(p->cycles);
    x += work;
    y += cycles;
    xx += work * work;
    xy += work * cycles;
    n += 1;
  }
  const double slope = (n * xy - x * y) / (n * xx - x * x);
  EXPECT_NEAR(TPU_ESTIMATE_PER_WORK, slope, 0.0005);
  EXPECT_NEAR(TPU_ESTIMATE_FIXED, (y - slope * x) / n, 0.05);
  tpu_calibration_release(&table);
}

TEST(estimate, follows_the_largest_count) {
  tpu_counts counts{};
  counts.spm = 20;
  counts.vru = 320;
  counts.accu = 320;
  counts.mm_rows = 4000; // no unit of its own
  EXPECT_DOUBLE_EQ(tpu_estimate(&counts), 179.0 + 1.573 * 320);
}

TEST(estimate, says_what_it_was_fitted_to_beside_that_machine) {
  tpu_params p{};
  p.t = 4;
  p.maxdim = 16;
  p.qd = 16;
  p.dma_words = 1;
  EXPECT_STREQ(tpu_estimate_note(&p), "");
  const std::string note = " (a line fitted at T=4 MAXDIM=16 QD=16 DMA_WORDS=1)";
  for (std::uint32_t *const value : {&p.t, &p.maxdim, &p.qd, &p.dma_words}) {
    const std::uint32_t fitted = *value;
    *value = 2 * fitted;
    EXPECT_EQ(tpu_estimate_note(&p), note);
    *value = fitted;
  }
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
  counts.vru = TPU_MAX_COUNT;
  ASSERT_EQ(tpu_critical_units(&counts, names), 1U);
  EXPECT_STREQ(names[0], "vru");
}
