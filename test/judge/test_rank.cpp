// SPDX-License-Identifier: Apache-2.0
// Orders by cycles and by estimate, equals, and what has no place in them.
#include "judge/rank.h"

#include <gtest/gtest.h>
#include <vector>

namespace {

TEST(rank, by_cycles_and_by_estimate) {
  std::vector<tpu_ranked> e{{1, 300, 10, 0, 0}, {0, 1, 1, 0, 0}, {1, 100, 30, 0, 0},
                            {1, 100, 20, 0, 0}, {0, 0, 0, 0, 0}, {1, 200, 20, 0, 0}};
  std::vector<size_t> order(e.size());
  tpu_rank(e.data(), e.size(), order.data());
  EXPECT_EQ(order, (std::vector<size_t>{2, 3, 5, 0, 1, 4}));
  std::vector<uint32_t> ranks;
  std::vector<uint32_t> estimates;
  for (const tpu_ranked &x : e) {
    ranks.push_back(x.rank);
    estimates.push_back(x.estimate_rank);
  }
  EXPECT_EQ(ranks, (std::vector<uint32_t>{4, 0, 1, 1, 0, 3}));
  EXPECT_EQ(estimates, (std::vector<uint32_t>{1, 0, 4, 2, 0, 2}));
}

TEST(rank, of_more_programs_than_a_byte_counts) {
  std::vector<tpu_ranked> e;
  for (std::uint64_t i = 0; i < 300; ++i)
    e.push_back({1, 1000 - i, 1, 0, 0});
  std::vector<size_t> order(e.size(), e.size());
  tpu_rank(e.data(), e.size(), order.data());
  for (size_t i = 0; i < e.size(); ++i) {
    EXPECT_EQ(order[i], e.size() - 1 - i);
    EXPECT_EQ(e[order[i]].rank, i + 1);
  }
}

TEST(rank, pairs) {
  const tpu_ranked fast{1, 100, 20, 0, 0};
  const tpu_ranked same_estimate{1, 200, 20, 0, 0};
  const tpu_ranked slow{1, 300, 30, 0, 0};
  const tpu_ranked underrated{1, 400, 10, 0, 0};
  const tpu_ranked hangs{0, 400, 10, 0, 0};
  EXPECT_EQ(tpu_rank_pair(&fast, &slow), TPU_RANK_AGREES);
  EXPECT_EQ(tpu_rank_pair(&slow, &fast), TPU_RANK_AGREES);
  EXPECT_EQ(tpu_rank_pair(&same_estimate, &fast), TPU_RANK_EQUAL);
  EXPECT_EQ(tpu_rank_pair(&underrated, &fast), TPU_RANK_REVERSED);
  EXPECT_EQ(tpu_rank_pair(&fast, &fast), TPU_RANK_NOTHING);
  EXPECT_EQ(tpu_rank_pair(&fast, &hangs), TPU_RANK_NOTHING);
}

} // namespace
