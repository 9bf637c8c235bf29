// SPDX-License-Identifier: Apache-2.0
// Gold against loops written by hand, one nest for each einsum.
#include "judge/gold.h"

#include "isa/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

using bytes = std::vector<int8_t>;

// A workload of the einsum, sizes given as "m3k4".
tpu_workload workload(const std::string &einsum, const std::string &sizes, bool relu = false) {
  tpu_workload w = {};
  w.relu = relu ? 1 : 0;
  const char *at = sizes.c_str();
  while (*at != '\0') {
    char *end = nullptr;
    tpu_index &index = w.index[w.indices++];
    index.letter = static_cast<unsigned char>(*at);
    index.size = static_cast<uint32_t>(std::strtoul(at + 1, &end, 10));
    at = end;
  }
  const size_t arrow = einsum.find("->");
  const size_t comma = einsum.find(',');
  const auto set = [](tpu_tensor &t, const std::string &s) { s.copy(t.subscript, 7); };
  set(w.input[w.inputs++], einsum.substr(0, std::min(comma, arrow)));
  if (comma != std::string::npos)
    set(w.input[w.inputs++], einsum.substr(comma + 1, arrow - comma - 1));
  set(w.output, einsum.substr(arrow + 2));
  return w;
}

bytes random_bytes(size_t n, uint32_t seed) {
  tpu_random r = tpu_random_seeded(seed);
  bytes out(n);
  for (int8_t &b : out)
    b = static_cast<int8_t>(tpu_random_range(&r, -128, 127));
  return out;
}

bytes gold_of(const tpu_workload &w, const bytes &x, const bytes &y) {
  const tpu_operands data = {{x.data(), y.data()}, {}};
  bytes out(tpu_tensor_elements(&w, &w.output) + 1, 99);
  EXPECT_EQ(tpu_gold(&w, &data, out.data()), 0U);
  EXPECT_EQ(out.back(), 99); // nothing is written beyond the output
  out.pop_back();
  return out;
}

int8_t saturated(int64_t v) { return static_cast<int8_t>(std::clamp<int64_t>(v, -128, 127)); }

TEST(gold, gemm) {
  const size_t m = 5;
  const size_t k = 3;
  const size_t n = 7;
  for (const bool relu : {false, true}) {
    const bytes x = random_bytes(m * k, 1);
    const bytes y = random_bytes(k * n, 2);
    const bytes got = gold_of(workload("mk,kn->mn", "m5k3n7", relu), x, y);
    ASSERT_EQ(got.size(), m * n);
    for (size_t i = 0; i < m; i++)
      for (size_t j = 0; j < n; j++) {
        int64_t sum = 0;
        for (size_t q = 0; q < k; q++)
          sum += x[i * k + q] * y[q * n + j];
        EXPECT_EQ(got[i * n + j], saturated(relu ? std::max<int64_t>(sum, 0) : sum)) << i << j;
      }
  }
}

TEST(gold, batched_gemm) {
  const bytes x = random_bytes(2 * 3 * 4, 3);
  const bytes y = random_bytes(2 * 4 * 5, 4);
  const bytes got = gold_of(workload("bmk,bkn->bmn", "b2m3k4n5"), x, y);
  for (size_t b = 0; b < 2; b++)
    for (size_t i = 0; i < 3; i++)
      for (size_t j = 0; j < 5; j++) {
        int64_t sum = 0;
        for (size_t q = 0; q < 4; q++)
          sum += x[(b * 3 + i) * 4 + q] * y[(b * 4 + q) * 5 + j];
        EXPECT_EQ(got[(b * 3 + i) * 5 + j], saturated(sum));
      }
}

TEST(gold, pointwise_relu) {
  const bytes x = random_bytes(6, 5);
  const bytes got = gold_of(workload("mn->mn", "n3m2", true), x, {});
  for (size_t i = 0; i < 6; i++)
    EXPECT_EQ(got[i], std::max<int8_t>(x[i], 0));
}

