// SPDX-License-Identifier: Apache-2.0
// The checker against the contracts written down a second time: one row of one issue at a time,
// each access with its own step, over the naive expansion.
#include "isa/check.h"

#include "support.hpp"

#include <map>
#include <set>

namespace {

using namespace tpu_test;

struct finding {
  std::string rule;
  int32_t index = -1;
  int64_t row = -1;
  std::array<uint32_t, TPU_LOOP_DEPTH> iv{};
};

struct naive_checker {
  tpu_params p;
  std::set<uint32_t> spad, vr;
  std::map<uint32_t, int64_t> ar; // step of the last write
  int64_t step = 0;
  finding found;

  bool fail(const char *rule, int64_t row = -1) {
    found.rule = rule;
    found.row = row;
    return false;
  }
  bool inside(uint32_t first, uint32_t n, uint32_t limit, const char *rule) {
    for (uint32_t r = first; r < first + n; ++r)
      if (r >= limit)
        return fail(rule, r);
    return true;
  }
  bool read(uint32_t row, int64_t at) {
    if (ar.count(row) == 0)
      return fail("mem.write_before_read", row);
    return at - ar[row] >= 4 || fail("ar.raw_distance", row);
  }
  bool ranges(const tpu_issue &i) {
    const auto *f = i.f;
    const uint32_t n = i.nr;
    const char *out = "mem.out_of_range";
    switch (i.op) {
    case TPU_OP_DMA_LD:
      if (f[0] > 3)
        return fail("op.dma_ld_field");
      return inside(f[1], n, p.maxdim, "dram.operand_range") &&
             (f[2] < p.maxdim / p.t || fail("dram.operand_range", f[1])) &&
             inside(f[3], n, f[0] < 2 ? p.spad_rows : p.nvr, out);
    case TPU_OP_VLD:
      return inside(f[1], n, p.spad_rows, out) && inside(f[0], n, p.nvr, out);
    case TPU_OP_MM:
      if (f[2] > 1)
        return fail("op.mm_acc_field");
      return inside(f[3], p.t, p.spad_rows, out) && inside(f[0], n, p.nvr, out) &&
             inside(f[1], n, p.nar, out);
    case TPU_OP_VADD:
      return inside(f[1], n, p.nar, out) && inside(f[2], n, p.nar, out) &&
             inside(f[0], n, p.nar, out);
    case TPU_OP_VRELU:
      return inside(f[1], n, p.nar, out) && inside(f[0], n, p.nar, out);
    default:
      return inside(f[0], n, p.nar, out) && inside(f[1], n, p.maxdim, "dram.result_range") &&
             (f[2] < p.maxdim / p.t || fail("dram.result_range", f[1]));
    }
  }
  bool weights(const tpu_issue &i) {
    for (uint32_t k = 0; i.op == TPU_OP_MM && k < p.t; ++k)
      if (spad.count(i.f[3] + k) == 0)
        return fail("mem.write_before_read", i.f[3] + k);
    for (uint32_t r = 0; i.op == TPU_OP_MM && r < i.nr; ++r)
      if (vr.count(i.f[0] + r) == 0)
        return fail("mem.write_before_read", i.f[0] + r);
    return true;
  }
  bool row(const tpu_issue &i, uint32_t r) {
    const auto *f = i.f;
    switch (i.op) {
    case TPU_OP_DMA_LD:
      (f[0] < 2 ? spad : vr).insert(f[3] + r);
      return true;
    case TPU_OP_VLD:
      if (spad.count(f[1] + r) != 0)
        vr.insert(f[0] + r);
      else
        vr.erase(f[0] + r);
      return true;
    case TPU_OP_MM:
      if (f[2] == 1 && !read(f[1] + r, step))
        return false;
      ar[f[1] + r] = step++;
      return true;
    case TPU_OP_VADD:
      if (!read(f[1] + r, step) || !read(f[2] + r, step + 1))
        return false;
      ar[f[0] + r] = step + 1;
      step += 2;
      return true;
    case TPU_OP_VRELU:
      if (!read(f[1] + r, step))
        return false;
      ar[f[0] + r] = step++;
      return true;
    default:
      return read(f[0] + r, step++);
    }
  }
  finding run(const insns &program) {
    for (const auto &i : expansion(program).issues) {
      found.index = static_cast<int32_t>(i.index);
      for (unsigned k = 0; k < TPU_LOOP_DEPTH; ++k)
        found.iv.at(k) = k < i.depth ? i.iv[k] : 0;
      bool ok = i.nr != 0 || fail("enc.zero_rows");
      for (unsigned k = 0; ok && k < 4; ++k)
        ok = i.f[k] <= 2047 || fail("enc.field_range");
      ok = ok && ranges(i) && weights(i);
      for (uint32_t r = 0; ok && r < i.nr; ++r)
        ok = row(i, r);
      if (!ok)
        return found;
    }
    return {};
  }
};

// Programs near every border: mostly written regions, small overlaps, now and then a step outside.
struct generator {
  chooser c;
  tpu_params p;

