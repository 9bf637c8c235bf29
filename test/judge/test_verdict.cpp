// SPDX-License-Identifier: Apache-2.0
#include "judge/verdict.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace {

const char gap[] = "the gap";
const char unfit[] = "too large";
const char unsat[] = "no program";
const char own[] = "the run";

// Which of the four rules of precedence holds, for every standing and every outcome of a run.
TEST(verdict, precedence) {
  const struct {
    tpu_standing standing;
    tpu_verdict run, settled;
    const char *reason;
  } cases[] = {
      {{nullptr, nullptr, nullptr}, TPU_VERDICT_EXACT, TPU_VERDICT_EXACT, own},
      {{nullptr, nullptr, nullptr}, TPU_VERDICT_WRONG, TPU_VERDICT_WRONG, own},
      {{nullptr, nullptr, nullptr}, TPU_VERDICT_CLOBBERED, TPU_VERDICT_CLOBBERED, own},
      {{nullptr, nullptr, nullptr}, TPU_VERDICT_ILLEGAL, TPU_VERDICT_ILLEGAL, own},
      {{nullptr, nullptr, nullptr}, TPU_VERDICT_DECLINED, TPU_VERDICT_DECLINED, own},
      {{nullptr, nullptr, nullptr}, TPU_VERDICT_NO_PROGRAM, TPU_VERDICT_NO_PROGRAM, own},
      {{nullptr, nullptr, nullptr}, TPU_VERDICT_DEADLOCK, TPU_VERDICT_DEADLOCK, own},
      {{nullptr, nullptr, nullptr}, TPU_VERDICT_FAULT, TPU_VERDICT_FAULT, own},
      {{nullptr, nullptr, nullptr}, TPU_VERDICT_NOT_RUN, TPU_VERDICT_NOT_RUN, own},
      {{unfit, nullptr, nullptr}, TPU_VERDICT_NOT_RUN, TPU_VERDICT_SKIPPED, unfit},
      {{unfit, gap, unsat}, TPU_VERDICT_NOT_RUN, TPU_VERDICT_SKIPPED, unfit},
      {{unfit, gap, nullptr}, TPU_VERDICT_WRONG, TPU_VERDICT_SKIPPED, unfit},
      {{nullptr, gap, nullptr}, TPU_VERDICT_WRONG, TPU_VERDICT_KNOWN_GAP, gap},
      {{nullptr, gap, unsat}, TPU_VERDICT_WRONG, TPU_VERDICT_KNOWN_GAP, gap},
      {{nullptr, gap, unsat}, TPU_VERDICT_CLOBBERED, TPU_VERDICT_KNOWN_GAP, gap},
      {{nullptr, gap, unsat}, TPU_VERDICT_ILLEGAL, TPU_VERDICT_KNOWN_GAP, gap},
      {{nullptr, gap, unsat}, TPU_VERDICT_DECLINED, TPU_VERDICT_KNOWN_GAP, gap},
      {{nullptr, gap, unsat}, TPU_VERDICT_DEADLOCK, TPU_VERDICT_KNOWN_GAP, gap},
      {{nullptr, gap, unsat}, TPU_VERDICT_NO_PROGRAM, TPU_VERDICT_NO_PROGRAM, own},
      {{nullptr, nullptr, unsat}, TPU_VERDICT_NO_PROGRAM, TPU_VERDICT_NO_PROGRAM, own},
      {{unfit, nullptr, nullptr}, TPU_VERDICT_NO_PROGRAM, TPU_VERDICT_SKIPPED, unfit},
      {{nullptr, gap, unsat}, TPU_VERDICT_NOT_RUN, TPU_VERDICT_UNSATISFIABLE, unsat},
      {{nullptr, gap, nullptr}, TPU_VERDICT_NOT_RUN, TPU_VERDICT_NOT_RUN, own},
      {{nullptr, gap, nullptr}, TPU_VERDICT_EXACT, TPU_VERDICT_UNEXPECTED_PASS, gap},
      {{nullptr, gap, unsat}, TPU_VERDICT_EXACT, TPU_VERDICT_UNEXPECTED_PASS, gap},
      {{nullptr, gap, unsat}, TPU_VERDICT_FAULT, TPU_VERDICT_FAULT, own},
      {{nullptr, nullptr, unsat}, TPU_VERDICT_NOT_RUN, TPU_VERDICT_UNSATISFIABLE, unsat},
      {{nullptr, nullptr, unsat}, TPU_VERDICT_WRONG, TPU_VERDICT_UNSATISFIABLE, unsat},
      {{nullptr, nullptr, unsat}, TPU_VERDICT_CLOBBERED, TPU_VERDICT_UNSATISFIABLE, unsat},
      {{nullptr, nullptr, unsat}, TPU_VERDICT_DEADLOCK, TPU_VERDICT_UNSATISFIABLE, unsat},
      {{nullptr, nullptr, unsat}, TPU_VERDICT_EXACT, TPU_VERDICT_UNEXPECTED_PASS, unsat},
      {{nullptr, nullptr, unsat}, TPU_VERDICT_FAULT, TPU_VERDICT_FAULT, own},
  };
  int row = 0;
  for (const auto &c : cases) {
    const char *reason = nullptr;
    EXPECT_EQ(tpu_verdict_settle(&c.standing, c.run, own, &reason), c.settled) << row;
    EXPECT_EQ(reason, c.reason) << row;
    row++;
  }
}

TEST(verdict, only_four_leave_a_suite_at_zero) {
  const std::set<tpu_verdict> fine = {TPU_VERDICT_EXACT, TPU_VERDICT_SKIPPED, TPU_VERDICT_KNOWN_GAP,
                                      TPU_VERDICT_UNSATISFIABLE};
  for (int v = 0; v < TPU_VERDICT_COUNT; v++) {
    const auto verdict = static_cast<tpu_verdict>(v);
    EXPECT_EQ(tpu_verdict_fails(verdict), fine.count(verdict) == 0 ? 1 : 0)
        << tpu_verdict_name(verdict);
  }
}

TEST(verdict, names_and_sentences_differ) {
  std::set<std::string> names;
  std::set<std::string> sentences;
  for (int v = 0; v < TPU_VERDICT_COUNT; v++) {
    names.insert(tpu_verdict_name(static_cast<tpu_verdict>(v)));
    sentences.insert(tpu_verdict_sentence(static_cast<tpu_verdict>(v)));
  }
  EXPECT_EQ(names.size(), static_cast<size_t>(TPU_VERDICT_COUNT));
  EXPECT_EQ(sentences.size(), static_cast<size_t>(TPU_VERDICT_COUNT));
  EXPECT_STREQ(tpu_verdict_name(TPU_VERDICT_KNOWN_GAP), "KNOWN GAP");
  EXPECT_STREQ(tpu_verdict_name(TPU_VERDICT_COUNT), "?");
  EXPECT_STREQ(tpu_verdict_sentence(TPU_VERDICT_COUNT), "");
  EXPECT_EQ(tpu_verdict_fails(TPU_VERDICT_COUNT), 1);
}

} // namespace
