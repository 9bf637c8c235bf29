// SPDX-License-Identifier: Apache-2.0
// The causes and owners on a critical path are those that programs made for the purpose must show.
#include "isa/asm.h"
#include "paths.h"

using namespace paths;
using tpu::core::outcome;
using tpu::core::timing_profile;

namespace {

// A program in text, run with recording on.
class made : public testing::Test {
public:
  explicit made(const timing_profile &of = support::profile()) : timing(of) {}
  void run(const std::string &text) {
    tpu_word words[256];
    tpu_program out{words, 256, 0};
    tpu_error e{};
    ASSERT_EQ(tpu_assemble(text.c_str(), &out, &e), 1) << e.text;
    std::vector<tpu_insn> insns(out.count);
    tpu_code code{insns.data(), out.count, 0};
    ASSERT_EQ(tpu_decode_program(&out, &code, nullptr, nullptr, &e), 1) << e.text;
    tpu_counts counts{};
    ASSERT_EQ(tpu_counts_of(&params, &code, &counts, nullptr, nullptr, &e), 1) << e.text;
    support::store_program(memory.bytes.data(), counts, {words, words + out.count});
    net.record_path(true);
    net.run(support::addresses);
    ASSERT_NO_FATAL_FAILURE(check(net));
    path = net.critical_path();
    got = sum(path);
  }
  // Cycles of a cause that this instruction of the program owns.
  cycle owned(path_cause cause, std::uint32_t instruction) const {
    cycle n = 0;
    for (const path_stretch &s : path) {
      n += s.cause == cause && s.issue >= 0 && net.issue(s.issue).index == instruction
               ? s.to - s.from
               : 0;
    }
    return n;
  }
  // Cycles of each issue, in the order of dispatch.
  std::vector<cycle> by_issue() const {
    std::vector<cycle> out;
    for (const path_stretch &s : path) {
      if (s.issue >= 0) {
        out.resize(std::max(out.size(), static_cast<std::size_t>(s.issue) + 1));
        out[static_cast<std::size_t>(s.issue)] += s.to - s.from;
      }
    }
    return out;
  }
  bool most(path_cause cause) const {
    return of(got, cause) == *std::max_element(got.begin(), got.end());
  }

