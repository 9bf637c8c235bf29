// SPDX-License-Identifier: Apache-2.0
#include "workload_support.hpp"

namespace {

using namespace tpu_test;

std::vector<int8_t> operand_image(const tpu_params &p, const tpu_workload &w, const operands &data,
                                  uint32_t buffer, uint32_t seed) {
  std::vector<int8_t> image(size_t{p.maxdim} * p.maxdim);
  tpu_image_operand(&p, &w, &data.view, buffer, seed, image.data());
  return image;
}

// A batched tensor and three constants in one image: where each byte must lie, and what is around.
struct layout {
  tpu_params p = params_of(4, 32);
  tpu_workload w = batched_of(2, 3, 5, 6);
  chooser choose{1};

  layout() {
    w.input[1].row = 7;
    w.input[1].col = 8;
    add_constant(&w, TPU_CONST_IDENTITY, 3, 5, TPU_BUFFER_B, 20, 0);
    add_constant(&w, TPU_CONST_ONES_COLUMN, 0, 0, TPU_BUFFER_B, 24, 4);
    add_constant(&w, TPU_CONST_DATA, 2, 7, TPU_BUFFER_B, 0, 20);
  }

  // The declared value of a byte of B, or 1000 for an undeclared one.
  static int declared(const operands &data, uint32_t row, uint32_t col) {
    if (row >= 7 && row < 17 && col >= 8 && col < 14)
      return data.input[1][(row - 7) * 6 + (col - 8)];
    if (row >= 20 && row < 23 && col < 5)
      return row - 20 == col ? 1 : 0;
    if (row >= 24 && row < 28 && col >= 4 && col < 8)
      return col == 4 ? 1 : 0;
    if (row < 2 && col >= 20 && col < 27)
      return data.constant[2][row * 7 + (col - 20)];
    return 1000;
  }
};

TEST(image, operands_lie_row_major_and_pads_are_as_promised) {
  layout x;
  for (const uint32_t zero : {0U, 1U}) {
    x.w.pad_zero = zero;
    const operands data(x.p, x.w, FULL, &x.choose);
    const std::vector<int8_t> image = operand_image(x.p, x.w, data, TPU_BUFFER_B, 9);
    for (uint32_t row = 0; row < 32; ++row)
      for (uint32_t col = 0; col < 32; ++col) {
        const int want = layout::declared(data, row, col);
        const int got = int{image[row * 32 + col]};
        if (want != 1000)
          EXPECT_EQ(got, want) << row << ", " << col;
        else
          EXPECT_EQ(got == 0, zero == 1) << row << ", " << col;
      }
  }
}

TEST(image, garbage_follows_the_seed_and_differs_between_buffers) {
  layout x;
  const operands data(x.p, x.w, MID, &x.choose);
  const auto image = operand_image(x.p, x.w, data, TPU_BUFFER_B, 9);
  EXPECT_EQ(image, operand_image(x.p, x.w, data, TPU_BUFFER_B, 9));
  EXPECT_NE(image, operand_image(x.p, x.w, data, TPU_BUFFER_B, 10));
  const auto other = operand_image(x.p, x.w, data, TPU_BUFFER_A, 9);
  uint32_t alike = 0;
  for (size_t i = 28 * 32; i < image.size(); ++i) // rows that neither declares
    alike += image[i] == other[i] ? 1 : 0;
  EXPECT_LT(alike, 16U);
}

// A change here is a change of every seeded image and of the results that name a seed.
TEST(image, bytes_of_a_seed_are_fixed) {
  for (const uint32_t maxdim : {5U, 10U, 15U}) { // 25, 100 and 225 bytes: with and without a rest
    const tpu_params p = params_of(5, maxdim);
    std::vector<int8_t> c(size_t{maxdim} * maxdim);
    tpu_image_prefill(&p, 1, c.data());
    tpu_random r = tpu_random_seeded(1);
    uint32_t x = 0;
    for (size_t i = 0; i < c.size(); ++i) {
      x = i % 4 == 0 ? tpu_random_next(&r) : x >> 8;
      EXPECT_EQ(c[i], static_cast<int8_t>(static_cast<uint8_t>(x))) << i;
    }
  }
}

TEST(image, garbage_is_the_seeds_bytes_but_for_its_zeros) {
  const tpu_params p = params_of(5, 15);
  tpu_workload w = gemm_of(1, 1, 1);
  chooser c(1);
  uint32_t zeros = 0;
  uint32_t last_zeros = 0; // in the rest of a draw
  for (uint32_t seed = 0; seed < 1000; ++seed) {
    const operands data(p, w, FULL, &c);
    const auto image = operand_image(p, w, data, TPU_BUFFER_A, seed);
    std::vector<int8_t> raw(image.size());
    tpu_image_prefill(&p, seed ^ 0x9e3779b9U, raw.data());
    for (size_t i = 1; i < image.size(); ++i) {
      EXPECT_EQ(image[i], raw[i] != 0 ? raw[i] : 0x55) << seed << ", " << i;
      zeros += raw[i] == 0 ? 1 : 0;
    }
    last_zeros += raw.back() == 0 ? 1 : 0;
  }
  EXPECT_GT(zeros, 100U);
  EXPECT_GT(last_zeros, 0U);
}

TEST(image, prefill_holds_every_byte_value) {
  const tpu_params p = params_of(4, 64);
  std::vector<int8_t> c(4096);
  tpu_image_prefill(&p, 3, c.data());
  std::array<uint32_t, 256> seen{};
  for (const int8_t x : c)
    ++seen[static_cast<uint8_t>(x)];
  EXPECT_EQ(std::count(seen.begin(), seen.end(), 0U), 0);
}

struct comparison : testing::Test {
  comparison() {
    w.output.row = 3;
    w.output.col = 8;
    tpu_image_prefill(&p, 5, prefill.data());
    image = prefill;
    for (uint32_t row = 0; row < 4; ++row)
      for (uint32_t col = 0; col < 6; ++col)
        at(3 + row, 8 + col) = expected[row * 6 + col] = static_cast<int8_t>(row * 6 + col);
  }
  int8_t &at(uint32_t row, uint32_t col) { return image[row * 16 + col]; }
  bool exact() {
    return tpu_image_compare(&p, &w, expected.data(), prefill.data(), image.data(), &out) != 0;
  }

