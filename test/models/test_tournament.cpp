// SPDX-License-Identifier: Apache-2.0
// The least of many keys, held to one that is searched for.
#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "models/core/tournament.h"

using tpu::core::tournament;

namespace {

TEST(tournament, has_no_least_key_before_there_is_one) {
  tournament keys(3);
  EXPECT_EQ(keys.least(), tournament::absent);
  keys.set(2, 7);
  EXPECT_EQ(keys.least(), 7U);
  keys.set(2, tournament::absent);
  EXPECT_EQ(keys.least(), tournament::absent);
}

TEST(tournament, forgets_all_keys) {
  tournament keys(2);
  keys.set(0, 4);
  keys.set(1, 3);
  keys.clear();
  EXPECT_EQ(keys.least(), tournament::absent);
  keys.set(0, 5);
  EXPECT_EQ(keys.least(), 5U);
}

TEST(tournament, knows_the_least_key_after_each_change) {
  std::mt19937 random(1);
  for (const std::size_t players : {1U, 2U, 5U, 64U, 518U}) {
    SCOPED_TRACE(players);
    tournament keys(players);
    std::vector<std::uint64_t> all(players, tournament::absent);
    for (int change = 0; change < 2000; ++change) {
      const std::size_t k = random() % players;
      all[k] = random() % 8 == 0 ? tournament::absent : random() % 1000;
      keys.set(k, all[k]);
      ASSERT_EQ(keys.least(), *std::min_element(all.begin(), all.end()));
    }
  }
}

} // namespace
