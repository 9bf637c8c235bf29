// SPDX-License-Identifier: Apache-2.0
// GEMMs by tiles: every program legal, its work what the tile needs, C exact by the interpreter on
// packed images, and the limits by name.
#include "isa/tile.h"
#include "workload_support.hpp"

#include <set>

namespace {

using namespace tpu_test;

struct shape {
  uint32_t m, k, n;
};

std::ostream &operator<<(std::ostream &out, const shape &s) {
  return out << s.m << " x " << s.k << " x " << s.n;
}

tpu_tile_plan plan_of(const tpu_params &p, const shape &s, std::string *refusal = nullptr) {
  tpu_tile_plan plan{};
  tpu_error e{};
  const bool planned = tpu_tile_cut(&p, s.m, s.k, s.n, &plan, &e) != 0;
  if (refusal != nullptr)
    *refusal = planned ? "" : e.text;
  else
    EXPECT_TRUE(planned) << s << ": " << e.text;
  return plan;
}

struct tile_program {
  std::vector<tpu_word> words;
  tpu_counts counts{};
};

tile_program program_of(const tpu_params &p, const tpu_tile_plan &plan, uint32_t rows,
                        uint32_t blocks) {
  tile_program out;
  out.words.resize(tpu_program_capacity(&p));
  tpu_program program{out.words.data(), static_cast<uint32_t>(out.words.size()), 0};
  tpu_error e{};
  EXPECT_TRUE(tpu_tile_map(&p, &plan, rows, blocks, &program, &out.counts, &e)) << e.text;
  out.words.resize(program.count);
  return out;
}

// Header words of the mapper's own counts, and of those that the checker walks.
void expect_same_counts(const tpu_counts &mapped, const tpu_counts &walked) {
  uint64_t a[TPU_HEADER_WORDS];
  uint64_t b[TPU_HEADER_WORDS];
  ASSERT_TRUE(tpu_header_pack(&mapped, a));
  ASSERT_TRUE(tpu_header_pack(&walked, b));
  for (unsigned i = 0; i < TPU_HEADER_WORDS; ++i)
    EXPECT_EQ(a[i], b[i]) << "header word " << i;
}

// A program for every shape of tile, and no more work than the tile needs.
void expect_programs(const tpu_params &p, const tpu_tile_plan &plan) {
  const uint32_t t = p.t;
  for (const uint32_t i : {0U, plan.row_tiles - 1})
    for (const uint32_t j : {0U, plan.col_tiles - 1}) {
      const uint32_t rows = tpu_tile_rows(&plan, i);
      const uint32_t blocks = tpu_tile_blocks(&p, &plan, j);
      const tile_program program = program_of(p, plan, rows, blocks);
      const verdict v = check_words(p, program.words);
      ASSERT_TRUE(v.legal) << v;
      expect_same_counts(program.counts, v.counts);
      const uint32_t mm_rows = std::max<uint32_t>(rows, TPU_AR_RAW_DIST);
      EXPECT_EQ(v.counts.dma_ld, plan.kt * mm_rows + plan.kt * t * blocks);
      EXPECT_EQ(v.counts.mm_rows, plan.kt * mm_rows * blocks);
      EXPECT_EQ(v.counts.dma_st, rows * blocks);
    }
}

class tiling {
public:
  tiling(const tpu_params &p, const shape &s, uint32_t seed)
      : p_(p), s_(s), plan_(plan_of(p, s)), choose_(seed),
        a_(drawn(size_t{s.m} * s.k, static_cast<int>(choose_.upto(DISTRIBUTIONS - 1)), &choose_)),
        b_(drawn(size_t{s.k} * s.n, static_cast<int>(choose_.upto(DISTRIBUTIONS - 1)), &choose_)),
        c_(size_t{s.m} * s.n, 85) {}