  tpu_params p = params_of(4, 16);
  tpu_workload w = gemm_of(4, 4, 6);
  std::vector<int8_t> expected = std::vector<int8_t>(24);
  std::vector<int8_t> prefill = std::vector<int8_t>(256);
  std::vector<int8_t> image;
  tpu_comparison out{};
};

TEST_F(comparison, exact) {
  EXPECT_TRUE(exact());
  EXPECT_EQ(out.wrong, 0U);
  EXPECT_EQ(out.clobbered, 0U);
}

TEST_F(comparison, every_byte_counts) {
  for (uint32_t row = 0; row < 16; ++row)
    for (uint32_t col = 0; col < 16; ++col) {
      const bool output = row >= 3 && row < 7 && col >= 8 && col < 14;
      const int8_t was = at(row, col);
      at(row, col) = static_cast<int8_t>(was ^ 1);
      EXPECT_FALSE(exact());
      EXPECT_EQ(out.wrong, output ? 1U : 0U);
      EXPECT_EQ(out.clobbered, output ? 0U : 1U);
      EXPECT_EQ(out.row, row);
      EXPECT_EQ(out.col, col);
      EXPECT_EQ(out.expected, was);
      EXPECT_EQ(out.got, was ^ 1);
      at(row, col) = was;
    }
}

TEST_F(comparison, a_column_block_window_frees_the_word_but_not_its_neighbours) {
  w.write_window = TPU_WINDOW_COLUMN_BLOCK;
  for (uint32_t row = 3; row < 7; ++row)
    for (uint32_t col = 14; col < 16; ++col)
      at(row, col) = static_cast<int8_t>(at(row, col) + 1);
  EXPECT_TRUE(exact());
  at(7, 14) = static_cast<int8_t>(at(7, 14) + 1);
  at(3, 7) = static_cast<int8_t>(at(3, 7) + 1);
  EXPECT_FALSE(exact());
  EXPECT_EQ(out.clobbered, 2U);
  EXPECT_EQ(out.wrong, 0U);
  EXPECT_EQ(out.row, 3U);
  EXPECT_EQ(out.col, 7U);
}

TEST_F(comparison, the_first_wrong_byte_is_named_before_any_clobber) {
  at(0, 0) = static_cast<int8_t>(at(0, 0) + 1);
  at(5, 9) = 100;
  at(6, 9) = 101;
  EXPECT_FALSE(exact());
  EXPECT_EQ(out.wrong, 2U);
  EXPECT_EQ(out.clobbered, 1U);
  EXPECT_EQ(out.row, 5U);
  EXPECT_EQ(out.col, 9U);
  EXPECT_EQ(out.got, 100);
}

} // namespace
