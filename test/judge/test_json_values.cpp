// SPDX-License-Identifier: Apache-2.0
// Typed access: exact integers, types, paths, unknown keys.
#include "judge/json.h"

#include "test/judge/testing.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace {

class document {
public:
  explicit document(const std::string &text) {
    tpu_report r = {};
    doc_ = tpu_json_parse("in.json", text.data(), text.size(), &r);
    EXPECT_NE(doc_, nullptr) << r.text;
  }
  document(const document &) = delete;
  document &operator=(const document &) = delete;
  ~document() { tpu_json_close(doc_); }
  tpu_json root() const { return tpu_json_root(doc_); }
  tpu_json at(const char *key) const {
    tpu_json v = {};
    EXPECT_TRUE(tpu_json_get(root(), key, &v)) << key;
    return v;
  }

private:
  tpu_json_doc *doc_;
};

TEST(json_values, integers_are_exact) {
  const std::vector<uint64_t> values = {0,
                                        1,
                                        UINT64_C(9007199254740991),
                                        UINT64_C(9007199254740993), // 2^53 + 1
                                        UINT64_C(9223372036854775807),
                                        UINT64_C(9223372036854775808), // 2^63
                                        UINT64_C(18446744073709551615)};
  for (const uint64_t value : values) {
    const document d("[" + std::to_string(value) + "]");
    tpu_report r = {};
    uint64_t got = value + 1;
    EXPECT_TRUE(tpu_json_u64(tpu_json_first(d.root()), 0, UINT64_MAX, &got, &r)) << r.text;
    EXPECT_EQ(got, value);
  }
  for (const int64_t value : {INT64_MIN, INT64_MIN + 1, INT64_C(-1), INT64_C(0), INT64_MAX}) {
    const document d("[" + std::to_string(value) + "]");
    tpu_report r = {};
    int64_t got = value ^ 1;
    EXPECT_TRUE(tpu_json_i64(tpu_json_first(d.root()), INT64_MIN, INT64_MAX, &got, &r)) << r.text;
    EXPECT_EQ(got, value);
  }
}

TEST(json_values, integer_is_refused_where_it_is_none) {
  const char *const wrong[] = {"4.5",       "4.0",  "4e0", "1e3", "0.0", "\"4\"",
                               "true",      "null", "[4]", "{}",  "-1",  "18446744073709551616",
                               "4294967296"};
  for (const char *text : wrong) {
    SCOPED_TRACE(text);
    const document d(std::string("{\"a\": [0, ") + text + "]}");
    const tpu_json v = tpu_json_next(tpu_json_first(d.at("a")));
    tpu_report r = {};
    uint32_t got = 77;
    EXPECT_FALSE(tpu_json_u32(v, 0, UINT32_MAX, &got, &r));
    expect_report(r, "in.json", "$.a[1]", "must be an integer from 0 to 4294967295");
    EXPECT_EQ(got, 77U);
  }
  const document d("[-9223372036854775809, 9223372036854775808]");
  tpu_report r = {};
  int64_t got = 77;
  const tpu_json first = tpu_json_first(d.root());
  EXPECT_FALSE(tpu_json_i64(first, INT64_MIN, INT64_MAX, &got, &r));
  EXPECT_FALSE(tpu_json_i64(tpu_json_next(first), INT64_MIN, INT64_MAX, &got, &r));
  expect_report(r, "in.json", "$[1]", "is 9223372036854775808; must be an integer");
}

TEST(json_values, ranges_include_their_ends) {
  const document d("[3, 4, 8, 9]");
  tpu_json v = tpu_json_first(d.root());
  for (const int expected : {0, 1, 1, 0}) {
    tpu_report r = {};
    uint32_t got = 0;
    EXPECT_EQ(tpu_json_u32(v, 4, 8, &got, &r), expected) << r.text;
    v = tpu_json_next(v);
  }
  EXPECT_EQ(v.node, nullptr);
}

TEST(json_values, a_string_that_looks_like_a_number_is_a_string) {
  const document d("{\"s\": \"4\", \"n\": 4}");
  EXPECT_EQ(tpu_json_type(d.at("s")), TPU_JSON_STRING);
  EXPECT_EQ(tpu_json_type(d.at("n")), TPU_JSON_NUMBER);
  tpu_report r = {};
  const char *text = nullptr;
  EXPECT_TRUE(tpu_json_string(d.at("s"), 0, 10, &text, &r));
  EXPECT_STREQ(text, "4");
  EXPECT_FALSE(tpu_json_string(d.at("n"), 0, 10, &text, &r));
  expect_report(r, "in.json", "$.n", "is 4; must be a string");
}

TEST(json_values, wrong_types_are_named) {
  const document d("{\"n\": 1, \"s\": \"x\", \"b\": true, \"z\": null, \"l\": [], \"o\": {}}");
  using access = std::function<int(tpu_json, tpu_report *)>;
  const std::vector<std::pair<std::string, access>> accesses = {
      {"n",
       [](tpu_json v, tpu_report *r) {
         double x = 0;
         return tpu_json_number(v, 0, 2, &x, r);
       }},
      {"b",
       [](tpu_json v, tpu_report *r) {
         int x = 0;
         return tpu_json_bool(v, &x, r);
       }},
      {"s",
       [](tpu_json v, tpu_report *r) {
         const char *x = nullptr;
         return tpu_json_string(v, 0, 9, &x, r);
       }},
      {"l", [](tpu_json v, tpu_report *r) { return tpu_json_array(v, 0, 9, nullptr, r); }},
      {"o", [](tpu_json v, tpu_report *r) { return tpu_json_object(v, nullptr, 0, r); }},
  };
  for (const auto &[right, call] : accesses) {
    for (const char *key : {"n", "s", "b", "z", "l", "o"}) {
      tpu_report r = {};
      const int ok = call(d.at(key), &r);
      EXPECT_EQ(ok, right[0] == key[0]) << right << " of " << key;
      if (!ok)
        expect_report(r, "in.json", std::string("$.") + key, "; must be ");
    }
  }
}

