// SPDX-License-Identifier: Apache-2.0
// Files of results: what they state, what is none, and what changed between two.
#include "judge/compare.h"

#include "testing.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

namespace {

class records_of {
public:
  explicit records_of(const std::string &text) {
    good = tpu_records_parse("f", text.data(), text.size(), &records, &report) != 0;
  }
  records_of(const records_of &) = delete;
  records_of &operator=(const records_of &) = delete;
  ~records_of() { tpu_records_release(&records); }

  bool good = false;
  tpu_records records{};
  tpu_report report{};
};

std::string point(int t, const std::string &spec, const std::string &cycles,
                  const std::string &variant = "baseline") {
  return R"({"set":{"T":)" + std::to_string(t) + R"(,"memory.ports":"shared"},"spec":")" + spec +
         R"(","variant":")" + variant + R"(","verdict":"EXACT","cycles":)" + cycles +
         R"(,"causes":{"store":3},"units":{"pe":{"promised":64,"done":60,"busy":7,"starved":5,"blocked":2,"idle":1,"utilization":0.5}}})" +
         "\n";
}

TEST(records, of_a_sweep) {
  const records_of r(point(4, "a", "10") + point(8, "a", "null") + point(4, "b", "7", "via_spad"));
  ASSERT_TRUE(r.good) << r.report.text;
  EXPECT_EQ(r.records.kind, TPU_RECORD_SWEEP);
  ASSERT_EQ(r.records.count, 3U);
  EXPECT_STREQ(r.records.record[0].name, "T=4 memory.ports=shared a");
  EXPECT_STREQ(r.records.record[2].name, "T=4 memory.ports=shared b via_spad");
  EXPECT_EQ(r.records.record[0].cycles, 10U);
  EXPECT_EQ(r.records.record[1].cycles, 0U);
  EXPECT_EQ(r.records.record[0].cause[TPU_CAUSE_store], 3U);
  const std::array<std::uint64_t, TPU_COUNTER_COUNT> due{64, 60, 7, 5, 2, 1};
  const std::array<std::uint64_t, TPU_COUNTER_COUNT> none{};
  EXPECT_TRUE(std::equal(due.begin(), due.end(), r.records.record[0].unit[TPU_UNIT_PE].count));
  EXPECT_TRUE(std::equal(none.begin(), none.end(), r.records.record[0].unit[TPU_UNIT_WLD].count));
}

TEST(records, of_a_corpus) {
  const records_of r(R"({"specs": [{"name": "a", "verdict": "EXACT", "cycles": 10, "end_to_end": 99,
                      "causes": {"finish": 4}, "units": {"spm": {"promised": 1, "done": 1,
                      "busy": 2, "starved": 3, "blocked": 4, "idle": 5}}}],
                      "summary": {}, "config": {"accelerator": {"T": 4}, "timing": "x"}})");
  ASSERT_TRUE(r.good) << r.report.text;
  EXPECT_EQ(r.records.kind, TPU_RECORD_CORPUS);
  ASSERT_EQ(r.records.count, 1U);
  EXPECT_EQ(r.records.record[0].end_to_end, 99U);
  EXPECT_EQ(r.records.record[0].unit[TPU_UNIT_SPM].count[TPU_COUNTER_IDLE], 5U);
  ASSERT_EQ(r.records.settings, 2U);
  EXPECT_STREQ(r.records.setting[0].key, "accelerator.T");
  EXPECT_STREQ(r.records.setting[0].value, "4");
  EXPECT_STREQ(r.records.setting[1].key, "timing");
}

TEST(records, of_more_points_than_a_byte_counts) {
  std::string text;
  for (int k = 0; k < 300; ++k)
    text += point(4, std::to_string(k), std::to_string(1000 + k));
  const records_of r(text);
  ASSERT_TRUE(r.good) << r.report.text;
  ASSERT_EQ(r.records.count, 300U);
  for (size_t k = 0; k < r.records.count; ++k)
    EXPECT_EQ(r.records.record[k].cycles, 1000 + k);
}

TEST(records, what_is_none_is_refused) {
  for (const auto &[text, says] : std::vector<std::pair<std::string, std::string>>{
           {"", "f: "},
           {"{}", "f: is no run, corpus or sweep"},
           {"[1]", "f: is no run, corpus or sweep"},
           {"{\n", "f: byte"},
           {point(4, "a", "10") + "{\"set\"", "f: line 2: "},
           {point(4, "a", "10") + "\n", "f: line 2: "},
           {point(4, "a", "10") + point(4, "a", "11"),
            "f: T=4 memory.ports=shared a is there twice"},
           {point(4, "a", "-1"), "f: line 1: $.cycles"},
           {point(4, "a", "9223372036854775808"), "f: line 1: $.cycles"},
           {R"({"set":{},"spec":"a","variant":"b","verdict":"c","causes":{"store":)"
            "9223372036854775808}}",
            "f: line 1: $.causes.store"},
           {point(4, std::string(300, 'a'), "1"), "f: line 1: $.spec"},
           {R"({"set":{},"spec":"a","variant":"b","verdict":"c","cycles":1,"causes":{"wait":1}})",
            "f: line 1: $.causes"},
           {R"({"set":{},"spec":"a","variant":"b","verdict":"c","cycles":1,"causes":{}})",
            "f: line 1: $: the required key \"units\" is missing"},
           {R"({"set":{},"spec":"a","variant":"b","verdict":"c","cycles":1,"causes":{},)"
            R"("units":{"pe":{"promised":1}}})",
            "f: line 1: $.units.pe"},
           {R"({"windows": {}, "name": "x"})", "f: $"},
           {R"({"specs": 3, "summary": {}})", "f: $.specs"}}) {
    const records_of r(text);
    EXPECT_FALSE(r.good) << text;
    EXPECT_EQ(std::string(r.report.text).rfind(says, 0), 0U) << r.report.text;
    EXPECT_EQ(r.records.count, 0U);
  }
}

