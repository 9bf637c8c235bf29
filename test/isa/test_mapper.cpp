// SPDX-License-Identifier: Apache-2.0
#include "isa/asm.h"
#include "workload_support.hpp"

#include <map>

namespace {

using namespace tpu_test;

std::string text_of(const std::vector<tpu_word> &words) {
  std::string text;
  for (const tpu_word &w : words) {
    tpu_insn insn{};
    tpu_error e{};
    EXPECT_TRUE(tpu_decode(&w, &insn, nullptr, &e)) << e.text;
    std::array<char, 128> line{};
    tpu_text out = tpu_text_on(line.data(), line.size());
    tpu_disassemble(&insn, &out);
    text += std::string(line.data()) + "\n";
  }
  return text;
}

std::string program_text(const tpu_params &p, const tpu_workload &w) {
  const mapped m = baseline_of(p, w);
  EXPECT_EQ(m.refusal, "");
  return text_of(m.words);
}

// Satisfiable, legal, and exact on every distribution.
void expect_exact(const tpu_params &p, const tpu_workload &w) {
  tpu_error why{};
  ASSERT_EQ(tpu_workload_fits(&p, &w, &why), 1) << why.text;
  bench b(p);
  EXPECT_TRUE(agrees_with_runs(p, w, &b, 1));
}

TEST(mapper, critical_work_of_the_measured_shapes) {
  const tpu_params p = params_of(4, 16);
  const std::vector<std::pair<tpu_workload, uint32_t>> cases{{gemm_of(4, 4, 4), 9},
                                                             {gemm_of(8, 8, 8), 48},
                                                             {gemm_of(12, 12, 12), 144},
                                                             {gemm_of(16, 16, 8), 192},
                                                             {gemm_of(16, 16, 16), 320}};
  for (const auto &[w, work] : cases) {
    const verdict v = check_words(p, baseline_of(p, w).words);
    ASSERT_TRUE(v.legal) << v;
    EXPECT_EQ(tpu_critical_work(&v.counts), work);
  }
}

TEST(mapper, gemm_with_origins_and_relu) {
  tpu_workload w = gemm_of(6, 12, 8);
  w.relu = 1;
  w.input[0].row = 10;
  w.input[0].col = 8;
  w.input[0].buffer = TPU_BUFFER_B;
  w.input[1].row = 20;
  w.input[1].col = 4;
  w.input[1].buffer = TPU_BUFFER_A;
  w.output.row = 5;
  w.output.col = 12;
  EXPECT_EQ(program_text(params_of(4, 32), w),
            "loop 3\n"
            "dma_ld mode=B:vr row=10 col=2+iv0*1 dest=0+iv0*32 rows=6\n"
            "endloop\n"
            "loop 2\n"
            "dma_ld mode=A:spad row=20 col=1+iv0*1 dest=0+iv0*32 rows=12\n"
            "endloop\n"
            "loop 2\n"
            "mm vr=0 ar=0 acc=0 spad=0+iv0*32 rows=6\n"
            "loop 2\n"
            "mm vr=32+iv1*32 ar=0 acc=1 spad=4+iv0*32+iv1*4 rows=6\n"
            "endloop\n"
            "vrelu dest=0 src=0 rows=6\n"
            "mvout ar=0 row=5 col=3+iv0*1 rows=6\n"
            "endloop\n");
}

TEST(mapper, narrow_gemm_runs_longer_than_it_retires) {
  tpu_workload w = gemm_of(2, 8, 4);
  w.relu = 1;
  EXPECT_EQ(program_text(params_of(4, 16), w),
            "loop 2\n"
            "dma_ld mode=A:vr row=0 col=0+iv0*1 dest=0+iv0*16 rows=4\n"
            "endloop\n"
            "loop 1\n"
            "dma_ld mode=B:spad row=0 col=0+iv0*1 dest=0+iv0*16 rows=8\n"
            "endloop\n"
            "loop 1\n"
            "mm vr=0 ar=0 acc=0 spad=0+iv0*16 rows=4\n"
            "loop 1\n"
            "mm vr=16+iv1*16 ar=0 acc=1 spad=4+iv0*16+iv1*4 rows=4\n"
            "endloop\n"
            "vrelu dest=0 src=0 rows=4\n"
            "mvout ar=0 row=0 col=0+iv0*1 rows=2\n"
            "endloop\n");
}

TEST(mapper, pointwise_row_reduce_and_batched) {
  const tpu_params p = params_of(4, 64);
  EXPECT_EQ(program_text(p, relu_of(16, 16)),
            "loop 4\n"
            "dma_ld mode=A:vr row=0 col=0+iv0*1 dest=0+iv0*64 rows=16\n"
            "endloop\n"
            "dma_ld mode=B:spad row=0 col=0 dest=0 rows=4\n"
            "loop 4\n"
            "mm vr=0+iv0*64 ar=0 acc=0 spad=0 rows=16\n"
            "vrelu dest=0 src=0 rows=16\n"
            "mvout ar=0 row=0 col=0+iv0*1 rows=16\n"
            "endloop\n");
  EXPECT_EQ(program_text(p, row_reduce_of(16, 16)),
            "loop 4\n"
            "dma_ld mode=A:vr row=0 col=0+iv0*1 dest=0+iv0*64 rows=16\n"
            "endloop\n"
            "dma_ld mode=B:spad row=0 col=0 dest=0 rows=4\n"
            "mm vr=0 ar=0 acc=0 spad=0 rows=16\n"
            "loop 3\n"
            "mm vr=64+iv0*64 ar=0 acc=1 spad=0 rows=16\n"
            "endloop\n"
            "mvout ar=0 row=0 col=0 rows=16\n");
  EXPECT_EQ(program_text(p, batched_of(2, 4, 4, 4)),
            "loop 1\n"
            "dma_ld mode=A:vr row=0 col=0+iv0*1 dest=0+iv0*64 rows=8\n"
            "endloop\n"
            "loop 1\n"
            "dma_ld mode=B:spad row=0 col=0+iv0*1 dest=0+iv0*64 rows=8\n"
            "endloop\n"
            "loop 2\n"
            "mm vr=0+iv0*4 ar=0+iv0*4 acc=0 spad=0+iv0*4 rows=4\n"
            "mvout ar=0+iv0*4 row=0+iv0*4 col=0 rows=4\n"
            "endloop\n");
}

TEST(mapper, batches_of_several_tiles_come_in_turn) {
  const tpu_params p = params_of(4, 64);
  EXPECT_EQ(program_text(p, batched_of(3, 2, 8, 12)),
            "loop 2\n"
            "dma_ld mode=A:vr row=0 col=0+iv0*1 dest=2+iv0*64 rows=2\n"
            "endloop\n"
            "loop 3\n"
            "loop 2\n"
            "dma_ld mode=A:vr row=0+iv0*2 col=0+iv1*1 dest=0+iv1*64 rows=2\n"
            "endloop\n"
            "loop 3\n"
            "dma_ld mode=B:spad row=0+iv0*8 col=0+iv1*1 dest=0 rows=8\n"
            "mm vr=0 ar=0 acc=0 spad=0 rows=4\n"
            "loop 1\n"
            "mm vr=64+iv2*64 ar=0 acc=1 spad=4+iv2*4 rows=4\n"
            "endloop\n"
            "mvout ar=0 row=0+iv0*2 col=0+iv1*1 rows=2\n"
            "endloop\n"
            "endloop\n");
}

// A row that is read must have been written, and the image ends below the operand.
TEST(mapper, rows_past_the_image_come_from_its_top) {
  const tpu_params p = params_of(4, 16);
  tpu_workload w = gemm_of(2, 3, 4);
  w.pad_zero = 1;
  w.input[0].row = 14;
  w.input[1].row = 13;
  EXPECT_EQ(program_text(p, w).find("loop 1\n"
                                    "dma_ld mode=A:vr row=14 col=0+iv0*1 dest=0+iv0*16 rows=2\n"
                                    "dma_ld mode=A:vr row=0 col=0+iv0*1 dest=2+iv0*16 rows=2\n"
                                    "endloop\n"
                                    "loop 1\n"
                                    "dma_ld mode=B:spad row=13 col=0+iv0*1 dest=0+iv0*16 rows=3\n"
                                    "dma_ld mode=B:spad row=0 col=0+iv0*1 dest=3+iv0*16 rows=1\n"
                                    "endloop\n"),
            0U);
  expect_exact(p, w);
}

// An identity taller than the columns has rows of zeros in them: they take the garbage out.
TEST(mapper, a_declared_zero_word_completes_a_ragged_reduction) {
  const tpu_params p = params_of(8, 32);
  tpu_workload w = gemm_of(8, 13, 16);
  w.input[1].row = 8;
  tpu_error why{};
  EXPECT_EQ(tpu_workload_satisfiable(&p, &w, &why), 0);
  add_constant(&w, TPU_CONST_IDENTITY, 1, 16);
  EXPECT_NE(program_text(p, w).find("loop 3\n"
                                    "dma_ld mode=B:spad row=0 col=1 dest=13+iv0*32+iv1*1 rows=1\n"
                                    "endloop\n"),
            std::string::npos);
  expect_exact(p, w);
  tpu_workload sum = row_reduce_of(9, 21);
  sum.constant[0] = {TPU_CONST_ONES_COLUMN, 1, 9, TPU_BUFFER_B, 3, 8};
  expect_exact(p, sum);
  tpu_workload batched = batched_of(2, 3, 5, 16);
  batched.input[1].row = 8;
  add_constant(&batched, TPU_CONST_IDENTITY, 1, 16);
  expect_exact(p, batched);
}

TEST(mapper, more_rows_than_an_instruction_holds_are_split) {
  const tpu_params p = params_of(8, 128);
  tpu_workload w = gemm_of(128, 16, 8);
  w.relu = 1;
  const std::string text = program_text(p, w);
  EXPECT_NE(text.find("mm vr=0 ar=0 acc=0 spad=0+iv0*128 rows=127\n"
                      "mm vr=127 ar=127 acc=0 spad=0+iv0*128 rows=1\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("mvout ar=127 row=127 col=0+iv0*1 rows=1\n"), std::string::npos) << text;
  expect_exact(p, w);
  expect_exact(p, gemm_of(16, 128, 16));
  expect_exact(p, relu_of(128, 128));
  expect_exact(p, row_reduce_of(128, 128));
  expect_exact(p, batched_of(2, 64, 8, 8));
}

TEST(mapper, rows_split_in_three) {
  const tpu_params p = params_of(64, 320);
  expect_exact(p, gemm_of(320, 64, 64));
  expect_exact(p, gemm_of(64, 320, 64));
}

TEST(mapper, more_batches_than_a_loop_counts_are_split) {
  const tpu_params p = params_of(8, 128);
  tpu_workload w = batched_of(128, 1, 1, 8);
  w.pad_zero = 1;
  expect_exact(p, w); // resident
  w = batched_of(128, 1, 1, 24);
  w.pad_zero = 1;
  expect_exact(p, w); // in turn
}

// The longest program of each form still fits the default instruction memory of 24.
TEST(mapper, the_longest_programs_fit_up_to_254_rows) {
  for (const uint32_t t : {8U, 12U, 16U}) {
    SCOPED_TRACE(t);
    const uint32_t maxdim = maxdims_at(t).back();
    const tpu_params p = params_of(t, maxdim);
    std::vector<tpu_workload> all{gemm_of(maxdim, 2 * t + 1, t), gemm_of(maxdim, 2 * t + 1, t),
                                  batched_of(maxdim, 1, 1, 2 * t), relu_of(maxdim, maxdim),
                                  row_reduce_of(maxdim, 2 * t + 1)};
    all[0].pad_zero = all[2].pad_zero = 1;
    add_constant(&all[1], TPU_CONST_IDENTITY, 1, 2 * t, TPU_BUFFER_B, 0, 2 * t);
    all[4].constant[0] = {TPU_CONST_ONES_COLUMN, 1, t + 1, TPU_BUFFER_B, 0, 0};
    for (tpu_workload &w : all) {
      SCOPED_TRACE(w.input[0].subscript);
      w.relu = 1;
      expect_exact(p, w);
    }
  }
}

TEST(mapper, the_smallest_memories_hold_the_rows_that_only_pad) {
  tpu_workload w = batched_of(4, 1, 1, 4);
  w.pad_zero = 1;
  for (const unsigned small : {0U, 1U, 2U}) { // which memory has no row to spare
    SCOPED_TRACE(small);
    tpu_params p = params_of(4, 4);
    p.nvr = small != 1 ? tpu_operand_rows(&p) : 64;
    p.spad_rows = small != 2 ? tpu_operand_rows(&p) : 64;
    p.nar = 2 * p.maxdim + 2;
    tpu_error e{};
    ASSERT_EQ(tpu_params_resolve(&p, &e), 1) << e.text;
    expect_exact(p, w);
    expect_exact(p, gemm_of(1, 4, 4));
  }
}

TEST(mapper, every_result_covers_the_output_and_keeps_to_the_window) {
  for (const uint32_t t : {4U, 8U, 16U}) {
    const tpu_params p = params_of(t, 64);
    for (const corpus_entry &entry : corpus_table()) {
      tpu_error why{};
      mapped m = baseline_of(p, entry.w);
      const auto n = static_cast<uint32_t>(m.words.size());
      insns decoded(n);
      const tpu_program program{m.words.data(), n, n};
      tpu_code code{decoded.data(), n, 0};
      ASSERT_TRUE(tpu_decode_program(&program, &code, nullptr, nullptr, &why)) << why.text;
      std::vector<uint8_t> covered(64 * 16 / 8);
      tpu_violation v{};
      const bool ragged = tpu_tensor_region(&entry.w, &entry.w.output).cols % t != 0 &&
                          entry.w.write_window == TPU_WINDOW_EXACT;
      EXPECT_EQ(tpu_check_spec(&p, &code, &entry.w, covered.data(), covered.size(), &v) == 0,
                ragged)
          << entry.file << " at T=" << t << ": " << v.detail;
    }
  }
}

TEST(mapper, a_larger_instruction_memory_changes_nothing) {
  tpu_params p = params_of(4, 64);
  const std::string usual = program_text(p, gemm_of(8, 8, 8));
  for (const uint32_t words : {520U, 528U, static_cast<uint32_t>(TPU_MAX_IMEM)}) {
    p.imem_size = words;
    EXPECT_EQ(program_text(p, gemm_of(8, 8, 8)), usual) << words;
  }
}

TEST(mapper, the_longest_of_several_columns_of_ones_is_taken) {
  const tpu_params p = params_of(4, 64);
  for (const uint32_t longer : {0U, 1U, 2U}) {
    tpu_workload w = row_reduce_of(16, 16);
    w.constants = 0;
    for (const uint32_t k : {0U, 1U, 2U})
      add_constant(&w, TPU_CONST_ONES_COLUMN, k == longer ? 4 : 2 + k / 2, 1, TPU_BUFFER_B, 8 * k);
    EXPECT_NE(program_text(p, w).find("dma_ld mode=B:spad row=" + std::to_string(8 * longer) +
                                      " col=0 dest=0 rows=4\n"),
              std::string::npos)
        << longer << "\n"
        << program_text(p, w);
    expect_exact(p, w);
  }
}

TEST(mapper, what_does_not_fit_says_which_limit_and_by_how_much) {
  tpu_params p = params_of(4, 64);
  p.imem_size = 16;
  const mapped small = baseline_of(p, gemm_of(8, 8, 8));
  EXPECT_EQ(
      small.refusal,
      "the baseline has 13 instructions, 9 more than the 4 that IMEM_SIZE=16 leaves room for");
  p = params_of(4, 64);
  std::vector<tpu_word> words(12);
  tpu_program out{words.data(), 12, 7};
  const tpu_workload w = gemm_of(8, 8, 8);
  tpu_error e{};
  EXPECT_EQ(tpu_map_baseline(&p, &w, &out, &e), 0);
  EXPECT_EQ(out.count, 0U);
  EXPECT_EQ(e.code, TPU_ERR_CAPACITY);
  EXPECT_STREQ(e.text, "the baseline has 13 instructions, 1 more than the caller's storage of 12");
  const mapped large = baseline_of(params_of(4, 88), gemm_of(80, 80, 80));
  EXPECT_EQ(large.refusal,
            "the baseline's header count vru would be 33600, 833 above the 32767 it holds");
  EXPECT_NE(baseline_of(params_of(4, 16), gemm_of(17, 4, 4)).refusal.find("MAXDIM=16"),
            std::string::npos);
  EXPECT_EQ(baseline_of(p, workload_of("mk,nk->mn", {{'m', 4}, {'n', 4}, {'k', 4}})).refusal,
            "the einsum mk,nk->mn has no mapping; mapped are mk,kn->mn, mn->mn, mk->m and "
            "bmk,bkn->bmn");
  EXPECT_EQ(baseline_of(p, workload_of("mn->mn", {{'m', 4}, {'n', 2}})).refusal,
            "mn->mn needs a declared identity of at least 2 x 2; none is there");
  EXPECT_EQ(baseline_of(p, workload_of("mk->m", {{'m', 4}, {'k', 4}})).refusal,
            "mk->m needs a declared column of ones; no ones_column or identity is there");
}

// Memories hold garbage, not zeros: no load is there for show.
TEST(mapper, without_any_one_load_the_result_is_wrong) {
  const tpu_params p = params_of(4, 64);
  bench b(p);
  for (const corpus_entry &entry : corpus_table()) {
    if (entry.w.known_gap != 0 || entry.w.index[0].size > 16)
      continue;
    const std::vector<tpu_word> words = baseline_of(p, entry.w).words;
    uint32_t loads = 0;
    for (size_t i = 0; i < words.size(); ++i) {
      tpu_insn insn{};
      ASSERT_TRUE(tpu_decode(&words[i], &insn, nullptr, nullptr));
      if (insn.op != TPU_OP_DMA_LD)
        continue;
      ++loads;
      std::vector<tpu_word> without = words;
      without[i] = {}; // nop
      const tpu_comparison c = b.run(entry.w, without, MID, 3);
      EXPECT_GT(c.wrong, 0U) << entry.file << " without instruction " << i;
    }
    EXPECT_EQ(loads, 2U) << entry.file;
  }
}

} // namespace
