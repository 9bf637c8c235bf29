// SPDX-License-Identifier: Apache-2.0
#include "judge/operands.h"

#include "judge/image_file.h"
#include "test/judge/spec_texts.h"
#include "test/judge/testing.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace {

class operands : public testing::Test {
protected:
  void SetUp() override {
    tpu_report r = {};
    const std::string file = folder_.write("case_x.json", valid_spec());
    ASSERT_TRUE(tpu_spec_read(file.c_str(), &spec_, &r)) << r.text;
  }
  void TearDown() override { tpu_spec_release(&spec_); }

  // Both inputs of a draw, one after the other.
  std::vector<int8_t> drawn(tpu_distribution d, uint32_t seed) {
    tpu_operand_set set;
    EXPECT_TRUE(tpu_operands_draw(&spec_, d, seed, &set));
    std::vector<int8_t> all(set.view.input[0], set.view.input[0] + 16 * 8);
    all.insert(all.end(), set.view.input[1], set.view.input[1] + 8 * 12);
    EXPECT_EQ(set.view.constant[1], spec_.constant_data[1]);
    tpu_operands_release(&set);
    return all;
  }

  scratch_folder folder_;
  tpu_spec spec_ = {};
};

const tpu_distribution all_distributions[] = {TPU_DISTRIBUTION_SMALL, TPU_DISTRIBUTION_MID,
                                              TPU_DISTRIBUTION_FULL, TPU_DISTRIBUTION_CORNER};

TEST_F(operands, the_same_seed_gives_the_same_bytes) {
  std::set<std::vector<int8_t>> different;
  for (const tpu_distribution d : all_distributions)
    for (uint32_t seed = 0; seed < 20; seed++) {
      EXPECT_EQ(drawn(d, seed), drawn(d, seed));
      different.insert(drawn(d, seed));
    }
  EXPECT_EQ(different.size(), 80U);
}

TEST_F(operands, inputs_are_unrelated) {
  tpu_operand_set set;
  ASSERT_TRUE(tpu_operands_draw(&spec_, TPU_DISTRIBUTION_FULL, 1, &set));
  const std::vector<int8_t> x(set.view.input[0], set.view.input[0] + 96);
  const std::vector<int8_t> w(set.view.input[1], set.view.input[1] + 96);
  EXPECT_NE(x, w);
  tpu_operands_release(&set);
}

// The exact set of values that occurs over many draws is the distribution's.
TEST_F(operands, values_are_those_of_the_distribution) {
  const auto range = [](int lo, int hi) {
    std::set<int> s;
    for (int v = lo; v <= hi; v++)
      s.insert(v);
    return s;
  };
  const std::map<tpu_distribution, std::set<int>> expected = {
      {TPU_DISTRIBUTION_SMALL, range(-4, 4)},
      {TPU_DISTRIBUTION_MID, range(-16, 16)},
      {TPU_DISTRIBUTION_FULL, range(-128, 127)},
      {TPU_DISTRIBUTION_CORNER, {-128, -127, -1, 0, 1, 126, 127}}};
  for (const auto &[d, values] : expected) {
    std::set<int> seen;
    for (uint32_t seed = 0; seed < 60; seed++)
      for (const int8_t v : drawn(d, seed))
        seen.insert(v);
    EXPECT_EQ(seen, values) << tpu_distribution_name(d);
  }
}

// Every single input, not only the draw as a whole: the dims are too few for that to be luck.
TEST_F(operands, full_has_both_extremes_in_every_input) {
  for (uint32_t seed = 0; seed < 200; seed++) {
    const std::vector<int8_t> all = drawn(TPU_DISTRIBUTION_FULL, seed);
    const auto split = all.begin() + 16 * 8;
    for (const int extreme : {-128, 127}) {
      EXPECT_GT(std::count(all.begin(), split, extreme), 0) << seed;
      EXPECT_GT(std::count(split, all.end(), extreme), 0) << seed;
    }
  }
}

