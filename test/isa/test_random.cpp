// SPDX-License-Identifier: Apache-2.0
#include "isa/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <vector>

namespace {

// The first numbers of the generator as it was published, from the state that stands there.
TEST(Random, IsMarsagliasXorshift) {
  tpu_random r{2463534242U};
  for (const uint32_t published : {723471715U, 2497366906U, 2064144800U})
    EXPECT_EQ(tpu_random_next(&r), published);
}

TEST(Random, NoSeedSticksAndNoTwoStartAlike) {
  const uint32_t seeds = 1U << 20;
  std::vector<uint32_t> states(2 * seeds);
  for (uint32_t k = 0; k < seeds; ++k) {
    states[2 * k] = tpu_random_seeded(k).state;
    states[2 * k + 1] = tpu_random_seeded(UINT32_MAX - k).state;
  }
  std::sort(states.begin(), states.end());
  EXPECT_EQ(std::adjacent_find(states.begin(), states.end()), states.end());
  EXPECT_NE(states.front(), 0U);
  EXPECT_NE(tpu_random_seeded(0x9e3779b9U).state, 0U); // what the scramble takes to 0
}

// Half the bits of a first number change, whichever bit of the seed does.
TEST(Random, NearbySeedsAreUnrelated) {
  const uint32_t seeds = 4096;
  for (unsigned bit = 0; bit < 32; ++bit) {
    std::array<uint32_t, 32> changed{};
    for (uint32_t seed = 0; seed < seeds; ++seed) {
      tpu_random a = tpu_random_seeded(seed);
      tpu_random b = tpu_random_seeded(seed ^ (1U << bit));
      const std::bitset<32> difference(tpu_random_next(&a) ^ tpu_random_next(&b));
      for (unsigned k = 0; k < 32; ++k)
        changed.at(k) += difference[k] ? 1U : 0U;
    }
    for (unsigned k = 0; k < 32; ++k) {
      EXPECT_GT(changed.at(k), seeds / 4) << "seed bit " << bit << ", number bit " << k;
      EXPECT_LT(changed.at(k), 3 * seeds / 4) << "seed bit " << bit << ", number bit " << k;
    }
  }
}

TEST(Random, ARangeHasBothItsEndsAndNothingElse) {
  tpu_random r = tpu_random_seeded(1);
  std::array<unsigned, 7> seen{};
  for (unsigned k = 0; k < 7000; ++k) {
    const int32_t x = tpu_random_range(&r, -3, 3);
    ASSERT_GE(x, -3);
    ASSERT_LE(x, 3);
    ++seen.at(static_cast<size_t>(x) + 3); // wraps round to 0
  }
  for (const unsigned n : seen)
    EXPECT_NEAR(n, 1000, 150);
  EXPECT_EQ(tpu_random_range(&r, 9, 9), 9);
  // The whole of it is the generator's own number.
  tpu_random same = r;
  EXPECT_EQ(tpu_random_range(&r, INT32_MIN, INT32_MAX),
            static_cast<int32_t>(tpu_random_next(&same) + 0x80000000U));
}

} // namespace
