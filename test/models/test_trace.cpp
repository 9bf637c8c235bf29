// SPDX-License-Identifier: Apache-2.0
// The trace of a run: complete, in the order of time, the same in whatever order units are
// evaluated, and however little of it may wait in memory.
#include "columns.h"
#include "trace_log.h"

using tpu::core::outcome;
using tpu::core::plain_network;
using tpu::core::trace_segment;
using tpu::core::tracer;
using tpu::core::unit_state;

namespace {

class traces : public testing::TestWithParam<support::column> {
protected:
  const tpu_params p_ = random_program::parameters(GetParam().t, GetParam().maxdim, GetParam().qd,
                                                   GetParam().dma_words);
  support::flat_memory memory_;

  std::unique_ptr<plain_network> network() {
    return std::make_unique<plain_network>(p_, support::profile(),
                                           tpu::core::memory_ports{memory_, memory_, memory_}, 1);
  }
};

TEST_P(traces, add_up_and_do_not_depend_on_the_order) {
  const auto plain = network();
  const auto traced = network();
  const auto squeezed = network();
  support::trace_log log;
  support::trace_log little;
  const tracer all(*traced, log);
  const tracer some(*squeezed, little, 64);
  std::map<outcome, int> seen;
  const std::uint32_t programs = (p_.t > 8 ? 20U : 100U) / (TPU_SANITIZED ? 5U : 1U);
  for (std::uint32_t seed = 1; seed <= programs; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    random_program::program program = random_program::make(p_, seed);
    support::store_program(memory_.bytes.data(), program.counts, program.words);
    plain->run(support::addresses);
    ASSERT_EQ(traced->run(support::addresses), plain->result());
    ASSERT_EQ(traced->elapsed(), plain->elapsed());
    ASSERT_NO_FATAL_FAILURE(support::check(log, *traced));
    const std::string want = log.text();
    ASSERT_NO_FATAL_FAILURE(traced->run(support::addresses, seed));
    ASSERT_EQ(support::difference(log.text(), want), "") << "in another order";
    ASSERT_NO_FATAL_FAILURE(squeezed->run(support::addresses, seed + 1));
    ASSERT_EQ(support::difference(little.text(), want), "") << "through the file";
    ++seen[plain->result()];
  }
  EXPECT_FALSE(all.broken() || some.broken());
  EXPECT_GT(seen[outcome::completed], 0);
}

INSTANTIATE_TEST_SUITE_P(columns, traces, support::various_columns(), support::column_name);

// A run that a fault ends, before or after the units have started.
TEST(trace, of_a_fault) {
  const tpu_params p = random_program::parameters(4, 16, 8);
  support::flat_memory memory;
  plain_network net(p, support::profile(), {memory, memory, memory}, 1);
  support::trace_log log;
  const tracer t(net, log);
  EXPECT_EQ(net.run({support::memory_bytes, 0, 0, 0}), outcome::failed);
  support::check(log, net);
  EXPECT_EQ(log.segments.size(), log.shape.processes.size());
  random_program::program program = random_program::make(p, 1);
  support::store_program(memory.bytes.data(), program.counts, program.words);
  EXPECT_EQ(net.run({support::program_at, support::memory_bytes, support::memory_bytes,
                     support::memory_bytes}),
            outcome::failed);
  support::check(log, net);
}

// A header that comes later than 16 bits can count makes all behind it as late, and nothing else.
TEST(trace, of_a_late_header_is_the_same_later) {
  constexpr tpu::core::cycle late = 1 << 20;
  const tpu_params p = random_program::parameters(4, 16, 3);
  support::flat_memory memory;
  support::late_memory header(memory, support::program_at, support::program_at + 1);
  header.latency = late;
  plain_network early(p, support::profile(), {memory, memory, memory}, 1);
  plain_network net(p, support::profile(), {header, memory, memory}, 1);
  support::trace_log log;
  support::trace_log late_log;
  const tracer of_early(early, log);
  const tracer of_net(net, late_log);
  tpu::core::cycle blocked = 0;
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    random_program::program program = random_program::make(p, seed);
    support::store_program(memory.bytes.data(), program.counts, program.words);
    ASSERT_EQ(net.run(support::addresses), early.run(support::addresses));
    ASSERT_NO_FATAL_FAILURE(support::check(late_log, net));
    for (std::uint32_t k = 0; k < p.t * p.t; ++k) {
      const auto want = early.pe_counters(k / p.t, k % p.t);
      const auto got = net.pe_counters(k / p.t, k % p.t);
      ASSERT_EQ(got.starved, want.starved) << k;
      ASSERT_EQ(got.blocked, want.blocked) << k;
      blocked += want.blocked;
    }
    const auto started = [](support::trace_log &of, tpu::core::cycle start) {
      auto &all = of.segments;
      all.erase(std::remove_if(all.begin(), all.end(),
                               [start](const trace_segment &s) { return s.from < start; }),
                all.end());
    };
    started(log, early.units_start());
    started(late_log, net.units_start());
    log.elapsed += late;
    for (trace_segment &s : log.segments) {
      s.from += late;
      s.to += s.to == trace_segment::to_the_end ? 0 : late;
    }
    for (support::trace_log::change &c : log.changes) {
      c.at += late;
    }
    ASSERT_EQ(support::difference(late_log.text(), log.text()), "");
  }
  EXPECT_GT(blocked, 0);
}

