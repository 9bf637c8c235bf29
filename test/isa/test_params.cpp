// SPDX-License-Identifier: Apache-2.0
#include "isa/params.h"

#include <gtest/gtest.h>

#include <string>

namespace {

tpu_params base(uint32_t t, uint32_t maxdim) {
  tpu_params p = tpu_params_default();
  p.t = t;
  p.maxdim = maxdim;
  return p;
}

TEST(Params, DefaultIsTheTable) {
  tpu_params p = tpu_params_default();
  tpu_error e{};
  ASSERT_TRUE(tpu_params_resolve(&p, &e)) << e.text;
  EXPECT_EQ(p.t, 4U);
  EXPECT_EQ(p.maxdim, 64U);
  EXPECT_EQ(p.qd, 16U);
  EXPECT_EQ(p.dma_words, 1U);
  EXPECT_EQ(tpu_words_per_row(&p), 16U);
  EXPECT_EQ(tpu_operand_rows(&p), 1024U);
  EXPECT_EQ(p.spad_rows, 1024U);
  EXPECT_EQ(p.nvr, 1024U);
  EXPECT_EQ(p.nar, 136U);
  EXPECT_EQ(p.imem_size, 56U);
  EXPECT_EQ(tpu_program_capacity(&p), 24U);
  EXPECT_EQ(tpu_widest_dma(&p), 16U);
}

TEST(Params, DerivesRowsFromTheImage) {
  struct {
    uint32_t t, maxdim, rows, nar, widest;
  } const table[] = {
      {4, 4, 64, 128, 1},      {4, 16, 64, 128, 4},     {4, 60, 900, 128, 15},
      {4, 64, 1024, 136, 16},  {4, 88, 1936, 184, 16},  {8, 64, 512, 136, 8},
      {8, 128, 2048, 264, 8},  {5, 100, 2000, 208, 12}, {16, 64, 256, 136, 4},
      {32, 64, 128, 136, 2},   {64, 64, 64, 136, 1},    {64, 320, 1600, 648, 1},
      {48, 288, 1728, 584, 1},
  };
  for (const auto &row : table) {
    tpu_params p = base(row.t, row.maxdim);
    tpu_error e{};
    ASSERT_TRUE(tpu_params_resolve(&p, &e)) << e.text;
    EXPECT_EQ(p.spad_rows, row.rows) << row.t << " " << row.maxdim;
    EXPECT_EQ(p.nvr, row.rows) << row.t << " " << row.maxdim;
    EXPECT_EQ(p.nar, row.nar) << row.t << " " << row.maxdim;
    EXPECT_EQ(tpu_widest_dma(&p), row.widest) << row.t << " " << row.maxdim;
  }
}

TEST(Params, KeepsWhatIsGiven) {
  tpu_params p = base(4, 16);
  p.spad_rows = 100;
  p.nvr = 2048;
  p.nar = 34;
  p.imem_size = 16;
  tpu_error e{};
  ASSERT_TRUE(tpu_params_resolve(&p, &e)) << e.text;
  EXPECT_EQ(p.spad_rows, 100U);
  EXPECT_EQ(p.nvr, 2048U);
  EXPECT_EQ(p.nar, 34U);
  EXPECT_EQ(tpu_program_capacity(&p), 4U);
}

TEST(Params, RefusesWhatTheTableDoesNotAllow) {
  struct {
    const char *key;
    uint32_t tpu_params::*member;
    uint32_t t, maxdim, bad, good;
    const char *allowed; // what the message must say
  } const table[] = {
      {"T", &tpu_params::t, 4, 64, 3, 4, "allowed is 4..64"},
      {"T", &tpu_params::t, 4, 64, 0, 4, "allowed is 4..64"},
      {"T", &tpu_params::t, 4, 64, 65, 64, "allowed is 4..64"},
      {"MAXDIM", &tpu_params::maxdim, 4, 0, 92, 88, "at most 88"},
      {"MAXDIM", &tpu_params::maxdim, 8, 0, 136, 128, "at most 128"},
      {"MAXDIM", &tpu_params::maxdim, 4, 0, 4294967292U, 4, "at most 88"},
      {"MAXDIM", &tpu_params::maxdim, 4, 0, 62, 60, "multiple of T=4 in 4..88"},
      {"MAXDIM", &tpu_params::maxdim, 16, 0, 8, 16, "multiple of T=16"},
      {"MAXDIM", &tpu_params::maxdim, 4, 0, 0, 4, "multiple of T=4"},
      {"QD", &tpu_params::qd, 4, 64, 1, 2, "allowed is 2..1024"},
      {"QD", &tpu_params::qd, 4, 64, 1025, 1024, "allowed is 2..1024"},
      {"DMA_WORDS", &tpu_params::dma_words, 4, 64, 0, 1, "allowed is 1..16"},
      {"DMA_WORDS", &tpu_params::dma_words, 4, 64, 17, 16, "allowed is 1..16"},
      {"DMA_WORDS", &tpu_params::dma_words, 4, 16, 5, 4, "allowed is 1..4"},
      {"DMA_WORDS", &tpu_params::dma_words, 64, 128, 2, 1, "allowed is 1..1"},
      {"SPAD_ROWS", &tpu_params::spad_rows, 4, 64, 1023, 1024, "allowed is 1024..2048"},
      {"SPAD_ROWS", &tpu_params::spad_rows, 4, 64, 2049, 2048, "allowed is 1024..2048"},
      {"NVR", &tpu_params::nvr, 4, 64, 1023, 1024, "allowed is 1024..2048"},
      {"NVR", &tpu_params::nvr, 4, 64, 2049, 2048, "allowed is 1024..2048"},
      {"NAR", &tpu_params::nar, 4, 64, 129, 130, "allowed is 130..2048"},
      {"NAR", &tpu_params::nar, 4, 64, 2049, 2048, "allowed is 130..2048"},
      {"IMEM_SIZE", &tpu_params::imem_size, 4, 64, 57, 56, "multiple of 8 in 16..65536"},
      {"IMEM_SIZE", &tpu_params::imem_size, 4, 64, 8, 16, "allowed is 16..65536"},
      {"IMEM_SIZE", &tpu_params::imem_size, 4, 64, 65544, 65536, "allowed is 16..65536"},
  };
  for (const auto &row : table) {
    const std::string what = std::string(row.key) + "=" + std::to_string(row.bad);
    tpu_params p = base(row.t, row.maxdim);
    p.*row.member = row.bad;
    const tpu_params before = p;
    tpu_error e{};
    EXPECT_FALSE(tpu_params_resolve(&p, &e)) << what;
    EXPECT_EQ(std::string(e.text).rfind(std::string(row.key) + " is " + std::to_string(row.bad), 0),
              0U)
        << e.text;
    EXPECT_NE(std::string(e.text).find(row.allowed), std::string::npos) << e.text;
    EXPECT_EQ(p.*row.member, before.*row.member);
    EXPECT_EQ(p.imem_size, before.imem_size) << "a refused set stays as it was";
    p = base(row.t, row.maxdim);
    p.*row.member = row.good;
    if (row.member == &tpu_params::t)
      p.maxdim = 64;
    EXPECT_TRUE(tpu_params_resolve(&p, &e)) << what << ": " << e.text;
  }
}

// Ceilings over every T against the definition, searched without arithmetic shortcuts.
TEST(Params, TooLargeAnImageNamesItsRows) {
  tpu_params p = base(4, 92);
  tpu_error e{};
  EXPECT_FALSE(tpu_params_resolve(&p, &e));
  EXPECT_STREQ(e.text, "MAXDIM is 92; allowed at T=4 is at most 88, since MAXDIM*MAXDIM/T = 2116 "
                       "operand rows must be addressable in 2048");
}

TEST(Params, CeilingsAreTheLargestThatFit) {
  EXPECT_EQ(tpu_maxdim_ceiling(4), 88U);
  EXPECT_EQ(tpu_cubic_gemm_ceiling(4), 76U);
  EXPECT_EQ(tpu_maxdim_ceiling(8), 128U);
  EXPECT_EQ(tpu_cubic_gemm_ceiling(8), 120U);
  for (uint32_t t = TPU_MIN_T; t <= TPU_MAX_T; ++t) {
    uint32_t largest = 0;
    uint32_t cubic = 0;
    for (uint32_t m = t; m < 1024; m += t) {
      tpu_params p = base(t, m);
      if (!tpu_params_resolve(&p, nullptr))
        continue;
      largest = m;
      const uint64_t mm_rows = uint64_t{m / t} * (m / t) * m;
      if (mm_rows + uint64_t{m / t} * m <= 32767)
        cubic = m;
    }
    EXPECT_EQ(tpu_maxdim_ceiling(t), largest) << t;
    EXPECT_EQ(tpu_cubic_gemm_ceiling(t), cubic) << t;
  }
}

} // namespace
