// SPDX-License-Identifier: Apache-2.0
// Core and accelerator at one memory that is not ideal: the core starts a run, hammers memory while
// it lasts, then waits for its end. What happens when depends on the ports of the memory, and
// neither on the quantum, nor on direct access, nor on the order in which modules are made.
#include <memory>

#include "bench.h"
#include "platform/bus/cpu.h"
#include "platform/bus/finisher.h"
#include "run_record.h"
#include "test/cpu/encode.h"

namespace {

using namespace rv;
using tpu::dram_config;

constexpr word dram_base = bench::dram_base;
constexpr word seen = 0x700; // where the core leaves what it saw: cycles at start, hammered, done

struct options {
  dram_config memory;
  std::uint64_t quantum = 10000;
  bool use_dmi = true;
  std::uint32_t order = 0;
  word hammer = 400; // loops of a load and a store
  word c = support::c_at;
};

dram_config memory_of(std::uint32_t latency, std::uint32_t bytes_per_cycle,
                      std::uint32_t outstanding = 1, bool per_initiator = false) {
  return {support::memory_bytes, latency, bytes_per_cycle, outstanding, per_initiator};
}

class machine : public sc_core::sc_module {
public:
  tpu::router bus{"bus"};
  tpu::dram dram;
  tpu::finisher end{"end"};
  std::unique_ptr<tpu::cpu> core;
  std::unique_ptr<tpu::accelerator> device;
  std::unique_ptr<tpu::accelerator_registers> registers;

  machine(const sc_core::sc_module_name &name, const tpu_params &p, const options &o)
      : sc_module(name), dram("dram", o.memory) {
    const auto make_core = [&] {
      tpu::cpu_config config;
      config.quantum_cycles = o.quantum;
      config.use_dmi = o.use_dmi;
      core = std::make_unique<tpu::cpu>("core", config);
    };
    if (o.order == 0) {
      make_core();
    }
    device =
        std::make_unique<tpu::accelerator>("accelerator", p, support::profile(), o.memory.traits(),
                                           tpu::cycles_to_time(1), 1, o.order);
    registers = std::make_unique<tpu::accelerator_registers>("registers", *device);
    if (o.order != 0) {
      make_core();
    }
    core->socket.bind(bus.initiators);
    device->program.socket.bind(bus.initiators);
    device->operands.socket.bind(bus.initiators);
    device->results.socket.bind(bus.initiators);
    EXPECT_TRUE(bus.map({"dram", dram_base, support::memory_bytes}, dram.socket));
    EXPECT_TRUE(bus.map(tpu::region_FINISHER, end.socket));
    EXPECT_TRUE(bus.map({"accelerator", TPU_ACCELERATOR_BASE, TPU_REG_SPACE}, registers->socket));
    core->connect(RV_IRQ_EXTERNAL, registers->interrupt);
    end.set_on_finish([this] { core->halt(); });
  }

  void load(const std::vector<word> &code) {
    std::memcpy(dram.data(), code.data(), code.size() * sizeof(word));
  }
  word at(word offset) const {
    word w = 0;
    std::memcpy(&w, dram.data() + offset, sizeof w);
    return w;
  }
  std::vector<std::uint8_t> bytes() const { return {dram.data(), dram.data() + dram.size()}; }
  tpu::port_account account(unsigned initiator) const {
    tpu::port_account sum;
    for (const auto &port : dram.ports()) {
      if (initiator < port->accounts().size()) {
        sum += port->accounts()[initiator];
      }
    }
    return sum;
  }
};

std::vector<word> driver(word hammer, word c) {
  std::vector<word> code = {lui(1, TPU_ACCELERATOR_BASE), lui(2, dram_base)};
  const struct {
    word at;
    int reg;
  } bases[] = {{support::program_at, TPU_REG_BASE_PROGRAM},
               {support::a_at, TPU_REG_BASE_A},
               {support::b_at, TPU_REG_BASE_B},
               {c, TPU_REG_BASE_C}};
  for (const auto &b : bases) {
    code.push_back(lui(3, dram_base + b.at));
    code.push_back(store(sw, 3, 1, b.reg));
  }
  const std::vector<word> rest = {addi(3, 0, TPU_CONTROL_START),
                                  store(sw, 3, 1, TPU_REG_CONTROL),
                                  csr(csrrs, 20, mcycle, 0),
                                  store(sw, 20, 2, seen),
                                  li_high(6, hammer),
                                  li_low(6, hammer),
                                  branch(beq, 6, 0, 24),
                                  load(lw, 7, 2, seen + 32), // hammer
                                  addi(7, 7, 1),
                                  store(sw, 7, 2, seen + 32),
                                  addi(6, 6, -1),
                                  branch(bne, 6, 0, -16),
                                  csr(csrrs, 20, mcycle, 0),
                                  store(sw, 20, 2, seen + 4),
                                  load(lw, 8, 1, TPU_REG_STATUS), // wait
                                  op_imm(and_, 8, 8, TPU_STATUS_BUSY),
                                  branch(bne, 8, 0, -8),
                                  csr(csrrs, 20, mcycle, 0),
                                  store(sw, 20, 2, seen + 8),
                                  lui(30, TPU_FINISHER_BASE),
                                  li_high(31, TPU_FINISHER_PASS),
                                  li_low(31, TPU_FINISHER_PASS),
                                  store(sw, 31, 30, 0),
                                  jal(0, 0)};
  code.insert(code.end(), rest.begin(), rest.end());
  return code;
}

class contention : public testing::Test {
protected:
  void make(const std::vector<options> &variants) {
    for (const options &o : variants) {
      machines_.push_back(
          std::make_unique<machine>(sc_core::sc_gen_unique_name("machine"), params_, o));
      drivers_.push_back(driver(o.hammer, o.c));
    }
  }
  void run(random_program::program &program, std::uint32_t seed) {
    for (std::size_t k = 0; k < machines_.size(); ++k) {
      machine &m = *machines_[k];
      std::memset(m.dram.data(), 0, m.dram.size());
      support::store_program(m.dram.data(), program.counts, program.words);
      support::store_operands(m.dram.data(), params_, seed);
      want_ = support::reference(params_, program.code(), m.dram.data(), seed);
      m.load(drivers_[k]);
      m.end.reset();
      m.core->reset(dram_base);
    }
    const auto running = [this] {
      return std::any_of(machines_.begin(), machines_.end(),
                         [](const auto &m) { return !m->end.finished(); });
    };
    while (running() && sc_core::sc_pending_activity()) {
      sc_core::sc_start(tpu::cycles_to_time(1000000), sc_core::SC_EXIT_ON_STARVATION);
    }
    for (const auto &m : machines_) {
      ASSERT_TRUE(m->end.passed());
      if (m->device->result() == tpu::core::outcome::completed) {
        EXPECT_EQ(support::image_c(params_, m->dram.data()), want_);
      }
      for (unsigned who = 0; who < 4; ++who) {
        EXPECT_EQ(tpu::time_to_cycles(m->bus.time_taken(who)), m->account(who).in_memory);
      }
    }
  }

