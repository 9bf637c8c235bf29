// SPDX-License-Identifier: Apache-2.0
#include "judge/json.h"
#include "judge/json_write.h"

#include "test/judge/testing.h"

#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace {

using writer = std::unique_ptr<tpu_json_writer, decltype(&tpu_json_writer_free)>;

writer make_writer() { return {tpu_json_writer_new(), tpu_json_writer_free}; }

std::string text_of(tpu_json_writer *w, int indented) {
  char *text = tpu_json_writer_text(w, indented);
  std::string out = text != nullptr ? text : "(refused)";
  free(text);
  return out;
}

TEST(json_write, prints_what_was_put) {
  const writer w = make_writer();
  tpu_json_begin_object(w.get(), nullptr);
  tpu_json_put_u64(w.get(), "u", UINT64_MAX);
  tpu_json_put_i64(w.get(), "i", INT64_MIN);
  tpu_json_put_double(w.get(), "d", 0.1);
  tpu_json_begin_array(w.get(), "l");
  tpu_json_put_bool(w.get(), nullptr, 1);
  tpu_json_put_null(w.get(), nullptr);
  tpu_json_begin_object(w.get(), nullptr);
  tpu_json_end(w.get());
  tpu_json_end(w.get());
  tpu_json_put_string(w.get(), "s", "a\"\n\xc3\xa9");
  tpu_json_end(w.get());
  EXPECT_EQ(text_of(w.get(), 0), "{\"u\":18446744073709551615,\"i\":-9223372036854775808,\"d\":0.1,"
                                 "\"l\":[true,null,{}],\"s\":\"a\\\"\\n\xc3\xa9\"}\n");
}

TEST(json_write, a_value_that_is_not_known_is_null) {
  const writer w = make_writer();
  tpu_json_begin_object(w.get(), nullptr);
  tpu_json_put_text_or_null(w.get(), "t", "x");
  tpu_json_put_text_or_null(w.get(), "empty", "");
  tpu_json_put_text_or_null(w.get(), "none", nullptr);
  tpu_json_put_u64_or_null(w.get(), "u", 1, 0);
  tpu_json_put_u64_or_null(w.get(), "no_u", 0, 7);
  tpu_json_put_double_or_null(w.get(), "d", 1, 0.5);
  tpu_json_put_double_or_null(w.get(), "no_d", 0, 0.5);
  tpu_json_end(w.get());
  EXPECT_EQ(text_of(w.get(), 0), "{\"t\":\"x\",\"empty\":null,\"none\":null,\"u\":0,"
                                 "\"no_u\":null,\"d\":0.5,\"no_d\":null}\n");
}

TEST(json_write, integers_survive_a_round_trip) {
  const std::vector<uint64_t> values = {UINT64_C(9007199254740993), UINT64_C(1) << 63, UINT64_MAX};
  const writer w = make_writer();
  tpu_json_begin_array(w.get(), nullptr);
  for (const uint64_t v : values)
    tpu_json_put_u64(w.get(), nullptr, v);
  tpu_json_end(w.get());
  const std::string text = text_of(w.get(), 1);
  tpu_report r = {};
  tpu_json_doc *doc = tpu_json_parse("out", text.data(), text.size(), &r);
  ASSERT_NE(doc, nullptr) << r.text;
  tpu_json v = tpu_json_first(tpu_json_root(doc));
  for (const uint64_t expected : values) {
    uint64_t got = 0;
    EXPECT_TRUE(tpu_json_u64(v, 0, UINT64_MAX, &got, &r)) << r.text;
    EXPECT_EQ(got, expected);
    v = tpu_json_next(v);
  }
  tpu_json_close(doc);
}

TEST(json_write, replaces_what_is_not_utf8) {
  const writer w = make_writer();
  tpu_json_begin_object(w.get(), nullptr);
  tpu_json_put_string(w.get(), "k\xff", "a\xc0\xaf\xe2\x82");
  tpu_json_end(w.get());
  const std::string bad = "\xef\xbf\xbd";
  EXPECT_EQ(text_of(w.get(), 0), "{\"k" + bad + "\":\"a" + bad + bad + bad + bad + "\"}\n");
}

TEST(json_write, refuses_misuse) {
  const std::vector<std::pair<const char *, std::function<void(tpu_json_writer *)>>> cases = {
      {"nothing", [](tpu_json_writer *) {}},
      {"still open", [](tpu_json_writer *w) { tpu_json_begin_array(w, nullptr); }},
      {"nothing to close", [](tpu_json_writer *w) { tpu_json_end(w); }},
      {"two documents",
       [](tpu_json_writer *w) {
         tpu_json_put_null(w, nullptr);
         tpu_json_put_null(w, nullptr);
       }},
      {"member without key",
       [](tpu_json_writer *w) {
         tpu_json_begin_object(w, nullptr);
         tpu_json_put_null(w, nullptr);
         tpu_json_end(w);
       }},
      {"element with key",
       [](tpu_json_writer *w) {
         tpu_json_begin_array(w, nullptr);
         tpu_json_put_null(w, "k");
         tpu_json_end(w);
       }},
      {"document with key", [](tpu_json_writer *w) { tpu_json_put_null(w, "k"); }},
      {"not a number", [](tpu_json_writer *w) { tpu_json_put_double(w, nullptr, std::nan("")); }},
      {"infinite",
       [](tpu_json_writer *w) {
         tpu_json_put_double(w, nullptr, std::numeric_limits<double>::infinity());
       }},
      {"too deep",
       [](tpu_json_writer *w) {
         for (int i = 0; i <= TPU_JSON_MAX_DEPTH; i++)
           tpu_json_begin_array(w, nullptr);
         for (int i = 0; i <= TPU_JSON_MAX_DEPTH; i++)
           tpu_json_end(w);
       }},
  };
  for (const auto &[name, put] : cases) {
    const writer w = make_writer();
    put(w.get());
    EXPECT_EQ(text_of(w.get(), 0), "(refused)") << name;
  }
}

} // namespace
