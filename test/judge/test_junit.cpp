// SPDX-License-Identifier: Apache-2.0
// JUnit XML and tallies of verdicts.
#include "judge/junit.h"
#include "judge/tally.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <string>

namespace {

std::string text_of(const tpu_junit *junit) {
  char *text = tpu_junit_text(junit);
  EXPECT_NE(text, nullptr);
  std::string out = text != nullptr ? text : "";
  std::free(text);
  return out;
}

TEST(junit, cases_by_verdict) {
  tpu_junit *junit = tpu_junit_new("suite");
  ASSERT_NE(junit, nullptr);
  tpu_junit_add(junit, "a", TPU_VERDICT_EXACT, "", nullptr);
  tpu_junit_add(junit, "b", TPU_VERDICT_SKIPPED, "too large", nullptr);
  tpu_junit_add(junit, "c", TPU_VERDICT_WRONG, "1 byte", "..#\n");
  tpu_junit_add(junit, "d", TPU_VERDICT_FAULT, nullptr, nullptr);
  tpu_junit_add(junit, "e", TPU_VERDICT_WRONG, "", nullptr);
  EXPECT_EQ(text_of(junit),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuite name=\"suite\" tests=\"5\" failures=\"2\" errors=\"1\" skipped=\"1\">\n"
            "  <testcase classname=\"suite\" name=\"a\"/>\n"
            "  <testcase classname=\"suite\" name=\"b\">\n"
            "    <skipped message=\"SKIPPED: too large\"></skipped>\n"
            "  </testcase>\n"
            "  <testcase classname=\"suite\" name=\"c\">\n"
            "    <failure message=\"WRONG: 1 byte\" type=\"WRONG\">..#&#10;</failure>\n"
            "  </testcase>\n"
            "  <testcase classname=\"suite\" name=\"d\">\n"
            "    <error message=\"FAULT\" type=\"FAULT\"></error>\n"
            "  </testcase>\n"
            "  <testcase classname=\"suite\" name=\"e\">\n"
            "    <failure message=\"WRONG\" type=\"WRONG\"></failure>\n"
            "  </testcase>\n"
            "</testsuite>\n");
  tpu_junit_free(junit);
}

TEST(junit, what_xml_cannot_hold) {
  tpu_junit *junit = tpu_junit_new("a&b");
  ASSERT_NE(junit, nullptr);
  tpu_junit_add(junit, "<\"\x01\xff\xef\xbf\xbf", TPU_VERDICT_EXACT, nullptr, nullptr);
  const std::string text = text_of(junit);
  EXPECT_NE(text.find("<testsuite name=\"a&amp;b\""), std::string::npos) << text;
  EXPECT_NE(
      text.find("classname=\"a&amp;b\" name=\"&lt;&quot;\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"/>"),
      std::string::npos)
      << text;
  tpu_junit_free(junit);
  tpu_junit_free(nullptr);
}

TEST(junit, a_file_that_cannot_be_written) {
  tpu_junit *junit = tpu_junit_new("s");
  tpu_report r{};
  EXPECT_EQ(tpu_junit_write(junit, "/absent/x.xml", &r), 0);
  EXPECT_NE(std::string(r.text).find("/absent/x.xml"), std::string::npos);
  tpu_junit_free(junit);
}

TEST(tally, counts_and_text) {
  tpu_tally t{};
  char text[TPU_TALLY_BYTES];
  EXPECT_STREQ(tpu_tally_text(&t, text), "");
  for (int v = 0; v < TPU_VERDICT_COUNT; ++v)
    tpu_tally_add(&t, static_cast<tpu_verdict>(v));
  tpu_tally_add(&t, TPU_VERDICT_EXACT);
  EXPECT_STREQ(tpu_tally_text(&t, text),
               "2 exact, 1 known gap, 1 unsatisfiable, 1 skipped, 1 unexpected pass, 1 wrong, 1 "
               "clobbered, 1 illegal, 1 declined, 1 no program, 1 deadlock, 1 fault, 1 not run");
  EXPECT_EQ(t.failed, 9U);
}

} // namespace
