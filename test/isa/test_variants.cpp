// SPDX-License-Identifier: Apache-2.0
// Variants of a GEMM: legal and exact wherever they map, the work they are to do, and why not.
#include "workload_support.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace {

using namespace tpu_test;

mapped variant_of(const tpu_params &p, const tpu_workload &w, tpu_map_variant v) {
  mapped m;
  m.words.resize(tpu_program_capacity(&p));
  tpu_program program{m.words.data(), static_cast<uint32_t>(m.words.size()), 0};
  tpu_error e{};
  if (tpu_map_as(&p, &w, v, &program, &e) == 0) {
    m.refusal = e.text;
    EXPECT_NE(m.refusal.find(tpu_map_variant_name(v)), std::string::npos) << m.refusal;
  }
  m.words.resize(program.count);
  return m;
}

const std::vector<tpu_map_variant> variants{TPU_MAP_BASELINE, TPU_MAP_VIA_SPAD, TPU_MAP_ROW_BLOCKS,
                                            TPU_MAP_RELOAD, TPU_MAP_JUST_IN_TIME};

// Legal, within the spec's window, and exact on every distribution; false when it maps nothing.
bool expect_exact(const tpu_params &p, const tpu_workload &w, tpu_map_variant v, bench *b,
                  uint32_t seed) {
  SCOPED_TRACE(tpu_map_variant_name(v));
  const mapped m = variant_of(p, w, v);
  if (!m.refusal.empty())
    return false;
  const verdict legal = check_words(p, m.words);
  EXPECT_TRUE(legal.legal) << legal;
  if (!legal.legal)
    return true;
  for (int kind = 0; kind < DISTRIBUTIONS; ++kind) {
    const tpu_comparison c = b->run(w, m.words, kind, seed + static_cast<uint32_t>(kind));
    EXPECT_EQ(c.wrong, 0U) << "first [" << c.row << ", " << c.col << "]";
    EXPECT_EQ(c.clobbered, 0U) << "first [" << c.row << ", " << c.col << "]";
  }
  return true;
}

TEST(variants, every_gemm_of_the_corpus_at_every_width) {
  for (const uint32_t t : {4U, 8U, 16U}) {
    const tpu_params p = params_of(t, 64);
    bench b(p);
    std::map<tpu_map_variant, int> mapped_ones;
    int gemms = 0;
    for (const corpus_entry &entry : corpus_table()) {
      SCOPED_TRACE(entry.file + " at T=" + std::to_string(t));
      tpu_error why{};
      if (tpu_workload_form(&entry.w) != TPU_FORM_GEMM ||
          tpu_workload_satisfiable(&p, &entry.w, &why) == 0)
        continue;
      ++gemms;
      for (const tpu_map_variant v : variants)
        mapped_ones[v] += expect_exact(p, entry.w, v, &b, 1) ? 1 : 0;
    }
    for (const tpu_map_variant v : variants) {
      // 64x64x64 in rows of 4: the scratchpad's work is more than a header counts
      const int too_much = v == TPU_MAP_RELOAD && t == 4 ? 1 : 0;
      const int least = v == TPU_MAP_ROW_BLOCKS ? 5 : gemms - too_much;
      EXPECT_GE(mapped_ones[v], least) << tpu_map_variant_name(v) << " at T=" << t;
    }
  }
}

TEST(variants, random_gemms_with_origins_pads_and_relu) {
  chooser choose(3);
  std::map<tpu_map_variant, int> mapped_ones;
  for (uint32_t n = 0; n < 150; ++n) {
    const uint32_t t = choose.one_in(2) ? 4 : 8;
    tpu_params p = params_of(t, 32);
    p.imem_size = 256;
    bench b(p);
    tpu_workload w = gemm_of(1 + choose.upto(23), 1 + choose.upto(23), 1 + choose.upto(23));
    w.relu = choose.upto(1);
    w.pad_zero = choose.upto(1);
    w.write_window = TPU_WINDOW_COLUMN_BLOCK;
    w.input[0].row = choose.upto(8);
    w.input[1].row = choose.upto(8);
    w.input[1].col = t * choose.upto(1);
    w.output.row = choose.upto(8);
    tpu_error why{};
    if (tpu_workload_fits(&p, &w, &why) == 0 || tpu_workload_satisfiable(&p, &w, &why) == 0)
      continue;
    SCOPED_TRACE("workload " + std::to_string(n));
    for (const tpu_map_variant v : variants)
      mapped_ones[v] += expect_exact(p, w, v, &b, n) ? 1 : 0;
  }
  for (const tpu_map_variant v : variants)
    EXPECT_GE(mapped_ones[v], 15) << tpu_map_variant_name(v);
}

