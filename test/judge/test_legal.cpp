// SPDX-License-Identifier: Apache-2.0
// Every contract by a crafted violation, and what is said of it; layers, context, headers.
#include "judge/legal.h"
#include "judge/rule_cases.h"

#include "test/isa/support.hpp"
#include "test/isa/workload_support.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace {

using namespace tpu_test;

struct judged {
  bool legal = false;
  std::string rule, detail;
  tpu_violation v{};
  tpu_layer_state layer[TPU_LAYER_COUNT]{};
  tpu_kpn network{};
  bool networked = false;
};

judged judge(const tpu_params &p, std::vector<tpu_word> words, const uint64_t *header = nullptr,
             const tpu_workload *w = nullptr) {
  const auto n = static_cast<uint32_t>(words.size());
  const tpu_program program{words.data(), n, n};
  const tpu_legal_request request{&p, &program, header, w};
  tpu_legality out{};
  tpu_report r{};
  EXPECT_EQ(tpu_legal(&request, &out, &r), 1) << r.text;
  judged x;
  x.legal = out.legal != 0;
  x.rule = x.legal ? "" : tpu_rule_name(out.violation.rule);
  x.detail = out.violation.detail;
  x.v = out.violation;
  std::copy(std::begin(out.layer), std::end(out.layer), std::begin(x.layer));
  x.network = out.network;
  x.networked = out.networked != 0;
  tpu_legality_release(&out);
  return x;
}

const insns tile = {dma(2, 0, 0, 0, 4), dma(1, 0, 0, 0, 4), mm(0, 0, 0, 0, 4), mvout(0, 0, 0, 4)};

std::vector<uint64_t> header_of(const tpu_params &p, insns program) {
  const tpu_code code = code_of(program);
  tpu_counts counts{};
  EXPECT_EQ(tpu_counts_of(&p, &code, &counts, nullptr, nullptr, nullptr), 1);
  std::vector<uint64_t> words(TPU_HEADER_WORDS);
  EXPECT_EQ(tpu_header_pack(&counts, words.data()), 1);
  return words;
}

TEST(rules, every_one_has_a_sentence_and_a_remedy_of_its_own) {
  std::set<std::string> contracts, remedies;
  std::map<int, int> layers;
  for (int rule = 0; rule < TPU_RULE_COUNT; ++rule) {
    EXPECT_GE(std::string(tpu_rule_contract(rule)).size(), 40U) << tpu_rule_name(rule);
    EXPECT_GE(std::string(tpu_rule_remedy(rule)).size(), 40U) << tpu_rule_name(rule);
    contracts.insert(tpu_rule_contract(rule));
    remedies.insert(tpu_rule_remedy(rule));
    ++layers[tpu_rule_layer(rule)];
  }
  EXPECT_EQ(contracts.size(), 23U);
  EXPECT_GE(remedies.size(), 22U); // of the two DRAM images it is the same
  EXPECT_EQ(layers, (std::map<int, int>{{TPU_LAYER_ISA, 16},
                                        {TPU_LAYER_ENCODING, 4},
                                        {TPU_LAYER_PROTOCOL, 1},
                                        {TPU_LAYER_SPEC, 2}}));
  EXPECT_STREQ(tpu_rule_contract(TPU_RULE_COUNT), "?");
  EXPECT_STREQ(tpu_rule_remedy(TPU_RULE_NONE), "?");
}

TEST(rules, a_crafted_violation_of_each_is_named) {
  std::set<int> reached;
  for (size_t k = 0; k < tpu_rule_case_count(); ++k) {
    tpu_rule_result result{};
    tpu_report r{};
    ASSERT_EQ(tpu_rule_case_run(k, &result, &r), 1) << r.text;
    EXPECT_EQ(result.passed, 1) << result.what << ": due " << tpu_rule_name(result.rule) << ", got "
                                << tpu_rule_name(result.got) << ": " << result.violation.detail;
    reached.insert(result.got);
  }
  EXPECT_EQ(reached.size(), 23U);
}