  // By tiles, each on chip and images full of garbage, against the sums made here.
  void expect_exact() {
    for (uint32_t i = 0; i < plan_.row_tiles; ++i)
      for (uint32_t j = 0; j < plan_.col_tiles; ++j)
        run(i, j);
    for (uint32_t i = 0; i < s_.m; ++i)
      for (uint32_t j = 0; j < s_.n; ++j) {
        int64_t sum = 0;
        for (uint32_t k = 0; k < s_.k; ++k)
          sum += a_[size_t{i} * s_.k + k] * b_[size_t{k} * s_.n + j];
        ASSERT_EQ(c_[size_t{i} * s_.n + j], std::clamp<int64_t>(sum, -128, 127))
            << s_ << " at " << i << ", " << j;
      }
  }

private:
  void run(uint32_t i, uint32_t j) {
    const size_t whole = size_t{p_.maxdim} * p_.maxdim;
    std::vector<int8_t> a = garbage(whole);
    std::vector<int8_t> b = garbage(whole);
    std::vector<int8_t> c = garbage(whole);
    ASSERT_TRUE(plan_.a_bytes % 4 == 0 && plan_.b_bytes % 4 == 0) << "no base of the next image";
    const std::vector<int8_t> before_a = a;
    const std::vector<int8_t> before_b = b;
    tpu_tile_pack_a(&p_, &plan_, a_.data(), i, a.data());
    tpu_tile_pack_b(&p_, &plan_, b_.data(), j, b.data());
    for (size_t at = plan_.a_bytes; at < whole; ++at)
      ASSERT_EQ(a[at], before_a[at]) << "image A is longer than it was said to be";
    for (size_t at = plan_.b_bytes; at < whole; ++at)
      ASSERT_EQ(b[at], before_b[at]) << "image B is longer than it was said to be";
    interpret(i, j, a, b, &c);
    tpu_tile_unpack(&p_, &plan_, c.data(), i, j, c_.data());
  }

  void interpret(uint32_t i, uint32_t j, const std::vector<int8_t> &a, const std::vector<int8_t> &b,
                 std::vector<int8_t> *c) {
    tile_program program =
        program_of(p_, plan_, tpu_tile_rows(&plan_, i), tpu_tile_blocks(&p_, &plan_, j));
    std::vector<int8_t> spad(size_t{p_.spad_rows} * p_.t);
    std::vector<int8_t> vr(size_t{p_.nvr} * p_.t);
    std::vector<int32_t> ar(size_t{p_.nar} * p_.t);
    tpu_state s{spad.data(), vr.data(), ar.data()};
    tpu_state_scramble(&p_, &s, i + j + 1);
    const auto n = static_cast<uint32_t>(program.words.size());
    insns decoded(n);
    const tpu_program words{program.words.data(), n, n};
    tpu_code code{decoded.data(), n, 0};
    tpu_error e{};
    ASSERT_TRUE(tpu_decode_program(&words, &code, nullptr, nullptr, &e)) << e.text;
    ASSERT_TRUE(tpu_interpret(&p_, &code, &s, a.data(), b.data(), c->data(), &e)) << e.text;
  }

  std::vector<int8_t> garbage(size_t bytes) { return drawn(bytes, FULL, &choose_); }

