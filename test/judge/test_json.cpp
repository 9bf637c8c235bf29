// SPDX-License-Identifier: Apache-2.0
// What the reader takes for a document and what it refuses, each refusal with its place.
#include "judge/json.h"

#include "test/judge/testing.h"

#include <string>
#include <vector>

namespace {

struct refusal {
  const char *name;
  std::string text;
  const char *place;
  const char *part;
};

std::string repeated(const std::string &s, size_t n) {
  std::string out;
  for (size_t i = 0; i < n; i++)
    out += s;
  return out;
}

const std::vector<refusal> &refusals() {
  static const std::vector<refusal> table = {
      {"empty", "", "byte 0", "empty"},
      {"blank", " \n\t\r\n", "byte 5", "empty"},
      {"truncated object", "{\"a\": 1", "byte 7", "the text ends, but ',' or '}' is due"},
      {"truncated key", "{\"a", "byte 1", "ends inside the string"},
      {"truncated after colon", "{\"a\":", "byte 5", "the text ends, but a value"},
      {"truncated list", "[1, ", "byte 4", "the text ends, but a value"},
      {"truncated number", "[-", "byte 2", "a digit is due"},
      {"truncated fraction", "[1.", "byte 3", "a digit after the point"},
      {"truncated exponent", "[1e+", "byte 4", "a digit of the exponent"},
      {"truncated word", "[tru", "byte 1", "a value"},
      {"truncated escape", "\"\\u12", "byte 1", "four hexadecimal digits"},
      {"trailing text", "{} x", "byte 3", "found 'x', but the end of the document"},
      {"second document", "[][]", "byte 2", "the end of the document"},
      {"trailing NUL", std::string("[]\0", 3), "byte 2", "found byte 0x00"},
      {"trailing comma in list", "[1,]", "byte 3", "found ']', but a value"},
      {"trailing comma in object", "{\"a\":1,}", "byte 7", "a key in double quotes"},
      {"missing comma", "[1 2]", "byte 3", "',' or ']'"},
      {"missing colon", "{\"a\" 1}", "byte 5", "':'"},
      {"mismatched bracket", "[1}", "byte 2", "',' or ']'"},
      {"bare key", "{a: 1}", "byte 1", "a key in double quotes"},
      {"single quotes", "['a']", "byte 1", "found '''"},
      {"comment", "[1] // one", "byte 4", "found '/'"},
      {"leading zero", "[04]", "byte 1", "leading zeros"},
      {"negative leading zero", "[-01]", "byte 1", "leading zeros"},
      {"double zero", "00", "byte 0", "leading zeros"},
      {"plus sign", "[+1]", "byte 1", "found '+'"},
      {"hexadecimal", "[0x10]", "byte 2", "found 'x'"},
      {"bare point", "[.5]", "byte 1", "found '.'"},
      {"infinite", "[1e999]", "byte 1", "not finite"},
      {"negative infinite", "[-1e999]", "byte 1", "not finite"},
      {"long and infinite", "[" + repeated("9", 400) + "]", "byte 1", "not finite"},
      {"NaN", "[NaN]", "byte 1", "found 'N'"},
      {"Infinity", "[Infinity]", "byte 1", "found 'I'"},
      {"wrong case", "[True]", "byte 1", "found 'T'"},
      {"NUL escape", "[\"a\\u0000b\"]", "byte 3", "NUL"},
      {"raw NUL", std::string("[\"a\0b\"]", 7), "byte 3", "control character"},
      {"raw newline", "[\"a\nb\"]", "byte 3", "control character"},
      {"unknown escape", "[\"\\x41\"]", "byte 2", "unknown escape"},
      {"lone high surrogate", "[\"\\ud800\"]", "byte 2", "surrogate"},
      {"lone low surrogate", "[\"\\udc00\"]", "byte 2", "surrogate"},
      {"high surrogate and letter", "[\"\\ud800\\u0041\"]", "byte 2", "surrogate"},
      {"byte order mark", "\xef\xbb\xbf[]", "byte 0", "found byte 0xef"},
      {"stray continuation", "[\"\x80\"]", "byte 2", "invalid UTF-8"},
      {"overlong", "[\"\xc0\xaf\"]", "byte 2", "invalid UTF-8"},
      {"encoded surrogate", "[\"\xed\xa0\x80\"]", "byte 2", "invalid UTF-8"},
      {"above U+10FFFF", "[\"\xf4\x90\x80\x80\"]", "byte 2", "invalid UTF-8"},
      {"cut sequence", "[\"\xe2\x82", "byte 2", "invalid UTF-8"},
      {"65 levels", repeated("[", 65) + repeated("]", 65), "byte 64", "64 levels"},
      {"65 levels of objects", repeated("{\"a\":", 65) + "1" + repeated("}", 65), "byte 320",
       "64 levels"},
      {"a million levels", repeated("[", 1000000), "byte 64", "64 levels"},
      {"10 MB", "[" + repeated(" ", 10000000) + "]", "byte 4194304", "4194304 bytes"},
      {"duplicate key", "{\"a\": 1, \"b\": 2, \"a\": 3}", "$.a", "twice"},
      {"duplicate key by escape", "{\"a\": 1, \"\\u0061\": 3}", "$.a", "twice"},
      {"duplicate key below", "[0, {\"x\": {\"k\": null, \"k\": {}}}]", "$[1].x.k", "twice"},
      {"duplicate odd key", "{\"\": 1, \"\": 2}", "$[\"\"]", "twice"},
  };
  return table;
}

TEST(json, refuses_each_with_its_place) {
  for (const refusal &c : refusals()) {
    SCOPED_TRACE(c.name);
    tpu_report r = {};
    tpu_json_doc *doc = tpu_json_parse("in.json", c.text.data(), c.text.size(), &r);
    EXPECT_EQ(doc, nullptr);
    expect_report(r, "in.json", c.place, c.part);
    tpu_json_close(doc);
  }
}

TEST(json, names_line_and_column) {
  const std::string text = "{\n  \"a\": 1,\n  \"b\" 2\n}";
  tpu_report r = {};
  EXPECT_EQ(tpu_json_parse("in.json", text.data(), text.size(), &r), nullptr);
  EXPECT_NE(std::string(r.text).find("byte 18 (line 3, column 7)"), std::string::npos) << r.text;
}

// Containers, all escapes, every kind of number and word, text of 1 to 4 bytes a character.
const char sample[] =
    "{\"list\": [1, -2.5e-3, 0, -0, 0.5E+2, true, false, null, [], {}], \"T\": 1, \"t\": 2,\n"
    " \"text\": \"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00 "
    "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"}";

