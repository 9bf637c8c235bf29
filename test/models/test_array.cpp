// SPDX-License-Identifier: Apache-2.0
// The accelerator's models on whole workloads: large arrays, garbage, memory that is not ideal.
#include "isa/mapper.h"
#include "support.h"

using tpu::core::outcome;

namespace {

// m, k, n a GEMM of the corpus's form in the corner of the images.
tpu_workload gemm(std::uint32_t m, std::uint32_t k, std::uint32_t n) {
  tpu_workload w{};
  w.indices = 3;
  w.index[0] = {'m', m};
  w.index[1] = {'k', k};
  w.index[2] = {'n', n};
  w.inputs = 2;
  w.input[0] = {"mk", TPU_BUFFER_A, 0, 0};
  w.input[1] = {"kn", TPU_BUFFER_B, 0, 0};
  w.output = {"mn", TPU_BUFFER_C, 0, 0};
  return w;
}

tpu_params parameters(std::uint32_t t, std::uint32_t maxdim) {
  return random_program::parameters(t, maxdim, 16);
}

random_program::program map(const tpu_params &p, const tpu_workload &w) {
  random_program::program out;
  out.words.resize(tpu_program_capacity(&p));
  tpu_program program{out.words.data(), static_cast<std::uint32_t>(out.words.size()), 0};
  tpu_error e{};
  EXPECT_EQ(tpu_map_baseline(&p, &w, &program, &e), 1) << e.text;
  out.words.resize(program.count);
  return out;
}

// Decodes, and counts what is there.
void finish(const tpu_params &p, random_program::program &out) {
  const auto n = static_cast<std::uint32_t>(out.words.size());
  tpu_program program{out.words.data(), n, n};
  out.insns.resize(n);
  tpu_code code{out.insns.data(), n, 0};
  tpu_error e{};
  ASSERT_EQ(tpu_decode_program(&program, &code, nullptr, nullptr, &e), 1) << e.text;
  ASSERT_EQ(tpu_counts_of(&p, &code, &out.counts, nullptr, nullptr, &e), 1) << e.text;
}

struct size {
  std::uint32_t t, maxdim, m, k, n;
};

class whole_array : public testing::TestWithParam<size> {};

TEST_P(whole_array, computes_a_gemm) {
  const size s = GetParam();
  const tpu_params p = parameters(s.t, s.maxdim);
  random_program::program program = map(p, gemm(s.m, s.k, s.n));
  finish(p, program);
  support::flat_memory memory;
  support::store_program(memory.bytes.data(), program.counts, program.words);
  support::store_operands(memory.bytes.data(), p, s.t);
  const auto want = support::reference(p, program.code(), memory.bytes.data(), 5);
  tpu::core::plain_network net(p, support::profile(), {memory, memory, memory}, 6);
  ASSERT_EQ(net.run(support::addresses), outcome::completed);
  EXPECT_EQ(support::image_c(p, memory.bytes.data()), want);
}

INSTANTIATE_TEST_SUITE_P(sizes, whole_array,
                         testing::Values(size{4, 88, 88, 32, 40}, size{5, 40, 20, 20, 15},
                                         size{6, 36, 12, 18, 12}, size{12, 60, 24, 24, 24},
                                         size{16, 64, 64, 64, 64}, size{32, 64, 64, 64, 64},
                                         size{64, 128, 128, 128, 64}),
                         [](const auto &which) { return "T" + std::to_string(which.param.t); });

TEST(units, that_master_the_bus_are_three) {
  support::flat_memory memory;
  const tpu::core::plain_network net(parameters(4, 16), support::profile(),
                                     {memory, memory, memory}, 1);
  for (const tpu::core::unit *u : net.units()) {
    const bool masters = u->name() == "sequencer" || u->name() == "dma_ld" || u->name() == "dma_st";
    EXPECT_EQ(u->masters_bus(), masters) << u->name();
  }
}

// Memories hold garbage, not zeros: without any one of its loads a program computes otherwise.
TEST(garbage, shows_when_a_load_is_missing) {
  const tpu_params p = parameters(4, 16);
  const random_program::program whole = map(p, gemm(8, 8, 8));
  int removed = 0;
  for (std::size_t k = 0; k < whole.words.size(); ++k) {
    random_program::program program = whole;
    tpu_insn insn;
    tpu_error e{};
    ASSERT_EQ(tpu_decode(&program.words[k], &insn, nullptr, &e), 1);
    if (insn.op != TPU_OP_DMA_LD) {
      continue;
    }
    ++removed;
    program.words.erase(program.words.begin() + static_cast<std::ptrdiff_t>(k));
    finish(p, program);
    random_program::program original = whole;
    finish(p, original);
    support::flat_memory memory;
    support::store_program(memory.bytes.data(), program.counts, program.words);
    support::store_operands(memory.bytes.data(), p, 3);
    const auto want = support::reference(p, original.code(), memory.bytes.data(), 5);
    tpu::core::plain_network net(p, support::profile(), {memory, memory, memory}, 6);
    ASSERT_EQ(net.run(support::addresses), outcome::completed);
    EXPECT_NE(support::image_c(p, memory.bytes.data()), want) << "instruction " << k;
  }
  EXPECT_EQ(removed, 2);
}

// Model and reference start from different garbage, and so does each seed.
TEST(garbage, depends_on_the_seed) {
  const tpu_params p = parameters(4, 16);
  random_program::program program;
  program.words.resize(1);
  const tpu_insn retire{TPU_OP_MVOUT, 16, {0, 0, 0, 0}, {}}; // of rows never written
  tpu_error e{};
  ASSERT_EQ(tpu_encode(&retire, &program.words[0], &e), 1);
  finish(p, program);
  std::vector<std::vector<std::int8_t>> seen;
  for (const std::uint32_t seed : {1U, 2U, 3U}) {
    support::flat_memory memory;
    support::store_program(memory.bytes.data(), program.counts, program.words);
    seen.push_back(support::reference(p, program.code(), memory.bytes.data(), seed));
    tpu::core::plain_network net(p, support::profile(), {memory, memory, memory}, seed);
    ASSERT_EQ(net.run(support::addresses), outcome::completed);
    seen.push_back(support::image_c(p, memory.bytes.data()));
  }
  for (std::size_t i = 0; i < seen.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_NE(seen[i], seen[j]) << i << " " << j;
    }
  }
}