TEST(trace, is_made_while_a_tracer_is_there) {
  support::flat_memory memory;
  plain_network net(random_program::parameters(4, 16, 8), support::profile(),
                    {memory, memory, memory}, 1);
  EXPECT_FALSE(net.observed());
  support::trace_log log;
  {
    const tracer t(net, log);
    EXPECT_TRUE(net.observed());
    net.run({support::memory_bytes, 0, 0, 0});
    EXPECT_EQ(log.elapsed, net.elapsed());
  }
  EXPECT_FALSE(net.observed());
  log.elapsed = -1;
  net.run({support::memory_bytes, 0, 0, 0});
  EXPECT_EQ(log.elapsed, -1);
}

// The streams are those of the machine, and each joins two of its processes.
TEST(trace, names_the_streams) {
  for (const std::uint32_t t : {4U, 5U}) {
    support::flat_memory memory;
    plain_network net(random_program::parameters(t, 4 * t, 8), support::profile(),
                      {memory, memory, memory}, 1);
    support::trace_log log;
    const tracer of_net(net, log);
    std::vector<std::string> names;
    for (const auto &s : of_net.shape().streams) {
      names.push_back(s.name);
    }
    const std::string last = "cw[" + std::to_string(t - 1) + "]";
    EXPECT_EQ(names,
              (std::vector<std::string>{"c_dld", "c_spm", "c_vru", "c_acc", "c_dst", "dma2sp",
                                        "dma2vr", "sp2vr", "wcol[0]", "acol[0]", last, "ac2sp"}));
    const auto processes = net.processes();
    for (const tpu::core::stream_timing *s : net.streams()) {
      for (const tpu::core::process_id end : {s->token_cause(0).by, s->slot_cause(0).by}) {
        EXPECT_TRUE(std::any_of(processes.begin(), processes.end(), [end](const auto &id) {
          return id.unit == end.unit && id.instance == end.instance;
        })) << s->name();
      }
    }
  }
}

// An instruction is in flight from the cycle in which a unit accepts it, and no longer than until
// the unit waits for the next.
TEST(trace, names_the_instructions) {
  const tpu_params p = random_program::parameters(4, 16, 16);
  support::flat_memory memory;
  plain_network net(p, support::profile(), {memory, memory, memory}, 1);
  support::trace_log log;
  const tracer t(net, log);
  int accepted = 0;
  for (std::uint32_t seed = 1; seed <= 50; ++seed) {
    random_program::program program = random_program::make(p, seed);
    support::store_program(memory.bytes.data(), program.counts, program.words);
    if (net.run(support::addresses) != outcome::completed) {
      continue;
    }
    std::map<std::pair<std::uint32_t, std::int32_t>, std::int64_t> busy;
    for (const trace_segment &s : log.segments) {
      if (s.state == unit_state::busy && s.issue >= 0) {
        busy[{s.process, s.issue}] += s.to - s.from;
      }
      if (s.state == unit_state::starved && s.on <= TPU_WAIT_C_DST) {
        ASSERT_EQ(s.issue, -1);
      }
    }
    for (const auto &[key, steps] : busy) { // at least its rows: the last drains too
      const auto unit = log.shape.processes[key.first].id.unit;
      const tpu_issue &i = log.issues[static_cast<std::size_t>(key.second)];
      if (unit == TPU_UNIT_VRU || unit == TPU_UNIT_DMA_LD || unit == TPU_UNIT_PE) {
        ASSERT_GE(steps, i.nr);
        ++accepted;
      }
    }
  }
  EXPECT_GT(accepted, 100);
}

} // namespace
