// SPDX-License-Identifier: Apache-2.0
// The register file over the bus: every register, what is refused, bad starts, the interrupt.
#include <algorithm>

#include "bench.h"

namespace {

using bench::error_of;

class registers : public testing::Test {
protected:
  void SetUp() override {
    params_ = random_program::parameters(4, 16, 16);
    bench_ = std::make_unique<bench::bench>("bench", params_, support::profile(), 1, ram_);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    bench_->set_bases();
    for (std::uint32_t seed = 1;
         program_.counts.dma_st == 0 || program_.counts.a_span == 0 || program_.counts.b_span == 0;
         ++seed) { // one that uses every bus master
      program_ = random_program::make(params_, seed);
    }
    support::store_program(memory(), program_.counts, program_.words);
    support::store_operands(memory(), params_, 1);
  }
  std::uint8_t *memory() { return bench_->dram.data(); }
  std::uint64_t *header() {
    return reinterpret_cast<std::uint64_t *>(memory() + support::program_at);
  }
  // The status after a start.
  std::uint32_t run() { return bench_->run(); }
  void expect_error(std::uint32_t status, std::uint32_t code, std::uint32_t info) {
    EXPECT_EQ(status, TPU_STATUS_ERROR | code << TPU_STATUS_CODE_SHIFT);
    EXPECT_EQ(bench_->read(TPU_REG_ERROR_INFO), info);
  }
  // The device is not the worse for it.
  void expect_still_works() {
    bench_->set_bases();
    support::store_program(memory(), program_.counts, program_.words);
    EXPECT_EQ(run(), std::uint32_t{TPU_STATUS_DONE});
  }

