// SPDX-License-Identifier: Apache-2.0
// A run that fails: which fault is told, when it ends, and that neither depends on the order in
// which units are evaluated, woken or made.
#include <memory>
#include <set>

#include "bench.h"
#include "paths.h"
#include "run_record.h"

using tpu::core::cycle;
using tpu::core::outcome;

namespace {

constexpr std::uint32_t orders = 5;
constexpr std::uint32_t first_order = 21; // seeds of the shuffles

// A random program, and what is wrong with its run, drawn from a seed.
struct broken_run {
  random_program::program program;
  tpu::core::run_addresses at = support::addresses;

  broken_run(const tpu_params &p, std::uint32_t seed) : program(random_program::make(p, seed)) {
    const std::uint64_t image = std::uint64_t{p.maxdim} * p.maxdim;
    if (seed % 4 == 0 || seed % 4 == 1) {
      at.c = support::memory_bytes - image / 2; // the lower half is not there
    }
    if (seed % 4 == 1 || seed % 4 == 2) {
      at.b = support::memory_bytes - 64;
    }
    if (seed % 4 == 3 || seed % 5 == 0) { // an instruction of another operand or another kind
      std::size_t k = seed % program.words.size();
      while (program.insns[k].op == TPU_OP_LOOP) { // not of more rounds
        k = (k + 1) % program.words.size();
      }
      program.words[k].w0 ^= std::uint64_t{1} << seed % 61;
    }
  }
  void store(std::uint8_t *memory, const tpu_params &p, std::uint32_t seed) const {
    support::store_program(memory, program.counts, program.words);
    support::store_operands(memory, p, seed);
  }
};

struct seen {
  std::string record;
  std::vector<std::uint8_t> memory;
};

class failing_runs : public testing::Test {
protected:
  // run(k, broken, seed) runs on the k-th of so many machines that must agree.
  template <class Run> void compare(std::size_t machines, Run run) {
    std::set<std::string> faults;
    for (std::uint32_t seed = 1; seed <= 200 / support::thinning; ++seed) {
      const broken_run broken(params_, seed);
      seen want;
      for (std::size_t k = 0; k < machines; ++k) {
        const tpu::core::network *net = nullptr;
        const seen got = run(k, broken, seed, net);
        if (k == 0) {
          want = got;
          check(*net);
          if (net->result() == outcome::failed) {
            faults.insert(std::to_string(net->failure().code) + net->failure().text.substr(0, 6));
          }
        }
        ASSERT_EQ(got.record, want.record) << "seed " << seed << " machine " << k;
        ASSERT_TRUE(got.memory == want.memory) << "seed " << seed << " machine " << k;
      }
    }
    EXPECT_GE(faults.size(), support::thinning == 1 ? 4U : 2U); // bus: three masters; program
  }
  // Its account, as of any run.
  static void check(const tpu::core::network &net) {
    for (std::uint32_t u = 0; u < TPU_UNIT_COUNT; ++u) {
      const auto unit = static_cast<enum tpu_unit>(u);
      const tpu::core::unit_counters c = net.counters(unit);
      const bool many = unit == TPU_UNIT_WLD || unit == TPU_UNIT_PE;
      EXPECT_EQ(c.busy + c.starved + c.blocked + c.idle,
                net.elapsed() * (many ? cycle{net.params().t} * net.params().t : 1));
      EXPECT_GE(c.idle, 0);
    }
  }

  const tpu_params params_ = random_program::parameters(4, 16, 6);
};

TEST_F(failing_runs, are_the_same_in_any_order_of_units) {
  support::flat_memory memory;
  // Each its own: a broken program may read what the run before left in an on-chip memory.
  std::vector<std::unique_ptr<tpu::core::plain_network>> nets;
  for (std::uint32_t k = 0; k <= orders; ++k) {
    nets.push_back(std::make_unique<tpu::core::plain_network>(
        params_, support::profile(), tpu::core::memory_ports{memory, memory, memory}, 1));
    nets.back()->record_path(true);
  }
  compare(1 + orders, [&](std::size_t k, const broken_run &broken, std::uint32_t seed,
                          const tpu::core::network *&ran) {
    broken.store(memory.bytes.data(), params_, seed);
    tpu::core::plain_network &net = *nets[k];
    net.run(broken.at, k == 0 ? 0 : first_order + static_cast<std::uint32_t>(k) - 1);
    ran = &net;
    paths::check(net);
    return seen{support::record(net), memory.bytes};
  });
}

class failing_runs_on_a_bus : public failing_runs,
                              public testing::WithParamInterface<tpu::dram_config> {};

TEST_P(failing_runs_on_a_bus, are_the_same_in_any_order_of_modules_and_of_waking) {
  std::vector<std::unique_ptr<bench::bench>> benches;
  for (std::uint32_t k = 0; k <= orders; ++k) {
    benches.push_back(std::make_unique<bench::bench>(("order" + std::to_string(k)).c_str(), params_,
                                                     support::profile(), 1, GetParam(),
                                                     k == 0 ? 0 : first_order + k - 1));
  }
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  compare(1 + orders, [&](std::size_t k, const broken_run &broken, std::uint32_t seed,
                          const tpu::core::network *&ran) {
    bench::bench &b = *benches[k];
    const auto base = [&](std::uint32_t offset, std::uint64_t at) {
      EXPECT_TRUE(b.write(offset, bench::dram_base + static_cast<std::uint32_t>(at)));
    };
    base(TPU_REG_BASE_PROGRAM, broken.at.program);
    base(TPU_REG_BASE_A, broken.at.a);
    base(TPU_REG_BASE_B, broken.at.b);
    base(TPU_REG_BASE_C, broken.at.c);
    broken.store(b.dram.data(), params_, seed);
    const std::uint32_t status = b.run();
    ran = &b.device;
    return seen{"status " + std::to_string(status) + "\n" + support::record(b.device),
                {b.dram.data(), b.dram.data() + b.dram.size()}};
  });
}

INSTANTIATE_TEST_SUITE_P(memories, failing_runs_on_a_bus,
                         testing::Values(tpu::dram_config{}, tpu::dram_config{0, 30, 2, 2, false},
                                         tpu::dram_config{0, 9, 0, 4, true}),
                         [](const auto &which) {
                           return "latency" + std::to_string(which.param.latency_cycles);
                         });

// Runs of one small machine, at addresses that fail.
class failing_run : public testing::Test {
protected:
  void run(const tpu::core::run_addresses &at) {
    for (std::uint32_t order = 0; order <= orders; ++order) {
      ASSERT_EQ(net_.run(at, order), outcome::failed);
      last_ = 0;
      for (const tpu::core::unit *u : net_.units()) {
        last_ = std::max(last_, u->end() - 1);
      }
      EXPECT_NE(net_.failure().text.find(expected_), std::string::npos) << net_.failure().text;
    }
  }
  void SetUp() override {
    program_ = random_program::make(params_, 4);
    support::store_program(memory_.bytes.data(), program_.counts, program_.words);
  }

