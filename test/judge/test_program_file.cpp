// SPDX-License-Identifier: Apache-2.0
#include "judge/program_file.h"

#include "test/judge/testing.h"

#include <cstdlib>
#include <string>
#include <vector>

namespace {

const std::vector<tpu_word> &edge_words() {
  static const std::vector<tpu_word> words = {
      {0, 1},
      {UINT64_C(9007199254740993), UINT64_C(9007199254740991)}, // 2^53 + 1, 2^53 - 1
      {UINT64_C(1) << 63, (UINT64_C(1) << 63) + 1},
      {UINT64_MAX, UINT64_MAX - 1},
      {UINT64_C(0x0040000000000008), UINT64_C(0x0000000040200083)}};
  return words;
}

TEST(program_file, words_survive_a_round_trip_in_both_forms) {
  const scratch_folder folder;
  std::vector<tpu_word> words = edge_words();
  const auto count = static_cast<uint32_t>(words.size());
  const tpu_program program = {words.data(), count, count};
  for (const tpu_word_form form : {TPU_WORDS_HEX, TPU_WORDS_DECIMAL}) {
    const std::string file = folder.path() + "/program.json";
    tpu_report r = {};
    ASSERT_TRUE(tpu_program_write(file.c_str(), &program, form, &r)) << r.text;
    tpu_program read = {};
    ASSERT_TRUE(tpu_program_read(file.c_str(), &read, &r)) << r.text;
    ASSERT_EQ(read.count, count);
    for (uint32_t i = 0; i < count; i++) {
      EXPECT_EQ(read.words[i].w0, words[i].w0) << i;
      EXPECT_EQ(read.words[i].w1, words[i].w1) << i;
    }
    tpu_program_release(&read);
  }
}

TEST(program_file, text_has_one_instruction_a_line) {
  std::vector<tpu_word> words = {{UINT64_MAX, 0}, {UINT64_C(1) << 63, 5}};
  const tpu_program program = {words.data(), 2, 2};
  char *hex = tpu_program_text(&program, TPU_WORDS_HEX);
  char *decimal = tpu_program_text(&program, TPU_WORDS_DECIMAL);
  EXPECT_STREQ(hex, "[\n  [\"0xffffffffffffffff\", \"0x0000000000000000\"],\n"
                    "  [\"0x8000000000000000\", \"0x0000000000000005\"]\n]\n");
  EXPECT_STREQ(decimal, "[\n  [18446744073709551615, 0],\n  [9223372036854775808, 5]\n]\n");
  free(hex);
  free(decimal);
}

TEST(program_file, forms_mix_and_digits_have_either_case) {
  const scratch_folder folder;
  const std::string file = folder.write("p.json", "[[\"0xAbC\", 12], [7, \"0x0\"]]");
  tpu_report r = {};
  tpu_program p = {};
  ASSERT_TRUE(tpu_program_read(file.c_str(), &p, &r)) << r.text;
  ASSERT_EQ(p.count, 2U);
  EXPECT_EQ(p.words[0].w0, 0xabcU);
  EXPECT_EQ(p.words[0].w1, 12U);
  EXPECT_EQ(p.words[1].w0, 7U);
  EXPECT_EQ(p.words[1].w1, 0U);
  tpu_program_release(&p);
}

TEST(program_file, an_empty_list_is_an_empty_program) {
  const scratch_folder folder;
  const std::string file = folder.write("p.json", "[]");
  tpu_report r = {};
  tpu_program p = {};
  EXPECT_TRUE(tpu_program_read(file.c_str(), &p, &r))
      << r.text; // a rule refuses it, not the reader
  EXPECT_EQ(p.count, 0U);
  tpu_program_release(&p);
}

std::string program_of(size_t instructions) {
  std::string text = "[[0,0]";
  for (size_t i = 1; i < instructions; i++)
    text += ",[0,0]";
  return text + "]";
}

TEST(program_file, refuses_each_with_its_place) {
  const struct {
    std::string text, place, part;
  } cases[] = {
      {"[[18446744073709551616, 0]]", "$[0][0]",
       "is 18446744073709551616; must be an integer from 0 to 18446744073709551615"},
      {"[[0, 99999999999999999999999]]", "$[0][1]", "must be an integer from 0"},
      {"[[0, 0], [-1, 0]]", "$[1][0]", "is -1; must be an integer from 0"},
      {"[[4.5, 0]]", "$[0][0]", "is 4.5; must be an integer"},
      {"[[4.0, 0]]", "$[0][0]", "without fraction or exponent"},
      {"[[1e3, 0]]", "$[0][0]", "is 1e3; must be an integer"},
      {"[[0, 1E0]]", "$[0][1]", "without fraction or exponent"},
      {"[[1e999, 0]]", "byte 2", "not finite"},
      {"[[00, 0]]", "byte 2", "leading zeros"},
      {"[[\"0x10000000000000000\", 0]]", "$[0][0]", "1 to 16 hexadecimal digits"},
      {"[[\"0x" + std::string(257, '0') + "\", 0]]", "$[0][0]", "1 to 16 hexadecimal digits"},
      {"[[\"0x\", 0]]", "$[0][0]", "is the string \"0x\"; must be \"0x\" and 1 to 16"},
      {"[[\"0X1f\", 0]]", "$[0][0]", "must be \"0x\""},
      {"[[\"1f\", 0]]", "$[0][0]", "must be \"0x\""},
      {"[[\"12\", 0]]", "$[0][0]", "is the string \"12\""},
      {"[[\"-0x1\", 0]]", "$[0][0]", "must be \"0x\""},
      {"[[\"0x1g\", 0]]", "$[0][0]", "must be \"0x\""},
      {"[[\"0x1 \", 0]]", "$[0][0]", "must be \"0x\""},
      {"[[\"\", 0]]", "$[0][0]", "must be \"0x\""},
      {"[[true, 0]]", "$[0][0]", "is true; must be an integer"},
      {"[[null, 0]]", "$[0][0]", "is null; must be an integer"},
      {"[[[0], 0]]", "$[0][0]", "is a list; must be an integer"},
      {"[[0]]", "$[0]", "is a list of 1; must be a list of 2"},
      {"[[0, 0], []]", "$[1]", "is a list of 0; must be a list of 2"},
      {"[[0, 0, 0]]", "$[0]", "is a list of 3; must be a list of 2"},
      {"[0, 0]", "$[0]", "is 0; must be a list of 2"},
      {"{}", "$: ", "is an object; must be a list of 0 to 32767"},
      {"\"text\"", "$: ", "is the string \"text\"; must be a list"},
      {program_of(32768), "$: ", "is a list of 32768; must be a list of 0 to 32767"},
      {"", "byte 0", "empty"},
      {"[[0, 0]", "byte 7", "the text ends"},
      {"[[0, 0]] 1", "byte 9", "the end of the document"},
  };
  const scratch_folder folder;
  for (const auto &c : cases) {
    SCOPED_TRACE(c.text.substr(0, 40));
    const std::string file = folder.write("p.json", c.text);
    tpu_report r = {};
    tpu_word word = {};
    tpu_program p = {&word, 1, 1};
    EXPECT_FALSE(tpu_program_read(file.c_str(), &p, &r));
    expect_report(r, file, c.place, c.part);
    EXPECT_EQ(p.words, nullptr);
    EXPECT_EQ(p.capacity, 0U);
    EXPECT_EQ(p.count, 0U);
  }
}

TEST(program_file, a_header_may_come_first) {
  const scratch_folder folder;
  const struct {
    const char *text;
    int good, given;
  } cases[] = {{"[0, 1, 2, 3, \"0x4\", 5, 6, 7, [8, 9]]", 1, 1},
               {"[[8, 9]]", 1, 0},
               {"[0, 1, 2, 3, 4, 5, 6, [8, 9]]", 0, 1},
               {"[0, 1, 2, 3, 4, 5, 6, 7, 8, [8, 9]]", 0, 1}};
  for (const auto &c : cases) {
    SCOPED_TRACE(c.text);
    const std::string file = folder.write("p.json", c.text);
    tpu_report r = {};
    tpu_program p = {};
    tpu_program_header header = {};
    EXPECT_EQ(tpu_program_read_headed(file.c_str(), &p, &header, &r), c.good) << r.text;
    EXPECT_EQ(header.given, c.given);
    EXPECT_EQ(p.count, c.good ? 1U : 0U);
    if (c.good) {
      EXPECT_EQ(p.words[0].w0, 8U);
    }
    for (uint32_t k = 0; c.good && k < TPU_HEADER_WORDS; ++k)
      EXPECT_EQ(header.word[k], c.given ? k : 0);
    tpu_program_release(&p);
  }
}

TEST(program_file, takes_the_largest_program) {
  const scratch_folder folder;
  const std::string file = folder.write("p.json", program_of(32767));
  tpu_report r = {};
  tpu_program p = {};
  EXPECT_TRUE(tpu_program_read(file.c_str(), &p, &r)) << r.text;
  EXPECT_EQ(p.count, 32767U);
  tpu_program_release(&p);
}

TEST(program_file, a_file_that_cannot_be_written_is_reported) {
  std::vector<tpu_word> words = edge_words();
  const auto count = static_cast<uint32_t>(words.size());
  const tpu_program program = {words.data(), count, count};
  tpu_report r = {};
  EXPECT_FALSE(tpu_program_write("/nowhere/p.json", &program, TPU_WORDS_HEX, &r));
  expect_report(r, "/nowhere/p.json", "cannot be opened for writing", "No such file");
  EXPECT_FALSE(tpu_program_write("/dev/full", &program, TPU_WORDS_HEX, &r));
  expect_report(r, "/dev/full", "cannot be written", "No space left");
}

} // namespace
