// SPDX-License-Identifier: Apache-2.0
// The accelerator on memories that are not ideal: C stays what it is, cycles are what arithmetic
// says, and neither depends on the order of processes.
#include <memory>

#include "bench.h"
#include "run_record.h"

namespace {

using tpu::dram_config;

dram_config timed(std::uint32_t latency, std::uint32_t bytes_per_cycle,
                  std::uint32_t outstanding = 1, bool per_initiator = false) {
  return {0, latency, bytes_per_cycle, outstanding, per_initiator};
}

constexpr dram_config ideal{};

// Machines side by side, the same but for the memory; each runs the same programs.
class slow_memory : public testing::Test {
protected:
  void make(const std::vector<dram_config> &memories, std::uint32_t order = 0) {
    for (const dram_config &c : memories) {
      benches_.push_back(std::make_unique<bench::bench>(sc_core::sc_gen_unique_name("machine"),
                                                        params_, support::profile(), 1, c, order));
    }
  }
  void elaborate() {
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    for (auto &b : benches_) {
      b->set_bases();
    }
  }
  // Cycles of a run on machine k; C checked.
  std::int64_t run(std::size_t k, random_program::program &program, std::uint32_t seed = 1) {
    bench::bench &b = *benches_[k];
    std::uint8_t *memory = b.dram.data();
    support::store_program(memory, program.counts, program.words);
    support::store_operands(memory, params_, seed);
    const auto want = support::reference(params_, program.code(), memory, seed);
    const std::uint32_t status = b.run();
    completed_ = status == TPU_STATUS_DONE;
    if (completed_) {
      EXPECT_EQ(support::image_c(params_, memory), want);
    } else {
      EXPECT_EQ(bench::error_of(status), std::uint32_t{TPU_HW_ERROR_DEADLOCK});
    }
    return b.device.elapsed();
  }
  // Loads T rows of each image, multiplies, and retires `rows` rows in all, T at a time.
  random_program::program tile(std::uint32_t rows) {
    random_program::program out;
    out.words.resize(tpu_program_capacity(&params_));
    tpu_program program{out.words.data(), static_cast<std::uint32_t>(out.words.size()), 0};
    tpu_builder b{};
    tpu_builder_begin(&b, &program);
    const std::uint32_t t = params_.t;
    tpu_build_dma_ld(&b, TPU_DMA_DEST_VR, tpu_at(0), tpu_at(0), tpu_at(0), t);
    tpu_build_dma_ld(&b, TPU_DMA_SOURCE_B, tpu_at(0), tpu_at(0), tpu_at(0), t);
    tpu_build_mm(&b, tpu_at(0), tpu_at(0), 0, tpu_at(0), t);
    for (std::uint32_t row = 0; row < rows; row += t) {
      tpu_build_mvout(&b, tpu_at(0), tpu_at(row), tpu_at(0), t);
    }
    tpu_error e{};
    EXPECT_EQ(tpu_builder_end(&b, &e), 1) << e.text;
    out.words.resize(program.count);
    out.insns.resize(program.count);
    tpu_code code{out.insns.data(), program.count, 0};
    auto work = std::make_unique<tpu_check_work>();
    tpu_violation v{};
    EXPECT_EQ(tpu_check_program(&params_, &program, &code, work.get(), &out.counts, &v), 1);
    return out;
  }

