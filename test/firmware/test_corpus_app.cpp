/* SPDX-License-Identifier: Apache-2.0 */
/* Driver and corpus application as the core runs them: the cross-built image, not a rebuild. */
#include <gtest/gtest.h>

#include "machine.h"
#include "platform/hw/registers.h"
#include "support.h"

namespace {

const uint32_t gemm_4 = 0, gemm_16x16x8 = 3, gemm_cols = 11, gemm_reduce = 13, batched = 14,
               relu = 15, reduce = 16, steady_64 = 19;

std::vector<uint8_t> corpus_elf() { return read_file(TPU_FIRMWARE_DIR "/tpu_corpus.elf"); }

struct outcome {
  int exit_code;
  tpu_result result;
  std::string console;
  uint64_t retired;
  uint32_t starts;
};

outcome run(const tpu_params &params, const tpu_image_request &request,
            const accelerator_script &script = {}) {
  machine m(params);
  m.script = script;
  EXPECT_TRUE(m.load_elf(corpus_elf()));
  tpu_error e{};
  const std::vector<uint64_t> payload = build_payload(request, &e);
  EXPECT_FALSE(payload.empty()) << e.text;
  m.load(TPU_PAYLOAD_BASE, payload.data(), payload.size() * 8);
  const int code = m.run();
  tpu_result result{};
  std::vector<uint8_t> page(m.memory(TPU_RESULT_BASE), m.memory(TPU_RESULT_BASE) + TPU_RESULT_SIZE);
  EXPECT_TRUE(tpu_result_read(page.data(), page.size(), &result, &e)) << e.text;
  EXPECT_EQ(m.console(), std::string(result.line) + "\n");
  return {code, result, m.console(), m.retired(), m.starts()};
}

bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

TEST(corpus_app, every_form_is_exact_at_every_array_size) {
  const uint32_t sets[][2] = {{4, 16}, {4, 64}, {5, 40}, {8, 64}, {16, 64}};
  int exact = 0;
  for (const auto &set : sets) {
    const tpu_params p = make_params(set[0], set[1]);
    for (const uint32_t i : {gemm_4, gemm_16x16x8, gemm_cols, gemm_reduce, batched, relu, reduce}) {
      const test_case c = make_case(i, i + set[0]);
      const outcome o = run(p, c.request());
      tpu_error why{};
      if (tpu_workload_fits(&p, &c.workload, &why) == 0) {
        EXPECT_EQ(o.result.outcome, TPU_OUTCOME_SKIPPED) << o.console;
        EXPECT_TRUE(contains(o.console, why.text)) << o.console;
        EXPECT_EQ(o.exit_code, 1);
        EXPECT_EQ(o.starts, 0u);
        continue;
      }
      const bool satisfiable = tpu_workload_satisfiable(&p, &c.workload, &why) != 0;
      EXPECT_EQ(o.result.satisfiable != 0, satisfiable) << o.console;
      EXPECT_EQ(o.result.outcome == TPU_OUTCOME_EXACT, satisfiable) << o.console;
      EXPECT_EQ(o.exit_code, satisfiable ? 0 : 1) << o.console;
      EXPECT_EQ(contains(o.console, "cannot be satisfied"), !satisfiable) << o.console;
      exact += satisfiable;
    }
  }
  EXPECT_GT(exact, 15);
}

TEST(corpus_app, result_holds_what_the_hardware_said) {
  const test_case c = make_case(gemm_16x16x8, 1);
  const outcome o = run(make_params(4, 64), c.request());
  ASSERT_EQ(o.exit_code, 0) << o.console;
  const tpu_result &r = o.result;
  EXPECT_EQ(r.accelerator, 0x100000002ULL);
  EXPECT_EQ(r.counter[TPU_UNIT_PE][TPU_COUNTER_BUSY],
            0x500000000ULL + uint64_t{TPU_UNIT_PE} * TPU_REG_UNIT_STRIDE + TPU_COUNTER_BUSY * 8);
  EXPECT_EQ(r.counter[TPU_UNIT_DMA_ST][TPU_COUNTER_DONE], 32u);
  EXPECT_EQ(r.hw_status, static_cast<uint32_t>(TPU_STATUS_DONE));
  EXPECT_EQ(r.params.maxdim, 64u);
  EXPECT_GE(r.wait, 500u);
  EXPECT_GT(r.map, 0u);
  EXPECT_GT(r.load, 0u);
  EXPECT_GT(r.end_to_end, r.map + r.load + r.wait);
  EXPECT_TRUE(contains(o.console, "gemm") || contains(o.console, "shape"));
  EXPECT_TRUE(contains(o.console, "accelerator 4294967298 cycles, end to end " +
                                      std::to_string(r.end_to_end) + " cycles"));
}

TEST(corpus_app, small_workload_costs_few_instructions) {
  const test_case c = make_case(gemm_4, 1);
  const outcome o = run(make_params(4, 64), c.request());
  EXPECT_EQ(o.exit_code, 0);
  EXPECT_LT(o.retired, 250000u);
}

TEST(corpus_app, a_wrong_byte_shows_with_place_and_values) {
  test_case c = make_case(gemm_4, 1);
  c.expected[6] = static_cast<int8_t>(c.expected[6] ^ 1); /* row 1, column 2 */
  const outcome o = run(make_params(4, 16), c.request());
  EXPECT_EQ(o.result.outcome, TPU_OUTCOME_WRONG);
  EXPECT_EQ(o.exit_code, 1);
  EXPECT_EQ(o.result.comparison.wrong, 1u);
  EXPECT_EQ(o.result.comparison.clobbered, 0u);
  EXPECT_TRUE(contains(o.console, "1 bytes wrong, 0 clobbered, first at row 1 column 2"));
}

TEST(corpus_app, a_clobbered_byte_far_from_the_output_shows) {
  const test_case c = make_case(gemm_4, 1);
  accelerator_script script;
  script.clobber = true;
  const outcome o = run(make_params(4, 64), c.request(), script);
  EXPECT_EQ(o.result.outcome, TPU_OUTCOME_CLOBBERED);
  EXPECT_EQ(o.exit_code, 1);
  EXPECT_EQ(o.result.comparison.clobbered, 1u);
  EXPECT_TRUE(contains(o.console, "first at row 63 column 63")) << o.console;
}

TEST(corpus_app, hardware_errors_are_named) {
  const test_case c = make_case(gemm_4, 1);
  struct {
    uint32_t code;
    const char *text;
    uint32_t outcome;
  } const table[] = {{TPU_HW_ERROR_DEADLOCK, "hardware error 7 DEADLOCK", TPU_OUTCOME_DEADLOCK},
                     {TPU_HW_ERROR_BUS, "hardware error 6 BUS", TPU_OUTCOME_ERROR},
                     {0x99, "hardware error 153 UNKNOWN", TPU_OUTCOME_ERROR}};
  for (const auto &row : table) {
    accelerator_script script;
    script.error = row.code;
    script.error_info = 0x12345678;
    const outcome o = run(make_params(4, 16), c.request(), script);
    EXPECT_EQ(o.result.outcome, row.outcome);
    EXPECT_EQ(o.result.hw_error, row.code);
    EXPECT_EQ(o.exit_code, 1);
    EXPECT_TRUE(contains(o.console, row.text)) << o.console;
    EXPECT_TRUE(contains(o.console, "info 0x12345678")) << o.console;
    EXPECT_TRUE(contains(o.console, "end to end")) << o.console;
  }
}

TEST(corpus_app, promised_other_than_done_is_an_error) {
  const test_case c = make_case(gemm_4, 1);
  accelerator_script script;
  script.extra_promised = 3;
  const outcome o = run(make_params(4, 16), c.request(), script);
  EXPECT_EQ(o.result.outcome, TPU_OUTCOME_ERROR);
  EXPECT_TRUE(contains(o.console, "dma_st was promised 7 and did 4")) << o.console;
}

TEST(corpus_app, foreign_hardware_is_refused) {
  const test_case c = make_case(gemm_4, 1);
  accelerator_script script;
  script.id = 0x12345678;
  outcome o = run(make_params(4, 16), c.request(), script);
  EXPECT_EQ(o.exit_code, 2);
  EXPECT_EQ(o.result.outcome, TPU_OUTCOME_SETUP);
  EXPECT_TRUE(contains(o.console, "0x12345678")) << o.console;
  script = {};
  script.version = 0x00020003;
  o = run(make_params(4, 16), c.request(), script);
  EXPECT_EQ(o.exit_code, 2);
  EXPECT_TRUE(contains(o.console, "0x00020003")) << o.console;
  script.version = 0x00010007; /* a minor revision is fine */
  EXPECT_EQ(run(make_params(4, 16), c.request(), script).exit_code, 0);
  tpu_params bad = make_params(4, 16);
  bad.maxdim = 18;
  o = run(bad, c.request());
  EXPECT_EQ(o.exit_code, 2);
  EXPECT_TRUE(contains(o.console, "MAXDIM")) << o.console;
}

TEST(corpus_app, the_largest_images_fit_dram) {
  const test_case c = make_case(steady_64, 1);
  const tpu_params p = make_params(64, 320);
  const outcome o = run(p, c.request());
  EXPECT_EQ(o.exit_code, 0) << o.console;
}

TEST(corpus_app, same_payload_same_run) {
  const test_case c = make_case(gemm_cols, 1);
  const outcome a = run(make_params(4, 16), c.request());
  const outcome b = run(make_params(4, 16), c.request());
  EXPECT_EQ(a.console, b.console);
  EXPECT_EQ(a.retired, b.retired);
}

TEST(runtime, keeps_its_promises) {
  machine m(make_params(4, 16));
  ASSERT_TRUE(m.load_elf(read_file(TPU_FIRMWARE_DIR "/runtime.elf")));
  EXPECT_EQ(m.run(), 0);
  EXPECT_EQ(m.console(), "runtime: sound\n");
}

TEST(minimal, sleeps_through_no_completion) {
  /* The end of the run falls on every cycle around the look at STATUS, wfi and the re-enabling. */
  const std::vector<uint8_t> elf = read_file(TPU_FIRMWARE_DIR "/minimal.elf");
  const tpu_params p = make_params(4, 8);
  for (uint64_t latency = 0; latency < 64; ++latency) {
    machine m(p);
    m.script.latency = latency;
    ASSERT_TRUE(m.load_elf(elf));
    EXPECT_EQ(m.run(), 0) << "latency " << latency << ": " << m.console();
  }
}

TEST(minimal, multiplies_on_every_array) {
  for (const uint32_t t : {4u, 7u, 16u, 64u}) {
    machine m(make_params(t, t * 4));
    ASSERT_TRUE(m.load_elf(read_file(TPU_FIRMWARE_DIR "/minimal.elf")));
    EXPECT_EQ(m.run(), 0) << m.console();
    EXPECT_EQ(m.console(), "minimal: NONE, 0 bytes wrong, 4294967298 accelerator cycles\n");
  }
}

} // namespace