TEST(json, refuses_every_cut_of_a_document) {
  for (size_t length = 0; length < sizeof sample - 1; length++) {
    tpu_report r = {};
    tpu_json_doc *doc = tpu_json_parse("cut.json", sample, length, &r);
    EXPECT_EQ(doc, nullptr) << length;
    expect_report(r, "cut.json", "byte ", "");
    tpu_json_close(doc);
  }
}

TEST(json, survives_every_single_changed_byte) {
  size_t accepted = 0;
  for (size_t at = 0; at < sizeof sample - 1; at++) {
    for (int value = 0; value < 256; value++) {
      std::string text(sample, sizeof sample - 1);
      text[at] = static_cast<char>(value);
      tpu_report r = {};
      tpu_json_doc *doc = tpu_json_parse("mutant.json", text.data(), text.size(), &r);
      if (doc == nullptr)
        expect_report(r, "mutant.json", "", ": ");
      else
        accepted++;
      tpu_json_close(doc);
    }
  }
  EXPECT_GT(accepted, sizeof sample - 1); // at least the unchanged ones
}

TEST(json, takes_64_levels_and_the_full_size) {
  const std::string deep = repeated("[", 64) + repeated("]", 64);
  std::string large = "[";
  large += std::string(TPU_JSON_MAX_BYTES - 2, ' ') + "]";
  for (const std::string &text : {deep, large}) {
    tpu_report r = {};
    tpu_json_doc *doc = tpu_json_parse("in.json", text.data(), text.size(), &r);
    EXPECT_NE(doc, nullptr) << r.text;
    tpu_json_close(doc);
  }
}

TEST(json, takes_a_value_that_ends_the_text) {
  for (const std::string text : {"true", "false", "null", "-1.5e3", "\"\"", "[]", "{}"}) {
    tpu_report r = {};
    tpu_json_doc *doc = tpu_json_parse("in.json", text.data(), text.size(), &r);
    EXPECT_NE(doc, nullptr) << r.text;
    tpu_json_close(doc);
  }
}

// In an object inside another, of as many keys as a byte cannot count.
TEST(json, looks_for_duplicates_in_the_largest_object_wherever_it_is) {
  std::string text = "{\"list\": [0, {\"k0\": 0";
  for (int i = 1; i < 255; i++)
    text += ", \"k" + std::to_string(i) + "\": 0";
  text += ", \"k77\": 0}]}";
  tpu_report r = {};
  EXPECT_EQ(tpu_json_parse("in.json", text.data(), text.size(), &r), nullptr);
  expect_report(r, "in.json", "$.list[1].k77", "twice");
}

// A quadratic search for duplicates would not end.
TEST(json, looks_for_duplicates_among_many_keys) {
  std::string text = "{\"k0\":0";
  for (int i = 1; i < 200000; i++)
    text += ",\"k" + std::to_string(i) + "\":0";
  tpu_report r = {};
  tpu_json_doc *doc = tpu_json_parse("in.json", (text + "}").data(), text.size() + 1, &r);
  EXPECT_NE(doc, nullptr) << r.text;
  tpu_json_close(doc);
  text += ",\"k777\":1}";
  EXPECT_EQ(tpu_json_parse("in.json", text.data(), text.size(), &r), nullptr);
  expect_report(r, "in.json", "$.k777", "twice");
}

TEST(json, reports_what_cannot_be_read) {
  const scratch_folder folder;
  tpu_report r = {};
  EXPECT_EQ(tpu_json_open((folder.path() + "/none.json").c_str(), &r), nullptr);
  expect_report(r, folder.path() + "/none.json", "cannot be opened", "No such file");
  EXPECT_EQ(tpu_json_open(folder.path().c_str(), &r), nullptr);
  expect_report(r, folder.path(), "byte 0", "Is a directory");
  const std::string large = folder.write("large.json", repeated("[", 10000000));
  EXPECT_EQ(tpu_json_open(large.c_str(), &r), nullptr);
  expect_report(r, large, "byte 4194304", "at most 4194304 bytes are allowed");
  EXPECT_EQ(tpu_json_open("/dev/zero", &r), nullptr); // endless
  expect_report(r, "/dev/zero", "byte 4194304", "at most 4194304 bytes");
}

// The one line stays one line, and valid UTF-8, whatever is quoted in it.
TEST(json, keeps_a_report_on_one_line) {
  const std::string name = "a\nb" + repeated("\xc3\xa9", 3000) + ".json";
  tpu_report r = {};
  EXPECT_EQ(tpu_json_parse(name.c_str(), "x", 1, &r), nullptr);
  const std::string text = r.text;
  EXPECT_EQ(text.find('\n'), std::string::npos);
  EXPECT_EQ(text.rfind("...\xc3\xa9", 0), 0U) << text;
  EXPECT_NE(text.find(".json: byte 0"), std::string::npos) << text;
}

} // namespace
