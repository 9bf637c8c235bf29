// SPDX-License-Identifier: Apache-2.0
// What a search for the smallest depth runs, finds and claims.
#include "judge/depth.h"

#include "test/judge/testing.h"

#include "test/judge/fake_engine.h"

#include <set>

namespace {

// A program that completes at these depths and at all from `above` on.
class search {
public:
  search(const std::set<uint32_t> &at, uint32_t above, uint32_t configured)
      : engine_([at, above](const tpu_engine_request &request) {
          const uint32_t qd = request.params->qd;
          const bool completes = at.count(qd) != 0 || qd >= above;
          return fake_engine::end{completes ? TPU_ENGINE_COMPLETED : TPU_ENGINE_DEADLOCK,
                                  1000 + qd};
        }) {
    params_ = tpu_params_default();
    params_.qd = configured;
    tpu_engine_request request{};
    request.params = &params_;
    tpu_report r{};
    EXPECT_EQ(tpu_depth_search(engine_.table(), &request, &found, &r), 1) << r.text;
    EXPECT_EQ(engine_.runs(), static_cast<int>(found.count));
    for (size_t i = 0; i < found.count; i++) {
      EXPECT_EQ(found.run[i].qd, TPU_MIN_QD + i);
      EXPECT_EQ(found.run[i].cycles, 1000 + found.run[i].qd);
    }
  }
  search(const search &) = delete;
  search &operator=(const search &) = delete;
  ~search() { tpu_depth_release(engine_.table(), &found); }

  uint32_t deepest() const { return found.run[found.count - 1].qd; }

  tpu_depth found{};

private:
  fake_engine engine_;
  tpu_params params_{};
};

constexpr uint32_t never = UINT32_MAX;

TEST(depth, runs_every_depth_up_to_the_configured_one) {
  const search s({}, 9, 16);
  EXPECT_EQ(s.found.smallest, 9U);
  EXPECT_EQ(s.deepest(), 16U);
  EXPECT_EQ(s.found.hangs_above, 0U);
  EXPECT_EQ(s.found.blocked_qd, 8U);
  EXPECT_EQ(s.found.blocked.cycles, 1008U);
}

TEST(depth, goes_deeper_only_while_none_completes) {
  const search s({}, 40, 16);
  EXPECT_EQ(s.found.smallest, 40U);
  EXPECT_EQ(s.deepest(), 40U);
  EXPECT_EQ(s.found.blocked_qd, 39U);
}

// A bisection between 2 and 16 would look at 9, which hangs, and then only above it.
TEST(depth, finds_the_smallest_of_a_program_that_hangs_again_above_it) {
  const search s({5, 6, 15}, 18, 20);
  EXPECT_EQ(s.found.smallest, 5U);
  EXPECT_EQ(s.deepest(), 20U);
  EXPECT_EQ(s.found.hangs_above, 10U); // 7 to 14, 16, 17
  EXPECT_EQ(s.found.blocked_qd, 4U);
  EXPECT_FALSE(s.found.run[16 - TPU_MIN_QD].completed);
}

TEST(depth, has_nothing_below_the_least) {
  const search s({}, 2, 2);
  EXPECT_EQ(s.found.smallest, 2U);
  EXPECT_EQ(s.found.count, 1U);
  EXPECT_EQ(s.found.blocked_qd, 0U);
}

TEST(depth, ends_at_the_deepest_there_is) {
  const search s({}, never, 16);
  EXPECT_EQ(s.found.smallest, 0U);
  EXPECT_EQ(s.deepest(), static_cast<uint32_t>(TPU_MAX_QD));
  EXPECT_EQ(s.found.blocked_qd, static_cast<uint32_t>(TPU_MAX_QD));
  const search last({TPU_MAX_QD}, never, 16);
  EXPECT_EQ(last.found.smallest, static_cast<uint32_t>(TPU_MAX_QD));
}

TEST(depth, reports_an_engine_that_cannot_run_and_a_fault) {
  tpu_params params = tpu_params_default();
  tpu_engine_request request{};
  request.params = &params;
  tpu_depth found;
  tpu_report r{};
  fake_engine broken([](const tpu_engine_request &) {
    return fake_engine::end{TPU_ENGINE_DEADLOCK, 1};
  });
  broken.fail_from(3);
  EXPECT_EQ(tpu_depth_search(broken.table(), &request, &found, &r), 0);
  EXPECT_STREQ(r.text, "no engine left");
  EXPECT_EQ(found.run, nullptr);
  EXPECT_EQ(found.count, 0U);
  const fake_engine faulty([](const tpu_engine_request &q) {
    return fake_engine::end{q.params->qd == 4 ? TPU_ENGINE_FAULT : TPU_ENGINE_DEADLOCK, 1};
  });
  EXPECT_EQ(tpu_depth_search(faulty.table(), &request, &found, &r), 0);
  EXPECT_STREQ(r.text, "QD=4: the run ended in a fault: made up");
}

} // namespace
