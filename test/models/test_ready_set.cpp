// SPDX-License-Identifier: Apache-2.0
// A set of elements that have something to do: who is in it, and in which order they are visited.
#include <numeric>

#include <gtest/gtest.h>

#include "models/core/ready_set.h"

using tpu::core::ready_set;

namespace {

using elements = std::vector<std::size_t>;

elements visited(const ready_set &set) {
  elements seen;
  set.visit([&seen](std::size_t k) { seen.push_back(k); });
  return seen;
}

elements drained(ready_set &set) {
  elements seen;
  set.drain([&seen](std::size_t k) { seen.push_back(k); });
  return seen;
}

TEST(ready_set, visits_each_element_in_order_and_keeps_it) {
  ready_set set(300);
  EXPECT_TRUE(set.empty());
  for (const std::size_t k : {299U, 0U, 64U, 63U, 256U, 64U}) {
    set.insert(k);
  }
  const elements all{0, 63, 64, 256, 299};
  EXPECT_EQ(visited(set), all);
  EXPECT_EQ(visited(set), all);
  EXPECT_FALSE(set.empty());
}

TEST(ready_set, holds_every_element_of_its_size) {
  ready_set set(1024);
  for (std::size_t k = 0; k < 1024; ++k) {
    set.insert(k);
  }
  elements all(1024);
  std::iota(all.begin(), all.end(), 0U);
  EXPECT_EQ(visited(set), all);
  EXPECT_EQ(drained(set), all);
  EXPECT_TRUE(set.empty());
}

TEST(ready_set, forgets_who_is_erased_and_no_one_else) {
  ready_set set(128);
  for (const std::size_t k : {1U, 2U, 65U, 66U}) {
    set.insert(k);
  }
  set.erase(2);
  set.erase(65);
  set.erase(100); // was not there
  EXPECT_EQ(visited(set), (elements{1, 66}));
  set.clear();
  EXPECT_TRUE(set.empty());
  EXPECT_EQ(visited(set), elements{});
}

TEST(ready_set, drains_what_comes_meanwhile_if_it_is_later) {
  ready_set set(128);
  set.insert(70);
  elements seen;
  set.drain([&](std::size_t k) {
    seen.push_back(k);
    if (k == 70) {
      set.insert(71); // later
      set.insert(5);  // in a word that has been passed
    }
  });
  EXPECT_EQ(seen, (elements{70, 71}));
  EXPECT_EQ(drained(set), elements{5});
  EXPECT_TRUE(set.empty());
}

} // namespace