  tpu::dram_config ram_{}; // ideal
  tpu_params params_{};
  std::unique_ptr<bench::bench> bench_;
  random_program::program program_;
};

enum access { RO, RW, W1, W1C };

struct row {
  const char *name;
  std::uint32_t offset;
  access kind;
};

const row table[] = {
#define ROW(name, offset, access, text) {#name, offset, access},
    TPU_REGISTERS(ROW)
#undef ROW
};

TEST_F(registers, follow_their_table) {
  for (const row &r : table) {
    std::uint32_t value = 0;
    EXPECT_TRUE(bench_->access(false, r.offset, value)) << r.name;
    EXPECT_EQ(bench_->write(r.offset, 0), r.kind != RO) << r.name;
    for (const unsigned bytes : {1U, 2U}) {
      EXPECT_FALSE(bench_->access(false, r.offset, value, bytes)) << r.name;
      EXPECT_FALSE(bench_->access(true, r.offset, value, bytes)) << r.name;
    }
    EXPECT_FALSE(bench_->access(false, r.offset + 2, value)) << r.name;
  }
  for (std::uint32_t offset = 0; offset < TPU_REG_SPACE; offset += 4) {
    bool named = false;
    for (const row &r : table) {
      named = named || r.offset == offset;
    }
    const std::uint32_t place = offset - TPU_REG_COUNTERS;
    const bool counter = offset >= TPU_REG_COUNTERS &&
                         place / TPU_REG_UNIT_STRIDE < TPU_UNIT_COUNT &&
                         place % TPU_REG_UNIT_STRIDE < TPU_COUNTER_COUNT * 8;
    std::uint32_t value = 0;
    EXPECT_EQ(bench_->access(false, offset, value), named || counter) << offset;
    if (!named) {
      EXPECT_FALSE(bench_->write(offset, 0)) << offset;
    }
  }
}

TEST_F(registers, show_the_configuration) {
  const std::pair<std::uint32_t, std::uint32_t> expected[] = {
      {TPU_REG_ID, TPU_REG_ID_VALUE},
      {TPU_REG_VERSION, TPU_REG_VERSION_VALUE},
      {TPU_REG_T, 4},
      {TPU_REG_MAXDIM, 16},
      {TPU_REG_QD, 16},
      {TPU_REG_DMA_WORDS, 1},
      {TPU_REG_SPAD_ROWS, 64},
      {TPU_REG_NVR, 64},
      {TPU_REG_NAR, 128},
      {TPU_REG_IMEM_SIZE, params_.imem_size},
      {TPU_REG_CONTROL, 0},
      {TPU_REG_STATUS, 0},
      {TPU_REG_CYCLES_LO, 0},
      {TPU_REG_BASE_A, bench::dram_base + support::a_at}};
  for (const auto &[offset, value] : expected) {
    EXPECT_EQ(bench_->read(offset), value) << offset;
  }
}

class registers_of_a_slow_memory : public registers {
protected:
  registers_of_a_slow_memory() { ram_ = {0, 100, 0, 1, false}; }
};

// While the memory has not answered, nobody knows how the run will end.
TEST_F(registers_of_a_slow_memory, show_a_run_busy_until_its_end) {
  for (int n = 0; n < 2; ++n) {
    EXPECT_FALSE(bench_->device.undetermined());
    EXPECT_TRUE(bench_->write(TPU_REG_CONTROL, TPU_CONTROL_START));
    sc_core::sc_start(tpu::cycles_to_time(50)); // it reads the header of the program
    EXPECT_TRUE(bench_->device.undetermined());
    EXPECT_EQ(bench_->read(TPU_REG_STATUS), std::uint32_t{TPU_STATUS_BUSY});
    sc_core::sc_start(tpu::cycles_to_time(1U << 20U));
    EXPECT_FALSE(bench_->device.undetermined());
    EXPECT_EQ(bench_->read(TPU_REG_STATUS), std::uint32_t{TPU_STATUS_DONE});
  }
}

TEST_F(registers, refuse_unknown_bits) {
  for (const std::uint32_t offset : {TPU_REG_CONTROL, TPU_REG_IRQ_ENABLE, TPU_REG_IRQ_STATUS}) {
    for (const std::uint32_t value : {2U, 0x80000000U, 3U}) {
      EXPECT_FALSE(bench_->write(offset, value)) << offset << " " << value;
    }
  }
  EXPECT_EQ(bench_->read(TPU_REG_STATUS), 0U); // nothing started
}

TEST_F(registers, report_a_bad_base) {
  for (const std::uint32_t offset :
       {TPU_REG_BASE_PROGRAM, TPU_REG_BASE_A, TPU_REG_BASE_B, TPU_REG_BASE_C}) {
    for (const std::uint32_t base : {0U, bench::dram_base + 2}) {
      bench_->set_bases();
      EXPECT_TRUE(bench_->write(offset, base));
      expect_error(run(), TPU_HW_ERROR_BAD_BASE, base);
    }
  }
  EXPECT_TRUE(bench_->write(TPU_REG_BASE_PROGRAM, bench::dram_base + 4)); // wants 8
  expect_error(run(), TPU_HW_ERROR_BAD_BASE, bench::dram_base + 4);
  expect_still_works();
}

TEST_F(registers, report_a_bad_static_count) {
  const std::uint32_t capacity = tpu_program_capacity(&params_);
  for (const std::uint64_t count : {std::uint64_t{0}, std::uint64_t{capacity} + 1}) {
    header()[0] = count;
    expect_error(run(), TPU_HW_ERROR_BAD_COUNT, static_cast<std::uint32_t>(count));
  }
  expect_still_works();
}

TEST_F(registers, report_a_header_count_with_its_top_bit_set) {
  for (int word = 0; word < TPU_HEADER_WORDS; ++word) {
    support::store_program(memory(), program_.counts, program_.words);
    header()[word] |= 0x8000;
    EXPECT_EQ(error_of(run()), std::uint32_t{TPU_HW_ERROR_BAD_HEADER}) << word;
  }
  expect_still_works();
}

TEST_F(registers, report_an_instruction_that_does_not_decode) {
  auto *words = header() + TPU_HEADER_WORDS;
  words[2 * 3] = 2; // instruction 3: the retired opcode
  expect_error(run(), TPU_HW_ERROR_BAD_PROGRAM, 3);
  support::store_program(memory(), program_.counts, program_.words);
  words[0] = TPU_OP_ENDLOOP;
  words[1] = 0;
  expect_error(run(), TPU_HW_ERROR_BAD_PROGRAM, 0);
  expect_still_works();
}

TEST_F(registers, report_rows_outside_a_memory) {
  std::vector<tpu_word> words(2);
  tpu_program program{words.data(), 2, 0};
  tpu_builder b;
  tpu_builder_begin(&b, &program);
  tpu_build_nop(&b);
  tpu_build_dma_ld(&b, 0, tpu_at(0), tpu_at(0), tpu_at(60), 5); // 64 scratchpad rows
  tpu_error e{};
  ASSERT_EQ(tpu_builder_end(&b, &e), 1);
  tpu_counts counts{};
  counts.insns = 2;
  counts.dma_ld = counts.spm = counts.a_span = 5;
  support::store_program(memory(), counts, words);
  expect_error(run(), TPU_HW_ERROR_BAD_ADDRESS, 1);
  expect_still_works();
}

TEST_F(registers, report_a_bus_error_of_each_master) {
  const std::uint32_t outside = 0x40000000;
  const struct {
    std::uint32_t offset;
    const char *master;
  } masters[] = {{TPU_REG_BASE_PROGRAM, "sequencer"},
                 {TPU_REG_BASE_A, "dma_ld"},
                 {TPU_REG_BASE_B, "dma_ld"},
                 {TPU_REG_BASE_C, "dma_st"}};
  for (const auto &m : masters) {
    bench_->set_bases();
    EXPECT_TRUE(bench_->write(m.offset, outside));
    EXPECT_EQ(error_of(run()), std::uint32_t{TPU_HW_ERROR_BUS}) << m.master;
    EXPECT_GE(bench_->read(TPU_REG_ERROR_INFO), outside);
    EXPECT_NE(bench_->device.failure().text.find(m.master), std::string::npos)
        << bench_->device.failure().text;
  }
  expect_still_works();
}

// A header that disagrees with its program is not refused: it shows as deadlock or in the counts.
TEST_F(registers, let_a_wrong_header_show) {
  tpu_counts more = program_.counts;
  more.accu += 1;
  support::store_program(memory(), more, program_.words);
  expect_error(run(), TPU_HW_ERROR_DEADLOCK, 0);
  // accu waits for an instruction that will not come, and holds back what it has computed.
  EXPECT_LT(bench_->counter(TPU_UNIT_ACCU, TPU_COUNTER_DONE),
            bench_->counter(TPU_UNIT_ACCU, TPU_COUNTER_PROMISED));
  const auto blocked = bench_->device.blocked();
  const auto accu = std::find_if(blocked.begin(), blocked.end(),
                                 [](const auto &b) { return b.process == "accu"; });
  ASSERT_NE(accu, blocked.end());
  EXPECT_EQ(accu->stream, "c_acc");
  EXPECT_EQ(accu->peer, "sequencer");
  EXPECT_EQ(accu->occupancy, 0U);
  EXPECT_TRUE(bench_->device.wait_cycle().empty()); // it waits for a sequencer that has finished
  expect_still_works();
}

TEST_F(registers, raise_the_interrupt_at_the_end_of_the_run) {
  EXPECT_TRUE(bench_->write(TPU_REG_IRQ_ENABLE, 0));
  EXPECT_TRUE(bench_->write(TPU_REG_CONTROL, TPU_CONTROL_START));
  const std::uint64_t start = tpu::time_to_cycles(sc_core::sc_time_stamp());
  EXPECT_TRUE(bench_->registers.interrupt.undetermined());
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  sc_core::sc_start(tpu::cycles_to_time(10));
  EXPECT_EQ(bench_->read(TPU_REG_STATUS), std::uint32_t{TPU_STATUS_BUSY});
  EXPECT_EQ(bench_->read(TPU_REG_CYCLES_LO), 10U);
  EXPECT_EQ(bench_->counter(TPU_UNIT_ACCU, TPU_COUNTER_BUSY), 0U); // counters stand at the end
  EXPECT_FALSE(bench_->write(TPU_REG_CONTROL, TPU_CONTROL_START)); // busy
  EXPECT_FALSE(bench_->write(TPU_REG_BASE_A, bench::dram_base));
  EXPECT_FALSE(bench_->registers.interrupt.undetermined()); // the end is known by now
  const sc_core::sc_time end = bench_->device.end_time();
  sc_core::sc_start(end - sc_core::sc_time_stamp());
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  EXPECT_FALSE(bench_->registers.interrupt.level()); // not enabled
  EXPECT_EQ(bench_->read(TPU_REG_IRQ_STATUS), std::uint32_t{TPU_IRQ_DONE});
  EXPECT_EQ(bench_->read(TPU_REG_STATUS), std::uint32_t{TPU_STATUS_DONE});
  EXPECT_EQ(bench_->read(TPU_REG_CYCLES_LO), tpu::time_to_cycles(end) - start);
  EXPECT_TRUE(bench_->write(TPU_REG_IRQ_ENABLE, TPU_IRQ_DONE)); // enabled late
  EXPECT_TRUE(bench_->registers.interrupt.level());
  EXPECT_TRUE(bench_->write(TPU_REG_IRQ_STATUS, TPU_IRQ_DONE));
  EXPECT_FALSE(bench_->registers.interrupt.level());
  EXPECT_EQ(bench_->read(TPU_REG_IRQ_STATUS), 0U);
}

} // namespace
