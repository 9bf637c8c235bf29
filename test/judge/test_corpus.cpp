// SPDX-License-Identifier: Apache-2.0
#include "judge/corpus.h"

#include "test/judge/testing.h"

#include <string>

namespace {

const std::string corpus_folder = std::string(TPU_SOURCE_DIR) + "/corpus";

std::string tiny(const std::string &name) {
  return R"({"name": ")" + name +
         R"(", "stresses": "a spec for the tests of the folder", "einsum": "mn->mn",
    "dims": {"m": 4, "n": 4},
    "inputs": [{"name": "X", "subscript": "mn", "dtype": "int8", "buffer": "A", "origin": [0, 0]}],
    "output": {"name": "Y", "subscript": "mn", "dtype": "int8", "buffer": "C", "origin": [0, 0]},
    "accumulator": "int32", "epilogue": ["saturate"], "operand_pad": "arbitrary"})";
}

TEST(corpus, the_tree_holds_22_specs_of_which_one_is_a_gap) {
  tpu_corpus corpus;
  tpu_report r = {};
  ASSERT_TRUE(tpu_corpus_read(corpus_folder.c_str(), &corpus, &r)) << r.text;
  EXPECT_EQ(corpus.count, 22U);
  uint32_t gaps = 0;
  for (uint32_t i = 0; i < corpus.count; i++)
    gaps += corpus.spec[i].workload.known_gap;
  EXPECT_EQ(gaps, 1U);
  const tpu_spec *first = tpu_corpus_get(&corpus, "gemm_4x4x4");
  EXPECT_EQ(first, &corpus.spec[0]);
  EXPECT_EQ(tpu_corpus_get(&corpus, "01_gemm_4x4x4"), first);
  EXPECT_EQ(tpu_corpus_get(&corpus, "gemm_4x4"), nullptr);
  tpu_corpus_release(&corpus);
}

TEST(corpus, a_path_is_the_folders_with_one_slash) {
  const scratch_folder folder;
  folder.write("01_x.json", tiny("x"));
  for (const std::string end : {"", "/"}) {
    tpu_spec spec;
    tpu_report r = {};
    ASSERT_TRUE(tpu_corpus_find((folder.path() + end).c_str(), "x", &spec, &r)) << r.text;
    EXPECT_EQ(spec.path, folder.path() + "/01_x.json");
    tpu_spec_release(&spec);
  }
}

struct counts {
  uint32_t expressible, gaps, unsatisfiable, skipped;
};

counts standings(uint32_t t, uint32_t maxdim) {
  tpu_corpus corpus;
  tpu_report r = {};
  tpu_error e = {};
  counts n = {};
  tpu_params p = {t, maxdim, 16, 1, 0, 0, 0, 0};
  EXPECT_TRUE(tpu_params_resolve(&p, &e)) << e.text;
  EXPECT_TRUE(tpu_corpus_read(corpus_folder.c_str(), &corpus, &r)) << r.text;
  for (uint32_t i = 0; i < corpus.count; i++) {
    tpu_standing_store store = {};
    tpu_standing s = {};
    EXPECT_TRUE(tpu_spec_standing(&corpus.spec[i], &p, &store, &s, &r)) << r.text;
    if (s.unfit != nullptr)
      n.skipped++;
    else if (s.known_gap != nullptr)
      n.gaps++;
    else if (s.unsatisfiable != nullptr)
      n.unsatisfiable++;
    else
      n.expressible++;
  }
  tpu_corpus_release(&corpus);
  return n;
}

TEST(corpus, standings_at_the_configurations_of_the_tree) {
  const struct {
    uint32_t t, maxdim;
    counts expected;
  } cases[] = {{4, 64, {21, 1, 0, 0}},
               {4, 16, {16, 1, 0, 5}},
               {8, 64, {14, 1, 7, 0}},
               {16, 64, {9, 1, 12, 0}}};
  for (const auto &c : cases) {
    SCOPED_TRACE("T=" + std::to_string(c.t) + " MAXDIM=" + std::to_string(c.maxdim));
    const counts n = standings(c.t, c.maxdim);
    EXPECT_EQ(n.expressible, c.expected.expressible);
    EXPECT_EQ(n.gaps, c.expected.gaps);
    EXPECT_EQ(n.unsatisfiable, c.expected.unsatisfiable);
    EXPECT_EQ(n.skipped, c.expected.skipped);
  }
}

