// SPDX-License-Identifier: Apache-2.0
// What the tests of the instruction-set library share: instructions by hand, programs of them, and
// a naive expansion of loops that owes nothing to the library's walk.
#ifndef TPU_TEST_ISA_SUPPORT_HPP
#define TPU_TEST_ISA_SUPPORT_HPP

#include "isa/check.h"
#include "isa/random.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <ostream>
#include <string>
#include <vector>

namespace tpu_test {

inline tpu_params params_of(uint32_t t, uint32_t maxdim) {
  tpu_params p = tpu_params_default();
  p.t = t;
  p.maxdim = maxdim;
  tpu_error e{};
  EXPECT_TRUE(tpu_params_resolve(&p, &e)) << e.text;
  return p;
}

inline tpu_insn insn_of(unsigned op, std::array<uint32_t, 4> f, uint32_t nr) {
  tpu_insn i{};
  i.op = static_cast<uint8_t>(op);
  i.nr = static_cast<uint8_t>(nr);
  for (unsigned k = 0; k < 4; ++k)
    i.f[k] = static_cast<uint16_t>(f[k]);
  return i;
}

inline tpu_insn dma(uint32_t mode, uint32_t row, uint32_t col, uint32_t dest, uint32_t nr) {
  return insn_of(TPU_OP_DMA_LD, {mode, row, col, dest}, nr);
}
inline tpu_insn vld(uint32_t vr, uint32_t spad, uint32_t nr) {
  return insn_of(TPU_OP_VLD, {vr, spad, 0, 0}, nr);
}
inline tpu_insn mm(uint32_t vr, uint32_t ar, uint32_t acc, uint32_t spad, uint32_t nr) {
  return insn_of(TPU_OP_MM, {vr, ar, acc, spad}, nr);
}
inline tpu_insn vadd(uint32_t dest, uint32_t a, uint32_t b, uint32_t nr) {
  return insn_of(TPU_OP_VADD, {dest, a, b, 0}, nr);
}
inline tpu_insn vrelu(uint32_t dest, uint32_t src, uint32_t nr) {
  return insn_of(TPU_OP_VRELU, {dest, src, 0, 0}, nr);
}
inline tpu_insn mvout(uint32_t ar, uint32_t row, uint32_t col, uint32_t nr) {
  return insn_of(TPU_OP_MVOUT, {ar, row, col, 0}, nr);
}
inline tpu_insn loop(uint32_t trip) { return insn_of(TPU_OP_LOOP, {}, trip); }
inline tpu_insn endloop() { return insn_of(TPU_OP_ENDLOOP, {}, 0); }
inline tpu_insn nop() { return insn_of(TPU_OP_NOP, {}, 0); }

// The instruction with one more address term: field[field] += iv[level] * stride.
inline tpu_insn with(tpu_insn i, unsigned field, unsigned level, unsigned stride) {
  for (auto &t : i.term)
    if (t.target == 0) {
      t = {static_cast<uint8_t>(field + 1), static_cast<uint8_t>(level),
           static_cast<uint16_t>(stride)};
      return i;
    }
  ADD_FAILURE() << "no term is free";
  return i;
}

using insns = std::vector<tpu_insn>;

inline insns operator+(insns a, const insns &b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

inline insns repeat(uint32_t times, const insns &body) {
  insns all;
  for (uint32_t n = 0; n < times; ++n)
    all = all + body;
  return all;
}

inline tpu_code code_of(insns &i) {
  const auto n = static_cast<uint32_t>(i.size());
  return {i.data(), n, n};
}

inline std::vector<tpu_word> encoded(const insns &program) {
  std::vector<tpu_word> words;
  for (const auto &i : program) {
    tpu_word w{};
    tpu_error e{};
    EXPECT_TRUE(tpu_encode(&i, &w, &e)) << e.text;
    words.push_back(w);
  }
  return words;
}

struct verdict {
  bool legal = false;
  std::string rule; // "" when legal
  tpu_violation v{};
  tpu_counts counts{};
};

inline std::ostream &operator<<(std::ostream &out, const verdict &x) {
  return out << x.rule << " at " << x.v.index << ", rows " << x.v.first << "+" << x.v.rows << ": "
             << x.v.detail;
}

inline verdict check_words(const tpu_params &p, std::vector<tpu_word> words) {
  const auto n = static_cast<uint32_t>(words.size());
  std::vector<tpu_insn> decoded(n + 1);
  tpu_program program{words.data(), n, n};
  tpu_code code{decoded.data(), n, 0};
  std::vector<tpu_check_work> work(1);
  std::memset(work.data(), 0xff, sizeof work[0]); // its contents need no initialisation
  verdict x;
  x.legal = tpu_check_program(&p, &program, &code, work.data(), &x.counts, &x.v) != 0;
  if (!x.legal)
    x.rule = tpu_rule_name(x.v.rule);
  return x;
}

inline verdict check(const tpu_params &p, const insns &program) {
  return check_words(p, encoded(program));
}

// The dynamic stream, one loop pass after the other, and nothing skipped.
struct expansion {
  std::vector<tpu_issue> issues;
  uint64_t fetches = 0;
  std::array<uint32_t, TPU_LOOP_DEPTH> iv{};

  explicit expansion(const insns &program) { run(program, 0, program.size(), 0); }

private:
  void run(const insns &program, size_t begin, size_t end, unsigned level) {
    for (size_t i = begin; i < end; ++i) {
      ++fetches;
      const tpu_insn &insn = program[i];
      if (insn.op == TPU_OP_LOOP) {
        const size_t close = matching(program, i);
        uint32_t n = 0;
        do {
          iv.at(level) = n++;
          run(program, i + 1, close, level + 1);
          ++fetches;
        } while (n < insn.nr);
        iv.at(level) = n;
        i = close;
      } else if (insn.op != TPU_OP_NOP) {
        issues.push_back(resolved(insn, static_cast<uint32_t>(i), level));
      }
    }
  }

  static size_t matching(const insns &program, size_t i) {
    int open = 0;
    for (;; ++i) {
      open += program.at(i).op == TPU_OP_LOOP ? 1 : program.at(i).op == TPU_OP_ENDLOOP ? -1 : 0;
      if (open == 0)
        return i;
    }
  }

  tpu_issue resolved(const tpu_insn &insn, uint32_t index, unsigned depth) const {
    tpu_issue x{};
    x.index = index;
    x.op = insn.op;
    x.nr = insn.nr;
    x.depth = static_cast<uint8_t>(depth);
    for (unsigned k = 0; k < 4; ++k) {
      x.iv[k] = iv[k];
      x.f[k] = insn.f[k];
      for (const auto &t : insn.term)
        if (t.target == k + 1)
          x.f[k] += iv.at(t.level) * t.stride;
    }
    return x;
  }
};

// Seeded choices of a test.
class chooser {
public:
  explicit chooser(uint32_t seed) : random_(tpu_random_seeded(seed)) {}
  uint32_t upto(uint32_t most) { // 0..most
    return static_cast<uint32_t>(tpu_random_range(&random_, 0, static_cast<int32_t>(most)));
  }
  bool one_in(uint32_t n) { return upto(n - 1) == 0; }
  int32_t between(int32_t lo, int32_t hi) { return tpu_random_range(&random_, lo, hi); }

private:
  tpu_random random_;
};

} // namespace tpu_test

#endif
