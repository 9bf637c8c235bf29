// SPDX-License-Identifier: Apache-2.0
// An engine made up for a test: a function says how a run ends.
#ifndef TPU_TEST_JUDGE_FAKE_ENGINE_H
#define TPU_TEST_JUDGE_FAKE_ENGINE_H

#include "judge/engine.h"

#include <cstdint>
#include <functional>

#include <gtest/gtest.h>

class fake_engine {
public:
  struct end {
    tpu_engine_outcome outcome;
    std::uint64_t cycles;
  };
  explicit fake_engine(std::function<end(const tpu_engine_request &)> ends)
      : ends_(std::move(ends)), table_{this, 0, run, release} {}
  fake_engine(const fake_engine &) = delete;
  fake_engine &operator=(const fake_engine &) = delete;
  ~fake_engine() { EXPECT_EQ(held_, 0) << "results that were not released, or twice"; }

  const tpu_engine *table() const { return &table_; }
  int runs() const { return runs_; }
  // From this run on, counted from 0, none is possible.
  void fail_from(int run) { fails_from_ = run; }

private:
  static int run(void *context, const tpu_engine_request *request, tpu_engine_result *result,
                 tpu_report *r) {
    auto &self = *static_cast<fake_engine *>(context);
    if (self.runs_ == self.fails_from_)
      return tpu_report_fail(r, TPU_ERR_CAPACITY, "no engine left");
    const end e = self.ends_(*request);
    *result = tpu_engine_result{};
    result->outcome = e.outcome;
    result->cycles = e.cycles;
    result->text = e.outcome == TPU_ENGINE_COMPLETED ? "" : "made up";
    result->storage = context;
    ++self.runs_;
    ++self.held_;
    return 1;
  }
  static void release(tpu_engine_result *result) {
    --static_cast<fake_engine *>(result->storage)->held_;
    *result = tpu_engine_result{};
  }

  std::function<end(const tpu_engine_request &)> ends_;
  tpu_engine table_;
  int runs_ = 0;
  int held_ = 0;
  int fails_from_ = -1;
};

#endif
