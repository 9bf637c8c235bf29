// SPDX-License-Identifier: Apache-2.0
// What a bus master is told of its transfers on a shared memory: latency until its first data,
// whatever they waited for, occupancy while its data move, and an end that never runs backwards.
#include <functional>
#include <memory>
#include <vector>

#include "bench.h"

namespace {

using tpu::bus_port;
using tpu::core::cycle;
using tpu::core::transfer;

constexpr cycle latency = 10;
constexpr std::uint64_t end_of_memory = std::uint64_t{bench::dram_base} + support::memory_bytes;

// Two masters at one port of a memory, each a process.
class two_masters : public sc_core::sc_module {
public:
  tpu::router bus{"bus"};
  tpu::dram dram;
  bus_port first, second; // the first is served first, of requests made in one cycle

  two_masters(const sc_core::sc_module_name &name, const tpu::dram_config &c)
      : two_masters(name, c, c.traits()) {}
  two_masters(const sc_core::sc_module_name &name, const tpu::dram_config &c,
              const tpu::memory_traits &traits)
      : sc_module(name), dram("dram", bench::memory(c)),
        first("first", traits, tpu::cycles_to_time(1)),
        second("second", traits, tpu::cycles_to_time(1)) {
    first.socket.bind(bus.initiators);
    second.socket.bind(bus.initiators);
    EXPECT_TRUE(bus.map({"dram", bench::dram_base, support::memory_bytes}, dram.socket));
    SC_HAS_PROCESS(two_masters);
    SC_THREAD(run_first);
    SC_THREAD(run_second);
  }

  // What each does; both begin at cycle 0.
  void run(std::function<void(bus_port &)> by_first, std::function<void(bus_port &)> by_second) {
    by_first_ = std::move(by_first);
    by_second_ = std::move(by_second);
    sc_core::sc_start();
  }

private:
  void run_first() { by_first_(first); }
  void run_second() { by_second_(second); }

  std::function<void(bus_port &)> by_first_, by_second_;
};

// A byte a cycle, four requests under way.
tpu::dram_config narrow() { return {0, latency, 1, 4, false}; }

std::array<unsigned char, 512> buffer;

void nothing(bus_port &) {}

#define EXPECT_TRANSFER(t, well, to_first_data, moving)                                            \
  EXPECT_EQ((t).ok, well);                                                                         \
  EXPECT_EQ((t).latency, to_first_data);                                                           \
  EXPECT_EQ((t).occupancy, moving)

TEST(bus_port, alone_waits_for_the_memory_only) {
  two_masters m("masters", narrow());
  transfer one, several, word;
  m.run(
      [&](bus_port &port) {
        one = port.read(0, bench::dram_base, buffer.data(), 64);
        several = port.read(500, bench::dram_base, buffer.data(), 160); // 64 + 64 + 32
        word = port.write(1000, bench::dram_base, buffer.data(), 2);
      },
      nothing);
  EXPECT_TRANSFER(one, true, latency, 64);
  EXPECT_TRANSFER(several, true, latency, 160);
  EXPECT_TRANSFER(word, true, latency, 4); // a beat of the data bus
}

TEST(bus_port, a_transfer_that_is_never_cut_moves_at_once) {
  two_masters m("masters", narrow(), {1, 0});
  std::vector<unsigned char> large(40000); // more cycles than 15 bits count
  transfer t;
  m.run([&](bus_port &port) { t = port.read(0, bench::dram_base, large.data(), large.size()); },
        nothing);
  EXPECT_TRANSFER(t, true, latency, static_cast<cycle>(large.size()));
}

TEST(bus_port, data_of_another_master_ahead_are_latency) {
  two_masters m("masters", narrow());
  transfer ahead, behind, later;
  m.run([&](bus_port &port) { ahead = port.read(0, bench::dram_base, buffer.data(), 64); },
        [&](bus_port &port) {
          behind = port.read(0, bench::dram_base + 256, buffer.data(), 64);
          later = port.read(100, bench::dram_base, buffer.data(), 16);
        });
  EXPECT_TRANSFER(ahead, true, latency, 64);
  EXPECT_TRANSFER(behind, true, latency + 64, 64);
  EXPECT_TRANSFER(later, true, latency + 128 - 100, 16); // behind those of its own
}

// Requests of two transfers alternate: between the data of one come those of the other.
TEST(bus_port, data_of_another_master_between_are_occupancy) {
  two_masters m("masters", narrow());
  transfer a, b;
  m.run([&](bus_port &port) { a = port.read(0, bench::dram_base, buffer.data(), 128); },
        [&](bus_port &port) { b = port.read(0, bench::dram_base, buffer.data(), 128); });
  EXPECT_TRANSFER(a, true, latency, 3 * 64);
  EXPECT_TRANSFER(b, true, latency + 64, 3 * 64);
}

TEST(bus_port, a_transfer_that_fails_at_once_takes_no_time) {
  two_masters m("masters", narrow());
  transfer t;
  m.run([&](bus_port &port) { t = port.read(0, end_of_memory, buffer.data(), 160); }, nothing);
  EXPECT_TRANSFER(t, false, 0, 0);
}

// The request that fails is answered before the data of those ahead of it have come.
TEST(bus_port, a_transfer_that_fails_later_ends_with_the_data_under_way) {
  two_masters m("masters", narrow());
  transfer t;
  std::array<transfer, 2> both;
  m.run(
      [&](bus_port &port) {
        t = port.write(0, end_of_memory - 96, buffer.data(), 160); // 32 + 64, then none
        both = port.read_both(500, {bench::dram_base, buffer.data(), 128},
                              {end_of_memory - 64, buffer.data() + 128, 128});
      },
      nothing);
  EXPECT_TRANSFER(t, false, latency, 96);
  EXPECT_TRANSFER(both[0], true, latency, 3 * 64); // the other's first between
  EXPECT_TRANSFER(both[1], false, latency + 64, 64);
}

TEST(bus_port, on_an_ideal_memory_nothing_takes_time) {
  two_masters m("masters", {});
  transfer read, failing;
  m.run(
      [&](bus_port &port) {
        read = port.read(3, bench::dram_base, buffer.data(), 512);
        failing = port.write(3, end_of_memory - 64, buffer.data(), 512);
      },
      nothing);
  EXPECT_TRANSFER(read, true, 0, 0);
  EXPECT_TRANSFER(failing, false, 0, 0);
}

} // namespace