  const tpu_params params = random_program::parameters(4, 64, 16);
  const timing_profile timing;
  support::flat_memory memory;
  support::late_memory instructions{memory}, operands{memory}, results{memory};
  tpu::core::plain_network net{params, timing, {instructions, operands, results}, 1};
  std::vector<path_stretch> path;
  causes got{};
};

const char *const tile = "dma_ld mode=A:vr row=0 col=0 dest=0 rows=4\n"
                         "dma_ld mode=B:spad row=0 col=0 dest=0 rows=4\n"
                         "mm vr=0 ar=0 acc=0 spad=0 rows=4\n"
                         "mvout ar=0 row=0 col=0 rows=4\n";

// Each step of one tile's way is what the profile says: stages passed, rows before it, latency.
TEST_F(made, one_tile_is_the_sum_of_its_steps) {
  run(tile);
  const timing_profile &p = timing;
  const cycle shift = p.stream_latency;
  const cycle ram = shift + p.stream_ram_cycles; // cw is 128 bits wide and 16 deep
  const cycle large = params.nvr > static_cast<unsigned>(p.large_memory_rows) ? 1 : 0;
  struct step {
    const char *process;
    path_cause cause;
    int instruction;
    cycle cycles;
  };
  const std::vector<step> steps = {
      {"sequencer", path_cause::start_up, -1, p.start_cycles},
      {"dma_ld", path_cause::burst_setup, -1,
       p.load_setup_cycles + large * p.large_memory_cycles - 1}, // the first is the start-up's
      {"dma_ld", path_cause::burst_a, -1, 4 * 16},
      {"dma_ld", path_cause::operand_rows, 0, 4},
      {"dma_ld", path_cause::operand_rows, 1, 1 + p.load_put_stage + shift},
      {"spm", path_cause::operand_rows, 1, 4 - 1 - p.scratchpad_get_stage},
      {"spm", path_cause::weight_load, 2, 1 + p.scratchpad_put_stage + shift},
      {"wld[0][0]", path_cause::weight_load, 2, 4 + shift},
      {"pe[0][0]", path_cause::array_rows, 2, p.pe_forward_stage + shift},
      {"pe[1][0]", path_cause::array_rows, 2, p.pe_stages - 1 + shift},
      {"pe[2][0]", path_cause::array_rows, 2, p.pe_stages - 1 + shift},
      {"pe[3][0]", path_cause::array_rows, 2, p.pe_stages - 1 + ram},
      {"pe[3][1]", path_cause::array_rows, 2, p.pe_stages - 1 - p.pe_collect_stage + ram},
      {"pe[3][2]", path_cause::array_rows, 2, p.pe_stages - 1 - p.pe_collect_stage + ram},
      {"pe[3][3]", path_cause::array_rows, 2, p.pe_stages - 1 - p.pe_collect_stage + ram},
      {"accu", path_cause::accumulator, 2, 4 - 1 - p.accumulator_get_stage},
      {"accu", path_cause::accumulator, 3, 1 + p.accumulator_put_stage + shift},
      {"dma_st", path_cause::store, 3,
       3 * p.store_interval + p.store_request_stage - p.store_get_stage},
      {"dma_st", path_cause::response_wait, 3, p.store_round_trip},
      {"dma_st", path_cause::finish, -1, p.finish_cycles}};
  std::vector<step> walked;
  std::vector<std::string> names;
  for (const path_stretch &s : path) {
    const std::string process = tpu::core::process_name(s.owner, params.t);
    const int instruction = s.issue < 0 ? -1 : static_cast<int>(net.issue(s.issue).index);
    if (!names.empty() && names.back() == process && walked.back().cause == s.cause &&
        walked.back().instruction == instruction) {
      walked.back().cycles += s.to - s.from; // a loader and its register
      continue;
    }
    names.push_back(process);
    walked.push_back({"", s.cause, instruction, s.to - s.from});
  }
  ASSERT_EQ(walked.size(), steps.size());
  for (std::size_t k = 0; k < steps.size(); ++k) {
    SCOPED_TRACE(std::to_string(k) + " " + steps[k].process);
    EXPECT_EQ(names[k], steps[k].process);
    EXPECT_EQ(walked[k].cause, steps[k].cause);
    EXPECT_EQ(walked[k].instruction, steps[k].instruction);
    EXPECT_EQ(walked[k].cycles, steps[k].cycles);
  }
}

TEST_F(made, long_burst_costs_its_steps) {
  // 64 rows of 16 words, a word a step, against 4.
  run("dma_ld mode=A:vr row=0 col=0 dest=0 rows=4\ndma_ld mode=B:spad row=60 col=0 dest=0 rows=4\n"
      "mm vr=0 ar=0 acc=0 spad=0 rows=4\nmvout ar=0 row=0 col=0 rows=4\n");
  EXPECT_EQ(of(got, path_cause::burst_b), 64 * 16);
  EXPECT_EQ(of(got, path_cause::burst_a), 0);
  run("dma_ld mode=A:vr row=60 col=0 dest=0 rows=4\ndma_ld mode=B:spad row=0 col=0 dest=0 rows=4\n"
      "mm vr=0 ar=0 acc=0 spad=0 rows=4\nmvout ar=0 row=0 col=0 rows=4\n");
  EXPECT_EQ(of(got, path_cause::burst_a), 64 * 16);
  EXPECT_EQ(of(got, path_cause::burst_b), 0);
  EXPECT_EQ(of(got, path_cause::start_up), timing.start_cycles);
  EXPECT_EQ(of(got, path_cause::finish), timing.finish_cycles);
}

TEST_F(made, many_stores_wait_for_responses) {
  run(std::string(tile) + "loop 60\nmvout ar=0 row=0 col=0 rows=4\nendloop\n");
  EXPECT_TRUE(most(path_cause::response_wait));
  // A window of writes per round trip: 240 rows of the loop keep it full.
  EXPECT_GE(of(got, path_cause::response_wait),
            240 / timing.store_window * timing.store_round_trip - timing.store_round_trip);
  EXPECT_GE(owned(path_cause::response_wait, 5), of(got, path_cause::response_wait) - 20);
}

// Rows that could be requested every cycle.
class made_of_fast_stores : public made {
public:
  made_of_fast_stores() : made(every_cycle()) {}

private:
  static timing_profile every_cycle() {
    timing_profile of = support::profile();
    of.store_interval = 1;
    return of;
  }
};

// A row that waits does so for the response to a row before it, and from that one's request on:
// also where both are rows of one long mvout, and could be moved together.
TEST_F(made_of_fast_stores, wait_whole_round_trips) {
  run(std::string(tile) + "loop 4\nmvout ar=0 row=0 col=0 rows=64\nendloop\n");
  cycle waits = 0;
  for (const path_stretch &s : path) {
    if (s.cause == path_cause::response_wait) {
      EXPECT_EQ((s.to - s.from) % timing.store_round_trip, 0) << s.from << " to " << s.to;
      waits += s.to - s.from;
    }
  }
  // The first of a window waits for the first of the one before, and the run for the last of all.
  EXPECT_EQ(waits, (260 + timing.store_window - 1) / timing.store_window * timing.store_round_trip);
}

TEST_F(made, short_products_wait_for_weights) {
  // T + 1 words an mm and 4 rows.
  std::string mms;
  for (int k = 0; k < 8; ++k) {
    mms += "mm vr=0 ar=" + std::to_string(4 * k) + " acc=0 spad=0 rows=4\n";
  }
  run("dma_ld mode=A:vr row=0 col=0 dest=0 rows=4\ndma_ld mode=B:spad row=0 col=0 dest=0 rows=4\n"
      "loop 20\n" +
      mms + "endloop\nmvout ar=0 row=0 col=0 rows=4\n");
  EXPECT_TRUE(most(path_cause::weight_load));
  EXPECT_GE(of(got, path_cause::weight_load), 20 * 8 * 5 - 40);
  const std::vector<cycle> issues = by_issue(); // two loads, then the mms
  for (std::size_t k = 10; k < 150; ++k) {
    EXPECT_EQ(issues[k], 5) << k;
  }
}

TEST_F(made, long_products_are_rows) {
  run("dma_ld mode=A:vr row=0 col=0 dest=0 rows=64\ndma_ld mode=B:spad row=0 col=0 dest=0 rows=4\n"
      "loop 50\nmm vr=0 ar=0 acc=0 spad=0 rows=64\nendloop\nmvout ar=0 row=0 col=0 rows=4\n");
  const cycle rows = of(got, path_cause::array_rows) + of(got, path_cause::accumulator);
  EXPECT_GE(rows, 50 * 64 - 64);
  EXPECT_GE(owned(path_cause::array_rows, 3) + owned(path_cause::accumulator, 3), 49 * 64);
  const std::vector<cycle> issues = by_issue();
  for (std::size_t k = 5; k < 50; ++k) {
    EXPECT_EQ(issues[k], 64) << k;
  }
}

TEST_F(made, alu_work_is_the_accumulators) {
  run(std::string(tile) + "loop 100\nvadd dest=32 src1=0 src2=0 rows=16\nendloop\n"
                          "mvout ar=0 row=0 col=0 rows=4\n");
  EXPECT_TRUE(most(path_cause::accumulator));
  EXPECT_GE(owned(path_cause::accumulator, 5), 99 * 32);
}

// What enters the pipeline behind the row that is waited for owns nothing of its way.
TEST_F(made, rows_behind_the_one_waited_for_own_nothing) {
  run("dma_ld mode=A:vr row=0 col=0 dest=0 rows=4\ndma_ld mode=B:spad row=0 col=0 dest=0 rows=4\n"
      "mm vr=0 ar=0 acc=0 spad=0 rows=4\nmvout ar=0 row=0 col=0 rows=1\n"
      "vrelu dest=0 src=0 rows=8\n");
  ASSERT_EQ(owned(path_cause::response_wait, 3), timing.store_round_trip);
  EXPECT_EQ(owned(path_cause::accumulator, 3),
            1 + timing.accumulator_put_stage + timing.stream_latency);
  EXPECT_EQ(owned(path_cause::accumulator, 4), 0);
}

TEST_F(made, fetches_are_dispatch) {
  run(std::string(tile) + "loop 100\nvrelu dest=4 src=0 rows=4\nendloop\n"
                          "mvout ar=0 row=0 col=0 rows=4\n");
  EXPECT_TRUE(most(path_cause::dispatch)); // 8 cycles of fetches for 4 of work
  EXPECT_GE(owned(path_cause::dispatch, 5), 90 * 2 * timing.fetch_interval);
  std::string nops;
  for (int k = 0; k < 31; ++k) {
    nops += "nop\n";
  }
  run(nops + tile);
  // More than the burst takes, so that the sequencer is waited for.
  EXPECT_EQ(of(got, path_cause::burst_a), 0);
  EXPECT_GE(of(got, path_cause::dispatch), 31 * timing.fetch_interval);
}

TEST_F(made, prefetch_brings_the_instruction_memory_by_beats) {
  run("vrelu dest=0 src=0 rows=1\n");
  const cycle beat = timing.prefetch_beat_words;
  const cycle steps = (cycle{params.imem_size} + beat - 1) / beat;
  EXPECT_EQ(of(got, path_cause::prefetch),
            steps + timing.dispatch_setup_cycles - 1); // the first is the start-up's
}

// However many there are.
TEST_F(made, issues_are_numbered_as_they_are_dispatched) {
  run("loop 100\nvrelu dest=4 src=0 rows=1\nnop\nvadd dest=0 src1=0 src2=0 rows=2\n"
      "vrelu dest=0 src=4 rows=3\nendloop\n");
  const std::uint32_t instruction[] = {1, 3, 4};
  for (std::int32_t k = 0; k < 300; ++k) {
    EXPECT_EQ(net.issue(k).index, instruction[k % 3]) << k;
    EXPECT_EQ(net.issue(k).nr, k % 3 + 1) << k;
    EXPECT_EQ(net.issue(k).iv[0], static_cast<std::uint32_t>(k / 3)) << k;
  }
}

TEST_F(made, latency_goes_to_what_waits_for_memory) {
  run(tile);
  const causes ideal = got;
  operands.latency = 1000;
  run(tile);
  EXPECT_EQ(of(got, path_cause::burst_a), of(ideal, path_cause::burst_a) + 1000);
  operands.latency = 0;
  results.latency = 1000;
  run(tile);
  EXPECT_EQ(of(got, path_cause::response_wait), of(ideal, path_cause::response_wait) + 1000);
  results.latency = 0;
  constexpr cycle late = 1 << 20; // no 16 bits hold what comes then
  instructions.latency = late;
  run(tile);
  EXPECT_EQ(of(got, path_cause::start_up), of(ideal, path_cause::start_up) + late); // the header
  EXPECT_EQ(net.waits(TPU_UNIT_SEQUENCER).starved[TPU_WAIT_HEADER], late);
  EXPECT_EQ(of(got, path_cause::burst_a), 0); // while the program is on its way the burst is done
  EXPECT_GT(of(got, path_cause::prefetch), late);
}

// A load, an mm, sixteen vrelu, an mm, an mvout: legal, and it hangs at a depth of 16.
TEST_F(made, hang_has_a_path_up_to_where_it_stopped) {
  run("dma_ld mode=A:vr row=0 col=0 dest=0 rows=4\ndma_ld mode=B:spad row=0 col=0 dest=0 rows=4\n"
      "mm vr=0 ar=0 acc=0 spad=0 rows=4\nloop 16\nvrelu dest=0 src=0 rows=4\nendloop\n"
      "mm vr=0 ar=0 acc=0 spad=0 rows=4\nmvout ar=0 row=0 col=0 rows=4\n");
  EXPECT_EQ(net.result(), outcome::deadlock);
  EXPECT_EQ(path.back().to, net.elapsed());
  EXPECT_EQ(path.back().cause, path_cause::finish);
  EXPECT_EQ(of(got, path_cause::finish), timing.deadlock_detect_cycles);
}

} // namespace
