// SPDX-License-Identifier: Apache-2.0
// What tpu_workload_satisfiable says beforehand against what the baseline does when it is run.
#include "workload_support.hpp"

#include <map>
#include <set>

namespace {

using namespace tpu_test;

std::set<std::string> satisfiable_at(uint32_t t, uint32_t maxdim, std::set<std::string> *skipped) {
  const tpu_params p = params_of(t, maxdim);
  std::set<std::string> out;
  for (const corpus_entry &entry : corpus_table()) {
    tpu_error why{};
    if (tpu_workload_fits(&p, &entry.w, &why) == 0)
      skipped->insert(entry.file.substr(0, 2));
    else if (tpu_workload_satisfiable(&p, &entry.w, &why) != 0)
      out.insert(entry.file.substr(0, 2));
    else
      EXPECT_STRNE(why.text, "");
  }
  return out;
}

TEST(satisfy, verdicts_of_the_corpus) {
  using names = std::set<std::string>;
  names none;
  names skipped;
  names all;
  for (int i = 1; i <= 22; ++i)
    if (i != 14)
      all.insert((i < 10 ? "0" : "") + std::to_string(i));
  EXPECT_EQ(satisfiable_at(4, 64, &none), all);
  EXPECT_EQ(satisfiable_at(8, 64, &none), (names{"02", "04", "05", "06", "10", "12", "13", "16",
                                                 "17", "18", "19", "20", "21", "22"}));
  EXPECT_EQ(satisfiable_at(16, 64, &none),
            (names{"05", "06", "16", "17", "18", "19", "20", "21", "22"}));
  EXPECT_EQ(none, names{});
  names fitting = satisfiable_at(4, 16, &skipped);
  EXPECT_EQ(skipped, (names{"18", "19", "20", "21", "22"}));
  EXPECT_EQ(fitting.size(), 16U);
}

TEST(satisfy, reasons_name_the_sizes_and_the_cause) {
  const tpu_params p = params_of(4, 64);
  tpu_workload bare = workload_of("mn->mn", {{'m', 4}, {'n', 4}});
  tpu_workload sum = workload_of("mk->m", {{'m', 4}, {'k', 4}});
  sum.write_window = TPU_WINDOW_COLUMN_BLOCK;
  tpu_workload small = workload_of("mn->mn", {{'m', 4}, {'n', 2}});
  small.write_window = TPU_WINDOW_COLUMN_BLOCK;
  add_constant(&small, TPU_CONST_IDENTITY, 2, 2);
  tpu_workload vector = row_reduce_of(8, 8);
  vector.write_window = TPU_WINDOW_EXACT;
  const std::vector<std::pair<tpu_workload, const char *>> cases{
      {gemm_of(8, 6, 8),
       "the reduction k=6 is no multiple of T=4: mm sums whole words of T lanes, operand_pad is "
       "arbitrary, so 2 lane(s) of garbage enter every result, and no opcode zeroes a row"},
      {batched_of(2, 4, 3, 4), "the reduction k=3 is no multiple of T=4"},
      {gemm_of(8, 8, 6), "the output mn has 6 column(s), no multiple of T=4: mvout retires whole "
                         "words of T lanes and must write 2 byte(s) of every row outside the exact "
                         "write window"},
      {vector, "the output m has 1 column(s), no multiple of T=4"},
      {bare, "mm against an identity of 4 x 4 or more; no constant declares one"},
      {sum, "mk->m sums by mm against a column of ones; no constant declares one"},
      {small, "the identity of 2 rows has no zero row for the garbage"},
      {workload_of("mk,nk->mn", {{'m', 4}, {'k', 4}, {'n', 6}}),
       "the output mn has 6 column(s), no multiple of T=4"},
      {workload_of("mk,k->m", {{'m', 4}, {'k', 4}}),
       "the output m has 1 column(s), no multiple of T=4"}};
  for (const auto &[w, text] : cases) {
    tpu_error why{};
    EXPECT_EQ(tpu_workload_satisfiable(&p, &w, &why), 0) << text;
    EXPECT_NE(std::string(why.text).find(text), std::string::npos) << why.text;
    EXPECT_EQ(why.code, TPU_ERR_UNFIT);
  }
}

// Unknown is not impossible: without a mapping only what binds every program speaks against it.
TEST(satisfy, an_einsum_without_a_mapping_is_not_called_impossible) {
  const tpu_params p = params_of(4, 32);
  tpu_workload vector = workload_of("mk,k->m", {{'m', 4}, {'k', 6}});
  vector.write_window = TPU_WINDOW_COLUMN_BLOCK;
  const tpu_workload cases[] = {
      vector, workload_of("abmk,abkn->abmn", {{'a', 2}, {'b', 2}, {'m', 4}, {'k', 4}, {'n', 4}}),
      workload_of("bmk,kn->bmn", {{'b', 2}, {'m', 4}, {'k', 5}, {'n', 8}}),
      workload_of("kn,mk->mn", {{'m', 4}, {'k', 4}, {'n', 4}})};
  for (const tpu_workload &w : cases) {
    tpu_error why{};
    ASSERT_EQ(tpu_workload_form(&w), TPU_FORM_OTHER) << w.output.subscript;
    ASSERT_NE(tpu_workload_fits(&p, &w, &why), 0) << why.text;
    EXPECT_EQ(tpu_workload_satisfiable(&p, &w, &why), 1) << why.text;
    EXPECT_EQ(why.code, TPU_OK);
    EXPECT_NE(baseline_of(p, w).refusal.find("has no mapping"), std::string::npos);
  }
}

// A header count holds 32767: cubes end before the image does, and the mapper agrees where.
TEST(satisfy, ceiling_of_a_cube_follows_from_the_header_counts) {
  const std::map<uint32_t, uint32_t> ceiling{{4, 76}, {8, 120}};
  for (const auto &[t, expected] : ceiling) {
    const uint32_t maxdim = maxdims_at(t).back();
    const tpu_params p = params_of(t, maxdim);
    uint32_t largest = 0;
    for (uint32_t n = t; n <= maxdim; n += t) {
      const tpu_workload w = gemm_of(n, n, n);
      tpu_error why{};
      const bool satisfiable = tpu_workload_satisfiable(&p, &w, &why) != 0;
      const mapped m = baseline_of(p, w);
      EXPECT_EQ(satisfiable, m.refusal.empty()) << n << ": " << m.refusal << why.text;
      largest = satisfiable ? n : largest;
      if (n == expected + t) {
        EXPECT_NE(std::string(why.text).find("header count"), std::string::npos) << why.text;
        EXPECT_NE(m.refusal.find("header count"), std::string::npos) << m.refusal;
      }
    }
    EXPECT_EQ(largest, expected) << "T=" << t;
  }
}

// To the row: the bound of the predicate is what the mapper needs, whichever unit it is.
TEST(satisfy, the_count_bound_is_sharp) {
  const tpu_params p = params_of(4, 88);
  uint32_t satisfiable = 0;
  uint32_t all = 0;
  for (uint32_t m = 50; m <= 88; ++m)
    for (uint32_t k = 56; k <= 88; k += 4)
      for (uint32_t n = 56; n <= 88; n += 4)
        for (const uint32_t relu : {0U, 1U}) {
          tpu_workload w = gemm_of(m, k, n);
          w.relu = relu;
          tpu_error why{};
          const bool says = tpu_workload_satisfiable(&p, &w, &why) != 0;
          ASSERT_EQ(says, baseline_of(p, w).refusal.empty()) << m << "x" << k << "x" << n;
          satisfiable += says ? 1 : 0;
          ++all;
        }
  EXPECT_GT(satisfiable, all / 4);
  EXPECT_LT(satisfiable, all);
}

// Weights for hundreds of one-element batches pass spm one array at a time.
TEST(satisfy, batches_end_at_the_scratchpads_header_count) {
  const tpu_params p = params_of(64, 320);
  std::set<bool> seen;
  for (uint32_t b : {1U, 90U, 96U, 97U, 98U, 99U, 100U, 101U, 128U, 320U}) {
    tpu_workload w = batched_of(b, 1, 1, 320);
    w.pad_zero = 1;
    tpu_error why{};
    const bool satisfiable = tpu_workload_satisfiable(&p, &w, &why) != 0;
    const mapped m = baseline_of(p, w);
    EXPECT_EQ(satisfiable, m.refusal.empty()) << b << ": " << m.refusal << why.text;
    seen.insert(satisfiable);
  }
  EXPECT_EQ(seen.size(), 2U);
}

class satisfy_runs : public testing::TestWithParam<uint32_t> {};

TEST_P(satisfy_runs, corpus_at_every_maxdim) {
  uint32_t satisfiable = 0;
  uint32_t fitting = 0;
  for (uint32_t maxdim : maxdims_at(GetParam())) {
    const tpu_params p = params_of(GetParam(), maxdim);
    bench b(p);
    for (const corpus_entry &entry : corpus_table()) {
      SCOPED_TRACE(entry.file + " at MAXDIM " + std::to_string(maxdim));
      tpu_error why{};
      if (tpu_workload_fits(&p, &entry.w, &why) == 0)
        continue;
      ++fitting;
      satisfiable += agrees_with_runs(p, entry.w, &b, maxdim * 100 + fitting) ? 1 : 0;
      if (HasFailure())
        return;
    }
  }
  // 5 divides no size of the corpus's reductions and columns.
  EXPECT_EQ(satisfiable == 0, GetParam() == 5) << satisfiable;
  EXPECT_GT(fitting, satisfiable);
}

// A workload of a form of the corpus, with whatever sizes, origins, pads, windows and constants.
tpu_workload random_workload(const tpu_params &p, chooser *c) {
  const uint32_t t = p.t;
  const auto size = [&] {
    const uint32_t most = c->one_in(4) ? p.maxdim : std::min(p.maxdim, 3 * t);
    const uint32_t n = 1 + c->upto(most - 1);
    return c->one_in(2) ? std::max(t, n / t * t) : n;
  };
  const auto few = [&] { return 1 + c->upto(5); };
  const auto row = [&] { return c->one_in(2) ? 0 : c->upto(p.maxdim - 1); };
  const auto col = [&] { return c->one_in(2) ? 0 : c->upto(p.maxdim / t - 1) * t; };
  tpu_workload w{};
  switch (c->upto(3)) {
  case 0:
    w = gemm_of(c->one_in(4) ? few() : size(), size(), size());
    break;
  case 1:
    w = batched_of(few(), c->one_in(2) ? few() : size(), c->one_in(2) ? few() : size(), size());
    break;
  case 2:
    w = workload_of("mn->mn", {{'m', size()}, {'n', c->one_in(2) ? few() : size()}});
    break;
  default:
    w = workload_of("mk->m", {{'m', size()}, {'k', size()}});
    break;
  }
  const bool wants_constant = w.inputs == 1;
  for (uint32_t n = wants_constant ? c->upto(2) : c->upto(5) / 4; n > 0; --n) {
    uint32_t kind = c->upto(2);
    if (wants_constant && !c->one_in(4))
      kind = w.output.subscript[1] != '\0' ? TPU_CONST_IDENTITY : TPU_CONST_ONES_COLUMN;
    const auto edge = [&] {
      return c->one_in(2) ? 0 : 1 + c->upto(std::min(p.maxdim, 2 * t + 1) - 1);
    };
    add_constant(&w, kind, edge(), edge(), c->upto(1), row(), col());
  }
  w.relu = c->upto(1);
  w.pad_zero = c->upto(1);
  w.write_window = c->one_in(3) ? TPU_WINDOW_EXACT : TPU_WINDOW_COLUMN_BLOCK;
  for (uint32_t i = 0; i < w.inputs; ++i) {
    w.input[i].row = row();
    w.input[i].col = col();
    if (c->one_in(3))
      w.input[i].buffer = c->upto(1);
  }
  w.output.row = row();
  w.output.col = col();
  return w;
}

std::string described(const tpu_workload &w) {
  std::stringstream s;
  for (uint32_t i = 0; i < w.indices; ++i)
    s << static_cast<char>(w.index[i].letter) << w.index[i].size << ' ';
  for (uint32_t i = 0; i < w.inputs; ++i)
    s << w.input[i].subscript << " in " << w.input[i].buffer << " [" << w.input[i].row << ", "
      << w.input[i].col << "] ";
  s << "-> " << w.output.subscript << " [" << w.output.row << ", " << w.output.col << "]";
  for (uint32_t i = 0; i < w.constants; ++i)
    s << ", constant " << w.constant[i].kind << " " << w.constant[i].rows << " x "
      << w.constant[i].cols << " in " << w.constant[i].buffer << " [" << w.constant[i].row << ", "
      << w.constant[i].col << "]";
  s << ", relu " << w.relu << ", pad_zero " << w.pad_zero << ", window " << w.write_window;
  return s.str();
}

TEST_P(satisfy_runs, random_workloads) {
  const std::vector<uint32_t> maxdims = maxdims_at(GetParam());
  chooser choose(GetParam());
  std::map<std::pair<int, bool>, uint32_t> seen;
  for (uint32_t n = 0; n < 8000 / GetParam(); ++n) {
    const uint32_t maxdim =
        maxdims[choose.one_in(8) ? choose.upto(static_cast<uint32_t>(maxdims.size()) - 1)
                                 : std::min<size_t>(choose.upto(6), maxdims.size() - 1)];
    const tpu_params p = params_of(GetParam(), maxdim);
    const tpu_workload w = random_workload(p, &choose);
    tpu_error why{};
    if (tpu_workload_fits(&p, &w, &why) == 0)
      continue;
    SCOPED_TRACE("MAXDIM " + std::to_string(maxdim) + ": " + described(w));
    bench b(p);
    ++seen[{tpu_workload_form(&w), agrees_with_runs(p, w, &b, n)}];
    if (HasFailure())
      return;
  }
  EXPECT_EQ(seen.size(), 8U) << "each form is to be met both satisfiable and not";
  for (const auto &[key, times] : seen)
    EXPECT_GE(times, 10U) << "form " << key.first << ", satisfiable " << key.second;
}

INSTANTIATE_TEST_SUITE_P(t, satisfy_runs, testing::Values(4U, 5U, 6U, 8U, 12U, 16U),
                         testing::PrintToStringParamName());

} // namespace
