// SPDX-License-Identifier: Apache-2.0
// The stream engine against the cycle-stepped machine: equal cycles, equal accounts, equal hangs.
#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "cycle_stepped.h"
#include "support.h"

using tpu::core::outcome;

namespace {

enum class unusual { header, profile, both };

struct column {
  std::uint32_t t, maxdim, qd, dma_words;
  std::uint32_t programs;
  std::uint32_t seed = 0; // of the one before its first
  unusual kind = unusual::header;
};

class engine_equals_oracle : public testing::TestWithParam<column> {};
class unusual_runs : public testing::TestWithParam<column> {};

void compare(std::string &text, const std::string &what, std::int64_t got, std::int64_t expected) {
  if (got != expected) {
    text += what + ": " + std::to_string(got) + ", stepped " + std::to_string(expected) + "\n";
  }
}

void compare(std::string &text, const std::string &name, const tpu::core::unit_counters &c,
             const oracle::account &o) {
  compare(text, name + " done", static_cast<std::int64_t>(c.done), o.done);
  compare(text, name + " busy", c.busy, o.busy);
  compare(text, name + " starved", c.starved, o.starved);
  compare(text, name + " blocked", c.blocked, o.blocked);
  compare(text, name + " idle", c.idle, o.idle);
}

std::string differences(const tpu::core::network &net, const oracle::result &want) {
  std::string text;
  compare(text, "completed", net.result() == outcome::completed ? 1 : 0, want.completed ? 1 : 0);
  compare(text, "cycles", net.elapsed(), want.cycles);
  for (int u = 0; u < TPU_UNIT_COUNT; ++u) {
    const auto unit = static_cast<enum tpu_unit>(u);
    compare(text, tpu::core::unit_name(unit), net.counters(unit), want.units[u]);
  }
  const std::uint32_t t = net.params().t;
  for (std::uint32_t k = 0; k < t * t; ++k) {
    compare(text, tpu::core::process_name({TPU_UNIT_WLD, k}, t), net.loader_counters(k / t, k % t),
            want.loaders.at(k));
    compare(text, tpu::core::process_name({TPU_UNIT_PE, k}, t), net.pe_counters(k / t, k % t),
            want.elements.at(k));
  }
  return text;
}

TEST_P(engine_equals_oracle, on_random_programs) {
  const column k = GetParam();
  const tpu_params p = random_program::parameters(k.t, k.maxdim, k.qd, k.dma_words);
  const tpu::core::timing_profile timing = support::profile();
  support::flat_memory memory;
  tpu::core::plain_network net(p, timing, {memory, memory, memory}, 1);
  const std::uint32_t programs = k.programs / support::thinning;
  std::uint32_t completed = 0;
  std::uint32_t multiplied = 0;
  for (std::uint32_t n = 1; n <= programs; ++n) {
    const std::uint32_t seed = k.seed + n;
    random_program::program program = random_program::make(p, seed);
    support::store_program(memory.bytes.data(), program.counts, program.words);
    net.run(support::addresses);
    const oracle::result want = oracle::simulate(p, timing, program.code(), program.counts);
    ASSERT_EQ(differences(net, want), "") << "seed " << seed;
    completed += want.completed ? 1 : 0;
    multiplied += program.counts.mm_rows >= 8 ? 1 : 0;
  }
  RecordProperty("completed", static_cast<int>(completed));
  if (k.qd == 2) {
    EXPECT_LE(completed, programs - multiplied); // the array alone is a cycle of positive weight
  }
  if (support::thinning == 1) { // shares of all programs, not of a few
    EXPECT_GE(2 * multiplied, programs);
    EXPECT_TRUE(k.qd == 2 || 2 * completed >= programs) << completed << " of " << programs;
  }
}

int draw(std::mt19937 &random, int low, int high) {
  return std::uniform_int_distribution<int>(low, high)(random);
}

// A legal profile: every constant that the engine and the oracle both read, small enough that long
// waits and none are as likely.
tpu::core::timing_profile drawn_profile(std::mt19937 &random) {
  tpu::core::timing_profile t = support::profile();
  const auto pipeline = [&random](int &stages, int &put, int *get) {
    stages = draw(random, 1, 8);
    put = draw(random, 0, stages - 1);
    if (get != nullptr) {
      *get = draw(random, 0, put);
    }
  };
  pipeline(t.load_stages, t.load_put_stage, nullptr);
  pipeline(t.scratchpad_stages, t.scratchpad_put_stage, &t.scratchpad_get_stage);
  pipeline(t.vector_stages, t.vector_put_stage, &t.vector_get_stage);
  pipeline(t.accumulator_stages, t.accumulator_put_stage, &t.accumulator_get_stage);
  pipeline(t.store_stages, t.store_request_stage, &t.store_get_stage);
  pipeline(t.pe_stages, t.pe_collect_stage, nullptr);
  t.pe_top_stages = draw(random, 1, t.pe_stages);
  t.pe_forward_stage = draw(random, 0, t.pe_top_stages - 1);
  t.fetch_interval = draw(random, 1, 8);
  t.store_interval = draw(random, 1, 3);
  t.store_window = draw(random, 1, 8);
  t.store_round_trip = draw(random, 1, 20);
  t.stream_latency = draw(random, 1, 3);
  t.stream_ram_bits = draw(random, 0, 1) != 0 ? 512 : t.stream_ram_bits;
  t.stream_ram_cycles = draw(random, 0, 2);
  return t;
}

// Headers as a faulty assembler or firmware writes them: units promised more work than the program
// has, or less, or none.
void lie(tpu_counts &counts, std::mt19937 &random) {
  std::uint32_t *const all[] = {&counts.dma_ld,  &counts.spm,  &counts.vru,   &counts.mm,
                                &counts.mm_rows, &counts.accu, &counts.dma_st};
  for (int times = draw(random, 1, 2); times != 0; --times) {
    std::uint32_t &one = *all[draw(random, 0, 6)];
    const auto honest = static_cast<int>(one);
    const int choice[] = {
        0, 1, honest / 2, honest - 1, honest + 1, 2 * honest, draw(random, 0, honest + 20)};
    one = static_cast<std::uint32_t>(std::clamp(choice[draw(random, 0, 6)], 0, int{TPU_MAX_COUNT}));
  }
}

TEST_P(unusual_runs, engine_equals_oracle) {
  const column k = GetParam();
  const tpu_params p = random_program::parameters(k.t, k.maxdim, k.qd, k.dma_words);
  const std::uint32_t programs = k.programs / support::thinning;
  std::uint32_t ends[2] = {};
  support::flat_memory memory;
  for (std::uint32_t n = 1; n <= programs; ++n) {
    const std::uint32_t seed = k.seed + n;
    std::mt19937 random(seed);
    const bool lies = k.kind != unusual::profile;
    const tpu::core::timing_profile timing =
        k.kind != unusual::header ? drawn_profile(random) : support::profile();
    tpu::core::plain_network net(p, timing, {memory, memory, memory}, 1);
    random_program::program program = random_program::make(p, seed);
    if (lies) {
      lie(program.counts, random);
    }
    support::store_program(memory.bytes.data(), program.counts, program.words);
    const oracle::result want = oracle::simulate(p, timing, program.code(), program.counts);
    for (const std::uint32_t shuffle : {0U, seed}) {
      net.run(support::addresses, shuffle);
      ASSERT_EQ(differences(net, want), "") << "seed " << seed << " order " << shuffle;
    }
    ++ends[want.completed ? 1 : 0];
  }
  if (support::thinning == 1) { // not hangs alone, not completions alone
    EXPECT_NE(ends[k.kind == unusual::profile ? 1 : 0], 0u);
  }
}

// The rows promised end within an mm, while the array moves as one or near the end of it.
TEST(engine, ends_with_the_last_row_that_the_header_promises) {
  for (const std::uint32_t t : {4U, 8U}) {
    for (const std::uint32_t qd : {16U, 40U}) {
      const tpu_params p = random_program::parameters(t, 4 * t, qd);
      std::uint32_t seed = 1;
      random_program::program program = random_program::make(p, seed);
      while (program.counts.mm_rows < 150) {
        program = random_program::make(p, ++seed);
      }
      support::flat_memory memory;
      tpu::core::plain_network net(p, support::profile(), {memory, memory, memory}, 1);
      const std::uint32_t honest = program.counts.mm_rows;
      for (std::uint32_t less = 0; less < 100; less += 3 * support::thinning) {
        program.counts.mm_rows = honest - less;
        support::store_program(memory.bytes.data(), program.counts, program.words);
        net.run(support::addresses);
        ASSERT_EQ(differences(
                      net, oracle::simulate(p, support::profile(), program.code(), program.counts)),
                  "")
            << "T " << t << " QD " << qd << " seed " << seed << ", " << less << " rows less";
      }
    }
  }
}

// 5,000 programs, other ones in each column; 16 words a step is the widest at T = 4, 8 at T = 8.
constexpr std::uint32_t of_grid = 5000;
constexpr std::uint32_t at_two = 100;

std::vector<column> grid() {
  std::vector<column> all;
  for (const std::uint32_t t : {4U, 8U}) {
    for (const std::uint32_t dma_words : {1U, 4U, 64 / t}) {
      const std::uint32_t maxdim = dma_words == 64 / t ? 64 : 4 * t;
      for (const std::uint32_t qd : {3U, 4U, 8U, 16U}) {
        all.push_back({t, maxdim, qd, dma_words, 200});
      }
    }
    all.push_back({t, 4 * t, 2, 1, at_two});
  }
  for (std::size_t k = 0; k < all.size(); ++k) {
    all[k].seed = 1000 * static_cast<std::uint32_t>(k);
  }
  return all;
}

TEST(engine, is_held_to_the_oracle_on_5000_programs) {
  std::uint32_t sum = 0;
  for (const column &k : grid()) {
    sum += k.programs;
    if (k.dma_words > 4) {
      const tpu_params p = random_program::parameters(k.t, k.maxdim, k.qd);
      EXPECT_EQ(k.dma_words, tpu_widest_dma(&p));
    }
  }
  EXPECT_EQ(sum, of_grid);
}

std::string column_name(const testing::TestParamInfo<column> &which) {
  const column &k = which.param;
  return "T" + std::to_string(k.t) + "_MAXDIM" + std::to_string(k.maxdim) + "_QD" +
         std::to_string(k.qd) + "_DMA" + std::to_string(k.dma_words);
}

INSTANTIATE_TEST_SUITE_P(grid, engine_equals_oracle, testing::ValuesIn(grid()), column_name);
// Other widths and depths, and long bursts. At T=11 and QD=3 it is T sums of 32 bits, and of no bit
// less, that make a stream a memory.
INSTANTIATE_TEST_SUITE_P(beyond, engine_equals_oracle,
                         testing::Values(column{4, 64, 8, 1, 150}, column{8, 64, 16, 1, 150},
                                         column{5, 20, 7, 2, 150}, column{4, 16, 1024, 1, 100},
                                         column{16, 64, 16, 4, 40}, column{16, 64, 4, 1, 40},
                                         column{11, 33, 3, 1, 40}),
                         column_name);

// What no assembler and no profile here makes, but firmware and users may.
std::vector<column> unusual_grid() {
  std::vector<column> all;
  for (const unusual kind : {unusual::header, unusual::profile, unusual::both}) {
    for (const std::uint32_t t : {4U, 5U, 8U}) {
      for (const std::uint32_t qd : {4U, 16U, 40U}) {
        all.push_back(
            {t, 4 * t, qd, 1, 60, 100000 + 1000 * static_cast<std::uint32_t>(all.size()), kind});
      }
    }
  }
  return all;
}

std::string unusual_name(const testing::TestParamInfo<column> &which) {
  static const char *const kinds[] = {"header", "profile", "both"};
  return std::string(kinds[static_cast<int>(which.param.kind)]) + "_" + column_name(which);
}

INSTANTIATE_TEST_SUITE_P(drawn, unusual_runs, testing::ValuesIn(unusual_grid()), unusual_name);

} // namespace