  uint32_t near(uint32_t limit) { return c.one_in(120) ? limit - c.upto(6) : c.upto(12); }
  tpu_insn one() {
    const uint32_t n = c.one_in(250) ? 0 : 1 + c.upto(c.one_in(3) ? 11 : 4);
    switch (c.upto(9)) {
    case 0:
      return dma(c.one_in(150) ? 4 : c.upto(3), c.upto(4), c.one_in(100) ? 4 : c.upto(3), near(64),
                 n);
    case 1:
      return vld(near(64), near(64), n);
    case 2:
    case 3:
      return vadd(near(128), near(128), near(128), n);
    case 4:
      return vrelu(near(128), near(128), n);
    case 5:
      return mvout(near(128), c.one_in(60) ? 12 : 0, c.one_in(100) ? 4 : c.upto(3), n);
    default:
      return mm(near(64), near(128), c.one_in(200) ? 2 : c.upto(1), near(64), n);
    }
  }
  insns body(unsigned depth) {
    insns out;
    for (uint32_t k = 1 + c.upto(3); k > 0; --k) {
      if (depth < 3 && c.one_in(4)) {
        out = out + insns{loop(1 + c.upto(3))} + body(depth + 1) + insns{endloop()};
        continue;
      }
      tpu_insn i = one();
      if (depth > 0 && c.one_in(2))
        i = with(i, c.upto(tpu_op_lookup(i.op)->fields - 1U), c.upto(depth - 1),
                 c.one_in(15) ? 2040 : c.upto(4));
      out.push_back(i);
    }
    return out;
  }
  insns program() {
    insns out;
    if (!c.one_in(20))
      out = out + insns{dma(2, 0, 0, 0, 16), dma(1, 0, 0, 0, 16), dma(2, 0, 0, 16, 16),
                        mm(0, 0, 0, 0, 16)};
    if (!c.one_in(3))
      out = out + insns{mm(0, 16, 0, 0, 8)};
    return out + body(0);
  }
};

TEST(CheckRandom, AgreesWithTheContractsWrittenTwice) {
  tpu_params p = params_of(4, 16);
  p.imem_size = TPU_MAX_IMEM;
  generator g{chooser(51), p};
  std::map<std::string, int> seen;
  for (int n = 0; n < 20000; ++n) {
    const insns program = g.program();
    const finding expected = naive_checker{p, {}, {}, {}, 0, {}}.run(program);
    const verdict got = check(p, program);
    ++seen[got.rule];
    ASSERT_EQ(got.rule, expected.rule) << n << ": " << got;
    ASSERT_EQ(got.v.index, expected.index) << n << ": " << got;
    for (unsigned k = 0; k < TPU_LOOP_DEPTH; ++k)
      ASSERT_EQ(got.v.iv[k], expected.iv.at(k)) << n << ": " << got;
    if (expected.row >= 0) {
      ASSERT_EQ(got.v.first, expected.row) << n << ": " << got;
    }
  }
  // the programs are worth the name: each outcome is there in number
  for (const char *rule : {"", "ar.raw_distance", "mem.write_before_read", "mem.out_of_range",
                           "dram.operand_range", "dram.result_range", "enc.field_range",
                           "enc.zero_rows", "op.mm_acc_field", "op.dma_ld_field"})
    EXPECT_GE(seen[rule], 20) << rule;
}

} // namespace