tpu_record record(std::uint64_t cycles) {
  tpu_record r{};
  std::strcpy(r.verdict, "EXACT");
  r.cycles = cycles;
  return r;
}

TEST(compare, tolerance) {
  EXPECT_FALSE(tpu_compare_passes(100, 100, 100, 0));
  EXPECT_TRUE(tpu_compare_passes(100, 101, 100, 0));
  EXPECT_FALSE(tpu_compare_passes(100, 101, 100, 1));
  EXPECT_TRUE(tpu_compare_passes(100, 99, 100, 0.99));
  EXPECT_TRUE(tpu_compare_passes(0, 1, 0, 1e6)); // from nothing
}

TEST(compare, anything_that_changes_counts) {
  const tpu_record a = record(1000);
  EXPECT_FALSE(tpu_compare_changed(&a, &a, 0));
  tpu_record b = record(1010);
  EXPECT_TRUE(tpu_compare_changed(&a, &b, 0.9));
  EXPECT_FALSE(tpu_compare_changed(&a, &b, 1));
  b = a;
  std::strcpy(b.verdict, "WRONG");
  EXPECT_TRUE(tpu_compare_changed(&a, &b, 1e6));
  b = a;
  b.end_to_end = 1;
  EXPECT_TRUE(tpu_compare_changed(&a, &b, 0));
  b = a;
  b.cause[TPU_CAUSE_dispatch] = 10; // one per cent of the cycles
  EXPECT_TRUE(tpu_compare_changed(&a, &b, 0.9));
  EXPECT_FALSE(tpu_compare_changed(&a, &b, 1));
}

TEST(compare, counters_are_held_against_the_units_cycles) {
  tpu_record a = record(1000);
  a.unit[TPU_UNIT_PE].count[TPU_COUNTER_BUSY] = 9000;
  a.unit[TPU_UNIT_PE].count[TPU_COUNTER_IDLE] = 7000;
  a.unit[TPU_UNIT_PE].count[TPU_COUNTER_DONE] = 50;
  EXPECT_EQ(tpu_compare_base(&a, TPU_UNIT_PE, TPU_COUNTER_STARVED), 16000U);
  EXPECT_EQ(tpu_compare_base(&a, TPU_UNIT_PE, TPU_COUNTER_DONE), 50U);
  tpu_record b = a;
  b.unit[TPU_UNIT_PE].count[TPU_COUNTER_BUSY] += 160;
  b.unit[TPU_UNIT_PE].count[TPU_COUNTER_IDLE] -= 160;
  EXPECT_FALSE(tpu_compare_changed(&a, &b, 1));
  EXPECT_TRUE(tpu_compare_changed(&a, &b, 0.99));
}

TEST(compare, pairs_by_name) {
  const records_of a(point(4, "a", "1") + point(8, "a", "1") + point(4, "b", "1"));
  const records_of b(point(4, "c", "1") + point(4, "b", "2") + point(4, "a", "1"));
  ASSERT_TRUE(a.good && b.good);
  std::vector<tpu_pair> pair(6);
  ASSERT_EQ(tpu_compare_pairs(&a.records, &b.records, pair.data()), 4U);
  EXPECT_EQ(pair[0].b, &b.records.record[2]);
  EXPECT_EQ(pair[1].b, nullptr);
  EXPECT_EQ(pair[2].b, &b.records.record[1]);
  EXPECT_EQ(pair[3].a, nullptr);
  EXPECT_EQ(pair[3].b, &b.records.record[0]);
}

TEST(compare, settings_that_differ_and_those_of_one_only) {
  const auto corpus = [](const std::string &config) {
    return R"({"specs": [], "summary": {}, "config": )" + config + "}";
  };
  const records_of a(corpus(R"({"accelerator": {"T": 4, "QD": 8, "NAR": 2}, "timing": "x"})"));
  const records_of b(corpus(R"({"memory": {"ports": "shared"},
                             "accelerator": {"NAR": 2, "QD": 16}, "timing": "x"})"));
  ASSERT_TRUE(a.good && b.good) << a.report.text << b.report.text;
  std::array<tpu_setting_change, TPU_MAX_SETTING_CHANGES> change{};
  const std::size_t count = tpu_compare_settings(&a.records, &b.records, change.data());
  std::vector<std::string> told;
  for (std::size_t i = 0; i < count; ++i)
    told.push_back(std::string(change[i].key) + " " + change[i].a + " " + change[i].b);
  EXPECT_EQ(told, (std::vector<std::string>{"accelerator.T 4 -", "accelerator.QD 8 16",
                                            "memory.ports - shared"}));
}

TEST(compare, causes_by_their_change) {
  tpu_record a = record(1000);
  tpu_record b = record(1100);
  a.cause[TPU_CAUSE_store] = 50;
  b.cause[TPU_CAUSE_store] = 45;
  b.cause[TPU_CAUSE_response_wait] = 120;
  b.cause[TPU_CAUSE_prefetch] = 5;
  a.cause[TPU_CAUSE_finish] = b.cause[TPU_CAUSE_finish] = 4;
  tpu_path_cause order[TPU_CAUSE_COUNT];
  ASSERT_EQ(tpu_compare_causes(&a, &b, order), 3U);
  EXPECT_EQ(order[0], TPU_CAUSE_response_wait);
  EXPECT_EQ(order[1], TPU_CAUSE_prefetch);
  EXPECT_EQ(order[2], TPU_CAUSE_store);
  EXPECT_EQ(tpu_compare_delta(a.cause[order[2]], b.cause[order[2]]), -5);
}

} // namespace
