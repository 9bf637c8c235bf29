// SPDX-License-Identifier: Apache-2.0
#include "isa/interp.h"

#include "support.hpp"

#include <algorithm>

namespace {

using namespace tpu_test;

// Memories and images of one configuration.
struct machine {
  tpu_params p;
  std::vector<int8_t> spad, vr, a, b, c;
  std::vector<int32_t> ar;

  explicit machine(const tpu_params &params, uint32_t seed)
      : p(params), spad(p.spad_rows * p.t), vr(p.nvr * p.t), a(p.maxdim * p.maxdim), b(a.size()),
        c(a.size()), ar(p.nar * p.t) {
    tpu_state s = state();
    tpu_state_scramble(&p, &s, seed);
    chooser rng(seed + 1);
    for (auto *image : {&a, &b, &c})
      for (auto &x : *image)
        x = static_cast<int8_t>(rng.between(-128, 127));
  }
  tpu_state state() { return {spad.data(), vr.data(), ar.data()}; }
  bool run(insns program, tpu_error *e = nullptr) {
    const tpu_code code = code_of(program);
    tpu_state s = state();
    return tpu_interpret(&p, &code, &s, a.data(), b.data(), c.data(), e) != 0;
  }
};

int32_t wrapped(int64_t x) {
  const int64_t m = ((x % 4294967296) + 4294967296) % 4294967296;
  return static_cast<int32_t>(m >= 2147483648 ? m - 4294967296 : m);
}

// The table of semantics in 64 bits, rows as vectors; owes nothing to the interpreter.
struct model {
  tpu_params p;
  using row8 = std::vector<int8_t>;
  using row32 = std::vector<int32_t>;
  std::vector<row8> spad, vr, a, b, c;
  std::vector<row32> ar;

  template <class T> static std::vector<std::vector<T>> rows(const std::vector<T> &v, uint32_t t) {
    std::vector<std::vector<T>> out;
    for (size_t k = 0; k < v.size(); k += t)
      out.emplace_back(v.begin() + static_cast<ptrdiff_t>(k),
                       v.begin() + static_cast<ptrdiff_t>(k + t));
    return out;
  }
  explicit model(const machine &m)
      : p(m.p), spad(rows(m.spad, p.t)), vr(rows(m.vr, p.t)), a(rows(m.a, p.maxdim)),
        b(rows(m.b, p.maxdim)), c(rows(m.c, p.maxdim)), ar(rows(m.ar, p.t)) {}