  const tpu_params params_ = random_program::parameters(4, 64, 16);
  std::vector<std::unique_ptr<bench::bench>> benches_;
  bool completed_ = false;
};

// The initiators of a bench are host, program, operands, results.
enum { PROGRAM = 1, OPERANDS = 2, RESULTS = 3 };

// What an initiator did, of all its runs.
tpu::port_account account(const bench::bench &b, unsigned initiator) {
  tpu::port_account sum;
  for (const auto &port : b.dram.ports()) {
    if (initiator < port->accounts().size()) {
      sum += port->accounts()[initiator];
    }
  }
  return sum;
}

TEST_F(slow_memory, at_the_ideal_setting_nothing_else_matters) {
  make({ideal, timed(0, 0, 16, false), timed(0, 0, 1, true), timed(0, 0, 16, true)});
  elaborate();
  for (std::uint32_t seed = 1; seed <= 100 / support::thinning; ++seed) {
    random_program::program program = random_program::make(params_, seed);
    (void)run(0, program, seed);
    const std::string want = support::record(benches_[0]->device);
    for (std::size_t k = 1; k < benches_.size(); ++k) {
      (void)run(k, program, seed);
      ASSERT_EQ(support::record(benches_[k]->device), want) << "seed " << seed;
      ASSERT_EQ(account(*benches_[k], RESULTS).requests, 0U);
    }
  }
}

TEST_F(slow_memory, adds_the_latency_that_arithmetic_says) {
  make({ideal, timed(25, 0, 64, true), timed(100, 0, 64, true), timed(25, 64, 64, true),
        timed(25, 0, 1, true), timed(25, 0, 64, false)});
  elaborate();
  random_program::program program = tile(4);
  const std::int64_t base = run(0, program);
  // On the path: the header, the burst beside the program, whose first B is accepted a cycle after
  // its first A, the last write.
  EXPECT_EQ(run(1, program), base + 3 * 25 + 1);
  EXPECT_EQ(run(2, program), base + 3 * 100 + 1);
  // Header and last write move for a cycle; the burst's 8 requests do so within its 64 steps.
  EXPECT_EQ(run(3, program), base + 3 * 25 + 1 + 2);
  // One request at a time: the burst takes 8 latencies, more than its 64 steps. Writes, two cycles
  // apart otherwise, follow each other's answers.
  EXPECT_EQ(run(4, program), base + 25 + (8 * 25 - 64) + 4 * 25 - 3 * 2);
  // One port: the program, asked for in the same cycle, is accepted before the burst.
  EXPECT_EQ(run(5, program), base + 3 * 25 + 2);
}

TEST_F(slow_memory, is_bound_by_its_bandwidth) {
  make({timed(0, 1), timed(0, 2), timed(0, 1, 1, true)});
  elaborate();
  random_program::program program = tile(4);
  program.counts.a_span = program.counts.b_span = 64; // the header decides how much is burst
  const std::int64_t image = 64 * 64;
  EXPECT_GE(run(0, program), 64 + 2 * image + 4 * 4);
  EXPECT_EQ(account(*benches_[0], OPERANDS).busy, static_cast<std::uint64_t>(2 * image));
  EXPECT_EQ(account(*benches_[0], OPERANDS).bytes, static_cast<std::uint64_t>(2 * image));
  EXPECT_EQ(account(*benches_[0], OPERANDS).requests, 128U);
  EXPECT_EQ(account(*benches_[0], RESULTS).busy, 16U);
  EXPECT_GE(run(1, program), 32 + image + 4 * 2);
  EXPECT_LT(run(1, program), 2 * image);
  // With a port of their own the operands still share it.
  EXPECT_GE(run(2, program), 64 + 2 * image + 4 * 4);
  EXPECT_LT(run(2, program), run(0, program)); // but not with the program
}

TEST_F(slow_memory, bounds_the_store_window_by_outstanding_requests) {
  make({timed(40, 0, 1, true), timed(40, 0, 4, true), timed(40, 0, 64, true), ideal});
  elaborate();
  random_program::program program = tile(60);
  const std::int64_t one = run(0, program);
  const std::int64_t four = run(1, program);
  const std::int64_t many = run(2, program);
  EXPECT_GT(one, four);
  EXPECT_GT(four, many);
  EXPECT_GT(many, run(3, program));
  // 60 writes, of which one or four are under way in 40 cycles; the window of dma_st holds more.
  ASSERT_GT(support::profile().store_window, 4);
  EXPECT_GE(one, 60 * 40);
  EXPECT_GE(four, 60 * 40 / 4);
  EXPECT_LT(four, 60 * 40 / 2);
}

TEST_F(slow_memory, changes_no_result_and_depends_on_no_order) {
  const std::vector<dram_config> memories = {
      timed(1, 0),  timed(0, 1),   timed(17, 3),         timed(17, 3, 4),      timed(60, 8, 16),
      timed(60, 8), timed(200, 0), timed(9, 4, 2, true), timed(90, 1, 8, true)};
  make(memories);
  for (const std::uint32_t order : {5U, 6U}) {
    make(memories, order);
  }
  elaborate();
  int completed = 0;
  int hung = 0;
  for (std::uint32_t seed = 1; seed <= 100 / support::thinning; ++seed) {
    random_program::program program = random_program::make(params_, seed);
    for (std::size_t k = 0; k < memories.size(); ++k) {
      (void)run(k, program, seed);
      (completed_ ? completed : hung) += 1;
      const std::string want = support::record(benches_[k]->device);
      const auto c = support::image_c(params_, benches_[k]->dram.data());
      for (std::size_t again = k; again < benches_.size(); again += memories.size()) {
        (void)run(again, program, seed);
        ASSERT_EQ(support::record(benches_[again]->device), want) << "seed " << seed << " " << k;
        ASSERT_EQ(support::image_c(params_, benches_[again]->dram.data()), c);
      }
    }
  }
  EXPECT_GT(completed, hung);
  EXPECT_TRUE(hung >= 1 || support::thinning > 1);
  for (const auto &b : benches_) {
    for (unsigned who = PROGRAM; who <= RESULTS; ++who) {
      const tpu::port_account a = account(*b, who);
      EXPECT_GT(a.requests, 0U);
      EXPECT_EQ(tpu::time_to_cycles(b->bus.time_taken(who)), a.in_memory);
    }
  }
}

// A run that fails or hangs ends after what is under way, and not before simulation time.
TEST_F(slow_memory, a_fault_ends_the_run_after_the_requests_under_way) {
  make({timed(500, 1), timed(500, 1, 4, true), ideal});
  elaborate();
  for (std::size_t k = 0; k < benches_.size(); ++k) {
    random_program::program program = tile(4);
    const tpu::core::network &net = benches_[k]->device;
    const std::int64_t request = k == 2 ? 0 : 500 + 64; // of a whole burst
    std::uint8_t *memory = benches_[k]->dram.data();
    tpu_counts unloaded = program.counts; // so that only the program is under way
    unloaded.dma_ld = 0;
    support::store_program(memory, unloaded, program.words);
    std::memset(memory + support::program_at + TPU_HEADER_WORDS * 8, 0xff, 16); // undecodable
    EXPECT_EQ(bench::error_of(benches_[k]->run()), std::uint32_t{TPU_HW_ERROR_BAD_PROGRAM});
    EXPECT_GE(net.elapsed(), support::profile().start_cycles + 2 * request);
    support::store_program(memory, program.counts, program.words);
    memory[support::program_at + 7] = 0xff; // no header
    EXPECT_EQ(bench::error_of(benches_[k]->run()), std::uint32_t{TPU_HW_ERROR_BAD_HEADER});
    EXPECT_EQ(net.elapsed(), support::profile().start_cycles + request + 1);
    // Operands at the very end of memory: the burst fails on the bus half way.
    support::store_program(memory, program.counts, program.words);
    EXPECT_TRUE(benches_[k]->write(TPU_REG_BASE_A, bench::dram_base + support::memory_bytes - 96));
    EXPECT_EQ(bench::error_of(benches_[k]->run()), std::uint32_t{TPU_HW_ERROR_BUS});
    benches_[k]->set_bases();
    (void)run(k, program);
    EXPECT_TRUE(completed_);
  }
}

// Four rows too many are promised: dma_st waits for them, holding back its last, but only when the
// memory has done the last it let go is that a deadlock.
TEST_F(slow_memory, a_hang_is_one_when_no_request_is_under_way) {
  make({ideal, timed(500, 0, 64, true)});
  elaborate();
  random_program::program program = tile(8);
  program.counts.dma_st += 4;
  const std::int64_t at_once = run(0, program);
  EXPECT_FALSE(completed_);
  const std::int64_t later = run(1, program) - at_once;
  EXPECT_FALSE(completed_);
  EXPECT_GT(account(*benches_[1], RESULTS).requests, 0U);
  EXPECT_GT(later, 3 * 500 - support::profile().store_stages);
  EXPECT_LE(later, 3 * 500 + 1);
}

} // namespace