TEST(gold, row_reduce_and_transpose) {
  const bytes x = random_bytes(3 * 4, 6);
  const bytes sums = gold_of(workload("mk->m", "m3k4"), x, {});
  const bytes turned = gold_of(workload("mk->km", "m3k4"), x, {});
  for (size_t i = 0; i < 3; i++) {
    int64_t sum = 0;
    for (size_t q = 0; q < 4; q++) {
      sum += x[i * 4 + q];
      EXPECT_EQ(turned[q * 3 + i], x[i * 4 + q]);
    }
    EXPECT_EQ(sums[i], saturated(sum));
  }
}

// Indices that only one input has are summed too; transposed inputs; an outer product.
TEST(gold, forms_beyond_the_corpus) {
  const bytes x = random_bytes(2 * 3, 7);
  const bytes y = random_bytes(4 * 3, 8);
  const bytes separate = gold_of(workload("ab,cd->a", "a2b3c4d3"), x, y);
  const bytes turned = gold_of(workload("ab,cb->ca", "a2b3c4"), x, y);
  const bytes outer = gold_of(workload("ab,cd->dacb", "a2b3c4d3"), x, y);
  int64_t all = 0;
  for (const int8_t v : y)
    all += v;
  for (size_t a = 0; a < 2; a++) {
    EXPECT_EQ(separate[a], saturated((x[a * 3] + x[a * 3 + 1] + x[a * 3 + 2]) * all));
    for (size_t c = 0; c < 4; c++) {
      int64_t sum = 0;
      for (size_t b = 0; b < 3; b++) {
        sum += x[a * 3 + b] * y[c * 3 + b];
        for (size_t d = 0; d < 3; d++)
          EXPECT_EQ(outer[((d * 2 + a) * 4 + c) * 3 + b], saturated(x[a * 3 + b] * y[c * 3 + d]));
      }
      EXPECT_EQ(turned[c * 2 + a], saturated(sum));
    }
  }
}

TEST(gold, four_letters_on_both_sides) {
  const bytes x = random_bytes(2 * 3 * 2 * 3, 9);
  const bytes y = random_bytes(2 * 3 * 3 * 2, 10);
  const bytes got = gold_of(workload("abcd,cdef->abef", "a2b3c2d3e3f2"), x, y);
  size_t at = 0;
  for (size_t ab = 0; ab < 6; ab++)
    for (size_t ef = 0; ef < 6; ef++) {
      int64_t sum = 0;
      for (size_t cd = 0; cd < 6; cd++)
        sum += x[ab * 6 + cd] * y[cd * 6 + ef];
      EXPECT_EQ(got[at++], saturated(sum));
    }
  EXPECT_EQ(at, got.size());
}

TEST(gold, narrowing_saturates_at_both_ends) {
  const bytes x = {1, -1, 127, -128};
  const bytes y = {127, 1};
  EXPECT_EQ(gold_of(workload("m,n->mn", "m4n2"), x, y),
            (bytes{127, 1, -127, -1, 127, 127, -128, -128}));
}

// 131072 products of -128 * -128 are 2^31, which an int32 accumulator holds as -2^31.
TEST(gold, sums_wrap_at_32_bits) {
  const bytes x(131072, -128);
  const tpu_operands data = {{x.data(), x.data()}, {}};
  for (const bool relu : {false, true}) {
    const tpu_workload w = workload("mk,kn->mn", "m1k131072n1", relu);
    int8_t out = 99;
    EXPECT_EQ(tpu_gold(&w, &data, &out), 1U);
    EXPECT_EQ(out, relu ? 0 : -128);
  }
  const tpu_workload less = workload("mk,kn->mn", "m1k131071n1");
  int8_t out = 99;
  EXPECT_EQ(tpu_gold(&less, &data, &out), 0U);
  EXPECT_EQ(out, 127);
}

} // namespace
