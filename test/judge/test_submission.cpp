// SPDX-License-Identifier: Apache-2.0
#include "judge/submission.h"
#include "judge/submission_process.h"

#include "judge/program_file.h"
#include "test/judge/testing.h"

#include <poll.h>

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <random>
#include <string>
#include <vector>

namespace {
bool patient = false; // waits for an open pipe last until it says something
bool in_vain = false; // one did not
} // namespace

// The linker puts this in the place of poll.
// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming)
extern "C" {
int __real_poll(pollfd *fds, nfds_t count, int timeout);
int __wrap_poll(pollfd *fds, nfds_t count, int timeout) {
  constexpr int long_ms = 30000;
  const bool open = std::any_of(fds, fds + count, [](const pollfd &each) { return each.fd >= 0; });
  const bool waits = patient && open;
  const int ready = __real_poll(fds, count, waits ? long_ms : timeout);
  if (waits && ready == 0) {
    in_vain = true;
    patient = false;
  }
  return ready;
}
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming)

namespace {

tpu_submission submission(const std::string &text) {
  tpu_submission s = {};
  tpu_report r = {};
  EXPECT_TRUE(tpu_submission_parse(text.c_str(), &s, &r)) << r.text;
  return s;
}

std::string built(const std::string &name) {
  return std::string(TPU_BUILD_DIR) + "/submissions/" + name;
}

TEST(submission, a_function_of_a_library_is_told_from_a_file) {
  for (const char *text : {"lib.so:f", "a/b.so:f", "./x.so.1.2:f", "lib.so", "lib.so:", "a.so:f:g",
                           "a.sob.so:f", "d.so/lib.so:f"})
    EXPECT_TRUE(tpu_submission_is_one(text)) << text;
  for (const char *text : {"", "p.json", "p.so.json", ".so:f", "d.so/p.json", "lib.sox:f", "lib:so",
                           "a/.so", "lib.so/f"})
    EXPECT_FALSE(tpu_submission_is_one(text)) << text;
}

TEST(submission, is_taken_apart_with_the_default_limits) {
  const tpu_submission s = submission("../d.so/my lib.so.2:map_2");
  EXPECT_STREQ(s.path, "../d.so/my lib.so.2");
  EXPECT_STREQ(s.function, "map_2");
  EXPECT_EQ(s.seconds, 10U);
  EXPECT_EQ(s.mbytes, 1024U);
  for (const std::string &text :
       {std::string("lib.so"), std::string("lib.so:"), std::string("lib.so:2f"),
        std::string("lib.so:f g"), std::string("lib.so:f:g"), std::string("p.json"),
        "lib.so:" + std::string(TPU_SUBMISSION_FUNCTION_BYTES, 'f')}) {
    tpu_submission out = {};
    tpu_report r = {};
    EXPECT_FALSE(tpu_submission_parse(text.c_str(), &out, &r)) << text;
    EXPECT_NE(std::string(r.text).find("LIBRARY.so:FUNCTION is due"), std::string::npos) << r.text;
  }
  tpu_submission out = {};
  tpu_report r = {};
  const std::string longest = std::string(TPU_SUBMISSION_PATH_BYTES, 'd') + ".so:f";
  EXPECT_FALSE(tpu_submission_parse(longest.c_str(), &out, &r));
  EXPECT_NE(std::string(r.text).find("too long"), std::string::npos) << r.text;
}

// Everything a function is given, as it arrives there.
TEST(submission, is_given_the_machine_and_the_workload) {
  tpu_params p = {8, 64, 9, 2, 500, 400, 300, 60};
  tpu_workload w = {};
  std::strcpy(w.name, "all of it");
  w.indices = 3;
  w.index[0] = {'m', 6};
  w.index[1] = {'k', 16};
  w.index[2] = {'n', 12};
  w.inputs = 2;
  w.input[0] = {"mk", TPU_BUFFER_B, 1, 8};
  w.input[1] = {"kn", TPU_BUFFER_A, 3, 16};
  w.output = {"mn", TPU_BUFFER_C, 5, 24};
  w.constants = 2;
  w.constant[0] = {TPU_CONST_ONES_COLUMN, 0, 0, TPU_BUFFER_B, 40, 32};
  w.constant[1] = {TPU_CONST_DATA, 2, 3, TPU_BUFFER_A, 50, 40};
  w.relu = 1;
  w.write_window = TPU_WINDOW_COLUMN_BLOCK;

  std::vector<tpu_word> words(TPU_PROGRAM_FILE_MAX);
  tpu_program program = {words.data(), TPU_PROGRAM_FILE_MAX, 0};
  tpu_no_program none = {};
  tpu_report r = {};
  const tpu_submission s = submission(built("echo.so:echo"));
  ASSERT_TRUE(tpu_submission_call(&s, &p, &w, &program, &none, &r)) << r.text;
  ASSERT_EQ(none.verdict, TPU_VERDICT_NOT_RUN) << none.reason;
  tpu_submission_params params = {};
  tpu_submission_workload workload = {};
  ASSERT_EQ(program.count, (sizeof params + sizeof workload + 15) / 16);
  std::memcpy(&params, words.data(), sizeof params);
  std::memcpy(&workload, reinterpret_cast<const char *>(words.data()) + sizeof params,
              sizeof workload);

  const tpu_submission_params machine = {sizeof machine, 8, 64, 9, 2, 500, 400, 300, 60};
  EXPECT_EQ(std::memcmp(&params, &machine, sizeof machine), 0);
  const auto region_is = [](const tpu_submission_region &got,
                            const std::vector<std::uint32_t> &want) {
    EXPECT_EQ((std::vector<std::uint32_t>{got.row, got.col, got.rows, got.cols}), want);
  };
  EXPECT_EQ(workload.size, sizeof workload);
  EXPECT_STREQ(workload.name, "all of it");
  ASSERT_EQ(workload.indices, 3U);
  EXPECT_EQ(workload.index[1].letter, std::uint32_t{'k'});
  EXPECT_EQ(workload.index[1].size, 16U);
  ASSERT_EQ(workload.inputs, 2U);
  EXPECT_STREQ(workload.input[0].subscript, "mk");
  EXPECT_EQ(workload.input[0].buffer, std::uint32_t{TPU_SUBMISSION_B});
  region_is(workload.input[0].region, {1, 8, 6, 16});
  EXPECT_STREQ(workload.input[1].subscript, "kn");
  EXPECT_EQ(workload.input[1].buffer, std::uint32_t{TPU_SUBMISSION_A});
  region_is(workload.input[1].region, {3, 16, 16, 12});
  EXPECT_STREQ(workload.output.subscript, "mn");
  EXPECT_EQ(workload.output.buffer, std::uint32_t{TPU_SUBMISSION_C});
  region_is(workload.output.region, {5, 24, 6, 12});
  ASSERT_EQ(workload.constants, 2U);
  EXPECT_EQ(workload.constant[0].kind, std::uint32_t{TPU_SUBMISSION_ONES_COLUMN});
  EXPECT_EQ(workload.constant[0].buffer, std::uint32_t{TPU_SUBMISSION_B});
  region_is(workload.constant[0].region, {40, 32, 8, 8}); // 0 is T
  EXPECT_EQ(workload.constant[1].kind, std::uint32_t{TPU_SUBMISSION_DATA});
  EXPECT_EQ(workload.constant[1].buffer, std::uint32_t{TPU_SUBMISSION_A});
  region_is(workload.constant[1].region, {50, 40, 2, 3});
  EXPECT_EQ(workload.relu, 1U);
  EXPECT_EQ(workload.pad_zero, 0U);
  region_is(workload.window, {5, 24, 6, 16});
}

// Its pipes wake the judge, not the clock: what is printed passes as fast as it is read.
TEST(submission, is_listened_to_on_both_pipes) {
  tpu_params p = {4, 16, 8, 1, 0, 0, 0, 0};
  tpu_error e = {};
  ASSERT_TRUE(tpu_params_resolve(&p, &e)) << e.text;
  tpu_workload w = {};
  std::strcpy(w.name, "bad");
  std::vector<tpu_word> words(TPU_PROGRAM_FILE_MAX);
  tpu_program program = {words.data(), TPU_PROGRAM_FILE_MAX, 0};
  tpu_no_program none = {};
  tpu_report r = {};
  tpu_submission s = submission(built("hostile.so:chatters"));
  s.seconds = 600;
  patient = true;
  const bool called = tpu_submission_call(&s, &p, &w, &program, &none, &r);
  patient = false;
  ASSERT_TRUE(called) << r.text;
  EXPECT_EQ(none.verdict, TPU_VERDICT_NOT_RUN) << none.reason;
  EXPECT_EQ(program.count, 4U);
  EXPECT_FALSE(in_vain);
}

// --- what may come over the channel ---------------------------------------------------------

constexpr std::uint32_t capacity = 40;

struct channel {
  std::vector<std::uint8_t> bytes;

