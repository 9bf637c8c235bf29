// SPDX-License-Identifier: Apache-2.0
// Queues that share a file: what comes out is what went in, and what is spilt is not in memory.
#include <sys/resource.h>

#include <csignal>
#include <deque>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "models/core/spill_queue.h"

using tpu::core::spill_file;
using tpu::core::spill_queue;

namespace {

TEST(spill_queue, leaves_memory_when_it_is_spilt) {
  spill_file file;
  spill_queue<int> first;
  spill_queue<int> second;
  for (int round = 0; round < 3; ++round) { // the file is empty again between them
    for (int k = 0; k < 5; ++k) {
      first.push(k);
      second.push(-k);
    }
    first.spill(file);
    second.spill(file);
    EXPECT_EQ(first.in_memory(), 0U);
    EXPECT_EQ(second.in_memory(), 0U);
    for (int k = 0; k < 5; ++k) {
      ASSERT_TRUE(first.normalise(file) && second.normalise(file));
      EXPECT_EQ(first.front(), k);
      EXPECT_EQ(second.front(), -k);
      first.pop();
      second.pop();
      EXPECT_EQ(first.in_memory(), static_cast<std::size_t>(4 - k));
    }
    EXPECT_TRUE(first.empty() && second.empty());
  }
}

TEST(spill_queue, is_empty_once_it_is_cleared) {
  spill_file file;
  spill_queue<int> q;
  q.push(1);
  q.spill(file);
  q.push(2);
  ASSERT_FALSE(q.empty());
  q.clear();
  EXPECT_TRUE(q.empty());
  q.push(3);
  ASSERT_TRUE(q.normalise(file));
  EXPECT_EQ(q.front(), 3);
}

TEST(spill_queue, stays_in_memory_where_it_cannot_be_written) {
  spill_file file;
  spill_queue<int> q;
  for (int k = 0; k < 5; ++k) {
    q.push(k);
  }
  rlimit usual{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &usual), 0);
  const rlimit none{0, usual.rlim_max};
  const auto on_excess = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &none), 0);
  q.spill(file);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &usual), 0);
  (void)std::signal(SIGXFSZ, on_excess);
  EXPECT_EQ(q.in_memory(), 5U);
  for (int k = 0; k < 5; ++k) {
    ASSERT_TRUE(q.normalise(file));
    EXPECT_EQ(q.front(), k);
    q.pop();
  }
  EXPECT_TRUE(q.empty());
}

TEST(spill_queue, is_a_queue_whatever_is_spilt_when) {
  std::mt19937 random(1);
  spill_file file;
  std::vector<spill_queue<std::uint32_t>> queues(3);
  std::vector<std::deque<std::uint32_t>> want(queues.size());
  for (std::uint32_t k = 0; k < 20000; ++k) {
    const std::size_t which = random() % queues.size();
    spill_queue<std::uint32_t> &q = queues[which];
    std::deque<std::uint32_t> &w = want[which];
    switch (random() % 64) {
    case 0:
      q.spill(file);
      break;
    case 1:
      q.clear();
      w.clear();
      break;
    default:
      if (random() % 2 == 0) {
        q.push(k);
        w.push_back(k);
      } else if (!w.empty()) {
        ASSERT_FALSE(q.empty());
        ASSERT_TRUE(q.normalise(file));
        ASSERT_TRUE(q.has_front());
        ASSERT_EQ(q.front(), w.front());
        q.pop();
        w.pop_front();
      }
    }
    ASSERT_EQ(q.empty(), w.empty());
    ASSERT_LE(q.in_memory(), w.size());
  }
}

} // namespace
