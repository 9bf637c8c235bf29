// SPDX-License-Identifier: Apache-2.0
// Workloads by hand, the corpus as a table, and a run of the baseline against an einsum computed
// here in int64, which owes nothing to the library.
#ifndef TPU_TEST_ISA_WORKLOAD_SUPPORT_HPP
#define TPU_TEST_ISA_WORKLOAD_SUPPORT_HPP

#include "isa/image.h"
#include "isa/interp.h"
#include "isa/mapper.h"
#include "support.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <sstream>
#include <utility>

namespace tpu_test {

// "mk,kn->mn" and sizes by letter: inputs X in A, W in B, output in C, all at the origin.
inline tpu_workload workload_of(const std::string &einsum,
                                const std::vector<std::pair<char, uint32_t>> &dims) {
  tpu_workload w{};
  std::snprintf(w.name, sizeof w.name, "%s", "test");
  for (const auto &[letter, size] : dims)
    w.index[w.indices++] = {static_cast<uint32_t>(letter), size};
  const size_t arrow = einsum.find("->");
  std::stringstream inputs(einsum.substr(0, arrow));
  for (std::string s; std::getline(inputs, s, ',');) {
    tpu_tensor &t = w.input[w.inputs];
    std::snprintf(t.subscript, sizeof t.subscript, "%s", s.c_str());
    t.buffer = w.inputs++;
  }
  std::snprintf(w.output.subscript, sizeof w.output.subscript, "%s",
                einsum.substr(arrow + 2).c_str());
  w.output.buffer = TPU_BUFFER_C;
  return w;
}

inline tpu_workload gemm_of(uint32_t m, uint32_t k, uint32_t n) {
  return workload_of("mk,kn->mn", {{'m', m}, {'k', k}, {'n', n}});
}

inline tpu_workload batched_of(uint32_t b, uint32_t m, uint32_t k, uint32_t n) {
  return workload_of("bmk,bkn->bmn", {{'b', b}, {'m', m}, {'k', k}, {'n', n}});
}

inline void add_constant(tpu_workload *w, uint32_t kind, uint32_t rows = 0, uint32_t cols = 0,
                         uint32_t buffer = TPU_BUFFER_B, uint32_t row = 0, uint32_t col = 0) {
  w->constant[w->constants++] = {kind, rows, cols, buffer, row, col};
}

inline tpu_workload relu_of(uint32_t m, uint32_t n) {
  tpu_workload w = workload_of("mn->mn", {{'m', m}, {'n', n}});
  w.relu = 1;
  add_constant(&w, TPU_CONST_IDENTITY);
  return w;
}

inline tpu_workload row_reduce_of(uint32_t m, uint32_t k) {
  tpu_workload w = workload_of("mk->m", {{'m', m}, {'k', k}});
  w.write_window = TPU_WINDOW_COLUMN_BLOCK;
  add_constant(&w, TPU_CONST_ONES_COLUMN);
  return w;
}

struct corpus_entry {
  std::string file; // stem, numbered
  tpu_workload w;
};

inline std::vector<corpus_entry> corpus_table() {
  std::vector<corpus_entry> all;
  auto add = [&all](const char *stem, tpu_workload w) {
    std::snprintf(w.name, sizeof w.name, "%s", std::strchr(stem, '_') + 1);
    all.push_back({stem, w});
  };
  add("01_gemm_4x4x4", gemm_of(4, 4, 4));
  add("02_gemm_8x8x8", gemm_of(8, 8, 8));
  add("03_gemm_12x12x12", gemm_of(12, 12, 12));
  add("04_gemm_16x16x8", gemm_of(16, 16, 8));
  add("05_gemm_16x16x16", gemm_of(16, 16, 16));
  tpu_workload w = gemm_of(16, 16, 16);
  w.relu = 1;
  add("06_gemm_relu_16x16x16", w);
  add("07_gemm_reuse_m_16x16x4", gemm_of(16, 16, 4));
  add("08_gemm_reuse_n_4x4x16", gemm_of(4, 4, 16));
  add("09_gemm_reuse_k_4x16x4", gemm_of(4, 16, 4));
  add("10_gemm_rows_6x8x8", gemm_of(6, 8, 8));
  add("11_gemm_narrow_2x8x4", gemm_of(2, 8, 4));
  w = gemm_of(8, 8, 6);
  w.write_window = TPU_WINDOW_COLUMN_BLOCK;
  add("12_gemm_cols_8x8x6", w);
  w = gemm_of(8, 6, 8);
  w.pad_zero = 1;
  add("13_gemm_reduce_8x6x8_zeropad", w);
  w = gemm_of(8, 6, 8);
  w.known_gap = 1;
  add("14_gemm_reduce_8x6x8", w);
  add("15_batched_matmul_2x4x4x4", batched_of(2, 4, 4, 4));
  add("16_relu_16x16", relu_of(16, 16));
  add("17_row_reduce_16x16", row_reduce_of(16, 16));
  add("18_gemm_steady_32x32x32", gemm_of(32, 32, 32));
  add("19_gemm_steady_48x48x48", gemm_of(48, 48, 48));
  add("20_gemm_steady_64x64x64", gemm_of(64, 64, 64));
  add("21_gemm_steady_64x32x64", gemm_of(64, 32, 64));
  add("22_gemm_steady_32x64x32", gemm_of(32, 64, 32));
  return all;
}

enum distribution { SMALL, MID, FULL, CORNER, DISTRIBUTIONS };

inline std::vector<int8_t> drawn(size_t n, int kind, chooser *c) {
  static const std::array<int8_t, 7> corner{-128, -127, -1, 0, 1, 126, 127};
  std::vector<int8_t> v(n);
  for (auto &x : v)
    x = kind == CORNER ? corner[c->upto(6)]
                       : static_cast<int8_t>(kind == SMALL ? c->between(-4, 4)
                                             : kind == MID ? c->between(-16, 16)
                                                           : c->between(-128, 127));
  if (kind == FULL) {
    v[c->upto(static_cast<uint32_t>(n) - 1)] = -128;
    v[c->upto(static_cast<uint32_t>(n) - 1)] = 127;
  }
  return v;
}

struct operands {
  std::vector<std::vector<int8_t>> input, constant;
  tpu_operands view{};