  const tpu_params params_ = random_program::parameters(4, 16, 16);
  support::flat_memory memory_;
  tpu::core::plain_network net_{params_, support::profile(), {memory_, memory_, memory_}, 1};
  random_program::program program_;
  std::string expected_; // in the sentence of the fault
  cycle last_ = 0;       // cycle of any unit
};

constexpr std::uint64_t outside = support::memory_bytes;

// The sequencer's comes later than those of dma_ld, and earlier than those of dma_st.
TEST_F(failing_run, tells_the_earliest_fault) {
  ASSERT_GT(program_.counts.dma_st, 0U);
  expected_ = "dma_st";
  run({support::program_at, support::a_at, support::b_at, outside});
  const cycle of_dma_st = net_.failure().at;
  tpu_insn beyond{};
  beyond.op = TPU_OP_DMA_LD;
  beyond.nr = 4;
  beyond.f[1] = static_cast<std::uint16_t>(params_.maxdim);
  tpu_error e{};
  ASSERT_EQ(tpu_encode(&beyond, &program_.words.back(), &e), 1) << e.text;
  support::store_program(memory_.bytes.data(), program_.counts, program_.words);
  expected_ = "sequencer";
  run({support::program_at, support::a_at, support::b_at, support::c_at});
  const cycle of_sequencer = net_.failure().at;
  EXPECT_LT(of_sequencer, of_dma_st);
  run({support::program_at, support::a_at, support::b_at, outside});
  expected_ = "burst of A";
  run({support::program_at, outside, support::b_at, support::c_at});
  EXPECT_LT(net_.failure().at, of_sequencer);
  ASSERT_NE(net_.units()[0]->failure(), nullptr);
  EXPECT_EQ(net_.units()[0]->failure()->at, of_sequencer);
}

// Header and nothing behind it: sequencer and dma_ld fail in the cycle in which the units start.
TEST_F(failing_run, tells_the_first_units_of_several_faults_in_one_cycle) {
  const std::uint64_t at = support::memory_bytes - TPU_HEADER_WORDS * 8;
  std::memcpy(memory_.bytes.data() + at, memory_.bytes.data() + support::program_at,
              TPU_HEADER_WORDS * 8);
  expected_ = "sequencer";
  run({at, outside, support::b_at, support::c_at});
  EXPECT_EQ(net_.failure().at, support::profile().start_cycles);
  EXPECT_TRUE(std::any_of(net_.units().begin(), net_.units().end(), [](const auto *u) {
    return u->name() == "dma_ld" && u->failure() != nullptr &&
           u->failure()->at == support::profile().start_cycles;
  }));
}

// Without a header no unit starts: nothing is there of the run before, in which one failed late.
TEST_F(failing_run, is_forgotten_by_one_that_does_not_start) {
  expected_ = "dma_st";
  run({support::program_at, support::a_at, support::b_at, outside});
  expected_ = "reading the program";
  run({outside, support::a_at, support::b_at, support::c_at});
  tpu::core::plain_network fresh(params_, support::profile(), {memory_, memory_, memory_}, 1);
  fresh.run({outside, support::a_at, support::b_at, support::c_at});
  EXPECT_EQ(support::record(net_), support::record(fresh));
}

TEST_F(failing_run, ends_when_nothing_moves) {
  expected_ = "burst of A";
  run({support::program_at, outside, support::b_at, support::c_at});
  EXPECT_GT(last_, net_.failure().at); // the sequencer at least goes on
  EXPECT_EQ(net_.elapsed(), last_ + 1);
}

} // namespace