  channel &reply(tpu_reply_kind kind, std::uint32_t value = 0, const char *text = "") {
    tpu_reply out = {TPU_REPLY_MAGIC, static_cast<std::uint32_t>(kind), value, ""};
    std::strncpy(out.text, text, sizeof out.text - 1);
    const auto *at = reinterpret_cast<const std::uint8_t *>(&out);
    bytes.insert(bytes.end(), at, at + sizeof out);
    return *this;
  }
  channel &words(std::uint32_t count) {
    for (std::uint32_t i = 0; i < count * 16; ++i)
      bytes.push_back(static_cast<std::uint8_t>(i));
    return *this;
  }
};

// What is made of it. The storage has a guard behind its capacity.
tpu_no_program answer(channel c, int status, std::uint32_t *count, bool timed_out = false,
                      const std::string &said = "") {
  const tpu_submission s = submission("lib.so:f");
  std::vector<tpu_word> words(capacity + 4, tpu_word{7, 7});
  tpu_program program = {words.data(), capacity, 99};
  tpu_submission_end end = {};
  const std::size_t size = c.bytes.size();
  c.bytes.push_back(0); // data() is not NULL
  end.bytes = c.bytes.data();
  end.count = size;
  end.status = status;
  end.timed_out = timed_out ? 1 : 0;
  end.said_count = said.copy(end.said, sizeof end.said);
  tpu_no_program none = {};
  tpu_submission_answer(&s, &end, &program, &none);
  for (std::uint32_t i = capacity; i < words.size(); ++i)
    EXPECT_EQ(words[i].w0, 7U);
  EXPECT_LE(program.count, capacity);
  EXPECT_EQ(none.verdict == TPU_VERDICT_NOT_RUN, none.reason[0] == '\0');
  for (const char *at = none.reason; *at != '\0'; ++at)
    EXPECT_GE(static_cast<unsigned char>(*at), 0x20);
  *count = program.count;
  return none;
}

TEST(submission, an_answer_is_taken_only_when_all_of_it_is_in_order) {
  const struct {
    channel sent;
    int status;
    tpu_verdict verdict;
    const char *says;
  } table[] = {
      {channel().reply(TPU_REPLY_LOADED).reply(TPU_REPLY_FILLED, 3).words(3), 0,
       TPU_VERDICT_NOT_RUN, ""},
      {channel().reply(TPU_REPLY_LOADED).reply(TPU_REPLY_FILLED, capacity).words(capacity), 0,
       TPU_VERDICT_NOT_RUN, ""},
      {channel().reply(TPU_REPLY_LOADED).reply(TPU_REPLY_FILLED, 0), 0, TPU_VERDICT_NOT_RUN, ""},
      {channel().reply(TPU_REPLY_LOADED).reply(TPU_REPLY_FILLED, 3).words(2), 0,
       TPU_VERDICT_NO_PROGRAM, "no program"},
      {channel().reply(TPU_REPLY_LOADED).reply(TPU_REPLY_FILLED, 3).words(4), 0,
       TPU_VERDICT_NO_PROGRAM, "no program"},
      {channel().reply(TPU_REPLY_LOADED).reply(TPU_REPLY_FILLED, capacity + 1).words(capacity + 1),
       0, TPU_VERDICT_NO_PROGRAM, "41 instructions; at most 40"},
      {channel().reply(TPU_REPLY_LOADED).reply(TPU_REPLY_FILLED, 0x10000001), 0,
       TPU_VERDICT_NO_PROGRAM, "268435457 instructions"},
      {channel().reply(TPU_REPLY_LOADED).reply(TPU_REPLY_LOADED), 0, TPU_VERDICT_NO_PROGRAM,
       "no program"},
      {channel().reply(TPU_REPLY_LOADED).words(40), 0, TPU_VERDICT_NO_PROGRAM, "no program"},
      {channel().reply(TPU_REPLY_LOADED), 0, TPU_VERDICT_NO_PROGRAM,
       "exit code 0 and without an answer"},
      {channel(), 0, TPU_VERDICT_NO_PROGRAM, "while the library was loaded"},
      // A whole answer, but it did not end well.
      {channel().reply(TPU_REPLY_LOADED).reply(TPU_REPLY_FILLED, 3).words(3), 11,
       TPU_VERDICT_NO_PROGRAM, "SIGSEGV (signal 11)"},
      {channel().reply(TPU_REPLY_LOADED).reply(TPU_REPLY_FILLED, 3).words(3), 5 << 8,
       TPU_VERDICT_NO_PROGRAM, "exit code 5"},
      {channel().reply(TPU_REPLY_LOADED).reply(TPU_REPLY_NEAR_FULL, 64), 11, TPU_VERDICT_NO_PROGRAM,
       "SIGSEGV (signal 11) with its memory limit of 64 MB"},
      {channel().reply(TPU_REPLY_LOADED), 24, TPU_VERDICT_NO_PROGRAM, "time limit of 10 s"},
      {channel().reply(TPU_REPLY_LOADED).reply(TPU_REPLY_DECLINED, 1, "no\nway"), 0,
       TPU_VERDICT_DECLINED, "lib.so:f declined: no?way"},
      {channel().reply(TPU_REPLY_LOADED).reply(TPU_REPLY_DECLINED, 0xffffffff), 0,
       TPU_VERDICT_DECLINED, "it returned -1"},
  };
  for (const auto &row : table) {
    std::uint32_t count = 0;
    const tpu_no_program none = answer(row.sent, row.status, &count);
    EXPECT_EQ(none.verdict, row.verdict) << row.says;
    EXPECT_NE(std::string(none.reason).find(row.says), std::string::npos) << none.reason;
    EXPECT_TRUE(none.verdict == TPU_VERDICT_NOT_RUN || count == 0) << none.reason;
  }
}

TEST(submission, the_last_line_that_was_printed_is_shown) {
  const struct {
    const char *said, *shown;
  } table[] = {{"", ""},
               {" ", ""},
               {"\n \t\n", ""},
               {"x", "; it printed last: x"},
               {"x\n", "; it printed last: x"},
               {"one\ntwo \n\n", "; it printed last: two"}};
  for (const auto &row : table) {
    std::uint32_t count = 0;
    const tpu_no_program none =
        answer(channel().reply(TPU_REPLY_LOADED), 11, &count, false, row.said);
    EXPECT_EQ(none.reason, std::string("lib.so:f was ended by SIGSEGV (signal 11)") + row.shown);
  }
}

TEST(submission, a_library_that_is_none_is_refused_and_one_that_crashes_is_not) {
  const tpu_submission s = submission("lib.so:f");
  const struct {
    channel sent;
    const char *says; // "": it loads
  } table[] = {{channel().reply(TPU_REPLY_NOT_LOADED, 0, "why"),
                "lib.so: no shared library that can be "
                "loaded: why"},
               {channel().reply(TPU_REPLY_NO_FUNCTION), "lib.so: has no function 'f'"},
               {channel().reply(TPU_REPLY_NO_ABI), "lib.so: does not say which tpu_submission.h"},
               {channel().reply(TPU_REPLY_OTHER_ABI, 99), "lib.so: was built against version 99"},
               {channel().reply(TPU_REPLY_LOADED), ""},
               {channel(), ""}};
  for (const auto &row : table) {
    std::vector<std::uint8_t> bytes = row.sent.bytes;
    bytes.push_back(0); // data() is not NULL
    tpu_submission_end end = {};
    end.bytes = bytes.data();
    end.count = row.sent.bytes.size();
    tpu_report r = {};
    const std::string says = row.says;
    EXPECT_EQ(tpu_submission_loads(&s, &end, &r), says.empty() ? 1 : 0) << says;
    EXPECT_EQ(std::string(r.text).rfind(says, 0), 0U) << r.text;
  }
}

TEST(submission, an_answer_after_the_time_limit_comes_too_late) {
  std::uint32_t count = 0;
  const tpu_no_program none = answer(
      channel().reply(TPU_REPLY_LOADED).reply(TPU_REPLY_FILLED, 3).words(3), 0, &count, true);
  EXPECT_EQ(none.verdict, TPU_VERDICT_NO_PROGRAM);
  EXPECT_STREQ(none.reason, "lib.so:f ran into the time limit of 10 s");
  EXPECT_EQ(count, 0U);
}

TEST(submission, no_bytes_from_the_channel_do_harm) {
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    channel sent = channel()
                       .reply(TPU_REPLY_LOADED)
                       .reply(static_cast<tpu_reply_kind>(random() % 12), random() % 64, "text")
                       .words(random() % 64);
    const std::size_t cut = random() % (sent.bytes.size() + 1);
    if (random() % 2 == 0)
      sent.bytes.resize(cut);
    for (unsigned k = random() % 8; k > 0 && !sent.bytes.empty(); --k)
      sent.bytes[random() % sent.bytes.size()] = static_cast<std::uint8_t>(random());
    std::uint32_t count = 0;
    (void)answer(sent, random() % 3 == 0 ? static_cast<int>(random() % 65536) : 0, &count);
  }
}

} // namespace