  operands(const tpu_params &p, const tpu_workload &w, int kind, chooser *c) {
    for (uint32_t i = 0; i < w.inputs; ++i)
      input.push_back(drawn(tpu_tensor_elements(&w, &w.input[i]), kind, c));
    for (uint32_t i = 0; i < w.constants; ++i) {
      const tpu_region r = tpu_constant_region(&p, &w.constant[i]);
      constant.push_back(w.constant[i].kind == TPU_CONST_DATA
                             ? drawn(size_t{r.rows} * r.cols, kind, c)
                             : std::vector<int8_t>());
    }
    for (uint32_t i = 0; i < w.inputs; ++i)
      view.input[i] = input[i].data();
    for (uint32_t i = 0; i < w.constants; ++i)
      view.constant[i] = constant[i].empty() ? nullptr : constant[i].data();
  }
};

// The einsum in int64 over all index values, epilogue, narrowing; dense, row-major.
inline std::vector<int8_t> gold_of(const tpu_workload &w, const operands &data) {
  using strides = std::array<size_t, TPU_MAX_INDICES>; // of a tensor's elements by index
  const auto strides_of = [&w](const tpu_tensor &t) {
    strides at{};
    size_t step = 1;
    for (size_t n = std::strlen(t.subscript); n-- > 0;)
      for (uint32_t i = 0; i < w.indices; ++i)
        if (w.index[i].letter == static_cast<uint32_t>(t.subscript[n])) {
          at[i] += step;
          step *= w.index[i].size;
          break;
        }
    return at;
  };
  std::array<uint32_t, TPU_MAX_INDICES> iv{};
  const auto offset = [&iv](const strides &at) {
    size_t sum = 0;
    for (size_t i = 0; i < at.size(); ++i)
      sum += iv[i] * at[i];
    return sum;
  };
  const strides out_at = strides_of(w.output);
  const std::array<strides, 2> in_at{strides_of(w.input[0]), strides_of(w.input[1])};
  std::vector<int64_t> sum(tpu_tensor_elements(&w, &w.output));
  for (uint32_t i = 0; i < w.indices;) {
    int64_t product = 1;
    for (uint32_t k = 0; k < w.inputs; ++k)
      product *= data.input[k][offset(in_at[k])];
    sum[offset(out_at)] += product;
    for (i = 0; i < w.indices && ++iv[i] == w.index[i].size; ++i)
      iv[i] = 0;
  }
  std::vector<int8_t> out;
  for (int64_t x : sum) {
    if (w.relu != 0)
      x = std::max<int64_t>(x, 0);
    out.push_back(static_cast<int8_t>(std::clamp<int64_t>(x, -128, 127)));
  }
  return out;
}

struct mapped {
  std::vector<tpu_word> words;
  std::string refusal; // "" when mapped
};

inline mapped baseline_of(const tpu_params &p, const tpu_workload &w) {
  mapped m;
  m.words.resize(tpu_program_capacity(&p));
  tpu_program program{m.words.data(), static_cast<uint32_t>(m.words.size()), 0};
  tpu_error e{};
  if (tpu_map_baseline(&p, &w, &program, &e) == 0)
    m.refusal = e.text;
  m.words.resize(program.count);
  return m;
}

// The chip's memories and images of one configuration, used over and over.
class bench {
public:
  explicit bench(const tpu_params &p)
      : p_(p), spad_(size_t{p.spad_rows} * p.t), vr_(size_t{p.nvr} * p.t), ar_(size_t{p.nar} * p.t),
        a_(size_t{p.maxdim} * p.maxdim), b_(a_), prefill_(a_), c_(a_) {}

