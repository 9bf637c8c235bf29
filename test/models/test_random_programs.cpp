// SPDX-License-Identifier: Apache-2.0
// Random legal programs on the SystemC accelerator, each twice on one elaborated platform: C is
// the reference interpreter's, or the verdict is a deadlock and a deeper build completes.
#include <cstdio>
#include <memory>

#include "bench.h"

namespace {

constexpr int programs = 2000;

void check_accounts(bench::bench &b, bool completed) {
  const auto elapsed = static_cast<std::uint64_t>(b.device.elapsed());
  ASSERT_EQ(b.read64(TPU_REG_CYCLES_LO), elapsed);
  for (int k = 0; k < TPU_UNIT_COUNT; ++k) {
    const auto u = static_cast<enum tpu_unit>(k);
    const bool array = u == TPU_UNIT_WLD || u == TPU_UNIT_PE;
    const std::uint64_t instances =
        array ? std::uint64_t{b.device.params().t} * b.device.params().t : 1;
    ASSERT_EQ(b.counter(u, TPU_COUNTER_BUSY) + b.counter(u, TPU_COUNTER_STARVED) +
                  b.counter(u, TPU_COUNTER_BLOCKED) + b.counter(u, TPU_COUNTER_IDLE),
              elapsed * instances)
        << "unit " << k;
    if (completed) {
      ASSERT_EQ(b.counter(u, TPU_COUNTER_PROMISED), b.counter(u, TPU_COUNTER_DONE)) << "unit " << k;
    }
  }
}

// Stores and starts; true when it completed, with C compared.
void run_once(bench::bench &b, random_program::program &program, std::uint32_t seed,
              bool &completed) {
  std::uint8_t *memory = b.dram.data();
  support::store_program(memory, program.counts, program.words);
  support::store_operands(memory, b.device.params(), seed);
  const std::vector<std::int8_t> want =
      support::reference(b.device.params(), program.code(), memory, seed);
  const std::uint32_t status = b.run();
  completed = status == TPU_STATUS_DONE;
  if (completed) {
    ASSERT_EQ(support::image_c(b.device.params(), memory), want);
  } else {
    ASSERT_EQ(status, TPU_STATUS_ERROR | TPU_HW_ERROR_DEADLOCK << TPU_STATUS_CODE_SHIFT);
    ASSERT_FALSE(b.device.blocked().empty());
  }
  check_accounts(b, completed);
}

void random_programs(std::uint32_t t, std::uint32_t maxdim, std::uint32_t qd) {
  const tpu::core::timing_profile timing = support::profile();
  std::vector<std::unique_ptr<bench::bench>> depths;
  for (const std::uint32_t deeper : {qd, 4 * qd, std::uint32_t{TPU_MAX_QD}}) {
    depths.push_back(std::make_unique<bench::bench>(("depth" + std::to_string(deeper)).c_str(),
                                                    random_program::parameters(t, maxdim, deeper),
                                                    timing));
  }
  sc_core::sc_start(sc_core::SC_ZERO_TIME); // elaborated: the bus can be used
  for (auto &b : depths) {
    b->set_bases();
  }
  int completed = 0;
  int hung = 0;
  for (std::uint32_t seed = 1; seed <= programs; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    random_program::program program = random_program::make(depths[0]->device.params(), seed);
    std::uint64_t cycles = 0;
    for (int again = 0; again < 2; ++again) {
      bool done = false;
      ASSERT_NO_FATAL_FAILURE(
          run_once(*depths[0], program, seed + 17U * static_cast<std::uint32_t>(again), done));
      const std::uint64_t now = depths[0]->read64(TPU_REG_CYCLES_LO);
      ASSERT_TRUE(again == 0 || now == cycles); // state of the first run does not show
      cycles = now;
      if (again == 0) {
        (done ? completed : hung) += 1;
      }
      bool deeper_done = done;
      for (std::size_t k = 1; k < depths.size() && !deeper_done; ++k) {
        ASSERT_NO_FATAL_FAILURE(run_once(*depths[k], program, seed, deeper_done));
      }
      ASSERT_TRUE(deeper_done);
    }
  }
  std::printf("T=%u QD=%u: %d of %d completed, %d hung\n", t, qd, completed, programs, hung);
  EXPECT_GE(10 * completed, 8 * programs);
  EXPECT_GE(hung, 1);
}

TEST(random_programs, match_the_interpreter_at_T4) { random_programs(4, 16, 16); }
TEST(random_programs, match_the_interpreter_at_T8) { random_programs(8, 32, 16); }

} // namespace
