// SPDX-License-Identifier: Apache-2.0
// What the machine must do by its mechanisms, in programs that nobody measured: streams, the array,
// what stall pipelines hold back, and the hangs that follow. Expected cycles are derived, each
// beside its program.
#include "mechanisms.h"

using namespace mechanisms;

namespace {

const std::uint32_t widths[] = {4, 5, 8, 12, 16};

// --- the way through the array ---

// One mm: its weights are what its first row waits for.
cycle product_done(const machine &m, cycle rows) {
  const cycle first = m.dispatched(1) + m.command() + m.weighed();
  return m.done_after_accu(first + m.through_array() + rows - 1 - m.at.accumulator_get_stage);
}

TEST(array, is_filled_in_closed_form) {
  for (const std::uint32_t t : widths) {
    for (const std::uint32_t qd : {8U, 9U, 16U, 17U, 32U, 33U}) {
      machine m({t, qd});
      for (const cycle rows : {1, 7, 40}) {
        EXPECT_EQ(m.cycles(mm(rows)), product_done(m, rows)) << t << " " << qd << " " << rows;
      }
    }
  }
}

// Where no stream changes its kind, a row and a column more cost a word of weights, a PE's stages
// and a sum on the way down, and the stages behind its collection and a result on the way east.
TEST(array, fills_longer_by_a_constant_per_row_and_column) {
  machine narrow({5, 8});
  for (const std::uint32_t t : {6U, 8U, 12U, 16U}) {
    machine wide({t, 8});
    const cycle each = 1 + wide.at.pe_stages - 1 + wide.sum() + wide.at.pe_stages - 1 -
                       wide.at.pe_collect_stage + wide.result();
    EXPECT_EQ(wide.cycles(mm(3)) - narrow.cycles(mm(3)), (t - 5) * each) << t;
  }
}

// --- streams by their bits ---

// The size at which a stream turns into RAM, and how often its tokens' way crosses it.
TEST(streams, cost_more_from_a_size_on) {
  const int more = support::profile().stream_ram_cycles;
  const struct {
    std::uint32_t t, qd, deeper;
    int crossings;
  } cases[] = {
      {4, 8, 16, 4},   // cw, 32 T bits: T times
      {4, 8, 9, 4},    //
      {5, 6, 7, 5},    //
      {8, 4, 5, 8},    //
      {8, 8, 16, 0},   // cw is RAM at both
      {4, 9, 16, 0},   //
      {4, 16, 17, 1},  // 64 bits: the command
      {12, 10, 11, 2}, // 8 T bits: wcol, and acol down to the second row
      {16, 8, 9, 2},   //
      {8, 16, 17, 3},  // 8 T bits and the command
      {4, 32, 33, 4},  // 8 T bits at wcol, 32 bits at the T - 1 sums
  };
  for (const auto &c : cases) {
    machine shallow({c.t, c.qd});
    machine deep({c.t, c.deeper});
    EXPECT_EQ(deep.cycles(mm(2)) - shallow.cycles(mm(2)), c.crossings * more)
        << c.t << " " << c.qd << " " << c.deeper;
  }
}

TEST(streams, between_accu_and_dma_st_count_too) {
  const int more = support::profile().stream_ram_cycles;
  machine at_limit({16, 8});
  machine beyond({16, 9});
  EXPECT_EQ(beyond.cycles(mvout(2)) - at_limit.cycles(mvout(2)), more); // ac2sp
  machine command_at_limit({4, 16});
  machine command_beyond({4, 17});
  EXPECT_EQ(command_beyond.cycles(mvout(2)) - command_at_limit.cycles(mvout(2)), more);
}

// --- whole tiles ---

// Both operands, the product, its rows out. spm takes the mm's header behind the last row of B, vru
// the first activation behind the last row of A; the later of the two ways starts the array.
cycle tile_done(const machine &m, cycle rows, bool b_first) {
  const cycle in_dma_ld = m.burst(std::max(rows, m.t));
  const cycle b = in_dma_ld + (b_first ? 0 : rows) + m.t + m.loaded() - m.at.scratchpad_get_stage;
  const cycle a = in_dma_ld + (b_first ? m.t : 0) + rows + m.loaded() - m.at.vector_get_stage;
  return m.tile_done_after(std::max(a + m.at.vector_put_stage + m.word(), b + m.weighed()), rows);
}

TEST(tile, is_the_sum_of_its_parts_in_either_order_of_loads) {
  for (const std::uint32_t t : widths) {
    for (const std::uint32_t qd : {8U, 16U}) {
      for (const std::uint32_t dma_words : {1U, 2U}) {
        machine m({t, qd, dma_words, 0, 56});
        ASSERT_GE(m.burst(t), m.dispatched(4) + m.command());
        for (const cycle rows : {1, 4, 8, 30}) {
          const std::string a = load("A:vr", rows);
          const std::string b = load("B:spad", t);
          EXPECT_EQ(m.cycles(tile(a, b, rows)), tile_done(m, rows, false))
              << t << " " << qd << " " << dma_words << " " << rows;
          EXPECT_EQ(m.cycles(tile(b, a, rows)), tile_done(m, rows, true))
              << t << " " << qd << " " << dma_words << " " << rows;
        }
      }
    }
  }
}

// Weights first: the array starts earlier by all activation rows, or, when those come last, by what
// the weights' way is longer.
TEST(tile, gains_from_weights_first_what_their_way_is_longer) {
  for (const std::uint32_t t : {4U, 8U}) {
    machine m({t});
    for (const cycle rows : {2, 12, 40}) {
      const std::string a = load("A:vr", rows);
      const std::string b = load("B:spad", t);
      const cycle longer = m.at.scratchpad_put_stage - m.at.vector_put_stage + m.t + m.weight() +
                           m.at.vector_get_stage - m.at.scratchpad_get_stage;
      EXPECT_EQ(m.cycles(tile(a, b, rows)) - m.cycles(tile(b, a, rows)),
                std::min<cycle>(rows, longer))
          << t << " " << rows;
    }
  }
}

TEST(tile, is_shorter_with_a_wider_burst_by_its_steps_alone) {
  for (const cycle rows : {4, 7, 32}) {
    const std::string text = tile(load("A:vr", rows), load("B:spad", 4), rows);
    machine one({4, 16, 1});
    machine two({4, 16, 2});
    const cycle steps = rows * tpu_words_per_row(&one.p);
    EXPECT_EQ(one.cycles(text) - two.cycles(text), steps - (steps + 1) / 2) << rows;
  }
}

// --- weights ---

// A tile's weights are T + 1 words with their header, so short products come at that pace: the PEs
// wait for each, a loader has a word every cycle from the first to the last. As many weights as a
// PE's queue and its loader's register hold need not wait for PEs further down, which start late.
TEST(weights, that_come_late_stall_pes_and_no_loader) {
  for (const std::uint32_t t : {4U, 5U, 8U, 16U}) {
    machine m({t});
    ASSERT_GE(t + 1, static_cast<std::uint32_t>(m.at.fetch_interval));
    const cycle header = m.dispatched(1) + m.command();
    for (const cycle n : {2, TPU_WEIGHT_QD + 1}) {
      for (const cycle rows : {cycle{1}, m.t, m.t + 1, 2 * m.t}) {
        const cycle pace = std::max(m.t + 1, rows);
        EXPECT_EQ(m.cycles(times(n, mm(rows))), product_done(m, rows) + (n - 1) * pace)
            << t << " " << n << " " << rows;
        const auto &net = m.run(times(n, mm(rows)));
        EXPECT_EQ(net.pe_counters(0, 0).starved,
                  header + m.weighed() - m.at.start_cycles + (n - 1) * (pace - rows));
        EXPECT_EQ(net.loader_counters(0, 0).starved,
                  header + m.at.scratchpad_put_stage + m.word() - m.at.start_cycles);
      }
    }
  }
}

// In products of a row each, PE (3, 0) has its first row only when PE (0, 0) has entered as many as
// the stages between them hold. Meanwhile weights for it wait: some in its queue and register, one
// under way, the others in three streams, of T - 2 words and more a tile. Where that is not room
// enough PE (0, 0) never gets its weight. Deeper streams have the room; longer products need less.
TEST(weights, of_too_many_short_products_hang) {
  machine m({16, 16});
  const cycle entered = m.at.pe_top_stages - 1 + 2 * (m.at.pe_stages - 1) + 1;
  const cycle room = TPU_WEIGHT_QD + 2 + 3 * m.qd / (m.t - 2);
  ASSERT_GT(entered, room);
  const cycle n = entered + 1;
  EXPECT_FALSE(m.completes(times(n, mm(1))));
  EXPECT_TRUE(m.completes(times(n, mm(entered))));
  machine deep({16, 64});
  ASSERT_LT(entered, TPU_WEIGHT_QD + 1 + 2 * deep.qd / (m.t - 1));
  EXPECT_TRUE(deep.completes(times(n, mm(1))));
}

// --- stall pipelines hold back what they have computed until their next instruction comes ---

// nops delay the instruction that sets a pipeline going again.
const cycle delays[] = {16, 30, 41};

// spm keeps its last weights until a further load's row is there to be taken.
TEST(held_back, weights_wait_for_the_next_row_of_the_scratchpad) {
  for (const std::uint32_t t : {4U, 8U, 16U}) {
    machine m({t, 16, 4});
    for (const cycle n : delays) {
      const std::string text = mm(5) + mvout(5) + times(n, "nop\n") + load("B:spad", 1);
      const cycle taken = m.dispatched(n + 3) + m.command() + m.loaded();
      const cycle leaves = taken + m.at.scratchpad_put_stage - 1 - m.at.scratchpad_get_stage;
      EXPECT_EQ(m.cycles(text), m.tile_done_after(leaves + m.word() + m.weight(), 5))
          << t << " " << n;
    }
  }
}

// vru keeps its last activation rows likewise.
TEST(held_back, activations_wait_for_the_next_row_of_the_vector_registers) {
  for (const std::uint32_t t : {4U, 8U, 16U}) {
    machine m({t, 16, 4});
    for (const cycle n : delays) {
      for (const cycle rows : {1, 5}) {
        const std::string text = mm(rows) + mvout(rows) + times(n, "nop\n") + load("A:vr", 1);
        const cycle taken = m.dispatched(n + 3) + m.command() + m.loaded();
        const cycle leaves = taken + m.at.vector_put_stage - 1 - m.at.vector_get_stage;
        const cycle first = leaves + m.word() - (rows - 1); // if all came in a row
        EXPECT_EQ(m.cycles(text), m.tile_done_after(first, rows)) << t << " " << n << " " << rows;
      }
    }
  }
}

// accu keeps retired rows until its next command; dma_st then takes them.
TEST(held_back, retired_rows_wait_for_the_next_command_of_accu) {
  machine m({});
  for (const cycle n : delays) {
    for (cycle rows = 1; rows <= m.at.accumulator_put_stage; ++rows) {
      const cycle command = m.dispatched(n + 2) + m.command();
      EXPECT_EQ(m.cycles(mvout(rows) + times(n, "nop\n") + vrelu(1)),
                m.done_after(command - rows, rows))
          << n << " " << rows;
    }
    // The next one's row enters with its command, a cycle behind the first one's; dma_st is slower.
    EXPECT_EQ(m.cycles(mvout(1) + times(n, "nop\n") + mvout(1)),
              m.done_after(m.dispatched(n + 2) + m.command() - 1, 2));
  }
}

// At the end of a unit's work there is nothing to wait for: it drains.
TEST(held_back, is_nothing_at_the_end_of_the_work) {
  machine m({});
  const cycle first = m.dispatched(1) + m.command() + m.weighed();
  for (const cycle n : {0, 4, 60}) {
    EXPECT_EQ(m.cycles(mm(5) + mvout(5) + times(n, "nop\n")),
              std::max(m.tile_done_after(first, 5), m.dispatched(n + 2) + m.at.finish_cycles))
        << n;
  }
}

// --- hangs ---

// accu waits for the first product's rows, and its queue fills. QD - 1 commands leave room for that
// of the second mm, whose words push the first one's weights out of spm; QD do not.
TEST(hang, of_a_queue_filled_between_two_products) {
  for (const std::uint32_t t : {4U, 5U, 8U, 16U}) {
    for (const std::uint32_t qd : {5U, 8U, 16U, 24U}) {
      machine m({t, qd});
      const auto text = [&](cycle n) {
        return load("B:spad", t) + mm(4) + loop(n, vrelu(4)) + mm(4) + mvout(4);
      };
      EXPECT_TRUE(m.completes(text(qd - 1))) << t << " " << qd;
      EXPECT_EQ(m.run(text(qd)).result(), outcome::deadlock) << t << " " << qd;
    }
  }
}

// mvouts fill it as well; c_dst, of the same depth, has given one to dma_st.
TEST(hang, of_a_queue_filled_with_retirements) {
  machine m({});
  EXPECT_TRUE(m.completes(mm(4) + times(m.qd - 1, mvout(1)) + mm(4)));
  EXPECT_FALSE(m.completes(mm(4) + times(m.qd, mvout(1)) + mm(4)));
}

// A load sets spm going as well as an mm does, and needs no place in accu's queue: one more fits.
TEST(hang, is_put_off_by_one_where_a_load_follows) {
  for (const std::uint32_t qd : {8U, 16U}) {
    machine m({4, qd});
    const auto text = [&](cycle n) {
      return mm(4) + times(n, vrelu(4)) + load("B:spad", 4) + mvout(4);
    };
    EXPECT_TRUE(m.completes(text(qd)));
    EXPECT_FALSE(m.completes(text(qd + 1)));
  }
}

// With no later work for spm or vru nothing is held back, however many commands accu is given.
TEST(hang, needs_later_work_for_the_scratchpad) {
  machine m({4, 8});
  EXPECT_TRUE(m.completes(mm(4) + times(40, vrelu(4)) + mvout(4)));
  EXPECT_FALSE(m.completes(mm(4) + times(40, vrelu(4)) + mm(4)));
}

// What it looks like: spm holds its put stage's words; those it gave out went as far as they could,
// none waits in a loader for the next.
TEST(hang, leaves_no_word_in_a_loader) {
  machine m({8, 16});
  const auto &net = m.run(mm(4) + times(16, vrelu(4)) + mm(4));
  ASSERT_EQ(net.result(), outcome::deadlock);
  const std::vector<std::string> circle = net.wait_cycle();
  for (const char *name : {"sequencer", "accu", "wld[0][0]", "spm"}) {
    EXPECT_NE(std::find(circle.begin(), circle.end(), name), circle.end()) << name;
  }
  for (const auto &b : net.blocked()) {
    if (b.process == "spm") {
      EXPECT_EQ(b.held, std::to_string(m.at.scratchpad_put_stage) + " computed words");
    }
  }
  // The header, and as many weight rows as left spm: row i's reaches loaders 0 .. i of column 0.
  const cycle rows = m.t - m.at.scratchpad_put_stage;
  for (cycle i = 0; i < m.t; ++i) {
    for (cycle j = 0; j < m.t; ++j) {
      const cycle words = j == 0 ? std::max<cycle>(0, rows - i) : (i < rows ? 1 : 0);
      EXPECT_EQ(net.loader_counters(static_cast<std::size_t>(i), static_cast<std::size_t>(j)).done,
                static_cast<std::uint64_t>(1 + words))
          << i << " " << j;
    }
  }
}

} // namespace