  // Runs the words on drawn operands; the memories hold other garbage each time.
  tpu_comparison run(const tpu_workload &w, std::vector<tpu_word> words, int kind, uint32_t seed) {
    chooser choose(seed);
    const operands data(p_, w, kind, &choose);
    const std::vector<int8_t> gold = gold_of(w, data);
    tpu_image_operand(&p_, &w, &data.view, TPU_BUFFER_A, seed, a_.data());
    tpu_image_operand(&p_, &w, &data.view, TPU_BUFFER_B, seed, b_.data());
    tpu_image_prefill(&p_, seed, prefill_.data());
    c_ = prefill_;
    tpu_state s{spad_.data(), vr_.data(), ar_.data()};
    tpu_state_scramble(&p_, &s, seed);
    const auto n = static_cast<uint32_t>(words.size());
    insns decoded(n);
    const tpu_program program{words.data(), n, n};
    tpu_code code{decoded.data(), n, 0};
    tpu_error e{};
    EXPECT_TRUE(tpu_decode_program(&program, &code, nullptr, nullptr, &e)) << e.text;
    EXPECT_TRUE(tpu_interpret(&p_, &code, &s, a_.data(), b_.data(), c_.data(), &e)) << e.text;
    tpu_comparison out{};
    tpu_image_compare(&p_, &w, gold.data(), prefill_.data(), c_.data(), &out);
    return out;
  }

private:
  tpu_params p_;
  std::vector<int8_t> spad_, vr_;
  std::vector<int32_t> ar_;
  std::vector<int8_t> a_, b_, prefill_, c_;
};

// Every legal MAXDIM at T whose operand rows the address fields reach.
inline std::vector<uint32_t> maxdims_at(uint32_t t) {
  std::vector<uint32_t> all;
  for (uint32_t wpr = 1; wpr * wpr * t <= TPU_MAX_MEM_ROWS; ++wpr)
    all.push_back(wpr * t);
  return all;
}

// What is said beforehand against what happens. Returns whether the predicate said satisfiable.
inline bool agrees_with_runs(const tpu_params &p, const tpu_workload &w, bench *b, uint32_t seed) {
  tpu_error why{};
  const bool satisfiable = tpu_workload_satisfiable(&p, &w, &why) != 0;
  const mapped m = baseline_of(p, w);
  if (!m.refusal.empty()) {
    EXPECT_FALSE(satisfiable) << m.refusal;
    return satisfiable;
  }
  const verdict legal = check_words(p, m.words);
  EXPECT_TRUE(legal.legal) << legal;
  if (!legal.legal)
    return satisfiable;
  // A result of one byte comes out right now and then: what cannot be exact has several draws.
  const int draws = satisfiable ? DISTRIBUTIONS : 16 * DISTRIBUTIONS;
  for (int n = 0; n < draws; ++n) {
    const tpu_comparison c = b->run(w, m.words, n % DISTRIBUTIONS, seed + static_cast<uint32_t>(n));
    if (c.wrong == 0 && c.clobbered == 0)
      continue;
    EXPECT_FALSE(satisfiable) << "distribution " << n % DISTRIBUTIONS << ": " << c.wrong
                              << " wrong, " << c.clobbered << " clobbered, first [" << c.row << ", "
                              << c.col << "] " << c.got << " for " << c.expected;
    return satisfiable;
  }
  EXPECT_TRUE(satisfiable) << "always exact, but: " << why.text;
  return satisfiable;
}

} // namespace tpu_test

#endif
