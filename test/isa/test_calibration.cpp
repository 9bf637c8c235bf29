// SPDX-License-Identifier: Apache-2.0
// The 47 programs whose RTL was measured: each is legal at its configuration.
#include "support.hpp"

#include <fstream>
#include <iterator>
#include <map>

namespace {

using namespace tpu_test;

struct point {
  std::string id;
  std::map<std::string, uint32_t> number;
  std::vector<tpu_word> words;
};

// Strings and unsigned numbers of the file in order; its shape is fixed, so a key's value is the
// token after it and hex strings come in pairs.
std::vector<point> points() {
  std::ifstream in(std::string(TPU_SOURCE_DIR) + "/test/data/rtl_calibration.json");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  std::vector<point> all;
  std::string key;
  bool second = false;
  for (size_t k = 0; k < text.size(); ++k) {
    if (text[k] == '"') {
      const size_t end = text.find('"', k + 1);
      const std::string s = text.substr(k + 1, end - k - 1);
      k = end;
      if (key == "id" && s != "config") {
        all.push_back({s, {}, {}});
        key.clear();
      } else if (s.rfind("0x", 0) == 0) {
        const uint64_t v = std::stoull(s, nullptr, 16);
        if (second)
          all.back().words.back().w1 = v;
        else
          all.back().words.push_back({v, 0});
        second = !second;
      } else {
        key = s;
      }
    } else if (text[k] >= '0' && text[k] <= '9') {
      size_t used = 0;
      all.back().number[key] = static_cast<uint32_t>(std::stoul(text.substr(k, 9), &used));
      k += used - 1;
    }
  }
  return all;
}

tpu_params config_of(const point &x) {
  tpu_params p = tpu_params_default();
  p.t = x.number.at("T");
  p.maxdim = x.number.at("MAXDIM");
  p.qd = x.number.at("QD");
  p.dma_words = x.number.at("DMA_WORDS");
  tpu_error e{};
  EXPECT_TRUE(tpu_params_resolve(&p, &e)) << x.id << ": " << e.text;
  return p;
}

TEST(Calibration, EveryProgramIsLegalAndEncodesBack) {
  const auto all = points();
  ASSERT_EQ(all.size(), 47U);
  for (const auto &x : all) {
    const verdict v = check_words(config_of(x), x.words);
    EXPECT_TRUE(v.legal) << x.id << ": " << v;
    EXPECT_EQ(v.counts.insns, x.words.size());
    for (const auto &w : x.words) {
      tpu_insn i{};
      ASSERT_TRUE(tpu_decode(&w, &i, nullptr, nullptr));
      const tpu_word again = encoded({i})[0];
      EXPECT_EQ(again.w0, w.w0) << x.id;
      EXPECT_EQ(again.w1, w.w1) << x.id;
    }
  }
}

TEST(Calibration, CriticalWorkIsThePublishedOne) {
  const std::map<std::string, uint32_t> published = {{"gemm_4x4x4@m16q16", 9},
                                                     {"gemm_8x8x8@m16q16", 48},
                                                     {"gemm_12x12x12@m16q16", 144},
                                                     {"gemm_16x16x8@m16q16", 192},
                                                     {"gemm_16x16x16@m16q16", 320}};
  size_t found = 0;
  for (const auto &x : points()) {
    const auto it = published.find(x.id);
    if (it == published.end())
      continue;
    ++found;
    const verdict v = check_words(config_of(x), x.words);
    EXPECT_EQ(tpu_critical_work(&v.counts), it->second) << x.id;
  }
  EXPECT_EQ(found, published.size());
}

// A program that loses one of its loads reads what it never wrote.
TEST(Calibration, WithoutALoadNoProgramIsLegal) {
  for (const auto &x : points()) {
    auto words = x.words;
    tpu_insn i{};
    for (auto &w : words) {
      tpu_decode(&w, &i, nullptr, nullptr);
      if (i.op != TPU_OP_DMA_LD)
        continue;
      const tpu_word kept = w;
      w = {0, 0};
      const verdict v = check_words(config_of(x), words);
      EXPECT_EQ(v.rule, "mem.write_before_read") << x.id << ": " << v;
      w = kept;
    }
  }
}

} // namespace
