// SPDX-License-Identifier: Apache-2.0
// The files of the corpus against the table they are to state, and the baselines of the measured
// shapes against the programs that were measured.
#include "judge/json.h"
#include "judge/spec.h"
#include "workload_support.hpp"

#include <filesystem>
#include <fstream>
#include <map>
#include <set>

namespace {

using namespace tpu_test;

const std::string corpus_dir = TPU_SOURCE_DIR "/corpus/";

TEST(corpus, holds_the_specs_of_the_table_and_no_others) {
  std::set<std::string> want;
  for (const corpus_entry &entry : corpus_table())
    want.insert(entry.file + ".json");
  std::set<std::string> got;
  for (const auto &file : std::filesystem::directory_iterator(corpus_dir))
    got.insert(file.path().filename().string());
  EXPECT_EQ(got, want);
}

std::map<char, uint32_t> sizes_of(const tpu_workload &w) {
  std::map<char, uint32_t> all;
  for (uint32_t i = 0; i < w.indices; ++i)
    all[static_cast<char>(w.index[i].letter)] = w.index[i].size;
  return all;
}

void expect_tensor(const tpu_tensor &got, const tpu_tensor &want) {
  EXPECT_STREQ(got.subscript, want.subscript);
  EXPECT_EQ(got.buffer, want.buffer);
  EXPECT_EQ(got.row, want.row);
  EXPECT_EQ(got.col, want.col);
}

TEST(corpus, every_file_says_what_the_table_says) {
  std::set<std::string> reasons;
  for (const corpus_entry &entry : corpus_table()) {
    SCOPED_TRACE(entry.file);
    tpu_spec spec{};
    tpu_report r{};
    ASSERT_EQ(tpu_spec_read((corpus_dir + entry.file + ".json").c_str(), &spec, &r), 1) << r.text;
    const tpu_workload &got = spec.workload;
    const tpu_workload &want = entry.w;
    EXPECT_STREQ(got.name, want.name);
    EXPECT_EQ(sizes_of(got), sizes_of(want));
    EXPECT_EQ(got.inputs, want.inputs);
    for (uint32_t i = 0; i < want.inputs; ++i)
      expect_tensor(got.input[i], want.input[i]);
    expect_tensor(got.output, want.output);
    EXPECT_EQ(got.constants, want.constants);
    for (uint32_t i = 0; i < want.constants; ++i)
      EXPECT_EQ(std::memcmp(&got.constant[i], &want.constant[i], sizeof(tpu_constant)), 0);
    EXPECT_EQ(got.relu, want.relu);
    EXPECT_EQ(got.pad_zero, want.pad_zero);
    EXPECT_EQ(got.write_window, want.write_window);
    EXPECT_EQ(got.known_gap, want.known_gap);
    reasons.insert(spec.stresses);
    tpu_spec_release(&spec);
  }
  EXPECT_EQ(reasons.size(), 22U) << "each spec has a reason of its own";
}

TEST(corpus, one_key_stands_on_a_line) {
  for (const corpus_entry &entry : corpus_table()) {
    std::ifstream file(corpus_dir + entry.file + ".json");
    for (std::string line; std::getline(file, line);)
      EXPECT_EQ(line.find("\": "), line.rfind("\": ")) << entry.file << ": " << line;
  }
}

uint64_t word_of(tpu_json v) {
  const char *s = nullptr;
  tpu_report r{};
  EXPECT_EQ(tpu_json_string(v, 3, 20, &s, &r), 1) << r.text;
  return s != nullptr ? std::stoull(s, nullptr, 16) : 0;
}

tpu_json member(tpu_json v, const char *key) {
  tpu_json out{};
  tpu_report r{};
  EXPECT_EQ(tpu_json_need(v, key, &out, &r), 1) << r.text;
  return out;
}

uint32_t number(tpu_json v, const char *key) {
  uint32_t n = 0;
  tpu_report r{};
  EXPECT_EQ(tpu_json_u32(member(v, key), 0, 1000, &n, &r), 1) << r.text;
  return n;
}

TEST(corpus, baselines_are_the_measured_programs) {
  tpu_report r{};
  tpu_json_doc *doc = tpu_json_open(TPU_SOURCE_DIR "/test/data/rtl_calibration.json", &r);
  ASSERT_NE(doc, nullptr) << r.text;
  uint32_t met = 0;
  for (tpu_json x = tpu_json_first(tpu_json_root(doc)); x.node != nullptr; x = tpu_json_next(x)) {
    const char *id = nullptr;
    ASSERT_EQ(tpu_json_string(member(x, "id"), 1, 100, &id, &r), 1) << r.text;
    unsigned m = 0;
    unsigned k = 0;
    unsigned n = 0;
    // NOLINTNEXTLINE(cert-err34-c): the count of conversions is compared
    const bool relu = std::sscanf(id, "gemm_relu_%ux%ux%u@", &m, &k, &n) == 3;
    // NOLINTNEXTLINE(cert-err34-c): the count of conversions is compared
    if (!relu && std::sscanf(id, "gemm_%ux%ux%u@", &m, &k, &n) != 3)
      continue; // a program of another hand
    SCOPED_TRACE(id);
    tpu_workload w = gemm_of(m, k, n);
    w.relu = relu ? 1 : 0;
    const tpu_json config = member(x, "config");
    const mapped got = baseline_of(params_of(number(config, "T"), number(config, "MAXDIM")), w);
    EXPECT_EQ(got.refusal, "");
    size_t i = 0;
    for (tpu_json pair = tpu_json_first(member(x, "program")); pair.node != nullptr;
         pair = tpu_json_next(pair), ++i) {
      ASSERT_LT(i, got.words.size());
      EXPECT_EQ(got.words[i].w0, word_of(tpu_json_first(pair))) << "instruction " << i;
      EXPECT_EQ(got.words[i].w1, word_of(tpu_json_next(tpu_json_first(pair))))
          << "instruction " << i;
    }
    EXPECT_EQ(i, got.words.size());
    ++met;
  }
  tpu_json_close(doc);
  EXPECT_EQ(met, 26U);
}

} // namespace
