/* SPDX-License-Identifier: Apache-2.0 */
// A memory that is not ideal: its port against one stepped cycle by cycle, and the DRAM under
// initiators that run as threads.
#include "platform/bus/clock.h"
#include "platform/bus/dram.h"
#include "platform/bus/regions.h"
#include "platform/bus/router.h"
#include "test/bus/traffic.h"

#include <deque>
#include <gtest/gtest.h>
#include <random>

using namespace tpu;

namespace {

dram_config timed(std::uint32_t latency, std::uint32_t bytes_per_cycle,
                  std::uint32_t outstanding = 1, bool per_initiator = false) {
  return {0x10000, latency, bytes_per_cycle, outstanding, per_initiator};
}

// --- the port ----------------------------------------------------------------------------------

struct request {
  std::uint64_t think; // cycles after the one in which the initiator's last request was accepted
  std::uint32_t bytes;
};
using script = std::vector<request>;

struct answer {
  std::uint64_t made, accepted, response;
  bool operator==(const answer &o) const {
    return made == o.made && accepted == o.accepted && response == o.response;
  }
};
using answers = std::vector<std::vector<answer>>; // by initiator

answers through_channel(const std::vector<script> &scripts, memory_channel &port) {
  answers out(scripts.size());
  const auto make = [&](unsigned who, std::uint64_t from) {
    const std::size_t k = out[who].size();
    if (k == scripts[who].size())
      return;
    out[who].push_back({from + scripts[who][k].think, 0, 0});
    port.ask(who, out[who].back().made, scripts[who][k].bytes);
  };
  for (unsigned who = 0; who < scripts.size(); who++)
    make(who, 0);
  while (port.next() != memory_channel::never) {
    const std::uint64_t now = port.next();
    const memory_channel::grant g = port.accept(now);
    out[g.initiator].back().accepted = now;
    out[g.initiator].back().response = g.response;
    make(g.initiator, now + 1);
  }
  return out;
}

// The same port as hardware would do it: a cycle at a time, state only.
struct stepped {
  answers out;
  std::vector<std::uint64_t> busy; // by initiator
  std::uint64_t idle = 0, end = 0;