  // The machines of a memory must agree on random programs, with C at that offset. Tells how many
  // runs of the first failed.
  void compare(word c, std::uint32_t programs, int &failed) {
    std::vector<options> variants;
    const std::vector<dram_config> memories = {memory_of(7, 2), memory_of(20, 1, 4),
                                               memory_of(12, 3, 2, true)};
    for (const dram_config &memory : memories) {
      for (const std::uint64_t quantum : {1U, 7U, 10000U}) {
        for (const bool use_dmi : {true, false}) {
          for (const std::uint32_t order : {0U, 3U}) {
            variants.push_back({memory, quantum, use_dmi, order, 400, c});
          }
        }
      }
    }
    make(variants);
    const std::size_t each = machines_.size() / memories.size();
    for (std::uint32_t seed = 1; seed <= (support::thinning == 1 ? programs : 5); ++seed) {
      random_program::program program = random_program::make(params_, seed);
      ASSERT_NO_FATAL_FAILURE(run(program, seed));
      failed += machines_[0]->device->result() == tpu::core::outcome::failed ? 1 : 0;
      for (std::size_t k = 0; k < machines_.size(); ++k) {
        SCOPED_TRACE("machine " + std::to_string(k) + " seed " + std::to_string(seed));
        const machine &first = *machines_[k - k % each];
        const machine &m = *machines_[k];
        // From start to hammered, to done; the start differs by run.
        for (const word at : {0U, 4U}) {
          ASSERT_EQ(m.at(seen + at + 4) - m.at(seen + at),
                    first.at(seen + at + 4) - first.at(seen + at));
        }
        ASSERT_EQ(support::record(*m.device), support::record(*first.device));
        ASSERT_EQ(support::image_c(params_, m.dram.data()),
                  support::image_c(params_, first.dram.data()));
        for (unsigned who = 0; who < 4; ++who) {
          const tpu::port_account a = m.account(who);
          const tpu::port_account b = first.account(who);
          ASSERT_EQ(a.requests, b.requests);
          ASSERT_EQ(a.bytes, b.bytes);
          ASSERT_EQ(a.busy, b.busy);
          ASSERT_EQ(a.waiting, b.waiting);
        }
      }
    }
  }

  const tpu_params params_ = random_program::parameters(4, 16, 16);
  std::vector<std::unique_ptr<machine>> machines_;
  std::vector<std::vector<word>> drivers_;
  std::vector<std::int8_t> want_;
};

TEST_F(contention, is_the_same_at_any_quantum_order_and_way_of_access) {
  int failed = 0;
  ASSERT_NO_FATAL_FAILURE(compare(support::c_at, 20, failed));
  EXPECT_EQ(failed, 0);
  for (unsigned who = 0; who < 4 && support::thinning == 1; ++who) {
    EXPECT_GT(machines_[0]->account(who).waiting, 0U);
  }
}

// C lies behind the end of memory: rows of it fail while other units are at work.
TEST_F(contention, ends_a_failing_run_the_same_at_any_quantum_order_and_way_of_access) {
  int failed = 0;
  ASSERT_NO_FATAL_FAILURE(compare(support::memory_bytes, 5, failed));
  EXPECT_GT(failed, 0);
}

TEST_F(contention, is_real_on_a_shared_port_and_gone_with_a_port_each) {
  const dram_config shared = memory_of(6, 4, 1, false);
  const dram_config each = memory_of(6, 4, 1, true);
  make({{shared, 10000, true, 0, 0},
        {shared, 10000, true, 0, 400},
        {each, 10000, true, 0, 0},
        {each, 10000, true, 0, 400}});
  random_program::program program = random_program::make(params_, 4);
  ASSERT_NO_FATAL_FAILURE(run(program, 1));
  std::vector<std::int64_t> cycles;
  std::vector<word> hammered;
  for (const auto &m : machines_) {
    ASSERT_EQ(m->device->result(), tpu::core::outcome::completed);
    cycles.push_back(m->device->elapsed());
    hammered.push_back(m->at(seen + 4) - m->at(seen));
  }
  EXPECT_GT(cycles[1], cycles[0]);     // the core is in the way of the DMA engines
  EXPECT_GT(hammered[1], hammered[3]); // and they in its
  EXPECT_EQ(cycles[3], cycles[2]);
  EXPECT_EQ(machines_[3]->account(0).waiting, 0U);
  EXPECT_GT(machines_[1]->account(0).waiting, 0U);
}

} // namespace
