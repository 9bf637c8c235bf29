// SPDX-License-Identifier: Apache-2.0
// The judge's engine: bytes as the reference interpreter's, accounts that add up, hangs in words.
#include "platform/cli/engine.h"

#include "isa/interp.h"
#include "judge/depth.h"
#include "test/models/random_program.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace {

constexpr std::uint32_t seed = 7;

class engine : public testing::Test {
protected:
  void SetUp() override {
    tpu_report r{};
    ASSERT_EQ(tpu_engine_open(TPU_SOURCE_DIR "/configs/timing/hls-2023.2.json", &table_, &r), 1)
        << r.text;
  }
  void TearDown() override { tpu_engine_close(&table_); }

  // A program of tests/models on random images.
  void make(const tpu_params &p, std::uint32_t number) {
    p_ = p;
    program_ = random_program::make(p, number);
    const auto count = static_cast<std::uint32_t>(program_.words.size());
    words_ = {program_.words.data(), count, count};
    std::mt19937 random(number);
    for (auto &image : image_) {
      image.resize(std::size_t{p.maxdim} * p.maxdim);
      for (std::int8_t &byte : image)
        byte = static_cast<std::int8_t>(random());
    }
  }
  tpu_engine_request request() const {
    return {&p_,  &words_, &program_.counts, {image_[0].data(), image_[1].data(), image_[2].data()},
            seed, 0};
  }
  tpu_engine_result run(const tpu_engine_request &q) {
    tpu_engine_result result;
    tpu_report r{};
    EXPECT_EQ(table_.run(table_.context, &q, &result, &r), 1) << r.text;
    return result;
  }
  std::vector<std::int8_t> reference() {
    std::vector<std::int8_t> spad(std::size_t{p_.spad_rows} * p_.t);
    std::vector<std::int8_t> vr(std::size_t{p_.nvr} * p_.t);
    std::vector<std::int32_t> ar(std::size_t{p_.nar} * p_.t);
    tpu_state state{spad.data(), vr.data(), ar.data()};
    std::vector<std::int8_t> c = image_[2];
    const tpu_code code = program_.code();
    tpu_error e{};
    tpu_state_scramble(&p_, &state, seed);
    EXPECT_EQ(tpu_interpret(&p_, &code, &state, image_[0].data(), image_[1].data(), c.data(), &e),
              1)
        << e.text;
    return c;
  }

  tpu_engine table_{};
  tpu_params p_{};
  random_program::program program_;
  tpu_program words_{};
  std::vector<std::int8_t> image_[3];
};

TEST_F(engine, computes_the_interpreters_bytes_and_accounts_for_every_cycle) {
  int completed = 0;
  for (const auto &p :
       {random_program::parameters(4, 16, 16), random_program::parameters(8, 32, 8)})
    for (std::uint32_t number = 1; number <= 40; ++number) {
      make(p, number);
      tpu_engine_result result = run(request());
      for (int u = 0; u < TPU_UNIT_COUNT; ++u) {
        const tpu_engine_counters &c = result.unit[u];
        const bool array = u == TPU_UNIT_WLD || u == TPU_UNIT_PE;
        EXPECT_EQ(c.busy + c.starved + c.blocked + c.idle,
                  result.cycles * (array ? std::uint64_t{p.t} * p.t : 1));
        if (result.outcome == TPU_ENGINE_COMPLETED) {
          EXPECT_EQ(c.promised, c.done);
        }
      }
      if (result.outcome == TPU_ENGINE_COMPLETED) {
        ++completed;
        const std::vector<std::int8_t> due = reference();
        EXPECT_EQ(std::memcmp(result.image, due.data(), due.size()), 0) << number;
        EXPECT_EQ(result.hang, nullptr);
        EXPECT_STREQ(result.text, "");
      }
      table_.release(&result);
      EXPECT_EQ(result.storage, nullptr);
    }
  EXPECT_GE(completed, 40);
}

