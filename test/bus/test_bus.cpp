/* SPDX-License-Identifier: Apache-2.0 */
// Router and memory under table-driven and random traffic.
#include "test/bus/small_platform.h"

#include <cstring>
#include <gtest/gtest.h>
#include <new>
#include <random>
#include <tlm_utils/simple_target_socket.h>

#include "platform/bus/initiator.h"

using namespace small;

namespace {

struct access {
  const char *what;
  tlm::tlm_command command;
  std::uint64_t address;
  unsigned length;
  tlm::tlm_response_status expect;
};

constexpr auto R = tlm::TLM_READ_COMMAND;
constexpr auto W = tlm::TLM_WRITE_COMMAND;
constexpr auto bad_address = tlm::TLM_ADDRESS_ERROR_RESPONSE;
constexpr auto bad_burst = tlm::TLM_BURST_ERROR_RESPONSE;
constexpr auto bad_command = tlm::TLM_COMMAND_ERROR_RESPONSE;

const access accesses[] = {
    {"first byte of memory", R, dram_base, 1, ok},
    {"last byte of memory", W, dram_base + dram_bytes - 1, 1, ok},
    {"all of memory", R, dram_base, dram_bytes, ok},
    {"misaligned in memory", W, dram_base + 1, 7, ok},
    {"across the end", R, dram_base + dram_bytes - 2, 4, bad_address},
    {"past the end", R, dram_base + dram_bytes, 1, bad_address},
    {"before the start", R, dram_base - 1, 1, bad_address},
    {"across the start", R, dram_base - 1, 2, bad_address},
    {"nothing there", W, 0x40000000, 4, bad_address},
    {"above 32 bits", R, dram_base + (std::uint64_t{1} << 32), 4, bad_address},
    {"at the end of the world", R, ~std::uint64_t{0}, 4, bad_address},
    {"ignore command", tlm::TLM_IGNORE_COMMAND, dram_base, 4, bad_command},
    {"ignore command to a device", tlm::TLM_IGNORE_COMMAND, region_TIMER.base + 0x4000, 4,
     bad_command},
    {"console byte", W, region_CONSOLE.base, 1, ok},
    {"console word", W, region_CONSOLE.base, 4, bad_address},
    {"console status", R, region_CONSOLE.base + 5, 1, ok},
    {"console data read", R, region_CONSOLE.base, 1, bad_address},
    {"console status write", W, region_CONSOLE.base + 5, 1, bad_address},
    {"mtimecmp", R, region_TIMER.base + 0x4000, 4, ok},
    {"mtimecmp, high", W, region_TIMER.base + 0x4004, 4, ok},
    {"mtime", R, region_TIMER.base + 0xbff8, 4, ok},
    {"mtime byte", R, region_TIMER.base + 0xbff8, 1, bad_address},
    {"mtime misaligned", R, region_TIMER.base + 0xbffa, 4, bad_address},
    {"msip is not there", W, region_TIMER.base, 4, bad_address},
    {"three bytes of a device", R, region_TIMER.base + 0x4000, 3, bad_burst},
    {"eight bytes of a device", R, region_TIMER.base + 0x4000, 8, bad_burst},
    {"finisher, no such value", W, region_FINISHER.base, 4, bad_value},
    {"finisher byte", W, region_FINISHER.base, 1, bad_address},
    {"finisher read", R, region_FINISHER.base, 4, ok},
    {"finisher reserved", W, region_FINISHER.base + 4, 4, bad_address},
};

TEST(bus, answers_as_expected) {
  platform p;
  ASSERT_TRUE(p.mapped);
  for (const access &a : accesses) {
    bytes data(a.length);
    tlm::tlm_generic_payload trans;
    traffic::fill(trans, a.command, a.address, data);
    EXPECT_EQ(p.cpu.send(trans).status, a.expect) << a.what;
    EXPECT_EQ(trans.get_address(), a.address) << a.what; // given back as it came
  }
}

TEST(bus, refuses_malformed_payloads) {
  platform p;
  for (const std::uint64_t address : {dram_base, region_TIMER.base + 0x4000}) {
    bytes data(4);
    tlm::tlm_generic_payload trans;
    traffic::fill(trans, R, address, data);
    trans.set_data_length(0);
    EXPECT_EQ(p.cpu.send(trans).status, bad_burst);
    traffic::fill(trans, R, address, data);
    trans.set_data_ptr(nullptr);
    EXPECT_EQ(p.cpu.send(trans).status, bad_value);
    traffic::fill(trans, R, address, data);
    trans.set_streaming_width(2);
    EXPECT_EQ(p.cpu.send(trans).status, bad_burst);
  }
}

TEST(bus, byte_enables) {
  platform p;
  p.cpu.write(dram_base, {1, 2, 3, 4, 5, 6});
  bytes data = {11, 12, 13, 14, 15, 16};
  unsigned char enables[] = {0xff, 0x00, 0xff, 0x00};
  tlm::tlm_generic_payload trans;
  traffic::fill(trans, W, dram_base, data);
  trans.set_byte_enable_ptr(enables);
  trans.set_byte_enable_length(4); // repeats over the six bytes
  EXPECT_EQ(p.cpu.send(trans).status, ok);
  bytes got(6);
  p.cpu.read(dram_base, got);
  EXPECT_EQ(got, (bytes{11, 2, 13, 4, 15, 6}));

  bytes into(4, 99);
  traffic::fill(trans, R, dram_base, into);
  trans.set_byte_enable_ptr(enables);
  trans.set_byte_enable_length(2);
  EXPECT_EQ(p.cpu.send(trans).status, ok);
  EXPECT_EQ(into, (bytes{11, 99, 13, 99}));

  trans.set_byte_enable_length(0);
  EXPECT_EQ(p.cpu.send(trans).status, tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  traffic::fill(trans, R, region_TIMER.base + 0x4000, into);
  trans.set_byte_enable_ptr(enables);
  trans.set_byte_enable_length(4);
  EXPECT_EQ(p.cpu.send(trans).status, tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
}

TEST(bus, regions_may_not_overlap) {
  traffic cpu("cpu");
  router bus("bus");
  dram a("a", {0x1000, 0, 0}), b("b", {0x1000, 0, 0});
  cpu.socket.bind(bus.initiators);
  EXPECT_TRUE(bus.map({"a", 0x1000, 0x1000}, a.socket));
  EXPECT_FALSE(bus.map({"b", 0x1fff, 0x1000}, b.socket));
  EXPECT_FALSE(bus.map({"b", 0, 0x1001}, b.socket));
  EXPECT_FALSE(bus.map({"b", 0x3000, 0}, b.socket));
  EXPECT_FALSE(bus.map({"b", ~std::uint64_t{0} - 3, 0x1000}, b.socket));
  EXPECT_TRUE(bus.map({"b", 0x2000, 0x1000}, b.socket));
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  cpu.set_word(0x1ffc, 1);
  cpu.set_word(0x2000, 2);
  EXPECT_EQ(cpu.word(0x1ffc), 1u);
  EXPECT_EQ(cpu.word(0x2000), 2u);
  EXPECT_EQ(b.data()[0], 2);
}

class thrower : public sc_core::sc_module {
public:
  tlm_utils::simple_target_socket<thrower> socket;
  explicit thrower(const sc_core::sc_module_name &name) : sc_module(name), socket("socket") {
    socket.register_b_transport(this, &thrower::b_transport);
  }

private:
  void b_transport(tlm::tlm_generic_payload &, sc_core::sc_time &) { throw std::bad_alloc(); }
};

TEST(bus, gives_a_transaction_back_from_a_target_that_throws) {
  traffic cpu("cpu");
  router bus("bus");
  thrower target("target");
  cpu.socket.bind(bus.initiators);
  ASSERT_TRUE(bus.map({"target", 0x1000, 0x1000}, target.socket));
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  bytes data(4);
  tlm::tlm_generic_payload trans;
  traffic::fill(trans, R, 0x1010, data);
  EXPECT_THROW(cpu.send(trans), std::bad_alloc);
  EXPECT_EQ(trans.get_address(), 0x1010);
  EXPECT_EQ(trans.get_extension<initiator_extension>(), nullptr);
}

// Random reads and writes of random lengths by both initiators, through transport, debug transport
// and the direct pointer: all see one memory.
TEST(bus, transport_and_direct_access_are_one_memory) {
  platform p;
  tlm::tlm_generic_payload probe;
  tlm::tlm_dmi dmi;
  probe.set_address(dram_base + 5);
  probe.set_read();
  ASSERT_TRUE(p.cpu.socket->get_direct_mem_ptr(probe, dmi));
  ASSERT_TRUE(dmi.is_read_write_allowed());
  ASSERT_EQ(dmi.get_start_address(), dram_base);
  ASSERT_EQ(dmi.get_end_address(), dram_base + dram_bytes - 1);
  EXPECT_EQ(probe.get_address(), dram_base + 5);

  std::mt19937 rng(7);
  bytes model(dram_bytes, 0);
  for (int i = 0; i < 5000; i++) {
    const unsigned length = 1 + static_cast<unsigned>(rng() % 40);
    const auto offset = static_cast<std::uint32_t>(rng() % (dram_bytes - length));
    const bool writes = rng() % 2 == 0;
    bytes data(length);
    for (auto &b : data)
      b = static_cast<std::uint8_t>(rng());
    if (writes)
      std::memcpy(&model[offset], data.data(), length);
    traffic &initiator = rng() % 2 == 0 ? p.cpu : p.dma;
    tlm::tlm_generic_payload trans;
    traffic::fill(trans, writes ? W : R, dram_base + offset, data);
    switch (rng() % 3) {
    case 0:
      ASSERT_EQ(initiator.send(trans).status, ok);
      ASSERT_TRUE(trans.is_dmi_allowed());
      break;
    case 1:
      ASSERT_EQ(initiator.socket->transport_dbg(trans), length);
      break;
    default:
      if (writes)
        std::memcpy(dmi.get_dmi_ptr() + offset, data.data(), length);
      else
        std::memcpy(data.data(), dmi.get_dmi_ptr() + offset, length);
      break;
    }
    ASSERT_EQ(std::memcmp(data.data(), &model[offset], length), 0) << i;
  }
  EXPECT_EQ(std::memcmp(p.memory.data(), model.data(), dram_bytes), 0);
}

TEST(bus, direct_access_is_refused_elsewhere) {
  platform p;
  for (const std::uint64_t address : {region_TIMER.base, std::uint64_t{0x40000000}}) {
    tlm::tlm_generic_payload probe;
    tlm::tlm_dmi dmi;
    probe.set_address(address);
    probe.set_read();
    EXPECT_FALSE(p.cpu.socket->get_direct_mem_ptr(probe, dmi));
  }
  bytes data(4);
  EXPECT_FALSE(p.cpu.read(region_TIMER.base + 0x4000, data).dmi_allowed);
}

TEST(bus, debug_reads_stop_at_the_end_and_have_no_effect) {
  platform p;
  bytes data(8);
  tlm::tlm_generic_payload trans;
  traffic::fill(trans, R, dram_base + dram_bytes - 3, data);
  EXPECT_EQ(p.cpu.socket->transport_dbg(trans), 3u);
  EXPECT_EQ(trans.get_data_length(), 8u);
  traffic::fill(trans, R, 0x40000000, data);
  EXPECT_EQ(p.cpu.socket->transport_dbg(trans), 0u);
  bytes one = {'x'};
  traffic::fill(trans, W, region_CONSOLE.base, one);
  EXPECT_EQ(p.cpu.socket->transport_dbg(trans), 0u);
  EXPECT_EQ(p.uart.text(), "");
  bytes word(4);
  traffic::fill(trans, R, region_TIMER.base + 0x4000, word);
  EXPECT_EQ(p.cpu.socket->transport_dbg(trans), 4u);
  EXPECT_EQ(word, bytes(4, 0xff));
}

TEST(bus, an_error_takes_no_time) {
  platform p;
  bytes none(4);
  const traffic::result r = p.cpu.read(0x40000000, none);
  EXPECT_EQ(r.status, bad_address);
  EXPECT_EQ(r.cycles, 0u);
}

TEST(bus, direct_pointers_are_withdrawn_from_everyone) {
  platform p;
  p.memory.data()[3] = 9;
  p.memory.clear();
  EXPECT_EQ(p.memory.data()[3], 0);
  for (const traffic *t : {&p.cpu, &p.dma}) {
    ASSERT_EQ(t->invalidated.size(), 1u);
    EXPECT_EQ(t->invalidated[0].start, dram_base);
    EXPECT_EQ(t->invalidated[0].end, dram_base + dram_bytes - 1);
  }
}

} // namespace