TEST(corpus, specs_come_in_the_order_of_their_files) {
  const scratch_folder folder;
  for (const char *name : {"10_b", "02_c", "d", "01_e"})
    folder.write(std::string(name) + ".json", tiny(name + (name[1] != '\0' ? 3 : 0)));
  folder.write("README.md", "not a spec");
  folder.write(".hidden.json", "not a spec");
  tpu_corpus corpus;
  tpu_report r = {};
  ASSERT_TRUE(tpu_corpus_read(folder.path().c_str(), &corpus, &r)) << r.text;
  ASSERT_EQ(corpus.count, 4U);
  EXPECT_STREQ(corpus.spec[0].workload.name, "e");
  EXPECT_STREQ(corpus.spec[1].workload.name, "c");
  EXPECT_STREQ(corpus.spec[2].workload.name, "b");
  EXPECT_STREQ(corpus.spec[3].workload.name, "d");
  tpu_corpus_release(&corpus);
}

TEST(corpus, a_name_is_allowed_once) {
  const scratch_folder folder;
  folder.write("01_x.json", tiny("x"));
  folder.write("02_x.json", tiny("x"));
  tpu_corpus corpus;
  tpu_spec spec;
  tpu_report r = {};
  EXPECT_FALSE(tpu_corpus_read(folder.path().c_str(), &corpus, &r));
  expect_report(r, folder.path(), "01_x.json and 02_x.json are both named x", "once");
  EXPECT_FALSE(tpu_corpus_find(folder.path().c_str(), "x", &spec, &r));
  expect_report(r, folder.path(), "01_x.json and 02_x.json are both named x", "once");
}

TEST(corpus, one_bad_file_refuses_the_folder_but_not_its_neighbours) {
  const scratch_folder folder;
  folder.write("01_x.json", tiny("x"));
  const std::string bad = folder.write("02_y.json", "{");
  tpu_corpus corpus;
  tpu_spec spec;
  tpu_report r = {};
  EXPECT_FALSE(tpu_corpus_read(folder.path().c_str(), &corpus, &r));
  expect_report(r, bad, "byte 1", "the text ends");
  EXPECT_EQ(corpus.count, 0U);
  EXPECT_TRUE(tpu_corpus_find(folder.path().c_str(), "x", &spec, &r)) << r.text;
  tpu_spec_release(&spec);
}

TEST(corpus, folders_without_specs_are_refused) {
  const scratch_folder folder;
  tpu_corpus corpus;
  tpu_report r = {};
  EXPECT_FALSE(tpu_corpus_read(folder.path().c_str(), &corpus, &r));
  expect_report(r, folder.path(), "holds no spec", ".json");
  EXPECT_FALSE(tpu_corpus_read((folder.path() + "/none").c_str(), &corpus, &r));
  expect_report(r, folder.path() + "/none", "cannot be opened", "No such file");
  const std::string file = folder.write("file", "");
  EXPECT_FALSE(tpu_corpus_read(file.c_str(), &corpus, &r));
  expect_report(r, file, "cannot be opened", "Not a directory");
  const std::string name = std::string(70, 'x') + ".json";
  folder.write(name, tiny("x"));
  EXPECT_FALSE(tpu_corpus_read(folder.path().c_str(), &corpus, &r));
  expect_report(r, folder.path(), name, "longer than 68 characters");
}

TEST(corpus, finds_by_name_stem_and_path) {
  const std::string path = corpus_folder + "/16_relu_16x16.json";
  for (const std::string &what : {std::string("relu_16x16"), std::string("16_relu_16x16"), path}) {
    tpu_spec spec;
    tpu_report r = {};
    ASSERT_TRUE(tpu_corpus_find(corpus_folder.c_str(), what.c_str(), &spec, &r)) << r.text;
    EXPECT_STREQ(spec.workload.name, "relu_16x16");
    EXPECT_EQ(spec.path, path);
    tpu_spec_release(&spec);
  }
  tpu_spec spec;
  tpu_report r = {};
  EXPECT_FALSE(tpu_corpus_find(corpus_folder.c_str(), "rleu_16x16", &spec, &r));
  expect_report(r, corpus_folder, "no spec is named \"rleu_16x16\"", "did you mean relu_16x16?");
  EXPECT_FALSE(tpu_corpus_find(corpus_folder.c_str(), "relu_16x16.json", &spec, &r));
  expect_report(r, "relu_16x16.json", "cannot be opened", "No such file"); // a path
}

} // namespace