TEST_F(engine, says_who_waits_in_a_hang) {
  int hung = 0;
  for (std::uint32_t number = 1; number <= 40; ++number) {
    make(random_program::parameters(4, 16, 2), number);
    tpu_engine_result result = run(request());
    if (result.outcome == TPU_ENGINE_DEADLOCK) {
      ++hung;
      ASSERT_NE(result.hang, nullptr);
      const tpu_hang &h = *result.hang;
      EXPECT_STREQ(result.text, h.sentence);
      EXPECT_EQ(std::string(h.sentence).rfind(std::to_string(h.processes) + " processes wait", 0),
                0U);
      for (std::size_t i = 0; i < h.processes; ++i)
        EXPECT_EQ(h.process[i].occupancy, h.process[i].get != 0 ? 0 : h.process[i].depth);
      ASSERT_GE(h.circle_length, 2U);
      for (std::size_t i = 0; i < h.circle_length; ++i) {
        const auto *const waits =
            std::find_if(h.process, h.process + h.processes, [&](const tpu_hang_process &p) {
              return std::strcmp(p.name, h.circle[i]) == 0;
            });
        ASSERT_NE(waits, h.process + h.processes);
        EXPECT_STREQ(waits->waits_for, h.circle[(i + 1) % h.circle_length]);
      }
      EXPECT_GE(h.clauses, 2U);
      for (std::size_t i = 0; i < h.clauses; ++i)
        EXPECT_NE(std::strstr(h.sentence, h.clause[i]), nullptr);
    }
    table_.release(&result);
  }
  EXPECT_GE(hung, 10);
}

TEST_F(engine, runs_do_not_influence_each_other) {
  make(random_program::parameters(4, 16, 16), 3);
  const tpu_engine_request first = request();
  tpu_engine_result alone = run(first);
  tpu_params other = p_;
  other.qd = 5;
  tpu_engine_request between = first;
  between.params = &other;
  between.image[0] = between.image[1] = nullptr;
  tpu_engine_result between_result = run(between);
  tpu_engine_result again = run(first);
  EXPECT_EQ(again.cycles, alone.cycles);
  EXPECT_EQ(std::memcmp(again.image, alone.image, image_[2].size()), 0);
  for (tpu_engine_result *result : {&alone, &between_result, &again})
    table_.release(result);
}

// Slots are freed no later in a deeper stream: the search does not build on it, but it holds.
TEST_F(engine, no_random_program_completes_and_hangs_at_a_greater_depth) {
  for (std::uint32_t number = 1; number <= 150; ++number) {
    make(random_program::parameters(4, 16, 20), number);
    const tpu_engine_request q = request();
    tpu_depth found;
    tpu_report r{};
    ASSERT_EQ(tpu_depth_search(&table_, &q, &found, &r), 1) << r.text;
    EXPECT_EQ(found.hangs_above, 0U) << number;
    tpu_depth_release(&table_, &found);
  }
}

TEST_F(engine, refuses_what_it_cannot_start_and_reports_a_fault) {
  make(random_program::parameters(4, 16, 16), 1);
  tpu_counts counts = program_.counts;
  counts.dma_ld = TPU_MAX_COUNT + 1;
  tpu_engine_request q = request();
  q.counts = &counts;
  tpu_engine_result result;
  tpu_report r{};
  EXPECT_EQ(table_.run(table_.context, &q, &result, &r), 0);
  EXPECT_NE(std::string(r.text).find("header"), std::string::npos);
  counts = program_.counts;
  counts.insns = 0;
  result = run(q);
  EXPECT_EQ(result.outcome, TPU_ENGINE_FAULT);
  EXPECT_STRNE(result.text, "");
  table_.release(&result);
}

TEST(engine_file, a_profile_that_cannot_be_read_is_said) {
  tpu_engine table;
  tpu_report r{};
  EXPECT_EQ(tpu_engine_open("/absent.json", &table, &r), 0);
  EXPECT_NE(std::string(r.text).find("/absent.json"), std::string::npos);
}

} // namespace
