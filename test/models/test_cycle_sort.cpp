// SPDX-License-Identifier: Apache-2.0
// Sorting by cycle, held to the standard library's.
#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "models/core/cycle_sort.h"

using tpu::core::cycle;
using tpu::core::cycle_sort;

namespace {

struct event {
  cycle from;
  int number;
};

bool operator==(const event &a, const event &b) { return a.from == b.from && a.number == b.number; }

TEST(cycle_sort, of_nothing_is_nothing) {
  cycle_sort<event> sort;
  sort.open(0);
  EXPECT_TRUE(sort.close().empty());
}

TEST(cycle_sort, keeps_the_order_within_a_cycle) {
  std::mt19937 random(1);
  cycle_sort<event> sort;
  for (int window = 0; window < 200; ++window) {
    SCOPED_TRACE(window);
    const cycle begin = static_cast<cycle>(random()) << (window % 20);
    const cycle length = 1 + random() % 300;
    std::vector<event> all;
    sort.open(begin);
    for (int n = 0; n < window * 3; ++n) {
      all.push_back({begin + static_cast<cycle>(random() % static_cast<std::uint64_t>(length)), n});
      sort.add(all.back());
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const event &a, const event &b) { return a.from < b.from; });
    ASSERT_EQ(sort.close(), all);
  }
}

TEST(cycle_sort, takes_the_first_and_the_last_cycle) {
  cycle_sort<event> sort;
  sort.open(10);
  sort.add({11, 1});
  sort.add({10, 2});
  sort.add({11, 3});
  const std::vector<event> want = {{10, 2}, {11, 1}, {11, 3}};
  EXPECT_EQ(sort.close(), want);
}

} // namespace
