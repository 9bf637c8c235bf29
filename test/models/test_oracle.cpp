// SPDX-License-Identifier: Apache-2.0
// The stream engine against the cycle-stepped machine: equal cycles, equal accounts, equal hangs.
#include <gtest/gtest.h>

#include "cycle_stepped.h"
#include "support.h"

using tpu::core::outcome;

namespace {

struct column {
  std::uint32_t t, maxdim, qd, dma_words;
};

class engine_equals_oracle : public testing::TestWithParam<column> {};

const char *const unit_names[] = {
#define NAME(id, name) name,
    TPU_UNITS(NAME)
#undef NAME
};

std::string differences(const tpu::core::network &net, const oracle::result &want) {
  std::string text;
  const auto compare = [&](const std::string &what, std::int64_t got, std::int64_t expected) {
    if (got != expected) {
      text += what + ": " + std::to_string(got) + ", stepped " + std::to_string(expected) + "\n";
    }
  };
  compare("completed", net.result() == outcome::completed ? 1 : 0, want.completed ? 1 : 0);
  compare("cycles", net.elapsed(), want.cycles);
  for (int u = 0; u < TPU_UNIT_COUNT; ++u) {
    const tpu::core::unit_counters c = net.counters(static_cast<enum tpu_unit>(u));
    const oracle::account &o = want.units[u];
    const std::string name = unit_names[u];
    compare(name + " done", static_cast<std::int64_t>(c.done), o.done);
    compare(name + " busy", c.busy, o.busy);
    compare(name + " starved", c.starved, o.starved);
    compare(name + " blocked", c.blocked, o.blocked);
    compare(name + " idle", c.idle, o.idle);
  }
  return text;
}

TEST_P(engine_equals_oracle, on_random_programs) {
  const column k = GetParam();
  const tpu_params p = random_program::parameters(k.t, k.maxdim, k.qd, k.dma_words);
  const tpu::core::timing_profile timing = support::profile();
  support::flat_memory memory;
  tpu::core::plain_network net(p, timing, {memory, memory, memory}, 1);
  int completed = 0;
  int multiplied = 0;
  const int programs = k.t > 8 ? 40 : 150;
  for (std::uint32_t seed = 1; seed <= static_cast<std::uint32_t>(programs); ++seed) {
    random_program::program program = random_program::make(p, seed);
    support::store_program(memory.bytes.data(), program.counts, program.words);
    net.run(support::addresses);
    const oracle::result want = oracle::simulate(p, timing, program.code(), program.counts);
    ASSERT_EQ(differences(net, want), "") << "seed " << seed;
    completed += want.completed ? 1 : 0;
    multiplied += program.counts.mm_rows >= 8 ? 1 : 0;
  }
  EXPECT_GE(10 * multiplied, 5 * programs);
  RecordProperty("completed", completed);
  if (k.qd == 2) {
    EXPECT_LE(completed, programs - multiplied); // the array alone is a cycle of positive weight
  } else {
    EXPECT_GE(2 * completed, programs);
  }
}

INSTANTIATE_TEST_SUITE_P(columns, engine_equals_oracle,
                         testing::Values(column{4, 16, 16, 1}, column{4, 64, 8, 1},
                                         column{4, 16, 4, 4}, column{4, 16, 3, 1},
                                         column{4, 16, 2, 1}, column{8, 64, 16, 8},
                                         column{8, 64, 8, 1}, column{8, 32, 4, 4},
                                         column{5, 20, 7, 2}, column{16, 64, 16, 4}),
                         [](const auto &which) {
                           const column &k = which.param;
                           return "T" + std::to_string(k.t) + "_MAXDIM" + std::to_string(k.maxdim) +
                                  "_QD" + std::to_string(k.qd) + "_DMA" +
                                  std::to_string(k.dma_words);
                         });

// Recording changes nothing, and every cycle of a completed run has an owner.
TEST(engine, accounts_for_the_whole_critical_path) {
  const tpu_params p = random_program::parameters(4, 16, 8);
  const tpu::core::timing_profile timing = support::profile();
  support::flat_memory memory;
  tpu::core::plain_network net(p, timing, {memory, memory, memory}, 1);
  tpu::core::plain_network recorded(p, timing, {memory, memory, memory}, 1);
  recorded.record_path(true);
  std::array<int, TPU_UNIT_COUNT> owners{};
  for (std::uint32_t seed = 1; seed <= 300; ++seed) {
    random_program::program program = random_program::make(p, seed);
    support::store_program(memory.bytes.data(), program.counts, program.words);
    net.run(support::addresses);
    ASSERT_EQ(recorded.run(support::addresses), net.result());
    ASSERT_EQ(recorded.elapsed(), net.elapsed());
    if (net.result() != outcome::completed) {
      continue;
    }
    tpu::core::cycle sum = timing.start_cycles + timing.finish_cycles;
    const auto path = recorded.critical_path();
    for (std::size_t u = 0; u < path.size(); ++u) {
      ASSERT_GE(path[u], 0) << "seed " << seed;
      owners[u] += path[u] > 0 ? 1 : 0;
      sum += path[u];
    }
    ASSERT_EQ(sum, recorded.elapsed()) << "seed " << seed;
  }
  for (std::size_t u = 0; u < owners.size(); ++u) {
    EXPECT_GT(owners[u], 0) << unit_names[u]; // each is critical in some program
  }
}

TEST(engine, does_not_depend_on_the_order_of_its_ready_list) {
  const tpu_params p = random_program::parameters(4, 16, 8);
  const tpu::core::timing_profile timing = support::profile();
  support::flat_memory memory;
  tpu::core::plain_network net(p, timing, {memory, memory, memory}, 1);
  for (std::uint32_t seed = 1; seed <= 100; ++seed) {
    random_program::program program = random_program::make(p, seed);
    support::store_program(memory.bytes.data(), program.counts, program.words);
    const oracle::result want = oracle::simulate(p, timing, program.code(), program.counts);
    for (std::uint32_t order = 1; order <= 5; ++order) {
      net.run(support::addresses, order);
      ASSERT_EQ(differences(net, want), "") << "seed " << seed << " order " << order;
    }
  }
}

} // namespace
