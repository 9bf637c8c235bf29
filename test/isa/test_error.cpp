// SPDX-License-Identifier: Apache-2.0
#include "isa/error.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace {

TEST(Text, FormatsEveryConversion) {
  char buf[200];
  tpu_text t = tpu_text_on(buf, sizeof buf);
  tpu_text_format(&t, "%s %u %d %U %D %c 100%%", "word", UINT32_MAX, INT32_MIN, UINT64_MAX,
                  INT64_MIN, 'x');
  EXPECT_STREQ(buf, "word 4294967295 -2147483648 18446744073709551615 -9223372036854775808 x 100%");
  EXPECT_EQ(t.length, std::strlen(buf));
  EXPECT_EQ(t.truncated, 0);
}

TEST(Text, ShowsAnUnknownConversionInsteadOfReadingAnArgument) {
  char buf[20];
  tpu_text t = tpu_text_on(buf, sizeof buf);
  tpu_text_format(&t, "a%qb%");
  EXPECT_STREQ(buf, "a%qb%");
}

TEST(Text, WritesHexWithAtLeastTheDigitsAsked) {
  char buf[100];
  tpu_text t = tpu_text_on(buf, sizeof buf);
  tpu_text_hex(&t, 0, 1);
  tpu_text_str(&t, " ");
  tpu_text_hex(&t, 0xab, 4);
  tpu_text_str(&t, " ");
  tpu_text_hex(&t, UINT64_MAX, 2);
  EXPECT_STREQ(buf, "0x0 0x00ab 0xffffffffffffffff");
}

TEST(Text, PadsFromTheStartOfTheLine) {
  char buf[40];
  tpu_text t = tpu_text_on(buf, sizeof buf);
  tpu_text_str(&t, "long line\nab");
  tpu_text_pad(&t, 4);
  tpu_text_str(&t, "c");
  tpu_text_pad(&t, 2);
  EXPECT_STREQ(buf, "long line\nab  c");
}

TEST(Text, PadsALineThatBeginsAnywhere) {
  for (const size_t before : {0U, 254U, 255U, 256U, 70000U}) {
    std::string buf(before + 20, '#');
    tpu_text t = tpu_text_on(buf.data(), buf.size());
    tpu_text_str(&t, (std::string(before, 'x') + "\nab").c_str());
    tpu_text_pad(&t, 4);
    EXPECT_STREQ(buf.c_str() + before, "\nab  ") << before;
  }
}

TEST(Text, TruncatesAtItsCapacityAndRemembersIt) {
  char buf[5] = {'#', '#', '#', '#', '#'};
  tpu_text t = tpu_text_on(buf, 4);
  tpu_text_str(&t, "abc");
  EXPECT_EQ(t.truncated, 0);
  tpu_text_u64(&t, 7);
  EXPECT_EQ(t.truncated, 1);
  tpu_text_pad(&t, 9);
  EXPECT_STREQ(buf, "abc");
  EXPECT_EQ(buf[4], '#');
}

TEST(Text, WritesNothingIntoNoStorage) {
  char c = '#';
  tpu_text t = tpu_text_on(&c, 0);
  tpu_text_str(&t, "a");
  EXPECT_EQ(c, '#');
  EXPECT_EQ(t.truncated, 1);
}

TEST(Error, ReturnsZeroAndKeepsCodeAndText) {
  tpu_error e{};
  EXPECT_EQ(tpu_fail(&e, TPU_ERR_RANGE, "T is %u", 3U), 0);
  EXPECT_EQ(e.code, TPU_ERR_RANGE);
  EXPECT_STREQ(e.text, "T is 3");
  EXPECT_EQ(tpu_fail(nullptr, TPU_ERR_RANGE, "%u", 3U), 0);
}

TEST(Error, IsOneLineWhateverTheInputHolds) {
  tpu_error e{};
  tpu_fail(&e, TPU_ERR_SYNTAX, "key %s", "a\nb\tc\x7f");
  EXPECT_STREQ(e.text, "key a?b?c?");
}

TEST(Error, MarksACutTextAtACharacterBorder) {
  for (size_t lead = 0; lead < 4; ++lead) {
    std::string s(lead, 'x');
    while (s.size() < 400)
      s += "\xe2\x82\xac"; // three bytes each
    tpu_error e{};
    tpu_fail(&e, TPU_ERR_SYNTAX, "%s", s.c_str());
    const std::string text = e.text;
    ASSERT_GE(text.size(), 240U);
    EXPECT_EQ(text.substr(text.size() - 3), "...");
    EXPECT_EQ((text.size() - 3 - lead) % 3, 0U) << lead;
  }
}

} // namespace
