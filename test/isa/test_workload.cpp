// SPDX-License-Identifier: Apache-2.0
#include "workload_support.hpp"

namespace {

using namespace tpu_test;

TEST(workload, forms_are_patterns_of_any_letters) {
  const std::vector<std::pair<const char *, tpu_form>> cases{
      {"mk,kn->mn", TPU_FORM_GEMM},
      {"xy,yz->xz", TPU_FORM_GEMM},
      {"nm,mk->nk", TPU_FORM_GEMM},
      {"mn->mn", TPU_FORM_POINTWISE},
      {"ab->ab", TPU_FORM_POINTWISE},
      {"mk->m", TPU_FORM_ROW_REDUCE},
      {"bmk,bkn->bmn", TPU_FORM_BATCHED_GEMM},
      {"mk,nk->mn", TPU_FORM_OTHER},
      {"mk,kn->nm", TPU_FORM_OTHER},
      {"km,kn->mn", TPU_FORM_OTHER},
      {"mk,kn->m", TPU_FORM_OTHER},
      {"mn->nm", TPU_FORM_OTHER},
      {"mk->k", TPU_FORM_OTHER},
      {"m->m", TPU_FORM_OTHER},
      {"mm->mm", TPU_FORM_OTHER},
      {"mk,kk->mk", TPU_FORM_OTHER},
      {"bmk,kn->bmn", TPU_FORM_OTHER},
      {"bmk,bkn->mbn", TPU_FORM_OTHER},
      {"abcd,efab->cdef", TPU_FORM_OTHER}};
  for (const auto &[einsum, form] : cases) {
    const tpu_workload w = workload_of(einsum, {});
    EXPECT_EQ(tpu_workload_form(&w), form) << einsum;
  }
}

TEST(workload, index_size_is_zero_for_an_unknown_letter) {
  const tpu_workload w = gemm_of(3, 5, 7);
  EXPECT_EQ(tpu_index_size(&w, 'k'), 5U);
  EXPECT_EQ(tpu_index_size(&w, 'b'), 0U);
}

void expect_region(const tpu_region &r, uint32_t row, uint32_t col, uint32_t rows, uint32_t cols) {
  EXPECT_EQ(r.row, row);
  EXPECT_EQ(r.col, col);
  EXPECT_EQ(r.rows, rows);
  EXPECT_EQ(r.cols, cols);
}

TEST(workload, regions_of_tensors_constants_and_window) {
  const tpu_params p = params_of(8, 64);
  tpu_workload w = batched_of(2, 3, 5, 6);
  w.input[0].row = 4;
  w.input[0].col = 16;
  expect_region(tpu_tensor_region(&w, &w.input[0]), 4, 16, 6, 5);
  expect_region(tpu_tensor_region(&w, &w.input[1]), 0, 0, 10, 6);
  EXPECT_EQ(tpu_tensor_elements(&w, &w.input[1]), 60U);
  expect_region(tpu_write_region(&p, &w), 0, 0, 6, 6);
  w.write_window = TPU_WINDOW_COLUMN_BLOCK;
  expect_region(tpu_write_region(&p, &w), 0, 0, 6, 8);
  tpu_workload v = row_reduce_of(9, 3);
  expect_region(tpu_tensor_region(&v, &v.output), 0, 0, 9, 1);
  expect_region(tpu_write_region(&p, &v), 0, 0, 9, 8);
  expect_region(tpu_constant_region(&p, &v.constant[0]), 0, 0, 8, 8);
  v.constant[0] = {TPU_CONST_DATA, 2, 3, TPU_BUFFER_B, 5, 8};
  expect_region(tpu_constant_region(&p, &v.constant[0]), 5, 8, 2, 3);
}

TEST(workload, sizes_beyond_32_bits_saturate_and_do_not_fit) {
  const tpu_params p = params_of(4, 64);
  const tpu_workload w = batched_of(65536, 65536, 4, 4); // m * b is 2^32
  EXPECT_EQ(tpu_tensor_region(&w, &w.output).rows, UINT32_MAX);
  tpu_error why{};
  EXPECT_EQ(tpu_workload_fits(&p, &w, &why), 0);
}

using edit = void (*)(tpu_workload *);

TEST(workload, what_does_not_fit_says_why) {
  const tpu_params p = params_of(4, 16);
  const std::vector<std::pair<edit, const char *>> cases{
      {[](tpu_workload *w) { w->index[0].size = 17; },
       "input mk, 17 x 8 bytes at [0, 0], reaches row 17 and column 8 of A, whose edge is "
       "MAXDIM=16"},
      {[](tpu_workload *w) { w->input[1].col = 12; }, "reaches row 8 and column 20 of B"},
      {[](tpu_workload *w) { w->output.row = UINT32_MAX; }, "reaches row 4294967303"},
      {[](tpu_workload *w) { w->output.col = 6; },
       "output mn starts at column 6 of C, off a column block; allowed is a multiple of T=4"},
      {[](tpu_workload *w) { w->input[1].buffer = TPU_BUFFER_A; },
       "input kn at [0, 0] overlaps input mk at [0, 0] of buffer A"},
      {[](tpu_workload *w) { add_constant(w, TPU_CONST_IDENTITY, 0, 0, TPU_BUFFER_B, 7, 4); },
       "constant identity at [7, 4] overlaps input kn"},
      {[](tpu_workload *w) { add_constant(w, TPU_CONST_IDENTITY, 0, 17); },
       "reaches row 4 and column 17"},
      {[](tpu_workload *w) { add_constant(w, 3); }, "constant 0 is of kind 3"},
      {[](tpu_workload *w) { add_constant(w, 0, 1, 1, TPU_BUFFER_C); }, "buffer number 2"},
      {[](tpu_workload *w) { w->input[0].buffer = TPU_BUFFER_C; }, "allowed is 0 (A) and 1 (B)"},
      {[](tpu_workload *w) { w->output.buffer = TPU_BUFFER_A; }, "allowed is 2 (C)"},
      {[](tpu_workload *w) { w->index[1].size = 0; }, "index k has no size"},
      {[](tpu_workload *w) { w->index[1].letter = 'm'; }, "index m is declared twice"},
      {[](tpu_workload *w) { w->index[1].letter = 200; }, "index 1 is character 200"},
      {[](tpu_workload *w) { w->input[0].subscript[0] = '\0'; }, "without 1..4 letters"},
      {[](tpu_workload *w) { std::memset(w->output.subscript, 'm', 8); }, "without 1..4 letters"},
      {[](tpu_workload *w) { w->indices = 7; }, "indices is 7; allowed is 1..6"},
      {[](tpu_workload *w) { w->inputs = 3; }, "inputs is 3; allowed is 1..2"},
      {[](tpu_workload *w) { w->constants = 5; }, "constants is 5; allowed is 0..4"},
      {[](tpu_workload *w) { w->relu = 2; }, "relu is 2; allowed is 0..1"},
      {[](tpu_workload *w) { w->write_window = 2; }, "write_window is 2; allowed is 0..1"}};
  for (const auto &[change, text] : cases) {
    tpu_workload w = gemm_of(8, 8, 8);
    tpu_error why{};
    ASSERT_EQ(tpu_workload_fits(&p, &w, &why), 1) << why.text;
    change(&w);
    EXPECT_EQ(tpu_workload_fits(&p, &w, &why), 0) << text;
    EXPECT_NE(std::string(why.text).find(text), std::string::npos)
        << why.text << "\nlacks: " << text;
  }
}

TEST(workload, neighbours_that_only_touch_fit) {
  const tpu_params p = params_of(4, 16);
  tpu_workload w = gemm_of(8, 8, 8);
  w.input[1].buffer = TPU_BUFFER_A;
  w.input[1].row = 8;
  add_constant(&w, TPU_CONST_IDENTITY, 8, 8, TPU_BUFFER_A, 0, 8);
  tpu_error why{};
  EXPECT_EQ(tpu_workload_fits(&p, &w, &why), 1) << why.text;
}

} // namespace