TEST(rules, self_test_sees_another_rule_and_an_empty_message) {
  tpu_violation v{};
  v.rule = TPU_RULE_LOOP_TRIP;
  v.detail[0] = 'x';
  EXPECT_EQ(tpu_rule_is_told(&v, TPU_RULE_LOOP_TRIP), 1);
  EXPECT_EQ(tpu_rule_is_told(&v, TPU_RULE_LOOP_DEPTH), 0);
  v.detail[0] = '\0';
  EXPECT_EQ(tpu_rule_is_told(&v, TPU_RULE_LOOP_TRIP), 0);
}

TEST(legal, layers_are_told_apart) {
  const tpu_params p = params_of(4, 64);
  const tpu_workload w = gemm_of(4, 4, 4);
  const auto states = [](const judged &x) {
    std::string s;
    for (const tpu_layer_state state : x.layer)
      s += std::string(s.empty() ? "" : ", ") + tpu_layer_state_name(state);
    return s;
  };
  judged x = judge(p, encoded(tile), nullptr, &w);
  EXPECT_TRUE(x.legal) << x.detail;
  EXPECT_EQ(x.v.rule, TPU_RULE_NONE);
  EXPECT_EQ(states(x), "holds, holds, holds, holds");
  EXPECT_EQ(x.network.rounds, 82U);
  EXPECT_EQ(states(judge(p, encoded(tile))), "holds, holds, holds, not asked");
  EXPECT_EQ(states(judge(p, encoded({mm(0, 0, 0, 0, 4)}), nullptr, &w)),
            "broken, not reached, not reached, not reached");
  EXPECT_EQ(states(judge(p, encoded(repeat(25, {nop()})), nullptr, &w)),
            "holds, broken, not reached, not reached");
  x = judge(p, encoded({loop(127), loop(127), dma(2, 0, 0, 0, 4), endloop(), endloop(), tile[2]}));
  EXPECT_EQ(states(x), "holds so far, broken, not reached, not asked");
  EXPECT_NE(x.detail.find("later instructions were not examined"), std::string::npos);
  x = judge(p, encoded({tile[0], tile[1], tile[2], mvout(0, 0, 1, 4)}), nullptr, &w);
  EXPECT_EQ(states(x), "holds, holds, holds, broken");
}

TEST(legal, a_header_that_disagrees_is_the_protocols_fault) {
  const tpu_params p = params_of(4, 64);
  const std::vector<uint64_t> good = header_of(p, tile);
  EXPECT_TRUE(judge(p, encoded(tile), good.data()).legal);
  const struct {
    unsigned word;
    uint64_t add;
    const char *rule, *says;
  } table[] = {
      {0, 1, "kpn.protocol", "states 5 instructions; the program has 4"},
      {0, 21, "imem.overflow", "has 25 instructions"},
      {1, 1, "kpn.protocol", "dma_ld is promised 9"},
      {2, 1, "kpn.protocol", "spm is promised"},
      {3, 1, "kpn.protocol", "vru is promised"},
      {4, 1, "kpn.protocol", "wld is promised"},
      {4, UINT64_C(1) << 16, "kpn.protocol", "pe is promised"},
      {5, 1, "kpn.protocol", "accu is promised"},
      {6, 1, "kpn.protocol", "dma_st is promised"},
      {7, 1, "kpn.protocol", "rows of A"},
      {7, UINT64_C(1) << 16, "kpn.protocol", "rows of B"},
      {7, 61, "dma.span", "burst of A spans 65 rows"},
      {7, UINT64_C(61) << 16, "dma.span", "burst of B spans 65 rows"},
      {6, 0x8000, "hdr.count_overflow", "dma_st"},
      {4, 0x8000, "hdr.array_overflow", "mm"},
      {3, UINT64_C(1) << 40, "kpn.protocol", "belong to no count"},
  };
  for (const auto &row : table) {
    std::vector<uint64_t> header = good;
    header[row.word] += row.add;
    const judged x = judge(p, encoded(tile), header.data());
    EXPECT_EQ(x.rule, row.rule) << row.word << ": " << x.detail;
    EXPECT_NE(x.detail.find(row.says), std::string::npos) << x.detail;
    EXPECT_EQ(x.v.index, -1);
  }
}