TEST(json_values, look_up_is_case_sensitive) {
  const document d("{\"T\": 1, \"t\": 2}");
  tpu_report r = {};
  uint32_t value = 0;
  EXPECT_TRUE(tpu_json_u32(d.at("t"), 0, 9, &value, &r));
  EXPECT_EQ(value, 2U);
  tpu_json v = {};
  const document lower("{\"maxdim\": 1}");
  EXPECT_FALSE(tpu_json_get(lower.root(), "MAXDIM", &v));
  EXPECT_EQ(v.node, nullptr);
  EXPECT_FALSE(tpu_json_need(lower.root(), "MAXDIM", &v, &r));
  expect_report(r, "in.json", "$: ", "the required key \"MAXDIM\" is missing");
}

TEST(json_values, unknown_keys_are_named_with_the_nearest) {
  const char *const keys[] = {"accelerator", "memory", "cpu"};
  const document d("{\"memory\": {}, \"Accellerator\": {}}");
  tpu_report r = {};
  EXPECT_FALSE(tpu_json_object(d.root(), keys, 3, &r));
  expect_report(r, "in.json", "$.Accellerator",
                "unknown key; allowed: accelerator, memory, cpu; did you mean accelerator?");
  const document far("{\"zzz\": {}}");
  EXPECT_FALSE(tpu_json_object(far.root(), keys, 3, &r));
  EXPECT_EQ(std::string(r.text).find("did you mean"), std::string::npos) << r.text;
  const document right("{\"cpu\": 1}");
  EXPECT_TRUE(tpu_json_object(right.root(), keys, 3, &r));
}

TEST(json_values, lengths_are_counted_in_characters) {
  const document d("[\"\xc3\xa9\xe2\x82\xac\"]");
  const tpu_json v = tpu_json_first(d.root());
  tpu_report r = {};
  const char *text = nullptr;
  EXPECT_TRUE(tpu_json_string(v, 2, 2, &text, &r)) << r.text;
  EXPECT_FALSE(tpu_json_string(v, 3, 9, &text, &r));
  expect_report(r, "in.json", "$[0]", "is a string of 2 characters; must be a string of 3 to 9");
}

TEST(json_values, lists_have_their_size) {
  const document d("[1, 2, 3]");
  tpu_report r = {};
  size_t count = 0;
  EXPECT_TRUE(tpu_json_array(d.root(), 3, 3, &count, &r));
  EXPECT_EQ(count, 3U);
  EXPECT_FALSE(tpu_json_array(d.root(), 2, 2, &count, &r));
  expect_report(r, "in.json", "$: ", "is a list of 3; must be a list of 2");
  EXPECT_FALSE(tpu_json_array(d.root(), 4, 9, &count, &r));
  expect_report(r, "in.json", "$: ", "must be a list of 4 to 9");
}

TEST(json_values, enumerations_name_all_values) {
  const char *const names[] = {"identity", "ones_column", "data"};
  const document d("[\"ones_column\", \"Data\", 3]");
  tpu_json v = tpu_json_first(d.root());
  tpu_report r = {};
  uint32_t got = 9;
  EXPECT_TRUE(tpu_json_enum(v, names, 3, &got, &r));
  EXPECT_EQ(got, 1U);
  v = tpu_json_next(v);
  EXPECT_FALSE(tpu_json_enum(v, names, 3, &got, &r));
  expect_report(r, "in.json", "$[1]",
                "is the string \"Data\"; must be \"identity\", \"ones_column\" or \"data\"");
  EXPECT_FALSE(tpu_json_enum(tpu_json_next(v), names, 3, &got, &r));
  expect_report(r, "in.json", "$[2]", "is 3; must be");
}

TEST(json_values, paths_show_47_bytes_of_a_key) {
  for (const size_t length : {47U, 48U}) {
    const std::string key(length, 'k');
    const document d("{\"" + key + "\": 1.5}");
    tpu_report r = {};
    uint32_t value = 0;
    EXPECT_FALSE(tpu_json_u32(d.at(key.c_str()), 0, 9, &value, &r));
    const std::string shown = length == 47 ? key : std::string(44, 'k') + "...";
    expect_report(r, "in.json", "$." + shown + ": is 1.5", "");
  }
}

TEST(json_values, paths_quote_odd_keys_and_stay_short) {
  const document d("{\"a b\": {\"\": [[], {\"1x\": 1.5}]}}");
  tpu_report r = {};
  const tpu_json list = tpu_json_first(d.at("a b"));
  const tpu_json last = tpu_json_first(tpu_json_next(tpu_json_first(list)));
  uint32_t value = 0;
  EXPECT_FALSE(tpu_json_u32(last, 0, 9, &value, &r));
  expect_report(r, "in.json", "$[\"a b\"][\"\"][1][\"1x\"]", "is 1.5");
  std::string text;
  std::string close;
  for (int i = 0; i < 60; i++) {
    text += "{\"" + std::string(5000, 'k') + "\":";
    close += "}";
  }
  const document deep(text + "1" + close);
  tpu_json v = deep.root();
  while (tpu_json_type(v) == TPU_JSON_OBJECT)
    v = tpu_json_first(v);
  EXPECT_FALSE(tpu_json_u32(v, 2, 9, &value, &r));
  expect_report(r, "in.json", "$.kkk", "...: is 1; must be an integer from 2 to 9");
}

} // namespace
