// SPDX-License-Identifier: Apache-2.0
// The platform as the judge's engine: one machine for all runs, in cycles, bytes and hangs that of
// the engine without SystemC.
#include "platform/cli/engine.h"
#include "platform/cli/platform_engine.h"
#include "test/models/random_program.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace {

constexpr char profile[] = TPU_SOURCE_DIR "/configs/timing/hls-2023.2.json";

class platform_engine : public testing::Test {
protected:
  void open(const tpu_params &p) {
    tpu_report r{};
    config_ = tpu_config_default();
    config_.params = p;
    ASSERT_EQ(tpu_platform_engine_open(&config_, profile, 3, &platform_, &r), 1) << r.text;
    ASSERT_EQ(tpu_engine_open(profile, &plain_, &r), 1) << r.text;
    EXPECT_EQ(platform_.keeps_state, 1);
    EXPECT_EQ(plain_.keeps_state, 0);
    for (auto &image : image_)
      image.resize(std::size_t{p.maxdim} * p.maxdim);
  }
  void TearDown() override {
    tpu_engine_close(&plain_);
    tpu_platform_engine_close(&platform_);
  }

  tpu_engine_result run(const tpu_engine &engine, const tpu_program &words,
                        const tpu_counts &counts) {
    const tpu_engine_request request{&config_.params,
                                     &words,
                                     &counts,
                                     {image_[0].data(), image_[1].data(), image_[2].data()},
                                     1,
                                     0};
    tpu_engine_result result;
    tpu_report r{};
    EXPECT_EQ(engine.run(engine.context, &request, &result, &r), 1) << r.text;
    return result;
  }

  tpu_platform_config config_{};
  tpu_engine platform_{}, plain_{};
  std::vector<std::int8_t> image_[3];
};

TEST_F(platform_engine, runs_as_the_engine_does_whatever_ran_before) {
  open(random_program::parameters(4, 16, 3));
  int completed = 0;
  int hung = 0;
  for (std::uint32_t number = 1; number <= 60; ++number) {
    random_program::program made = random_program::make(config_.params, number);
    const auto count = static_cast<std::uint32_t>(made.words.size());
    const tpu_program words{made.words.data(), count, count};
    std::mt19937 random(number);
    for (auto &image : image_)
      for (std::int8_t &byte : image)
        byte = static_cast<std::int8_t>(random());
    tpu_engine_result a = run(platform_, words, made.counts);
    tpu_engine_result b = run(plain_, words, made.counts);
    EXPECT_EQ(a.outcome, b.outcome) << number;
    EXPECT_EQ(a.cycles, b.cycles) << number;
    EXPECT_STREQ(a.text, b.text) << number;
    EXPECT_EQ(std::memcmp(a.unit, b.unit, sizeof a.unit), 0) << number;
    if (a.outcome == TPU_ENGINE_COMPLETED) {
      EXPECT_EQ(std::memcmp(a.image, b.image, image_[2].size()), 0) << number;
    }
    completed += a.outcome == TPU_ENGINE_COMPLETED ? 1 : 0;
    hung += a.outcome == TPU_ENGINE_DEADLOCK ? 1 : 0;
    platform_.release(&a);
    plain_.release(&b);
  }
  EXPECT_GE(completed, 5);
  EXPECT_GE(hung, 5);
}

// What no program may rely on, and what a second run is for: on-chip memories keep what they hold.
TEST_F(platform_engine, keeps_the_on_chip_memories_between_runs) {
  open(random_program::parameters(4, 16, 16));
  std::vector<tpu_word> words(8);
  const auto build = [&words](bool computes) {
    tpu_program program{words.data(), 8, 0};
    tpu_builder b{};
    tpu_error e{};
    tpu_builder_begin(&b, &program);
    if (computes) {
      tpu_build_dma_ld(&b, TPU_DMA_DEST_VR, tpu_at(0), tpu_at(0), tpu_at(0), 4);
      tpu_build_dma_ld(&b, TPU_DMA_SOURCE_B, tpu_at(0), tpu_at(0), tpu_at(0), 4);
      tpu_build_mm(&b, tpu_at(0), tpu_at(0), 0, tpu_at(0), 4);
    }
    tpu_build_mvout(&b, tpu_at(0), tpu_at(0), tpu_at(0), 4);
    EXPECT_EQ(tpu_builder_end(&b, &e), 1) << e.text;
    return program;
  };
  std::fill(image_[0].begin(), image_[0].end(), std::int8_t{3});
  std::fill(image_[1].begin(), image_[1].end(), std::int8_t{5});
  tpu_counts counts{};
  counts.insns = 4;
  counts.dma_ld = 8;
  counts.spm = 9;
  counts.vru = 8;
  counts.mm = 1;
  counts.mm_rows = 4;
  counts.accu = 8;
  counts.dma_st = 4;
  counts.a_span = counts.b_span = 4;
  tpu_engine_result result = run(platform_, build(true), counts);
  ASSERT_EQ(result.outcome, TPU_ENGINE_COMPLETED) << result.text;
  EXPECT_EQ(result.image[0], 60);
  platform_.release(&result);
  counts = tpu_counts{};
  counts.insns = 1;
  counts.accu = counts.dma_st = 4;
  for (const tpu_engine *engine : {&platform_, &plain_}) {
    result = run(*engine, build(false), counts);
    ASSERT_EQ(result.outcome, TPU_ENGINE_COMPLETED) << result.text;
    const bool kept = std::all_of(result.image, result.image + 4, [](int x) { return x == 60; });
    EXPECT_EQ(kept, engine == &platform_);
    engine->release(&result);
  }
}

TEST_F(platform_engine, says_what_it_cannot_run) {
  open(random_program::parameters(4, 16, 16));
  tpu_word word{};
  const tpu_program one{&word, 1, 1};
  tpu_counts counts{};
  counts.insns = 1;
  counts.accu = TPU_MAX_COUNT + 1;
  const tpu_engine_request request{&config_.params, &one, &counts, {}, 1, 0};
  tpu_engine_result result;
  tpu_report r{};
  EXPECT_EQ(platform_.run(platform_.context, &request, &result, &r), 0);
  EXPECT_NE(std::string(r.text).find("does not fit a header"), std::string::npos);
}

TEST(platform_engine_file, a_profile_that_cannot_be_read_is_said) {
  const tpu_platform_config config = tpu_config_default();
  tpu_engine engine;
  tpu_report r{};
  EXPECT_EQ(tpu_platform_engine_open(&config, "/absent.json", 1, &engine, &r), 0);
  EXPECT_NE(std::string(r.text).find("/absent.json"), std::string::npos);
}

} // namespace