  void row(const tpu_issue &i, uint32_t r) {
    const auto *f = i.f;
    const ptrdiff_t col = ptrdiff_t{f[2]} * p.t;
    switch (i.op) {
    case TPU_OP_DMA_LD: {
      const row8 &from = (f[0] % 2 == 0 ? a : b).at(f[1] + r);
      (f[0] / 2 == 0 ? spad : vr).at(f[3] + r) = row8(from.begin() + col, from.begin() + col + p.t);
      break;
    }
    case TPU_OP_VLD:
      vr.at(f[0] + r) = spad.at(f[1] + r);
      break;
    case TPU_OP_MM:
      for (uint32_t j = 0; j < p.t; ++j) {
        int64_t sum = f[2] == 1 ? ar.at(f[1] + r)[j] : 0;
        for (uint32_t k = 0; k < p.t; ++k)
          sum += int64_t{vr.at(f[0] + r)[k]} * spad.at(f[3] + k)[j];
        ar.at(f[1] + r)[j] = wrapped(sum);
      }
      break;
    case TPU_OP_VADD:
      for (uint32_t j = 0; j < p.t; ++j)
        ar.at(f[0] + r)[j] = wrapped(int64_t{ar.at(f[1] + r)[j]} + ar.at(f[2] + r)[j]);
      break;
    case TPU_OP_VRELU:
      for (uint32_t j = 0; j < p.t; ++j)
        ar.at(f[0] + r)[j] = std::max(ar.at(f[1] + r)[j], 0);
      break;
    default:
      for (uint32_t j = 0; j < p.t; ++j)
        c.at(f[1] + r).at(f[2] * p.t + j) =
            static_cast<int8_t>(std::clamp(ar.at(f[0] + r)[j], -128, 127));
    }
  }
  void run(const insns &program) {
    for (const auto &i : expansion(program).issues)
      for (uint32_t r = 0; r < i.nr; ++r)
        row(i, r);
  }
  void expect_equal(const machine &m) const {
    EXPECT_EQ(spad, rows(m.spad, p.t));
    EXPECT_EQ(vr, rows(m.vr, p.t));
    EXPECT_EQ(ar, rows(m.ar, p.t));
    EXPECT_EQ(c, rows(m.c, p.maxdim));
  }
};

// Any instruction inside every memory: regions overlap, garbage is read, rows reach the last.
tpu_insn anything(chooser &c, const tpu_params &p) {
  const auto rows = [&](uint32_t limit) { return 1 + c.upto(std::min(limit, 127U) - 1); };
  const auto first = [&](uint32_t limit, uint32_t n) {
    return c.one_in(4) ? limit - n : c.upto(limit - n);
  };
  const uint32_t col = c.upto(p.maxdim / p.t - 1);
  const uint32_t n = c.one_in(2) ? 1 + c.upto(3) : rows(std::min(p.spad_rows, p.nvr));
  const uint32_t d = std::min(n, rows(p.maxdim));
  switch (c.upto(5)) {
  case 0: {
    const uint32_t mode = c.upto(3);
    return dma(mode, first(p.maxdim, d), col, first(mode < 2 ? p.spad_rows : p.nvr, d), d);
  }
  case 1:
    return vld(first(p.nvr, n), first(p.spad_rows, n), n);
  case 2:
    return mm(first(p.nvr, n), first(p.nar, n), c.upto(1), first(p.spad_rows, p.t), n);
  case 3:
    return vadd(first(p.nar, n), first(p.nar, n), first(p.nar, n), n);
  case 4:
    return vrelu(first(p.nar, n), first(p.nar, n), n);
  default:
    return mvout(first(p.nar, d), first(p.maxdim, d), col, d);
  }
}

TEST(Interp, EqualsTheModelOnRandomPrograms) {
  chooser c(41);
  for (const uint32_t t : {4U, 5U, 8U, 16U}) {
    const tpu_params p = params_of(t, 4 * t);
    for (uint32_t n = 0; n < 40; ++n) {
      machine m(p, n);
      model x(m);
      insns program;
      for (int k = 0; k < 40; ++k)
        program.push_back(anything(c, p));
      x.run(program);
      tpu_error e{};
      ASSERT_TRUE(m.run(program, &e)) << e.text;
      x.expect_equal(m);
      ASSERT_FALSE(HasFailure()) << t << " " << n;
    }
  }
}

TEST(Interp, EqualsTheModelOnLoopsAndTerms) {
  const tpu_params p = params_of(4, 16);
  machine m(p, 3);
  model x(m);
  const insns program = {loop(4),
                         with(with(dma(2, 0, 0, 0, 16), 2, 0, 1), 3, 0, 16),
                         endloop(),
                         loop(4),
                         with(with(dma(1, 0, 0, 0, 16), 2, 0, 1), 3, 0, 16),
                         endloop(),
                         loop(4),
                         with(mm(0, 0, 0, 0, 16), 3, 0, 16),
                         loop(3),
                         with(with(with(mm(16, 0, 1, 4, 16), 0, 1, 16), 3, 0, 16), 3, 1, 4),
                         endloop(),
                         vrelu(20, 0, 16),
                         vadd(40, 20, 0, 16),
                         with(mvout(40, 0, 0, 16), 2, 0, 1),
                         endloop()};
  x.run(program);
  tpu_error e{};
  ASSERT_TRUE(m.run(program, &e)) << e.text;
  x.expect_equal(m);
}

TEST(Interp, SaturatesAndRectifiesAtTheEdges) {
  const tpu_params p = params_of(4, 16);
  machine m(p, 1);
  const std::vector<int32_t> in = {-129, -128, 127,       128, INT32_MIN, INT32_MAX,
                                   -1,   0,    -16777216, 255, 1,         -127};
  std::copy(in.begin(), in.end(), m.ar.begin());
  ASSERT_TRUE(m.run({mvout(0, 0, 0, 3), vrelu(8, 0, 3)}));
  const int8_t out[3][4] = {{-128, -128, 127, 127}, {-128, 127, -1, 0}, {-128, 127, 1, -127}};
  for (unsigned r = 0; r < 3; ++r)
    for (unsigned j = 0; j < 4; ++j) {
      EXPECT_EQ(m.c[r * 16 + j], out[r][j]) << r << " " << j;
      EXPECT_EQ(m.ar[(8 + r) * 4 + j], std::max(in[r * 4 + j], 0));
    }
}

TEST(Interp, SumsWrapAtThirtyTwoBits) {
  const tpu_params p = params_of(64, 64);
  machine m(p, 1);
  std::fill(m.vr.begin(), m.vr.end(), int8_t{-128});
  std::fill(m.spad.begin(), m.spad.end(), int8_t{-128});
  std::fill(m.ar.begin(), m.ar.end(), INT32_MAX);
  ASSERT_TRUE(m.run({mm(0, 0, 0, 0, 1), mm(0, 1, 1, 0, 1), vadd(2, 3, 4, 1)}));
  EXPECT_EQ(m.ar[0], 64 * 16384);
  EXPECT_EQ(m.ar[64], INT32_MIN + 64 * 16384 - 1);
  EXPECT_EQ(m.ar[128], -2);
  std::fill(m.spad.begin(), m.spad.end(), int8_t{127});
  std::fill(m.ar.begin(), m.ar.end(), INT32_MIN);
  ASSERT_TRUE(m.run({mm(0, 1, 1, 0, 1), vadd(2, 3, 4, 1)}));
  EXPECT_EQ(m.ar[64], INT32_MAX - 64 * 16256 + 1);
  EXPECT_EQ(m.ar[128], 0);
}

TEST(Interp, AnInstructionReadsWhatItsEarlierRowWrote) {
  const tpu_params p = params_of(4, 16);
  machine m(p, 1);
  for (uint32_t k = 0; k < 4; ++k)
    m.ar[k] = 1 << k;
  // row r: ar[r + 1] = ar[r] + ar[r]
  ASSERT_TRUE(m.run({vadd(1, 0, 0, 5)}));
  for (uint32_t k = 0; k < 4; ++k)
    EXPECT_EQ(m.ar[5 * 4 + k], 32 << k);
}

TEST(Interp, StopsAtWhatItCannotExecuteWithAllBeforeItDone) {
  const tpu_params p = params_of(4, 16);
  machine m(p, 1);
  m.ar[0] = 5;
  std::fill(m.c.begin(), m.c.end(), int8_t{9});
  tpu_error e{};
  EXPECT_FALSE(m.run({mvout(0, 0, 0, 1), nop(), loop(3), with(mvout(0, 14, 1, 1), 1, 0, 1),
                      endloop(), mvout(0, 0, 2, 1)},
                     &e));
  EXPECT_STREQ(e.text, "instruction 3 (mvout): writes C row(s) 16..16; allowed is 0..15");
  EXPECT_EQ(m.c[0], 5);
  EXPECT_EQ(m.c[14 * 16 + 4], 5);
  EXPECT_EQ(m.c[15 * 16 + 4], 5);
  EXPECT_EQ(m.c[8], 9);
  EXPECT_FALSE(m.run({mm(0, 0, 2, 0, 1)}, nullptr));
}

TEST(Interp, ScramblesEveryMemoryBySeed) {
  const tpu_params p = params_of(4, 16);
  const machine one(p, 1);
  const machine again(p, 1);
  const machine two(p, 2);
  EXPECT_EQ(one.spad, again.spad);
  EXPECT_EQ(one.vr, again.vr);
  EXPECT_EQ(one.ar, again.ar);
  EXPECT_NE(one.spad, two.spad);
  EXPECT_NE(one.vr, two.vr);
  EXPECT_NE(one.ar, two.ar);
  EXPECT_GT(std::count_if(one.ar.begin(), one.ar.end(), [](int32_t x) { return x != 0; }), 500);
}

} // namespace
