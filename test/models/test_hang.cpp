// SPDX-License-Identifier: Apache-2.0
// What is told of a hang: every process that has not finished, on an access that indeed cannot go,
// and a circle in which each waits on the next.
#include <map>
#include <set>

#include "support.h"

using tpu::core::access_kind;
using tpu::core::blocked_access;
using tpu::core::outcome;

namespace {

struct column {
  std::uint32_t t, maxdim, qd;
};

class hang : public testing::TestWithParam<column> {};

void check(const tpu::core::network &net) {
  std::map<std::string, std::string> peer;
  std::set<std::string> units;
  for (const blocked_access &b : net.blocked()) {
    ASSERT_TRUE(peer.emplace(b.process, b.peer).second) << b.process << " twice";
    ASSERT_FALSE(b.stream.empty()) << b.process;
    ASSERT_EQ(b.occupancy, b.kind == access_kind::put ? b.depth : 0) << b.process;
    for (const std::string &between : {std::string("a_fwd"), std::string("p_fwd")}) {
      if (b.stream.rfind(between, 0) == 0) { // as the PE that puts there
        const std::string &putter = b.kind == access_kind::put ? b.process : b.peer;
        ASSERT_EQ("pe" + b.stream.substr(between.size()), putter) << b.process;
      }
    }
    const std::string unit = b.process.substr(0, b.process.find('['));
    units.insert(unit == "wld" || unit == "pe" ? "array" : unit);
  }
  for (const tpu::core::unit *u : net.units()) {
    ASSERT_EQ(units.count(u->name()), u->finished() ? 0U : 1U) << u->name();
  }
  const std::vector<std::string> circle = net.wait_cycle();
  ASSERT_GE(circle.size(), 2U);
  for (std::size_t k = 0; k < circle.size(); ++k) {
    ASSERT_EQ(peer.count(circle[k]), 1U) << circle[k];
    ASSERT_EQ(peer[circle[k]], circle[(k + 1) % circle.size()]);
  }
  ASSERT_EQ(std::set<std::string>(circle.begin(), circle.end()).size(), circle.size());
}

TEST_P(hang, is_told_with_a_true_circle) {
  const column k = GetParam();
  const tpu_params p = random_program::parameters(k.t, k.maxdim, k.qd);
  support::flat_memory memory;
  tpu::core::plain_network net(p, support::profile(), {memory, memory, memory}, 1);
  int hung = 0;
  for (std::uint32_t seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    random_program::program program = random_program::make(p, seed);
    support::store_program(memory.bytes.data(), program.counts, program.words);
    if (net.run(support::addresses) == outcome::deadlock) {
      ASSERT_NO_FATAL_FAILURE(check(net));
      ++hung;
    }
  }
  EXPECT_GT(hung, 0);
}

TEST(hangs, tell_depths_that_no_byte_holds) {
  const tpu_params p = random_program::parameters(4, 16, 300);
  support::flat_memory memory;
  tpu::core::plain_network net(p, support::profile(), {memory, memory, memory}, 1);
  int told = 0;
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    random_program::program program = random_program::make(p, seed);
    program.counts.vru /= 2; // the PEs wait for the other rows in vain
    support::store_program(memory.bytes.data(), program.counts, program.words);
    (void)net.run(support::addresses);
    for (const blocked_access &b : net.blocked()) {
      if (b.process.rfind("pe[", 0) == 0 && b.stream.rfind("wq[", 0) != 0) {
        ASSERT_EQ(b.depth, 300U) << b.process << " on " << b.stream;
        ++told;
      }
    }
  }
  EXPECT_GT(told, 0);
}

// The time to the error counts from the last cycle in which a unit moved or a request was under
// way.
TEST(hangs, are_detected_when_nothing_is_under_way) {
  const tpu_params p = random_program::parameters(4, 16, 16);
  support::flat_memory memory;
  int stored = 0;
  for (std::uint32_t seed = 1; seed <= 100; ++seed) {
    random_program::program program = random_program::make(p, seed);
    program.counts.dma_st += 4; // waited for in vain
    support::store_program(memory.bytes.data(), program.counts, program.words);
    for (const tpu::core::cycle latency : {0, 700}) {
      support::late_memory results(memory);
      results.latency = latency;
      tpu::core::plain_network net(p, support::profile(), {memory, memory, results}, 1);
      ASSERT_EQ(net.run(support::addresses), outcome::deadlock) << "seed " << seed;
      tpu::core::cycle last = results.last_answer;
      for (const tpu::core::unit *u : net.units()) {
        last = std::max(last, u->end() - 1);
      }
      ASSERT_EQ(net.elapsed(), last + net.timing().deadlock_detect_cycles) << "seed " << seed;
      stored += last == results.last_answer && latency != 0 ? 1 : 0;
    }
  }
  EXPECT_GT(stored, 0);
}

INSTANTIATE_TEST_SUITE_P(columns, hang,
                         testing::Values(column{4, 16, 2}, column{4, 16, 3}, column{4, 16, 8},
                                         column{5, 20, 4}, column{8, 32, 4}, column{8, 32, 8}),
                         [](const auto &which) {
                           const column &k = which.param;
                           return "T" + std::to_string(k.t) + "_QD" + std::to_string(k.qd);
                         });

} // namespace
