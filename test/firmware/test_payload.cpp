/* SPDX-License-Identifier: Apache-2.0 */
#include <gtest/gtest.h>

#include <cstring>
#include <functional>

#include "machine.h"
#include "support.h"

namespace {

tpu_payload *header_of(std::vector<uint64_t> &words) {
  return reinterpret_cast<tpu_payload *>(words.data());
}

TEST(payload, carries_what_was_asked_for) {
  const test_case c = make_case(3, 9);
  tpu_error e{};
  std::vector<uint64_t> words = build_payload(c.request(), &e);
  ASSERT_FALSE(words.empty()) << e.text;
  const tpu_payload *p = header_of(words);
  EXPECT_EQ(p->t, 0u); /* for every configuration */
  EXPECT_EQ(p->maxdim, 0u);
  EXPECT_EQ(p->total_bytes, tpu_payload_bytes(std::vector<tpu_image_request>{c.request()}.data()));
  EXPECT_EQ(std::memcmp(&p->workload, &c.workload, sizeof c.workload), 0);
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(p->input[i].bytes, c.input[i].size());
    EXPECT_EQ(std::memcmp(tpu_blob_data(p, p->input[i]), c.input[i].data(), c.input[i].size()), 0);
  }
  ASSERT_EQ(p->expected.bytes, c.expected.size());
  EXPECT_EQ(std::memcmp(tpu_blob_data(p, p->expected), c.expected.data(), c.expected.size()), 0);
  EXPECT_EQ(tpu_blob_data(p, p->program), nullptr);
  EXPECT_EQ(p->seed[2], 33u);
}

TEST(payload, same_request_same_bytes) {
  test_case c = make_case(0, 9);
  c.workload.index[0].size = 3; /* 12 bytes: blobs with gaps between them */
  const tpu_image_request r = c.request();
  const size_t size = tpu_payload_bytes(&r);
  ASSERT_NE(size, 0u);
  std::vector<uint64_t> a(size / 8 + 1, 0), b(size / 8 + 1, UINT64_MAX);
  tpu_error e{};
  size_t bytes = 0;
  ASSERT_TRUE(tpu_payload_build(&r, a.data(), size, &bytes, &e)) << e.text;
  ASSERT_TRUE(tpu_payload_build(&r, b.data(), size, &bytes, &e)) << e.text;
  EXPECT_EQ(bytes, size);
  EXPECT_EQ(std::memcmp(a.data(), b.data(), size), 0);
}

TEST(payload, every_truncation_is_refused) {
  const test_case c = make_case(0, 9);
  tpu_error e{};
  const std::vector<uint64_t> words = build_payload(c.request(), &e);
  const uint32_t total = header_of(const_cast<std::vector<uint64_t> &>(words))->total_bytes;
  EXPECT_EQ(tpu_payload_check(words.data(), total, &e), 1);
  for (uint32_t n = 0; n < total; ++n) {
    std::vector<uint64_t> cut(n / 8 + 1, 0); /* as many bytes as there are, no more */
    std::memcpy(cut.data(), words.data(), n);
    EXPECT_EQ(tpu_payload_check(cut.data(), n, &e), 0) << n;
    /* Where DRAM goes on, the trailer tells. */
    std::vector<uint64_t> missing(words.size(), 0);
    std::memcpy(missing.data(), words.data(), n);
    EXPECT_EQ(tpu_payload_check(missing.data(), words.size() * 8, &e), 0) << n;
    EXPECT_EQ(std::string(e.text).rfind("payload: ", 0), 0u) << e.text;
  }
}

