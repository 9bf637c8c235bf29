// SPDX-License-Identifier: Apache-2.0
// How the causes of a path are told: by the table, and in JSON; and the counters of a unit.
#include "judge/causes.h"
#include "judge/units.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace {

TEST(causes, are_told_as_the_table_has_them) {
#define EXPECT_ROW(id, name, text)                                                                 \
  EXPECT_STREQ(tpu_cause_id(TPU_CAUSE_##id), #id);                                                 \
  EXPECT_STREQ(tpu_cause_name(TPU_CAUSE_##id), name);                                              \
  EXPECT_STREQ(tpu_cause_sentence(TPU_CAUSE_##id), text);
  TPU_PATH_CAUSES(EXPECT_ROW)
#undef EXPECT_ROW
  EXPECT_STREQ(tpu_cause_id(TPU_CAUSE_COUNT), "?");
  EXPECT_STREQ(tpu_cause_name(TPU_CAUSE_COUNT), "?");
  EXPECT_STREQ(tpu_cause_sentence(TPU_CAUSE_COUNT), "");
}

TEST(counters, are_named_as_the_table_has_them) {
#define EXPECT_NAME(id, name, text) EXPECT_STREQ(tpu_counter_name(TPU_COUNTER_##id), #name);
  TPU_COUNTERS(EXPECT_NAME)
#undef EXPECT_NAME
  EXPECT_STREQ(tpu_counter_name(TPU_COUNTER_COUNT), "?");
}

std::string json_of(const std::vector<std::uint64_t> &cycles, int zeros) {
  tpu_json_writer *w = tpu_json_writer_new();
  tpu_json_begin_object(w, nullptr);
  tpu_causes_put(cycles.data(), zeros, w);
  tpu_json_end(w);
  char *text = tpu_json_writer_text(w, 0);
  std::string out = text != nullptr ? text : "";
  std::free(text);
  tpu_json_writer_free(w);
  return out;
}

TEST(causes, those_of_no_cycle_are_left_out_where_so_asked) {
  std::vector<std::uint64_t> cycles(TPU_CAUSE_COUNT);
  EXPECT_EQ(json_of(cycles, 0), "{\"causes\":{}}\n");
  cycles.front() = 7;
  cycles.back() = 1;
  EXPECT_EQ(json_of(cycles, 0), "{\"causes\":{\"start_up\":7,\"finish\":1}}\n");
  const std::string all = json_of(cycles, 1);
  EXPECT_NE(all.find("\"prefetch\":0"), std::string::npos) << all;
  EXPECT_NE(all.find("\"finish\":1"), std::string::npos) << all;
}

TEST(causes, come_back_as_they_went_and_others_are_refused) {
  const std::vector<std::pair<std::string, bool>> table{
      {"{\"causes\":{\"start_up\":7,\"finish\":1}}", true},
      {"{\"causes\":{}}", true},
      {"{\"causes\":{\"?\":1}}", false},
      {"{\"causes\":{\"finish\":-1}}", false},
      {"{\"causes\":[]}", false},
      {"{}", false}};
  for (const auto &[text, good] : table) {
    std::vector<std::uint64_t> cycles(TPU_CAUSE_COUNT);
    tpu_report r{};
    tpu_json_doc *doc = tpu_json_parse("f", text.data(), text.size(), &r);
    ASSERT_NE(doc, nullptr) << r.text;
    EXPECT_EQ(tpu_causes_read(tpu_json_root(doc), cycles.data(), &r), good ? 1 : 0) << text;
    if (good) {
      EXPECT_EQ(json_of(cycles, 0), text + "\n");
    }
    tpu_json_close(doc);
  }
}

} // namespace
