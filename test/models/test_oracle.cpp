// SPDX-License-Identifier: Apache-2.0
// The stream engine against the cycle-stepped machine: equal cycles, equal accounts, equal hangs.
#include <gtest/gtest.h>

#include "cycle_stepped.h"
#include "support.h"

using tpu::core::outcome;

namespace {

struct column {
  std::uint32_t t, maxdim, qd, dma_words;
  std::uint32_t programs;
  std::uint32_t seed = 0; // of the one before its first
};

class engine_equals_oracle : public testing::TestWithParam<column> {};

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
// Other widths and depths, and long bursts.
INSTANTIATE_TEST_SUITE_P(beyond, engine_equals_oracle,
                         testing::Values(column{4, 64, 8, 1, 150}, column{8, 64, 16, 1, 150},
                                         column{5, 20, 7, 2, 150}, column{4, 16, 1024, 1, 100},
                                         column{16, 64, 16, 4, 40}, column{16, 64, 4, 1, 40}),
                         column_name);

} // namespace