TEST(payload, every_broken_field_is_refused) {
  struct row {
    const char *text; /* part of the sentence */
    std::function<void(tpu_payload *)> breaks;
  };
  const row table[] = {
      {"magic", [](tpu_payload *p) { p->magic = 0; }},
      {"version 2", [](tpu_payload *p) { p->version = 2; }},
      {"header of", [](tpu_payload *p) { p->header_bytes += 4; }},
      {"total of", [](tpu_payload *p) { p->total_bytes = 8; }},
      {"total of", [](tpu_payload *p) { p->total_bytes += 2; }},
      {"truncated", [](tpu_payload *p) { p->total_bytes = 0x40000000; }},
      {"truncated", [](tpu_payload *p) { p->total_bytes -= 4; }},
      {"an input tensor has 15", [](tpu_payload *p) { p->input[0].bytes = 15; }},
      {"an input tensor has 0", [](tpu_payload *p) { p->input[1].bytes = 0; }},
      {"an input tensor at", [](tpu_payload *p) { p->input[1].offset += 4; }},
      {"an input tensor at", [](tpu_payload *p) { p->input[1].offset = 0; }},
      {"an input tensor at", [](tpu_payload *p) { p->input[1].offset = 0xfffffff8; }},
      {"an input tensor at", [](tpu_payload *p) { p->input[1].offset = p->total_bytes & ~7U; }},
      {"expected output has 17", [](tpu_payload *p) { p->expected.bytes = 17; }},
      {"image A has",
       [](tpu_payload *p) {
         p->image[0] = {p->header_bytes, 256};
       }},
      {"expected image has",
       [](tpu_payload *p) {
         p->expected_image = {p->header_bytes, 16};
       }},
      {"program has 24 bytes, expected 16",
       [](tpu_payload *p) {
         p->program = {p->header_bytes, 24};
       }},
      {"header has 32",
       [](tpu_payload *p) {
         p->header = {p->header_bytes, 32};
       }},
      {"a header without",
       [](tpu_payload *p) {
         p->header = {p->header_bytes, 64};
       }},
      {"neither", [](tpu_payload *p) { p->has_workload = 0; }},
      {"without a workload",
       [](tpu_payload *p) {
         p->has_workload = 0;
         p->program = {p->header_bytes, 16};
       }},
      {"name or counts", [](tpu_payload *p) { std::memset(p->workload.name, 'x', 48); }},
      {"name or counts", [](tpu_payload *p) { p->workload.indices = 7; }},
      {"name or counts", [](tpu_payload *p) { p->workload.inputs = 3; }},
      {"name or counts", [](tpu_payload *p) { p->workload.inputs = 0; }},
      {"name or counts", [](tpu_payload *p) { p->workload.constants = 5; }},
      {"input 0 is not", [](tpu_payload *p) { p->workload.input[0].buffer = 2; }},
      {"input 1 is not", [](tpu_payload *p) { p->workload.input[1].subscript[0] = 'z'; }},
      {"input 1 is not", [](tpu_payload *p) { p->workload.input[1].subscript[0] = 0; }},
      {"input 1 is not",
       [](tpu_payload *p) { std::memcpy(p->workload.input[1].subscript, "mkmkm", 6); }},
      {"the output is not", [](tpu_payload *p) { p->workload.output.buffer = 0; }},
      {"an input tensor has 64 bytes, expected 4294967295",
       [](tpu_payload *p) { p->workload.index[0].size = p->workload.index[1].size = 0xffffffff; }},
      {"constant 0 is of no",
       [](tpu_payload *p) {
         p->workload.constants = 1;
         p->workload.constant[0].kind = 3;
       }},
      {"no T is stated",
       [](tpu_payload *p) {
         p->workload.constants = 1;
         p->workload.constant[0].kind = TPU_CONST_DATA;
       }},
  };
  const test_case c = make_case(1, 9);
  for (const row &r : table) {
    tpu_error e{};
    std::vector<uint64_t> words = build_payload(c.request(), &e);
    r.breaks(header_of(words));
    EXPECT_EQ(tpu_payload_check(words.data(), words.size() * 8, &e), 0) << r.text;
    EXPECT_NE(std::strstr(e.text, r.text), nullptr) << r.text << ": " << e.text;
  }
}

TEST(payload, builder_refuses_what_it_cannot_say) {
  const test_case c = make_case(0, 9);
  tpu_error e{};
  std::vector<int8_t> image(256);
  tpu_image_request r = c.request();
  r.image[0] = image.data();
  EXPECT_TRUE(build_payload(r, &e).empty()); /* how large? */
  EXPECT_NE(std::strstr(e.text, "without parameters"), nullptr) << e.text;
  r = c.request();
  r.operands.input[1] = nullptr;
  EXPECT_TRUE(build_payload(r, &e).empty());
  r = tpu_image_request{};
  EXPECT_TRUE(build_payload(r, &e).empty());
  EXPECT_NE(std::strstr(e.text, "neither"), nullptr) << e.text;
  r = c.request();
  uint64_t small[8];
  size_t bytes = 0;
  EXPECT_EQ(tpu_payload_build(&r, small, sizeof small, &bytes, &e), 0);
  EXPECT_EQ(e.code, TPU_ERR_CAPACITY);
  tpu_program huge{nullptr, 0, 600000};
  tpu_word word{};
  huge.words = &word; /* sized, never read */
  r.program = &huge;
  EXPECT_EQ(tpu_payload_bytes(&r), 0u);
}

TEST(payload, data_constants_travel) {
  test_case c = make_case(0, 3);
  c.workload.constants = 1; /* T x T bytes below the operand in B */
  c.workload.constant[0] = {TPU_CONST_DATA, 0, 0, TPU_BUFFER_B, 8, 4};
  const tpu_params p = make_params(4, 16);
  std::vector<int8_t> data(16);
  for (size_t i = 0; i < data.size(); ++i) {
    data[i] = static_cast<int8_t>(i * 17 - 128);
  }
  tpu_image_request r = c.request();
  r.params = &p;
  r.operands.constant[0] = data.data();
  tpu_error e{};
  std::vector<uint64_t> words = build_payload(r, &e);
  ASSERT_FALSE(words.empty()) << e.text;
  EXPECT_EQ(header_of(words)->t, 4u);
  ASSERT_EQ(header_of(words)->constant[0].bytes, 16u);
  machine m(p);
  ASSERT_TRUE(m.load_elf(read_file(TPU_FIRMWARE_DIR "/tpu_corpus.elf")));
  m.load(TPU_PAYLOAD_BASE, words.data(), words.size() * 8);
  EXPECT_EQ(m.run(), 0) << m.console();
  for (uint32_t row = 0; row < 4; ++row) {
    EXPECT_EQ(std::memcmp(m.memory(m.result().address[1] + (8 + row) * 16 + 4),
                          data.data() + size_t{row} * 4, 4),
              0)
        << row;
  }
}

TEST(result, absent_or_foreign_is_refused) {
  std::vector<uint8_t> page(TPU_RESULT_SIZE, 0);
  tpu_result r{};
  tpu_error e{};
  EXPECT_EQ(tpu_result_read(page.data(), page.size(), &r, &e), 0);
  EXPECT_EQ(tpu_result_read(page.data(), 16, &r, &e), 0);
  r = {};
  r.magic = TPU_RESULT_MAGIC;
  r.version = 9;
  r.bytes = sizeof r;
  std::memcpy(page.data(), &r, sizeof r);
  EXPECT_EQ(tpu_result_read(page.data(), page.size(), &r, &e), 0);
  EXPECT_NE(std::strstr(e.text, "version 9"), nullptr);
}

} // namespace