  stepped(const std::vector<script> &scripts, const dram_config &c)
      : out(scripts.size()), busy(scripts.size()) {
    struct flight {
      unsigned who;
      std::size_t k;
      std::uint64_t ready;
      std::int64_t left; // bytes that still have to move
    };
    std::deque<flight> in_flight; // accepted, not answered
    std::vector<bool> pending(scripts.size());
    std::size_t open = 0;
    const auto make = [&](unsigned who, std::uint64_t from) {
      const std::size_t k = out[who].size();
      pending[who] = k < scripts[who].size();
      if (pending[who]) {
        out[who].push_back({from + scripts[who][k].think, 0, 0});
        open++;
      }
    };
    for (unsigned who = 0; who < scripts.size(); who++)
      make(who, 0);
    for (std::uint64_t n = 0; open != 0; n++) {
      const auto answered = [&](std::uint64_t at) {
        const flight f = in_flight.front();
        in_flight.pop_front();
        out[f.who][f.k].response = at;
        end = at;
        open--;
      };
      while (c.bytes_per_cycle == 0 && !in_flight.empty() && in_flight.front().ready <= n)
        answered(n);
      int turn = -1;
      for (unsigned who = 0; who < scripts.size(); who++)
        if (pending[who] && out[who].back().made <= n &&
            (turn < 0 || out[who].back().made < out[static_cast<unsigned>(turn)].back().made))
          turn = static_cast<int>(who);
      if (turn >= 0 && in_flight.size() < c.outstanding) {
        const auto who = static_cast<unsigned>(turn);
        const std::size_t k = out[who].size() - 1;
        out[who][k].accepted = n;
        in_flight.push_back(
            {who, k, n + c.latency_cycles, std::max<std::int64_t>(scripts[who][k].bytes, 4)});
        make(who, n + 1);
      }
      if (c.bytes_per_cycle != 0 && !in_flight.empty() && in_flight.front().ready <= n) {
        flight &f = in_flight.front();
        busy[f.who]++;
        f.left -= c.bytes_per_cycle;
        if (f.left <= 0)
          answered(n + 1);
      } else if (open != 0) {
        idle++;
      }
    }
  }
};

TEST(memory_port, is_the_one_stepped_cycle_by_cycle) {
  std::mt19937 random(7);
  const auto pick = [&random](std::uint32_t lo, std::uint32_t hi) {
    return lo + static_cast<std::uint32_t>(random() % (hi - lo + 1));
  };
  for (int round = 0; round < 2000; round++) {
    dram_config c = timed(pick(0, 12), pick(0, 9), pick(1, 5));
    c.latency_cycles += c.ideal() ? 1 : 0;
    std::vector<script> scripts(pick(1, 4));
    for (script &s : scripts)
      for (std::uint32_t k = pick(0, 12); k > 0; k--)
        s.push_back({pick(0, 3) == 0 ? pick(0, 40) : pick(0, 3), pick(1, 64)});
    memory_channel port(c);
    const answers got = through_channel(scripts, port);
    const stepped want(scripts, c);
    ASSERT_TRUE(got == want.out) << "round " << round;
    // Every cycle of the port is busy or idle, every cycle of a request waiting, latency or busy.
    std::uint64_t busy = 0;
    for (std::size_t who = 0; who < port.accounts().size(); who++) {
      const port_account &a = port.accounts()[who];
      ASSERT_EQ(a.requests, scripts[who].size());
      ASSERT_EQ(a.busy, want.busy[who]);
      ASSERT_EQ(a.in_memory, a.waiting + a.requests * c.latency_cycles + a.busy);
      std::uint64_t taken = 0;
      for (const answer &x : got[who])
        taken += x.response - x.made;
      ASSERT_EQ(a.in_memory, taken);
      busy += a.busy;
    }
    ASSERT_EQ(port.elapsed(0), want.end);
    ASSERT_EQ(port.idle(0), c.bytes_per_cycle == 0 ? want.end : want.idle) << "round " << round;
    ASSERT_EQ(busy + port.idle(0), port.elapsed(0));
    ASSERT_EQ(busy + port.idle(want.end + 9), port.elapsed(want.end + 9));
  }
}

TEST(memory_port, counts_afresh_after_the_data_under_way) {
  memory_channel port(timed(10, 4));
  port.ask(0, 5, 64);
  EXPECT_EQ(port.accept(5).response, 31u);
  port.reset_accounts(20);
  EXPECT_TRUE(port.accounts().empty());
  EXPECT_EQ(port.elapsed(40), 9u);
  EXPECT_EQ(port.idle(40), 9u);
  port.ask(1, 41, 8);
  EXPECT_EQ(port.accept(41).response, 53u);
  EXPECT_EQ(port.elapsed(41), 22u);
  EXPECT_EQ(port.idle(41), 20u);
}

// --- the DRAM ----------------------------------------------------------------------------------

// An initiator that makes its requests at given cycles, or as soon as it can after.
class master : public sc_core::sc_module {
public:
  tlm_utils::simple_initiator_socket<master> socket;
  struct step {
    std::uint64_t cycle;
    tlm::tlm_command command;
    std::uint64_t address;
    unsigned bytes;
  };
  std::vector<step> steps;
  std::vector<std::uint64_t> responses;
  std::vector<std::uint8_t> data = std::vector<std::uint8_t>(256);

  explicit master(const sc_core::sc_module_name &name) : sc_module(name), socket("socket") {
    SC_HAS_PROCESS(master);
    SC_THREAD(run);
  }

private:
  void run() {
    for (const step &s : steps) {
      tlm::tlm_generic_payload trans;
      trans.set_command(s.command);
      trans.set_address(region_DRAM.base + s.address);
      trans.set_data_ptr(data.data());
      trans.set_data_length(s.bytes);
      trans.set_streaming_width(s.bytes);
      const sc_core::sc_time at = std::max(
          cycles_to_time(s.cycle), cycles_to_time(time_to_cycles(sc_core::sc_time_stamp())));
      sc_core::sc_time delay = at - sc_core::sc_time_stamp();
      socket->b_transport(trans, delay);
      EXPECT_TRUE(trans.is_response_ok());
      responses.push_back(time_to_cycles(sc_core::sc_time_stamp() + delay));
    }
  }
};

constexpr auto R = tlm::TLM_READ_COMMAND;
constexpr auto W = tlm::TLM_WRITE_COMMAND;

// Masters numbered from 0 on a DRAM; made last to first on demand.
struct machine {
  router bus;
  dram memory;
  std::vector<std::unique_ptr<master>> masters;

