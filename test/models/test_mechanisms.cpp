// SPDX-License-Identifier: Apache-2.0
// What the machine must do by its mechanisms, in programs that nobody measured: start-up, operand
// burst, dispatch, work, stores. Expected cycles are derived, each beside its program.
#include "mechanisms.h"

using namespace mechanisms;

namespace {

const std::uint32_t widths[] = {4, 5, 8, 12, 16};

// --- start and prefetch ---

// One mvout: its command to accu and dma_st, its rows from accu, their requests.
TEST(start, is_prefetch_and_fetch_where_nothing_is_loaded) {
  for (const std::uint32_t imem : {16U, 56U, 64U, 1024U}) {
    machine m({4, 16, 1, 0, imem});
    EXPECT_EQ(m.cycles(mvout(3)), m.done_after(m.dispatched(1) + m.command(), 3)) << imem;
  }
  machine small({4, 16, 1, 0, 56});
  machine large({4, 16, 1, 0, 56 + 80});
  EXPECT_EQ(large.cycles(mvout(3)) - small.cycles(mvout(3)), 80 / small.at.prefetch_beat_words);
}

// A load alone ends as its rows' pipeline drains behind it.
cycle load_done(const machine &m, cycle span, cycle rows) {
  const cycle first = std::max(m.burst(span), m.dispatched(1) + m.command());
  return first + rows - 1 + m.loaded() + m.at.vector_stages - 1 - m.at.vector_get_stage +
         m.at.finish_cycles;
}

TEST(start, overlaps_prefetch_with_the_burst) {
  for (const std::uint32_t imem : {16U, 264U, 2048U}) {
    for (const std::uint32_t dma_words : {1U, 16U}) {
      machine m({4, 16, dma_words, 0, imem});
      EXPECT_EQ(m.cycles(load("A:vr", 8)), load_done(m, 8, 8)) << imem << " " << dma_words;
    }
  }
}

TEST(start, depends_on_the_instruction_memory_only_where_the_burst_is_short) {
  machine small({4, 16, 1, 0, 56});
  machine large({4, 16, 1, 0, 56 + 160});
  ASSERT_GT(large.burst(8), large.dispatched(1) + large.command());
  EXPECT_EQ(large.cycles(load("A:vr", 8)), small.cycles(load("A:vr", 8)));
  machine small_wide({4, 16, 16, 0, 136});
  machine large_wide({4, 16, 16, 0, 136 + 160});
  ASSERT_LT(small_wide.burst(8), small_wide.dispatched(1) + small_wide.command());
  EXPECT_EQ(large_wide.cycles(load("A:vr", 8)) - small_wide.cycles(load("A:vr", 8)),
            160 / small.at.prefetch_beat_words);
}

// --- operand burst ---

TEST(burst, takes_the_rows_up_to_the_span_at_the_width_of_dma_words) {
  for (const std::uint32_t t : widths) {
    for (const std::uint32_t dma_words : {1U, 2U, 3U, 4U}) {
      machine m({t, 16, dma_words});
      EXPECT_EQ(m.cycles(load("A:vr", 4)), load_done(m, 4, 4)) << t << " " << dma_words;
      EXPECT_EQ(m.cycles(load("A:vr", 4, 51)), load_done(m, 55, 4)) << t << " " << dma_words;
    }
  }
}

// Rows of B to the scratchpad after rows of A, or before: the burst is the longer of the two, not
// their sum, wherever the rows stand.
TEST(burst, is_the_longer_of_two) {
  machine m({});
  const cycle drain = m.at.finish_cycles + 8 - 1 + m.loaded();
  const cycle vector = m.at.vector_stages - 1 - m.at.vector_get_stage;
  const cycle scratchpad = m.at.scratchpad_stages - 1 - m.at.scratchpad_get_stage;
  for (const cycle span_b : {4, 20, 50}) {
    const cycle first = m.burst(std::max<cycle>(30, span_b));
    const std::string a = load("A:vr", 4, 26);
    const std::string b = load("B:spad", 4, span_b - 4);
    EXPECT_EQ(m.cycles(a + b), first + drain + scratchpad);
    EXPECT_EQ(m.cycles(b + a), first + drain + vector);
  }
}

TEST(burst, comes_later_from_a_large_operand_memory) {
  const auto rows = static_cast<std::uint32_t>(support::profile().large_memory_rows);
  machine small({4, 16, 1, 16, 56, rows});
  machine large({4, 16, 1, 16, 56, rows + 1});
  EXPECT_EQ(large.cycles(load("A:vr", 16)) - small.cycles(load("A:vr", 16)),
            small.at.large_memory_cycles);
}

// --- the sequencer: fetches, and dispatch to all queues or none ---

TEST(sequencer, fetches_at_its_interval_loops_included) {
  machine m({});
  for (const cycle n : {1, 6, 20}) {
    EXPECT_EQ(m.cycles(times(n, "nop\n") + vrelu(1)),
              m.done_after_accu(m.dispatched(n + 1) + m.command()));
    // loop, n times nop and endloop
    EXPECT_EQ(m.cycles(loop(n, "nop\n") + vrelu(1)),
              m.done_after_accu(m.dispatched(2 * n + 2) + m.command()));
    EXPECT_EQ(m.cycles(vrelu(1) + times(n + 8, "nop\n")), m.dispatched(n + 9) + m.at.finish_cycles);
  }
}

// Loads of a row each behind a long burst. QD commands wait in c_dld; the next goes when dma_ld has
// taken the first; the one after that to c_vru too, where vru must have taken the first row to take
// its second command; all later ones find room and come at the fetch interval.
TEST(sequencer, waits_for_the_fuller_of_two_queues) {
  for (const shape &s : {shape{4, 8}, shape{4, 16}, shape{8, 16}, shape{5, 12}}) {
    machine m(s);
    const cycle n = s.qd + 6;
    const cycle first = m.burst(40);
    ASSERT_GT(first, m.dispatched(n));
    const cycle second = first + 1 + std::max<cycle>(m.at.fetch_interval, m.loaded());
    const cycle last = second + (n - s.qd - 2) * m.at.fetch_interval;
    ASSERT_GE(last + m.command(), first + n - 1); // dma_ld waits for it, not it for dma_ld
    EXPECT_EQ(m.cycles(times(n, load("A:vr", 1, 39))),
              last + m.command() + m.loaded() + m.at.vector_stages - 1 - m.at.vector_get_stage +
                  m.at.finish_cycles);
  }
}

// An mm that finds c_acc full is not given to spm either, whose queue is empty.
TEST(sequencer, gives_an_instruction_to_all_its_queues_at_once) {
  constexpr cycle rows = 40;
  for (const std::uint32_t qd : {8U, 16U}) {
    machine m({4, qd});
    const cycle n = qd + 3; // of accu's commands; the mm is number n
    m.cycles(times(n, vrelu(rows)) + mm(1));
    const cycle dispatch = m.dispatched(1) + m.command() + (n - qd) * rows + 1;
    EXPECT_EQ(m.last_cycle("spm"), dispatch + m.command() + m.t + m.at.scratchpad_stages - 1);
  }
}

// A full c_acc stops the load behind it, whose unit is idle: command k of accu is dispatched when
// accu has taken command k - QD, rows later for each.
TEST(sequencer, stops_instructions_of_idle_units_behind_a_full_queue) {
  constexpr cycle n = 24;
  constexpr cycle rows = 40;
  for (const std::uint32_t qd : {8U, 16U}) {
    machine m({4, qd, 16});
    const cycle first = m.dispatched(1) + m.command();
    EXPECT_EQ(m.cycles(times(n, vrelu(rows)) + load("A:vr", 1)),
              m.done_after_accu(first + n * rows - 1));
    const cycle dispatch = first + (n - 1 - qd) * rows + 1 + m.at.fetch_interval;
    EXPECT_EQ(m.last_cycle("dma_ld"), dispatch + m.command() + m.at.load_stages - 1) << qd;
    // In front of it, nothing stops it.
    m.run(load("A:vr", 1) + times(n, vrelu(rows)));
    EXPECT_EQ(m.last_cycle("dma_ld"), m.dispatched(1) + m.command() + m.at.load_stages - 1) << qd;
  }
}

// --- work ---

TEST(work, is_a_row_a_cycle_and_two_for_vadd) {
  machine m({});
  const cycle first = m.dispatched(1) + m.command();
  for (const cycle rows : {1, 7, 60}) {
    EXPECT_EQ(m.cycles(vrelu(rows)), m.done_after_accu(first + rows - 1));
    EXPECT_EQ(m.cycles(vadd(rows)), m.done_after_accu(first + 2 * rows - 1));
  }
}

// Many short instructions come at the fetch interval, many long ones at their rows.
TEST(work, is_bound_by_rows_or_fetches) {
  machine m({});
  const cycle first = m.dispatched(1) + m.command();
  for (const cycle rows : {1, 3, 4, 5, 9}) {
    const cycle each = std::max<cycle>(rows, m.at.fetch_interval);
    EXPECT_EQ(m.cycles(times(12, vrelu(rows))), m.done_after_accu(first + 11 * each + rows - 1))
        << rows;
  }
}

// --- stores ---

TEST(stores, go_out_in_a_window) {
  for (const std::uint32_t t : widths) {
    for (const std::uint32_t qd : {8U, 16U, 33U}) {
      machine m({t, qd});
      const cycle first = m.dispatched(1) + m.command();
      for (cycle rows = 1; rows <= 40; rows += t == 4 ? 1 : 13) {
        EXPECT_EQ(m.cycles(mvout(rows)), m.done_after(first, rows))
            << t << " " << qd << " " << rows;
      }
    }
  }
}

// One more row costs the interval while the window has room, and a round trip per window in all.
TEST(stores, cost_a_round_trip_per_window) {
  machine m({});
  const cycle window = m.at.store_window;
  ASSERT_GT(m.at.store_round_trip, m.at.store_window * m.at.store_interval);
  for (cycle rows = 1; rows <= 4 * window; ++rows) {
    const cycle more = m.cycles(mvout(rows + 1)) - m.cycles(mvout(rows));
    EXPECT_EQ(more, rows % window != 0 ? m.at.store_interval
                                       : m.at.store_round_trip - (window - 1) * m.at.store_interval)
        << rows;
    EXPECT_EQ(m.cycles(mvout(rows + window)) - m.cycles(mvout(rows)), m.at.store_round_trip);
  }
}

// Rows of two mvouts share the window; what the second comes late is added.
TEST(stores, of_two_instructions_share_the_window) {
  machine m({});
  for (const cycle rows : {3, 4, 9}) {
    const cycle late = std::max<cycle>(0, m.at.fetch_interval - rows);
    EXPECT_EQ(m.cycles(mvout(rows) + mvout(rows)), m.cycles(mvout(2 * rows)) + late) << rows;
  }
}

// A tile's rows retired between two products. They cost the array a cycle each, and more when ac2sp
// fills: until there is room for the last of them, so until dma_st has taken row rows - QD - 1,
// which it does as it requests the row some before.
TEST(stores, hold_the_array_up_until_the_rows_beyond_the_stream_are_taken) {
  constexpr cycle rows = 100;
  for (const shape &s : {shape{4, 16}, shape{4, 8}, shape{8, 8}, shape{5, 16}}) {
    machine m(s);
    const std::string weights = load("B:spad", m.t);
    const cycle in_spm = m.burst(m.t) + m.t + m.loaded() - m.at.scratchpad_get_stage;
    const cycle results = in_spm + m.weighed() + m.through_array();
    const cycle drain = m.at.accumulator_stages - 1 - m.at.accumulator_get_stage;
    m.cycles(weights + mm(rows) + mm(rows));
    EXPECT_EQ(m.last_cycle("accu"), results + 2 * rows - 1 + drain);
    ASSERT_EQ((m.at.store_request_stage - m.at.store_get_stage) % m.at.store_interval, 0);
    const cycle ahead = (m.at.store_request_stage - m.at.store_get_stage) / m.at.store_interval;
    for (const cycle retired : {m.qd + 5, cycle{32}, cycle{45}, cycle{60}}) {
      const cycle first = results + rows - m.at.accumulator_get_stage;
      const cycle taken = first + m.retired() + m.requested(retired - s.qd - 1 - ahead);
      const cycle left = taken + 1; // ac2sp has the last
      const cycle behind = rows + m.at.accumulator_stages - 1 - m.at.accumulator_put_stage;
      m.cycles(weights + mm(rows) + mvout(retired) + mm(rows));
      EXPECT_EQ(m.last_cycle("accu"),
                std::max(left + behind, results + 2 * rows + retired - 1 + drain))
          << s.t << " " << s.qd << " " << retired;
    }
  }
}

} // namespace
