// SPDX-License-Identifier: Apache-2.0
// What a run of a GEMM by tiles is held to: a run that is well, and what becomes of the verdict
// when one thing of it is not.
#include "platform/cli/tile_job.h"

#include <cstring>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace {

class tile_judge : public testing::Test {
protected:
  void SetUp() override {
    config_ = tpu_config_default();
    tpu_report r{};
    config_.params.maxdim = 16;
    ASSERT_EQ(tpu_config_resolve(&config_, "test", &r), 1) << r.text;
    tpu_tile_request request{};
    request.config = &config_;
    request.m = 35;
    request.k = 12;
    request.n = 35;
    request.seed = 1;
    ASSERT_EQ(tpu_tile_prepare(&job_, &request, &r), 1) << r.text;
    ASSERT_EQ(job_.programs, 4U);
    make_outcome();
  }
  void TearDown() override { tpu_tile_release(&job_); }

  // A run as it must have been, its programs in another order than the host's.
  void make_outcome() {
    result_.outcome = TPU_OUTCOME_COMPLETED;
    result_.plan = job_.plan;
    result_.programs = job_.programs;
    result_.macs = tpu_tile_macs(&job_);
    std::strncpy(result_.line, "the line", sizeof result_.line);
    payload_.assign(job_.payload, job_.payload + job_.at.total_bytes);
    std::memcpy(payload_.data() + job_.at.c.offset, job_.expected, job_.at.c.bytes);
    outcome_.result = &result_;
    outcome_.payload = payload_.data();
    for (uint32_t i = 0; i < job_.programs; ++i) {
      const tpu_tile_program &p = job_.program[job_.programs - 1 - i];
      tpu_tile_ran &ran = result_.program[i];
      ran.rows = p.rows;
      ran.blocks = p.blocks;
      ran.instructions = p.program.count;
      ran.runs = p.tiles;
      words_[i].assign(p.header, p.header + TPU_HEADER_WORDS);
      for (uint32_t k = 0; k < p.program.count; ++k)
        words_[i].insert(words_[i].end(), {p.program.words[k].w0, p.program.words[k].w1});
      outcome_.program[i] = words_[i].data();
    }
  }

  void expect(tpu_verdict verdict, const std::string &reason) {
    tpu_tile_verdict v{};
    tpu_tile_judge(&job_, &outcome_, &v);
    EXPECT_STREQ(tpu_verdict_name(v.verdict), tpu_verdict_name(verdict)) << v.reason;
    EXPECT_NE(std::string(v.reason).find(reason), std::string::npos) << v.reason;
    EXPECT_EQ(v.compared, verdict == TPU_VERDICT_EXACT || verdict == TPU_VERDICT_WRONG ||
                              verdict == TPU_VERDICT_CLOBBERED);
  }

  tpu_platform_config config_{};
  tpu_tile_job job_{};
  tpu_tile_result result_{};
  tpu_tile_outcome outcome_{};
  std::vector<uint8_t> payload_;
  std::vector<uint64_t> words_[TPU_TILE_MAX_PROGRAMS];
};

TEST_F(tile_judge, a_run_that_is_well_is_exact) { expect(TPU_VERDICT_EXACT, ""); }

TEST_F(tile_judge, every_wrong_byte_of_c_is_seen) {
  for (uint32_t i = 0; i < job_.at.c.bytes; i += 17) {
    payload_[job_.at.c.offset + i] ^= 1;
    expect(TPU_VERDICT_WRONG, "1 of 1225 bytes of C are wrong, the first at row " +
                                  std::to_string(i / 35) + " column " + std::to_string(i % 35));
    payload_[job_.at.c.offset + i] ^= 1;
  }
}

// What lies in C before the run is right nowhere.
TEST_F(tile_judge, bytes_that_were_not_written_are_wrong) {
  std::memcpy(payload_.data() + job_.at.c.offset, job_.payload + job_.at.c.offset, job_.at.c.bytes);
  expect(TPU_VERDICT_WRONG, "1225 of 1225 bytes");
}

TEST_F(tile_judge, bytes_beside_c_must_stay) {
  const uint32_t places[] = {0,
                             job_.at.a.offset,
                             job_.at.b.offset,
                             job_.at.c.offset - 1,
                             job_.at.c.offset + job_.at.c.bytes,
                             job_.at.total_bytes - 1};
  for (const uint32_t at : places) {
    payload_[at] ^= 0x80;
    expect(TPU_VERDICT_CLOBBERED, "1 bytes beside C changed");
    payload_[at] ^= 0x80;
  }
}

TEST_F(tile_judge, other_programs_than_the_hosts_are_a_fault) {
  const std::string says = "the programs in DRAM are not those that the host mapped: the line";
  for (uint32_t i = 0; i < job_.programs; ++i)
    for (const size_t at : {size_t{1}, size_t{TPU_HEADER_WORDS}, words_[i].size() - 1}) {
      words_[i][at] ^= 1;
      expect(TPU_VERDICT_FAULT, says);
      words_[i][at] ^= 1;
    }
  --result_.program[1].instructions;
  expect(TPU_VERDICT_FAULT, says);
  ++result_.program[1].instructions;
  outcome_.program[2] = nullptr;
  expect(TPU_VERDICT_FAULT, says);
  outcome_.program[2] = words_[2].data();
  --result_.programs;
  expect(TPU_VERDICT_FAULT, says);
  ++result_.programs;
  ++result_.plan.height;
  expect(TPU_VERDICT_FAULT, says);
}

TEST_F(tile_judge, tiles_or_products_left_out_are_a_fault) {
  --result_.program[0].runs;
  expect(TPU_VERDICT_FAULT, "0 tiles of 3 rows x 4 columns were run, there are 1");
  ++result_.program[0].runs;
  --result_.macs;
  expect(TPU_VERDICT_FAULT, "the array counted ");
}

TEST_F(tile_judge, how_a_run_ended_comes_first) {
  payload_[job_.at.c.offset] ^= 1;
  result_.outcome = TPU_OUTCOME_DEADLOCK;
  result_.row_tile = 1;
  result_.col_tile = 2;
  outcome_.hang = "all wait";
  expect(TPU_VERDICT_DEADLOCK, "the tile at row 16 column 32: all wait");
  outcome_.hang = nullptr; // the core says so, the model does not
  expect(TPU_VERDICT_FAULT, "the line");
  for (const tpu_outcome o : {TPU_OUTCOME_ERROR, TPU_OUTCOME_SETUP, TPU_OUTCOME_REFUSED}) {
    result_.outcome = o;
    expect(TPU_VERDICT_FAULT, "the line");
  }
  outcome_.abnormal = "it trapped";
  expect(TPU_VERDICT_FAULT, "it trapped");
}

TEST_F(tile_judge, an_illegal_program_is_not_run) {
  EXPECT_EQ(tpu_tile_is_legal(&job_), 1);
  job_.program[2].legality.legal = 0;
  EXPECT_EQ(tpu_tile_is_legal(&job_), 0);
  tpu_tile_verdict v{};
  tpu_tile_judge(&job_, nullptr, &v);
  EXPECT_EQ(v.verdict, TPU_VERDICT_ILLEGAL);
  EXPECT_NE(std::string(v.reason).find("the program of 3 rows x 16 columns: "), std::string::npos)
      << v.reason;
}

// The judge's layers all look at them, the header included.
TEST_F(tile_judge, every_layer_holds) {
  for (uint32_t i = 0; i < job_.programs; ++i)
    for (const tpu_layer_state s : job_.program[i].legality.layer)
      EXPECT_EQ(s, TPU_LAYER_HOLDS);
}

} // namespace
