// SPDX-License-Identifier: Apache-2.0
// The changes of streams' occupancy, held to tokens counted cycle by cycle.
#include <random>

#include "models/core/occupancies.h"
#include "support.h"

using tpu::core::cycle;
using tpu::core::cycle_sort;
using tpu::core::occupancies;
using tpu::core::occupancy_change;
using tpu::core::stream_timing;

namespace {

// A stream whose ends move at random, each as far ahead as the other lets it.
struct driven {
  explicit driven(std::uint32_t depth) {
    stream.configure("s" + std::to_string(depth), depth, 8, support::profile());
  }
  void move(std::mt19937 &random) {
    const bool put = random() % 2 == 0;
    if (put && stream.slots_known() != 0) {
      last_put = std::max(last_put + 1 + gap(random), stream.slot_ready());
      stream.put_at(last_put);
      puts.push_back(last_put);
    } else if (!put && stream.tokens_known() != 0) {
      last_take = std::max(last_take + 1 + gap(random), stream.token_ready());
      stream.take_at(last_take);
      takes.push_back(last_take);
    }
  }
  // All that passes before is decided.
  cycle known() const { return std::min(last_put, last_take); }
  std::uint32_t tokens(cycle at) const {
    const auto before = [at](const std::vector<cycle> &of) {
      return std::lower_bound(of.begin(), of.end(), at) - of.begin();
    };
    return static_cast<std::uint32_t>(before(puts) - before(takes));
  }

  stream_timing stream;
  cycle last_put = 0, last_take = 0;
  std::vector<cycle> puts, takes;

private:
  static cycle gap(std::mt19937 &random) {
    return random() % 3 == 0 ? static_cast<cycle>(random() % 5) : 0;
  }
};

TEST(occupancies, are_the_tokens_of_each_cycle) {
  std::mt19937 random(1);
  for (const std::uint32_t depth : {1U, 2U, 16U}) {
    SCOPED_TRACE(depth);
    driven a(depth);
    driven b(3);
    occupancies all;
    cycle_sort<occupancy_change> changes;
    all.watch({&a.stream, &b.stream});
    EXPECT_EQ(all.next(), INT64_MAX);
    std::array<std::uint32_t, 2> now{};
    cycle begin = 0;
    for (int turn = 0; turn < 4000; ++turn) {
      a.move(random);
      b.move(random);
      if (turn % 2 != 0) {
        all.poll();
      }
      const cycle end = std::min({a.known(), b.known(), begin + 64});
      if (turn % 16 != 15 || end <= begin) {
        continue;
      }
      changes.open(begin);
      all.take(end, changes);
      ASSERT_GE(all.next(), end);
      const std::vector<occupancy_change> &sorted = changes.close();
      auto next = sorted.begin();
      for (cycle at = begin; at < end; ++at) {
        std::array<bool, 2> changed{};
        for (; next != sorted.end() && next->from == at; ++next) {
          ASSERT_LT(next->stream, 2U);
          ASSERT_FALSE(changed[next->stream]) << at;
          ASSERT_NE(now[next->stream], next->tokens) << at;
          changed[next->stream] = true;
          now[next->stream] = next->tokens;
        }
        ASSERT_EQ(now[0], a.tokens(at)) << at;
        ASSERT_EQ(now[1], b.tokens(at)) << at;
      }
      begin = end;
    }
    EXPECT_GT(begin, 1000);
  }
}

TEST(occupancies, begin_again_with_nothing) {
  stream_timing s;
  s.configure("s", 2, 8, support::profile());
  occupancies all;
  all.watch({&s});
  s.put_at(5);
  all.poll();
  EXPECT_EQ(all.next(), 6);
  s.reset();
  all.watch({&s});
  EXPECT_EQ(all.next(), INT64_MAX);
  all.poll();
  EXPECT_EQ(all.next(), INT64_MAX);
}

} // namespace