TEST_F(operands, corner_prefers_the_extremes) {
  std::map<int, int> count;
  for (uint32_t seed = 0; seed < 100; seed++)
    for (const int8_t v : drawn(TPU_DISTRIBUTION_CORNER, seed))
      count[v]++;
  const int draws = 100 * (16 * 8 + 8 * 12); // four of 13 are each extreme, one each other value
  for (const int extreme : {-128, 127})
    EXPECT_NEAR(count[extreme], draws * 4.0 / 13, draws * 0.01);
  for (const int rare : {-127, -1, 0, 1, 126})
    EXPECT_NEAR(count[rare], draws / 13.0, draws * 0.01);
}

TEST_F(operands, one_element_has_one_extreme) {
  std::string text = spec_with("\"m\": 16,\n    \"k\": 8,", "\"m\": 1, \"k\": 1,");
  tpu_report r = {};
  tpu_spec one;
  ASSERT_TRUE(tpu_spec_read(folder_.write("case_x.json", text).c_str(), &one, &r)) << r.text;
  std::set<int> seen;
  for (uint32_t seed = 0; seed < 50; seed++) {
    tpu_operand_set set;
    ASSERT_TRUE(tpu_operands_draw(&one, TPU_DISTRIBUTION_FULL, seed, &set));
    seen.insert(set.view.input[0][0]);
    tpu_operands_release(&set);
  }
  EXPECT_EQ(seen, (std::set<int>{-128, 127}));
  tpu_spec_release(&one);
}

// What is laid out in images is found there again.
TEST_F(operands, images_give_back_what_was_laid_out) {
  tpu_params p = tpu_params_default();
  tpu_error e = {};
  ASSERT_TRUE(tpu_params_resolve(&p, &e));
  tpu_operand_set set;
  ASSERT_TRUE(tpu_operands_draw(&spec_, TPU_DISTRIBUTION_FULL, 5, &set));
  std::vector<int8_t> a(64 * 64);
  std::vector<int8_t> b(64 * 64);
  tpu_image_operand(&p, &spec_.workload, &set.view, TPU_BUFFER_A, 1, a.data());
  tpu_image_operand(&p, &spec_.workload, &set.view, TPU_BUFFER_B, 1, b.data());
  const int8_t *const images[2] = {a.data(), b.data()};
  tpu_operand_set back;
  ASSERT_TRUE(tpu_operands_from_images(&spec_, &p, images, &back));
  EXPECT_TRUE(std::equal(set.view.input[0], set.view.input[0] + 16 * 8, back.view.input[0]));
  EXPECT_TRUE(std::equal(set.view.input[1], set.view.input[1] + 8 * 12, back.view.input[1]));
  tpu_operands_release(&back);
  tpu_operands_release(&set);
}

TEST_F(operands, image_files_have_their_exact_size) {
  const tpu_params p = {4, 8, 16, 1, 0, 0, 0, 0};
  std::vector<int8_t> image(64);
  std::vector<int8_t> back(64);
  for (size_t i = 0; i < image.size(); i++)
    image[i] = static_cast<int8_t>(i * 7);
  const std::string file = folder_.path() + "/image";
  tpu_report r = {};
  ASSERT_TRUE(tpu_image_write(file.c_str(), &p, image.data(), &r)) << r.text;
  ASSERT_TRUE(tpu_image_read(file.c_str(), &p, back.data(), &r)) << r.text;
  EXPECT_EQ(back, image);
  const std::string small = folder_.write("small", std::string(63, 'x'));
  EXPECT_FALSE(tpu_image_read(small.c_str(), &p, back.data(), &r));
  expect_report(r, small, "byte 63", "the file ends; an image is MAXDIM*MAXDIM = 64 bytes");
  const std::string large = folder_.write("large", std::string(65, 'x'));
  EXPECT_FALSE(tpu_image_read(large.c_str(), &p, back.data(), &r));
  expect_report(r, large, "byte 64", "the file goes on; an image is MAXDIM*MAXDIM = 64 bytes");
  EXPECT_FALSE(tpu_image_read((folder_.path() + "/none").c_str(), &p, back.data(), &r));
  expect_report(r, folder_.path() + "/none", "cannot be opened", "No such file");
  EXPECT_FALSE(tpu_image_read(folder_.path().c_str(), &p, back.data(), &r));
  expect_report(r, folder_.path(), "cannot be read", "Is a directory");
}

} // namespace