// A memory that takes its time.
class slow_memory final : public tpu::core::memory_port {
public:
  tpu::core::cycle latency = 0;
  tpu::core::cycle occupancy = 0;
  support::flat_memory memory;

  tpu::core::transfer read(tpu::core::cycle at, std::uint64_t address, void *to,
                           std::size_t n) override {
    memory.read(at, address, to, n);
    return {true, latency, occupancy};
  }
  tpu::core::transfer write(tpu::core::cycle at, std::uint64_t address, const void *from,
                            std::size_t n) override {
    memory.write(at, address, from, n);
    return {true, latency, occupancy};
  }
};

TEST(memory, adds_its_latency_and_occupancy) {
  const tpu_params p = parameters(4, 16);
  random_program::program program = map(p, gemm(16, 16, 16));
  finish(p, program);
  slow_memory memory;
  std::uint8_t *const bytes = memory.memory.bytes.data();
  support::store_program(bytes, program.counts, program.words);
  tpu::core::plain_network net(p, support::profile(), {memory, memory, memory}, 1);
  const auto cycles = [&](tpu::core::cycle latency, tpu::core::cycle occupancy) {
    memory.latency = latency;
    memory.occupancy = occupancy;
    support::store_operands(bytes, p, 1);
    const auto want = support::reference(p, program.code(), bytes, 5);
    EXPECT_EQ(net.run(support::addresses), outcome::completed);
    EXPECT_EQ(support::image_c(p, bytes), want);
    return net.elapsed();
  };
  const tpu::core::cycle ideal = cycles(0, 0);
  EXPECT_EQ(cycles(0, 0), ideal);
  // Header, burst and last response lie on the path, each by its latency; a store window that
  // closes costs more.
  EXPECT_GE(cycles(10, 0), ideal + 30);
  // The burst takes 64 steps: an occupancy below that is hidden in it.
  const tpu::core::cycle hidden = cycles(0, 20);
  EXPECT_GE(hidden, ideal + 20);
  EXPECT_GT(cycles(0, 200), hidden + 180);
}

} // namespace
