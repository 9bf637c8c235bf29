// SPDX-License-Identifier: Apache-2.0
// An accelerator on a bus of its own with memory and registers, driven from the test as a host
// would: registers over TLM, the interrupt awaited.
#ifndef TPU_TEST_MODELS_BENCH_H
#define TPU_TEST_MODELS_BENCH_H

#include <systemc>
#include <tlm_utils/simple_initiator_socket.h>

#include "platform/bus/accelerator_registers.h"
#include "platform/bus/clock.h"
#include "platform/bus/dram.h"
#include "platform/bus/regions.h"
#include "platform/bus/router.h"
#include "support.h"

namespace bench {

constexpr std::uint32_t dram_base = 0x80000000;

// Whatever its size is, that of the tests.
inline tpu::dram_config memory(tpu::dram_config c = {}) {
  c.bytes = support::memory_bytes;
  return c;
}

class bench : public sc_core::sc_module {
public:
  tlm_utils::simple_initiator_socket<bench> host;
  tpu::router bus;
  tpu::dram dram;
  tpu::accelerator device;
  tpu::accelerator_registers registers;

  bench(const sc_core::sc_module_name &name, const tpu_params &p,
        const tpu::core::timing_profile &timing, std::uint32_t seed = 1,
        const tpu::dram_config &ram = {}, std::uint32_t order = 0)
      : sc_module(name), host("host"), bus("bus"), dram("dram", memory(ram)),
        device("accelerator", p, timing, ram.traits(), tpu::cycles_to_time(1), seed, order),
        registers("registers", device) {
    host.bind(bus.initiators);
    device.program.socket.bind(bus.initiators);
    device.operands.socket.bind(bus.initiators);
    device.results.socket.bind(bus.initiators);
    EXPECT_TRUE(bus.map({"dram", dram_base, support::memory_bytes}, dram.socket));
    EXPECT_TRUE(bus.map({"accelerator", TPU_ACCELERATOR_BASE, TPU_REG_SPACE}, registers.socket));
  }

  // A register access of `bytes` bytes; at the current simulation time.
  bool access(bool write, std::uint32_t offset, std::uint32_t &value, unsigned bytes = 4) {
    tlm::tlm_generic_payload t;
    sc_core::sc_time delay;
    t.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    t.set_address(std::uint64_t{TPU_ACCELERATOR_BASE} + offset);
    t.set_data_ptr(reinterpret_cast<unsigned char *>(&value));
    t.set_data_length(bytes);
    t.set_streaming_width(bytes);
    t.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    host->b_transport(t, delay);
    return t.is_response_ok();
  }
  bool write(std::uint32_t offset, std::uint32_t value) { return access(true, offset, value); }
  std::uint32_t read(std::uint32_t offset) {
    std::uint32_t value = 0xdeadbeef;
    EXPECT_TRUE(access(false, offset, value)) << "offset " << offset;
    return value;
  }
  std::uint64_t read64(std::uint32_t offset) {
    return read(offset) | std::uint64_t{read(offset + 4)} << 32;
  }
  std::uint64_t counter(enum tpu_unit u, enum tpu_counter c) {
    return read64(TPU_REG_COUNTERS + static_cast<std::uint32_t>(u) * TPU_REG_UNIT_STRIDE +
                  static_cast<std::uint32_t>(c) * 8);
  }

  void set_bases(std::uint32_t base = dram_base) {
    EXPECT_TRUE(write(TPU_REG_BASE_PROGRAM, base + support::program_at));
    EXPECT_TRUE(write(TPU_REG_BASE_A, base + support::a_at));
    EXPECT_TRUE(write(TPU_REG_BASE_B, base + support::b_at));
    EXPECT_TRUE(write(TPU_REG_BASE_C, base + support::c_at));
  }

  // Start, and simulation time up to the interrupt; the status then. From outside any process.
  std::uint32_t run() {
    EXPECT_TRUE(write(TPU_REG_IRQ_ENABLE, TPU_IRQ_DONE));
    EXPECT_TRUE(write(TPU_REG_CONTROL, TPU_CONTROL_START));
    for (int k = 0; k < 100 && !registers.interrupt.level(); ++k) {
      sc_core::sc_start(tpu::cycles_to_time(1U << 20U)); // ends early: nothing left to do
    }
    EXPECT_TRUE(registers.interrupt.level());
    const std::uint32_t status = read(TPU_REG_STATUS);
    EXPECT_TRUE(write(TPU_REG_IRQ_STATUS, TPU_IRQ_DONE));
    EXPECT_FALSE(registers.interrupt.level());
    return status;
  }
};

inline std::uint32_t error_of(std::uint32_t status) { return status >> TPU_STATUS_CODE_SHIFT; }

} // namespace bench
#endif
