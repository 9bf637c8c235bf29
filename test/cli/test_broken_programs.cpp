// SPDX-License-Identifier: Apache-2.0
// Legal programs with one field broken at random. Each is refused by a named rule, or hangs and the
// circle is told, or leaves the same C on the engine and in the interpreter; nothing else.
#include "platform/cli/engine.h"

#include "isa/interp.h"
#include "judge/rule_cases.h"
#include "test/models/random_program.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <vector>

namespace {

constexpr std::uint32_t programs = 20000;
constexpr std::uint32_t shards = 10;
constexpr std::uint32_t per_shard = programs / shards / (TPU_SANITIZED ? 10 : 1);
constexpr std::uint32_t breaks_of_one = 20; // of the same legal program
constexpr std::uint32_t seed = 11;

// Bits [shift, shift + width) of a word.
struct field {
  unsigned word, shift, width;
};
constexpr field fields[] = {{0, 0, 6},   {0, 6, 12}, {0, 18, 12}, {0, 30, 12}, {0, 42, 12},
                            {0, 54, 8},  {0, 62, 2}, {1, 0, 4},   {1, 4, 3},   {1, 7, 12},
                            {1, 19, 4},  {1, 23, 3}, {1, 26, 12}, {1, 38, 4},  {1, 42, 3},
                            {1, 45, 12}, {1, 57, 7}};

class broken_programs : public testing::TestWithParam<std::uint32_t> {
protected:
  void SetUp() override {
    tpu_report r{};
    ASSERT_EQ(tpu_engine_open(TPU_SOURCE_DIR "/configs/timing/hls-2023.2.json", &engine_, &r), 1)
        << r.text;
  }
  void TearDown() override { tpu_engine_close(&engine_); }

  // Another value in one field: near the old one, or any. What no longer decodes is drawn again, a
  // few times, or nearly all would be refused at that.
  void break_one(std::vector<tpu_word> &words) {
    tpu_word &w = words[random_() % words.size()];
    const tpu_word before = w;
    for (int draw = 0; draw < 6; ++draw) {
      const field &f = fields[random_() % std::size(fields)];
      w = before;
      std::uint64_t &word = f.word == 0 ? w.w0 : w.w1;
      const std::uint64_t mask = (std::uint64_t{1} << f.width) - 1;
      const std::uint64_t old = word >> f.shift & mask;
      const std::uint64_t far = random_() % 2 == 0 ? mask : std::min<std::uint64_t>(mask, 4);
      const std::uint64_t step = 1 + random_() % far;
      const std::uint64_t value = (random_() % 2 == 0 ? old + step : old - step) & mask;
      word ^= (old ^ value) << f.shift;
      tpu_insn insn;
      if (tpu_decode(&w, &insn, nullptr, nullptr) != 0)
        return;
    }
  }

  void make_images(const tpu_params &p) {
    for (auto &image : image_) {
      image.resize(std::size_t{p.maxdim} * p.maxdim);
      for (std::int8_t &byte : image)
        byte = static_cast<std::int8_t>(random_());
    }
  }

  std::vector<std::int8_t> reference(const tpu_params &p, const tpu_code &code) {
    std::vector<std::int8_t> spad(std::size_t{p.spad_rows} * p.t);
    std::vector<std::int8_t> vr(std::size_t{p.nvr} * p.t);
    std::vector<std::int32_t> ar(std::size_t{p.nar} * p.t);
    tpu_state state{spad.data(), vr.data(), ar.data()};
    std::vector<std::int8_t> c = image_[2];
    tpu_error e{};
    tpu_state_scramble(&p, &state, ~seed); // other garbage than the engine's
    EXPECT_EQ(tpu_interpret(&p, &code, &state, image_[0].data(), image_[1].data(), c.data(), &e), 1)
        << e.text;
    return c;
  }

  void run(const tpu_params &p, const tpu_program &program, const tpu_legality &legality) {
    const tpu_engine_request request{
        &p,   &program, &legality.counts, {image_[0].data(), image_[1].data(), image_[2].data()},
        seed, 0};
    tpu_engine_result result;
    tpu_report r{};
    ASSERT_EQ(engine_.run(engine_.context, &request, &result, &r), 1) << r.text;
    if (result.outcome == TPU_ENGINE_DEADLOCK) {
      ++hung_;
      EXPECT_GE(result.hang->circle_length, 2U);
      EXPECT_GE(result.hang->clauses, 2U);
    } else {
      ++same_;
      EXPECT_EQ(result.outcome, TPU_ENGINE_COMPLETED) << result.text;
      const std::vector<std::int8_t> due = reference(p, legality.code);
      EXPECT_EQ(std::memcmp(result.image, due.data(), due.size()), 0);
    }
    engine_.release(&result);
  }

  void judge(const tpu_params &p, std::vector<tpu_word> &words) {
    const auto count = static_cast<std::uint32_t>(words.size());
    const tpu_program program{words.data(), count, count};
    const tpu_legal_request request{&p, &program, nullptr, nullptr};
    tpu_legality legality{};
    tpu_report r{};
    ASSERT_EQ(tpu_legal(&request, &legality, &r), 1) << r.text;
    if (legality.legal == 0) {
      ++refused_;
      rules_.insert(legality.violation.rule);
      EXPECT_EQ(tpu_rule_is_told(&legality.violation, legality.violation.rule), 1);
      EXPECT_NE(legality.violation.rule, TPU_RULE_KPN_PROTOCOL) << legality.violation.detail;
    } else {
      run(p, program, legality);
    }
    tpu_legality_release(&legality);
  }

  std::mt19937 random_{GetParam()};
  tpu_engine engine_{};
  std::vector<std::int8_t> image_[3];
  std::uint32_t refused_ = 0, hung_ = 0, same_ = 0;
  std::set<int> rules_;
};

TEST_P(broken_programs, are_refused_or_hang_or_mean_the_same) {
  for (std::uint32_t k = 0; k < per_shard && !HasFailure(); ++k) {
    const tpu_params p = random_program::parameters(k / breaks_of_one % 5 == 4 ? 8 : 4, 16,
                                                    2 + k / breaks_of_one % 4 * 2);
    const random_program::program whole =
        random_program::make(p, GetParam() * programs + k / breaks_of_one);
    std::vector<tpu_word> words = whole.words;
    if (k % breaks_of_one == 0)
      make_images(p);
    break_one(words);
    ASSERT_NE(std::memcmp(words.data(), whole.words.data(), words.size() * sizeof words[0]), 0);
    judge(p, words);
  }
  std::printf("%u programs: %u refused by %zu rules, %u hang, %u leave the same C\n", per_shard,
              refused_, rules_.size(), hung_, same_);
  EXPECT_EQ(refused_ + hung_ + same_, per_shard);
  EXPECT_GT(refused_, 0U);
  EXPECT_GT(hung_, 0U);
  EXPECT_GT(same_, 0U);
  EXPECT_GE(rules_.size(), 6U);
}

INSTANTIATE_TEST_SUITE_P(shard, broken_programs, testing::Range(1U, shards + 1));

} // namespace