  tpu_params p_;
  shape s_;
  tpu_tile_plan plan_;
  chooser choose_;
  std::vector<int8_t> a_, b_, c_;
};

TEST(tile, sizes_around_every_edge_are_exact) {
  const uint32_t sets[][2] = {{4, 16}, {4, 64}, {5, 5},   {5, 20}, {5, 25},
                              {8, 16}, {8, 64}, {16, 16}, {16, 64}};
  uint32_t seed = 0;
  for (const auto &set : sets) {
    const tpu_params p = params_of(set[0], set[1]);
    const uint32_t t = p.t;
    SCOPED_TRACE("T=" + std::to_string(t) + " MAXDIM=" + std::to_string(p.maxdim));
    const uint32_t longest = tpu_operand_rows(&p);
    const shape shapes[] = {{1, 1, 1},
                            {t, t, t},
                            {3, t + 1, 2 * t - 1},
                            {t + 1, 2 * t + 3, t + 1},
                            {p.maxdim, p.maxdim, p.maxdim},
                            {p.maxdim + 1, p.maxdim + 1, p.maxdim + 1},
                            {p.maxdim - 1, t - 1, 2 * p.maxdim + 1},
                            {2 * t + 1, longest, t + 1},
                            {5, longest - t - 1, 2 * t},
                            // two full tiles of 8 rows, whose strips stand lower than the last's
                            {21, 11 * t, 2 * t - 1}};
    for (const shape &s : shapes) {
      if (s.k > longest)
        continue;
      SCOPED_TRACE(testing::PrintToString(s.m) + " x " + std::to_string(s.k) + " x " +
                   std::to_string(s.n));
      expect_programs(p, plan_of(p, s));
      tiling(p, s, ++seed).expect_exact();
    }
  }
}

TEST(tile, random_sizes_are_exact) {
  chooser choose(7);
  for (uint32_t n = 0; n < 60; ++n) {
    const uint32_t ts[] = {4, 5, 8, 16};
    const uint32_t t = ts[choose.upto(3)];
    const tpu_params p = params_of(t, t * (1 + choose.upto(4)));
    const uint32_t longest = tpu_operand_rows(&p);
    const shape s{1 + choose.upto(70), 1 + choose.upto(std::min(longest, 200U) - 1),
                  1 + choose.upto(70)};
    SCOPED_TRACE("T=" + std::to_string(t) + " MAXDIM=" + std::to_string(p.maxdim));
    expect_programs(p, plan_of(p, s));
    tiling(p, s, n + 100).expect_exact();
  }
}

// The default instruction memory holds the program of every K, on every legal pair of T and MAXDIM.
TEST(tile, every_reduction_has_a_program) {
  for (uint32_t t = TPU_MIN_T; t <= TPU_MAX_T; t += t < 16 ? 1 : 12)
    for (const uint32_t maxdim : maxdims_at(t)) {
      if (maxdim > tpu_maxdim_ceiling(t))
        continue;
      const tpu_params p = params_of(t, maxdim);
      const uint32_t longest = maxdim / t * maxdim;
      const uint32_t step = std::max(1U, longest / 37);
      SCOPED_TRACE("T=" + std::to_string(t) + " MAXDIM=" + std::to_string(maxdim));
      for (uint32_t k = longest; k > 0; k -= std::min(k, step))
        expect_programs(p, plan_of(p, {2 * maxdim + 3, k, 3 * maxdim + 1}));
    }
}

// As many rows and columns as fit: one more of either would not.
TEST(tile, a_full_tile_is_the_largest) {
  const tpu_params p = params_of(4, 64);
  const struct {
    shape s;
    uint32_t rows, blocks;
  } table[] = {
      {{200, 64, 200}, 64, 16}, // the images as they are
      {{200, 65, 200}, 32, 15}, // two strips to a column block; 17 k-blocks of 256 words' columns
      {{128, 768, 768}, 5, 1},  // GPT-2's projection: 192 k-blocks of 5 words in 1024
      {{200, 1024, 200}, 4, 1}, {{200, 1, 200}, 64, 16}, {{2, 64, 5}, 2, 2}, // no larger than C
  };
  for (const auto &row : table) {
    const tpu_tile_plan plan = plan_of(p, row.s);
    EXPECT_EQ(plan.rows, row.rows) << row.s;
    EXPECT_EQ(plan.blocks, row.blocks) << row.s;
  }
  // 88 x 88 x 88 at T = 4 is more vru rows than a header counts: fewer column blocks.
  const tpu_params wide = params_of(4, 88);
  const tpu_tile_plan plan = plan_of(wide, {88, 88, 88});
  EXPECT_EQ(plan.rows, 88U);
  EXPECT_EQ(plan.blocks, 15U); // 1936 rows to load, and as many for each block
  EXPECT_EQ(plan.col_tiles, 2U);
  // No more rows than one mm takes.
  EXPECT_EQ(plan_of(params_of(8, 128), {128, 8, 8}).rows, 127U);
}

// Where the images are as a spec lays them out, so is the work: the baseline's.
TEST(tile, one_tile_that_fills_the_rows_is_the_baseline) {
  const tpu_params p = params_of(4, 64);
  for (const uint32_t size : {16U, 32U, 48U, 64U}) {
    const tpu_tile_plan plan = plan_of(p, {size, size, size});
    ASSERT_EQ(plan.row_tiles * plan.col_tiles, 1U);
    const tile_program tile = program_of(p, plan, size, size / p.t);
    const mapped baseline = baseline_of(p, gemm_of(size, size, size));
    EXPECT_EQ(tile.words.size(), baseline.words.size());
    const verdict v = check_words(p, baseline.words);
    expect_same_counts(tile.counts, v.counts);
  }
}

TEST(tile, what_takes_less_room_is_kept) {
  const tpu_params p = params_of(4, 16);
  EXPECT_EQ(plan_of(p, {64, 16, 16}).keep_b, 1U);
  EXPECT_EQ(plan_of(p, {16, 16, 64}).keep_b, 0U);
}

TEST(tile, limits_by_name) {
  std::string why;
  const tpu_params p = params_of(4, 64);
  const auto expect = [&why](const std::vector<std::string> &parts) {
    for (const std::string &part : parts)
      EXPECT_NE(why.find(part), std::string::npos) << why;
  };
  plan_of(p, {1, 1025, 1}, &why);
  expect({"K is 1025", "1..1024", "T=4 MAXDIM=64"});
  plan_of(p, {1, 1024, 1}, &why);
  EXPECT_EQ(why, "");
  plan_of(params_of(16, 64), {1, 257, 1}, &why);
  expect({"K is 257", "1..256"});
  plan_of(p, {0, 1, 1}, &why);
  expect({"M is 0", "1..65535"});
  plan_of(p, {1, 1, 65536}, &why);
  expect({"N is 65536", "1..65535"});
  tpu_params small = params_of(4, 64);
  small.imem_size = 16;
  plan_of(small, {4, 8, 4}, &why);
  expect({"instructions", "allowed is 4"});
}

} // namespace
