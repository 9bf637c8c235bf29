/* SPDX-License-Identifier: Apache-2.0 */
/* Payloads that bring their own program or whole images. */
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "isa/header.h"
#include "isa/mapper.h"
#include "machine.h"
#include "platform/hw/registers.h"
#include "support.h"

namespace {

struct mapped {
  std::vector<tpu_word> words = std::vector<tpu_word>(64);
  tpu_program program{};
  explicit mapped(const tpu_params &p, const tpu_workload &w) {
    tpu_error e{};
    program = {words.data(), 64, 0};
    EXPECT_TRUE(tpu_map_baseline(&p, &w, &program, &e)) << e.text;
  }
};

struct outcome {
  int exit_code;
  tpu_result result;
  std::vector<int8_t> c;
};

outcome run(const tpu_params &p, const tpu_image_request &request) {
  machine m(p);
  EXPECT_TRUE(m.load_elf(read_file(TPU_FIRMWARE_DIR "/tpu_corpus.elf")));
  tpu_error e{};
  const std::vector<uint64_t> payload = build_payload(request, &e);
  EXPECT_FALSE(payload.empty()) << e.text;
  m.load(TPU_PAYLOAD_BASE, payload.data(), payload.size() * 8);
  outcome o{m.run(), m.result(), {}};
  if (o.result.address[2] != 0) {
    const auto *c = reinterpret_cast<const int8_t *>(m.memory(o.result.address[2]));
    o.c.assign(c, c + size_t{p.maxdim} * p.maxdim);
  }
  return o;
}

TEST(handed_over, program_with_its_workload) {
  const tpu_params p = make_params(4, 16);
  const test_case c = make_case(3, 5);
  const mapped m(p, c.workload);
  tpu_image_request r = c.request();
  r.program = &m.program;
  outcome o = run(p, r);
  EXPECT_EQ(o.exit_code, 0) << o.result.line;
  EXPECT_EQ(o.result.instructions, m.program.count);
  /* A program of another workload is run, and found wrong. */
  const test_case other = make_case(4, 5);
  const mapped wrong(p, other.workload);
  r.program = &wrong.program;
  o = run(p, r);
  EXPECT_EQ(o.exit_code, 1);
  EXPECT_NE(o.result.comparison.clobbered, 0u) << o.result.line;
}

TEST(handed_over, header_is_taken_as_it_is) {
  const tpu_params p = make_params(4, 16);
  const test_case c = make_case(0, 5);
  const mapped m(p, c.workload);
  uint64_t header[TPU_HEADER_WORDS] = {};
  header[0] = 0x8001; /* the top bit of a count */
  tpu_image_request r = c.request();
  r.program = &m.program;
  r.header = header;
  outcome o = run(p, r);
  EXPECT_EQ(o.result.outcome, TPU_OUTCOME_ERROR);
  EXPECT_EQ(o.result.hw_error, static_cast<uint32_t>(TPU_HW_ERROR_BAD_HEADER)) << o.result.line;
  header[0] = 0;
  o = run(p, r);
  EXPECT_EQ(o.result.hw_error, static_cast<uint32_t>(TPU_HW_ERROR_BAD_COUNT)) << o.result.line;
}

TEST(handed_over, program_without_a_header_to_count_is_refused) {
  const tpu_params p = make_params(4, 16);
  const test_case c = make_case(0, 5);
  mapped m(p, c.workload);
  m.words[1].w0 |= UINT64_C(1) << 63;
  tpu_image_request r = c.request();
  r.program = &m.program;
  const outcome o = run(p, r);
  EXPECT_EQ(o.result.outcome, TPU_OUTCOME_REFUSED);
  EXPECT_EQ(o.exit_code, 1);
  EXPECT_NE(std::strstr(o.result.line, "instruction 1 breaks enc.field_range"), nullptr)
      << o.result.line;
}

TEST(handed_over, program_alone_on_whole_images) {
  const tpu_params p = make_params(4, 16);
  const test_case c = make_case(0, 5);
  const mapped m(p, c.workload);
  std::vector<int8_t> a(256, 3), b(256, 1), before(256, 77), after = before;
  for (uint32_t row = 0; row < 4; ++row) {
    for (uint32_t col = 0; col < 4; ++col) {
      after[row * 16 + col] = 12;
    }
  }
  tpu_image_request r{};
  r.params = &p;
  r.program = &m.program;
  r.image[0] = a.data();
  r.image[1] = b.data();
  r.image[2] = before.data();
  r.expected_image = after.data();
  outcome o = run(p, r);
  EXPECT_EQ(o.exit_code, 0) << o.result.line;
  EXPECT_EQ(o.c, after);
  EXPECT_NE(std::strstr(o.result.line, "program: exact"), nullptr);
  after[255] = 78;
  o = run(p, r);
  EXPECT_EQ(o.result.outcome, TPU_OUTCOME_WRONG);
  EXPECT_NE(std::strstr(o.result.line, "row 15 column 15: expected 78, got 77"), nullptr)
      << o.result.line;
  r.expected_image = nullptr;
  o = run(p, r);
  EXPECT_EQ(o.result.outcome, TPU_OUTCOME_COMPLETED);
  EXPECT_EQ(o.exit_code, 0);
  /* The same payload on another machine. */
  o = run(make_params(4, 64), r);
  EXPECT_EQ(o.exit_code, 2);
  EXPECT_NE(std::strstr(o.result.line, "MAXDIM=16, the machine has T=4 MAXDIM=64"), nullptr)
      << o.result.line;
}

TEST(handed_over, whole_images_in_place_of_a_workloads_operands) {
  const tpu_params p = make_params(4, 16);
  test_case c = make_case(0, 5);
  std::vector<int8_t> b(256, 2), before(256, -1);
  tpu_image_request r = c.request();
  r.params = &p;
  r.image[1] = b.data();
  r.image[2] = before.data();
  for (uint32_t row = 0; row < 4; ++row) {
    int sum = 0;
    for (uint32_t k = 0; k < 4; ++k) {
      sum += 2 * c.input[0][row * 4 + k];
    }
    const int clamped = sum < -128 ? -128 : sum > 127 ? 127 : sum;
    for (uint32_t col = 0; col < 4; ++col) {
      c.expected[row * 4 + col] = static_cast<int8_t>(clamped);
    }
  }
  const outcome o = run(p, r);
  EXPECT_EQ(o.exit_code, 0) << o.result.line;
  EXPECT_EQ(o.c[255], -1);
}

TEST(handed_over, a_pass_that_cannot_be_is_unexpected) {
  const tpu_params p = make_params(4, 16);
  test_case c = make_case(13, 5); /* K = 6 and an arbitrary pad: rounded up, it sums garbage */
  const std::vector<int8_t> zeros(256, 0);
  std::fill(c.expected.begin(), c.expected.end(), int8_t{0});
  tpu_image_request r = c.request();
  r.params = &p;
  r.image[0] = zeros.data(); /* no garbage, against what the workload says */
  const outcome o = run(p, r);
  EXPECT_EQ(o.result.outcome, TPU_OUTCOME_EXACT) << o.result.line;
  EXPECT_EQ(o.result.satisfiable, 0u);
  EXPECT_EQ(o.exit_code, 1);
  EXPECT_NE(std::strstr(o.result.line, "unexpected, as it cannot be satisfied here"), nullptr)
      << o.result.line;
}

TEST(handed_over, operands_of_a_program_alone_come_from_the_seeds) {
  const tpu_params p = make_params(4, 16);
  const mapped m(p, make_case(0, 5).workload);
  tpu_image_request r{};
  r.program = &m.program;
  r.seed[2] = 4;
  const outcome o = run(p, r);
  EXPECT_EQ(o.result.outcome, TPU_OUTCOME_COMPLETED) << o.result.line;
  std::vector<int8_t> prefill(256);
  tpu_image_prefill(&p, 4, prefill.data());
  for (uint32_t i = 4 * 16; i < 256; ++i) {
    ASSERT_EQ(o.c[i], prefill[i]) << i;
  }
}

} // namespace