TEST(variants, rows_above_127_are_split) {
  tpu_params p = params_of(16, 160);
  p.imem_size = 256;
  bench b(p);
  for (const tpu_map_variant v : variants)
    EXPECT_TRUE(expect_exact(p, gemm_of(160, 32, 32), v, &b, 1)) << tpu_map_variant_name(v);
}

// What makes a variant one: its counts against the baseline's.
TEST(variants, work) {
  const tpu_params p = params_of(4, 64);
  const tpu_workload w = gemm_of(16, 16, 16);
  std::map<tpu_map_variant, tpu_counts> of;
  std::set<std::vector<uint64_t>> distinct;
  for (const tpu_map_variant v : variants) {
    const mapped m = variant_of(p, w, v);
    ASSERT_EQ(m.refusal, "");
    of[v] = check_words(p, m.words).counts;
    std::vector<uint64_t> flat;
    for (const tpu_word &word : m.words)
      flat.insert(flat.end(), {word.w0, word.w1});
    EXPECT_TRUE(distinct.insert(flat).second) << tpu_map_variant_name(v);
  }
  const tpu_counts &base = of[TPU_MAP_BASELINE];
  // activations: once more through the scratchpad, in and out
  EXPECT_EQ(of[TPU_MAP_VIA_SPAD].spm, base.spm + 2 * 64);
  EXPECT_EQ(of[TPU_MAP_VIA_SPAD].dma_ld, base.dma_ld);
  // four blocks of rows: each weight block goes into the array four times
  EXPECT_EQ(of[TPU_MAP_ROW_BLOCKS].mm, 4 * base.mm);
  EXPECT_EQ(of[TPU_MAP_ROW_BLOCKS].mm_rows, base.mm_rows);
  EXPECT_EQ(of[TPU_MAP_ROW_BLOCKS].dma_ld, base.dma_ld);
  // and comes from DRAM four times
  EXPECT_EQ(of[TPU_MAP_RELOAD].dma_ld, base.dma_ld + 3 * 64);
  EXPECT_EQ(of[TPU_MAP_RELOAD].mm, 4 * base.mm);
  // the same work in another order
  EXPECT_EQ(of[TPU_MAP_JUST_IN_TIME].dma_ld, base.dma_ld);
  EXPECT_EQ(of[TPU_MAP_JUST_IN_TIME].spm, base.spm);
  EXPECT_EQ(of[TPU_MAP_JUST_IN_TIME].accu, base.accu);
}

TEST(variants, refusals_say_why) {
  const tpu_params p = params_of(4, 64);
  EXPECT_NE(variant_of(p, gemm_of(6, 8, 8), TPU_MAP_ROW_BLOCKS).refusal.find("equal blocks"),
            std::string::npos);
  EXPECT_NE(variant_of(p, gemm_of(8, 6, 8), TPU_MAP_JUST_IN_TIME).refusal.find("K=6"),
            std::string::npos);
  EXPECT_NE(variant_of(p, relu_of(16, 16), TPU_MAP_VIA_SPAD).refusal.find("mk,kn->mn only"),
            std::string::npos);
  tpu_workload low = gemm_of(8, 6, 8);
  low.pad_zero = 1;
  low.input[1].row = 58;
  EXPECT_NE(variant_of(p, low, TPU_MAP_JUST_IN_TIME).refusal.find("up to row 66"),
            std::string::npos);
  tpu_params small = p;
  small.imem_size = 24;
  EXPECT_NE(variant_of(small, gemm_of(8, 8, 8), TPU_MAP_JUST_IN_TIME)
                .refusal.find("the variant just_in_time has 18 instructions, 10 more than the 8"),
            std::string::npos)
      << variant_of(small, gemm_of(8, 8, 8), TPU_MAP_JUST_IN_TIME).refusal;
  EXPECT_NE(variant_of(p, gemm_of(64, 64, 64), TPU_MAP_RELOAD).refusal.find("header count spm"),
            std::string::npos);
  const mapped same = variant_of(p, gemm_of(8, 8, 8), TPU_MAP_BASELINE);
  EXPECT_EQ(same.words.size(), baseline_of(p, gemm_of(8, 8, 8)).words.size());
}

TEST(variants, names) {
  std::set<std::string> names;
  for (const tpu_map_variant v : variants) {
    EXPECT_TRUE(names.insert(tpu_map_variant_name(v)).second);
    EXPECT_STRNE(tpu_map_variant_sentence(v), "");
  }
  EXPECT_EQ(names.size(), std::size_t{TPU_MAP_VARIANT_COUNT});
  EXPECT_STREQ(tpu_map_variant_name(TPU_MAP_VARIANT_COUNT), "?");
  EXPECT_STREQ(tpu_map_variant_sentence(TPU_MAP_VARIANT_COUNT), "");
}

} // namespace
