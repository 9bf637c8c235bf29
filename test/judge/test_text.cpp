// SPDX-License-Identifier: Apache-2.0
// Bytes, numbers and words in text: what is well-formed, what is cut, what is near.
#include "judge/number.h"
#include "judge/report.h"
#include "judge/suggest.h"
#include "judge/utf8.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

TEST(number, decimal_has_one_spelling) {
  const struct {
    const char *text;
    tpu_number is; // without a sign allowed
    tpu_number with_sign;
  } table[] = {
      {"0", TPU_NUMBER_OK, TPU_NUMBER_OK},
      {"18446744073709551615", TPU_NUMBER_OK, TPU_NUMBER_OK},
      {"18446744073709551616", TPU_NUMBER_OVERFLOW, TPU_NUMBER_OVERFLOW},
      {"-18446744073709551616", TPU_NUMBER_MALFORMED, TPU_NUMBER_OVERFLOW},
      {"-7", TPU_NUMBER_MALFORMED, TPU_NUMBER_OK},
      {"", TPU_NUMBER_MALFORMED, TPU_NUMBER_MALFORMED},
      {"-", TPU_NUMBER_MALFORMED, TPU_NUMBER_MALFORMED},
      {"04", TPU_NUMBER_MALFORMED, TPU_NUMBER_MALFORMED},
      {"-04", TPU_NUMBER_MALFORMED, TPU_NUMBER_MALFORMED},
      {"+4", TPU_NUMBER_MALFORMED, TPU_NUMBER_MALFORMED},
      {"4.0", TPU_NUMBER_MALFORMED, TPU_NUMBER_MALFORMED},
      {"99999999999999999999x", TPU_NUMBER_MALFORMED, TPU_NUMBER_MALFORMED},
  };
  for (const auto &row : table) {
    const std::string text = row.text;
    uint64_t magnitude = 0;
    int negative = 0;
    EXPECT_EQ(tpu_number_decimal(text.data(), text.size(), nullptr, &magnitude), row.is) << text;
    EXPECT_EQ(tpu_number_decimal(text.data(), text.size(), &negative, &magnitude), row.with_sign)
        << text;
    if (row.with_sign == TPU_NUMBER_OK) {
      EXPECT_EQ((negative ? "-" : "") + std::to_string(magnitude), text);
    }
  }
}

// First and last of each row of the table of RFC 3629, and what lies beside them.
TEST(utf8, is_well_formed_to_the_borders) {
  const struct {
    const char *bytes;
    size_t length;
  } table[] = {
      {"\x01", 1},
      {"\x7f", 1},
      {"\x80", 0},
      {"\xc1\xbf", 0},
      {"\xc2\x80", 2},
      {"\xdf\xbf", 2},
      {"\xdf\xc0", 0},
      {"\xe0\x9f\xbf", 0},
      {"\xe0\xa0\x80", 3},
      {"\xec\xbf\xbf", 3},
      {"\xed\x9f\xbf", 3},
      {"\xed\xa0\x80", 0},
      {"\xee\x80\x80", 3},
      {"\xef\xbf\xbf", 3},
      {"\xef\xbf\xc0", 0},
      {"\xf0\x8f\xbf\xbf", 0},
      {"\xf0\x90\x80\x80", 4},
      {"\xf3\xbf\xbf\xbf", 4},
      {"\xf4\x8f\xbf\xbf", 4},
      {"\xf4\x8f\xbf\x7f", 0},
      {"\xf4\x90\x80\x80", 0},
      {"\xf5\x80\x80\x80", 0},
  };
  for (const auto &row : table) {
    const std::string text = row.bytes;
    EXPECT_EQ(tpu_utf8_length(text.data(), text.size()), row.length)
        << testing::PrintToString(text);
    for (size_t room = 1; room < row.length; ++room)
      EXPECT_EQ(tpu_utf8_length(text.data(), room), 0U) << testing::PrintToString(text);
  }
}

TEST(shorten, keeps_as_much_as_there_is_room_for) {
  for (const size_t capacity : {8U, 48U, 259U, 260U, 261U, 1024U}) {
    std::vector<char> out(capacity);
    const std::string fits = "b" + std::string(capacity - 3, 'x') + "e";
    EXPECT_EQ(tpu_shorten(fits.c_str(), 0, out.data(), capacity), fits);
    EXPECT_EQ(tpu_shorten(fits.c_str(), 1, out.data(), capacity), fits);
    const std::string longer = "b" + std::string(capacity, 'x') + "e";
    EXPECT_EQ(tpu_shorten(longer.c_str(), 0, out.data(), capacity),
              "b" + std::string(capacity - 5, 'x') + "...");
    EXPECT_EQ(tpu_shorten(longer.c_str(), 1, out.data(), capacity),
              "..." + std::string(capacity - 5, 'x') + "e");
  }
}

TEST(suggest, a_name_is_near_by_a_third_of_its_letters) {
  const char *const names[] = {"accelerator", "memory", "cpu"};
  const struct {
    std::string word, nearest; // "": none
  } table[] = {
      {"memory", "memory"},
      {"Memry", "memory"},
      {"cpus", "cpu"},
      {"c", ""},
      {"zzz", ""},
      {"", ""},
      {std::string(64, 'm'), ""},
      {std::string(65, 'm'), ""},
      {std::string(189, 'm'), ""},
      {std::string(1000, 'm'), ""},
  };
  for (const auto &row : table) {
    const char *name = tpu_nearest(row.word.c_str(), names, 3);
    EXPECT_EQ(name != nullptr ? std::string(name) : "", row.nearest) << row.word;
  }
  const char *const parts[] = {"gemm_12x12x12", "gemm_steady_32x32x32", "gemm_relu_16x16x16",
                               "steady_32x32x32"};
  const struct {
    std::string word, nearest;
  } left_out[] = {
      {"gemm_32x32x32", "gemm_steady_32x32x32"},
      {"gemm_12x12x13", "gemm_12x12x12"},
      {"steady_32x32x32", "steady_32x32x32"}, // itself, not the one it is a part of
      {"relu_16x16x16", "gemm_relu_16x16x16"},
      {"gemm_relu", "gemm_relu_16x16x16"},
      {"relu_gemm", ""},
      {"gemm", ""},
      {"gemm_", ""},
      {"gemm_32x32x3", "gemm_12x12x12"}, // a part with a letter missing is not left out
  };
  for (const auto &row : left_out) {
    const char *name = tpu_nearest(row.word.c_str(), parts, 4);
    EXPECT_EQ(name != nullptr ? std::string(name) : "", row.nearest) << row.word;
  }
  const std::string most(64, 'n');
  const std::string more(65, 'n');
  const char *const longer[] = {more.c_str(), most.c_str()};
  EXPECT_EQ(tpu_nearest(most.c_str(), longer, 2), most);
  EXPECT_EQ(tpu_nearest(more.c_str(), longer, 2), nullptr);
}

} // namespace