// At the most rows that can be addressed: 2048 of packed words in each image.
TEST(legal, the_largest_image_is_judged_to_its_last_word) {
  const tpu_params p = params_of(8, 128);
  tpu_workload w = gemm_of(8, 8, 8);
  w.output.row = 120;
  w.output.col = 120;
  const insns program = {dma(2, 0, 0, 0, 8), dma(1, 0, 0, 0, 8), mm(0, 0, 0, 0, 8),
                         mvout(0, 120, 15, 8)};
  const judged x = judge(p, encoded(program), nullptr, &w);
  EXPECT_TRUE(x.legal) << x.rule << ": " << x.detail;
  insns few = program;
  few[3] = mvout(0, 120, 15, 7);
  EXPECT_EQ(judge(p, encoded(few), nullptr, &w).rule, "spec.output_incomplete");
}

TEST(legal, what_happened_is_told_with_and_without_an_instruction) {
  tpu_violation v{};
  char text[400];
  v.rule = TPU_RULE_LOOP_TRIP;
  v.index = 3;
  v.op = TPU_OP_MM;
  v.depth = 2;
  v.iv[0] = 5;
  v.iv[1] = 6;
  std::snprintf(v.detail, sizeof v.detail, "so it is");
  EXPECT_EQ(tpu_violation_happened(&v, text, sizeof text), text);
  EXPECT_STREQ(text, "instruction 3 (mm) with loop values 5, 6: so it is");
  EXPECT_EQ(tpu_violation_text(&v, text, sizeof text), text);
  EXPECT_STREQ(text, "[isa / loop.trip] instruction 3 (mm) with loop values 5, 6: so it is");
  v.index = -1;
  EXPECT_STREQ(tpu_violation_happened(&v, text, sizeof text), "so it is");
}

TEST(legal, context_is_two_lines_either_side) {
  insns program = {nop(), nop(), nop(), mm(0, 0, 2, 0, 4), nop(), endloop(), nop()};
  std::vector<tpu_word> words = encoded(program);
  words[4].w0 |= UINT64_C(1) << 62;
  const auto n = static_cast<uint32_t>(words.size());
  const tpu_program p{words.data(), n, n};
  tpu_violation v{};
  tpu_context_line line[TPU_CONTEXT_LINES];
  v.index = 3;
  ASSERT_EQ(tpu_violation_context(&p, &v, line), 5U);
  for (unsigned k = 0; k < 5; ++k) {
    EXPECT_EQ(line[k].index, k + 1);
    EXPECT_EQ(line[k].offends != 0, k == 2);
  }
  EXPECT_STREQ(line[2].text, "mm vr=0 ar=0 acc=2 spad=0 rows=4");
  EXPECT_STREQ(line[3].text, "words 0x4000000000000000 0x0000000000000000");
  v.index = 0;
  EXPECT_EQ(tpu_violation_context(&p, &v, line), 3U);
  v.index = 6;
  ASSERT_EQ(tpu_violation_context(&p, &v, line), 3U);
  EXPECT_EQ(line[2].index, 6U);
  v.index = -1;
  EXPECT_EQ(tpu_violation_context(&p, &v, line), 0U);
}

// Four nested loops of 127 passes, empty or not: the walk neither runs them out nor counts on.
TEST(legal, nests_of_any_size_are_answered) {
  const tpu_params p = params_of(4, 64);
  const insns open = repeat(4, {loop(127)});
  const insns close = repeat(4, {endloop()});
  EXPECT_TRUE(judge(p, encoded(open + insns{nop()} + close)).legal);
  const judged full = judge(p, encoded(open + insns{dma(2, 0, 0, 0, 4)} + close));
  EXPECT_EQ(full.rule, "hdr.count_overflow");
  EXPECT_EQ(full.v.depth, 4);
  EXPECT_EQ(full.v.iv[3] + 127 * (full.v.iv[2] + 127 * full.v.iv[1]), 32767U / 4);
}

} // namespace