  machine(const dram_config &c, unsigned count, bool reversed = false)
      : bus(sc_core::sc_gen_unique_name("bus")), memory(sc_core::sc_gen_unique_name("dram"), c),
        masters(count) {
    for (unsigned k = 0; k < count; k++)
      masters[reversed ? count - 1 - k : k] =
          std::make_unique<master>(sc_core::sc_gen_unique_name("master"));
    for (const auto &m : masters)
      m->socket.bind(bus.initiators);
    EXPECT_TRUE(bus.map({"dram", region_DRAM.base, c.bytes}, memory.socket));
  }
};

struct lone {
  std::uint32_t latency, bytes_per_cycle;
  unsigned length;
  std::uint64_t cycles;
};

// Names the case: the default would print the padding too.
// NOLINTNEXTLINE(readability-identifier-naming): the name GoogleTest looks for
void PrintTo(const lone &t, std::ostream *out) {
  *out << t.latency << '_' << t.bytes_per_cycle << '_' << t.length;
}

class lone_access : public testing::TestWithParam<lone> {};

TEST_P(lone_access, takes_latency_and_beats) {
  const lone t = GetParam();
  machine m(timed(t.latency, t.bytes_per_cycle), 1);
  m.masters[0]->steps = {{3, R, 0, t.length}, {1000, W, 1, t.length}};
  sc_core::sc_start();
  EXPECT_EQ(m.masters[0]->responses, (std::vector<std::uint64_t>{3 + t.cycles, 1000 + t.cycles}));
  EXPECT_EQ(m.memory.access_cycles(t.length), t.cycles);
  EXPECT_EQ(time_to_cycles(m.bus.time_taken(0)), 2 * t.cycles);
  tlm::tlm_generic_payload probe;
  tlm::tlm_dmi dmi;
  probe.set_address(region_DRAM.base);
  ASSERT_TRUE(m.masters[0]->socket->get_direct_mem_ptr(probe, dmi));
  EXPECT_TRUE(dmi.is_read_allowed());
  EXPECT_EQ(dmi.is_write_allowed(), m.memory.ideal()); // data must be seen on the port
}

INSTANTIATE_TEST_SUITE_P(cases, lone_access,
                         testing::Values(lone{0, 0, 4, 0}, lone{0, 0, 256, 0}, lone{10, 0, 64, 10},
                                         lone{0, 8, 64, 8}, lone{0, 8, 65, 9}, lone{0, 8, 1, 1},
                                         lone{3, 1, 1, 7}, lone{3, 1, 4, 7}, lone{20, 16, 100, 27},
                                         lone{5, 3, 7, 8}));

TEST(dram, accepts_in_the_order_of_simulation_time) {
  // Both orders of construction; data as the later writer left them.
  std::vector<std::unique_ptr<machine>> all;
  for (const bool reversed : {false, true}) {
    all.push_back(std::make_unique<machine>(timed(10, 4), 3, reversed));
    machine &m = *all.back();
    m.masters[0]->steps = {{20, W, 0, 8}};
    m.masters[1]->steps = {{10, W, 0, 8}};
    m.masters[2]->steps = {{20, R, 0, 8}};
    m.masters[0]->data[0] = 1;
    m.masters[1]->data[0] = 2;
  }
  sc_core::sc_start();
  for (const auto &m : all) {
    // 10 and 2 cycles each, one after the other; master 0 before 2, who asked in the same cycle.
    EXPECT_EQ(m->masters[1]->responses[0], 22u);
    EXPECT_EQ(m->masters[0]->responses[0], 34u);
    EXPECT_EQ(m->masters[2]->responses[0], 46u);
    EXPECT_EQ(m->masters[2]->data[0], 1);
    const auto &accounts = m->memory.ports()[0]->accounts();
    EXPECT_EQ(accounts[0].waiting, 2u);
    EXPECT_EQ(accounts[1].waiting, 0u);
    EXPECT_EQ(accounts[2].waiting, 14u);
    for (unsigned k = 0; k < 3; k++)
      EXPECT_EQ(time_to_cycles(m->bus.time_taken(k)), accounts[k].in_memory);
  }
}

TEST(dram, has_a_window_of_requests_and_ports_to_share_or_not) {
  const struct {
    std::uint32_t outstanding;
    bool per_initiator;
    std::uint64_t last[2];
  } cases[] = {
      {1, false, {3 * 24 + 12, 4 * 24}},  // in turn, each alone: 10 + 2 cycles
      {2, false, {4 * 12, 4 * 12 + 2}},   // in pairs
      {64, false, {10 + 7 * 2, 10 + 16}}, // the data follow each other
      {1, true, {4 * 12, 4 * 12}},        {64, true, {10 + 8, 10 + 8}},
  };
  std::vector<std::unique_ptr<machine>> all;
  for (const auto &c : cases) {
    all.push_back(std::make_unique<machine>(timed(10, 4, c.outstanding, c.per_initiator), 2));
    for (const auto &m : all.back()->masters)
      m->steps.assign(4, {0, R, 0, 8});
  }
  sc_core::sc_start();
  for (std::size_t k = 0; k < all.size(); k++) {
    SCOPED_TRACE(k);
    for (unsigned who = 0; who < 2; who++)
      EXPECT_EQ(all[k]->masters[who]->responses.back(), cases[k].last[who]) << who;
    EXPECT_EQ(all[k]->memory.ports().size(), cases[k].per_initiator ? 2u : 1u);
  }
}

} // namespace
