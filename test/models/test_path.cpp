// SPDX-License-Identifier: Apache-2.0
// The critical path: every cycle of every run has one cause and one owner, and they are the ones
// that programs made for the purpose must show.
#include <array>

#include "isa/asm.h"
#include "support.h"

using tpu::core::cycle;
using tpu::core::outcome;
using tpu::core::path_cause;
using tpu::core::path_stretch;
using tpu::core::timing_profile;

namespace {

const char *const cause_names[] = {
#define NAME(id, name, text) name,
    TPU_PATH_CAUSES(NAME)
#undef NAME
};

using causes = std::array<cycle, static_cast<std::size_t>(path_cause::count)>;

cycle of(const causes &c, path_cause which) { return c[static_cast<std::size_t>(which)]; }

causes sum(const std::vector<path_stretch> &path) {
  causes out{};
  for (const path_stretch &s : path) {
    out[static_cast<std::size_t>(s.cause)] += s.to - s.from;
  }
  return out;
}

// Which instructions may own a cycle of a cause; 0: none.
bool fits(path_cause cause, int op) {
  switch (cause) {
  case path_cause::operand_rows:
    return op == TPU_OP_DMA_LD || op == TPU_OP_VLD;
  case path_cause::weight_load:
  case path_cause::array_rows:
    return op == TPU_OP_MM;
  case path_cause::accumulator:
    return op == TPU_OP_MM || op == TPU_OP_VADD || op == TPU_OP_VRELU || op == TPU_OP_MVOUT;
  case path_cause::store:
  case path_cause::response_wait:
    return op == TPU_OP_MVOUT;
  case path_cause::dispatch:
    return op != 0;
  default:
    return op == 0;
  }
}

void check(const tpu::core::network &net) {
  std::size_t strays = 0;
  const std::vector<path_stretch> path = net.critical_path(&strays);
  ASSERT_EQ(strays, 0U);
  cycle at = 0;
  for (const path_stretch &s : path) {
    ASSERT_EQ(s.from, at);
    ASSERT_GT(s.to, s.from);
    const int op = s.issue < 0 ? 0 : net.issue(s.issue).op;
    ASSERT_TRUE(fits(s.cause, op))
        << cause_names[static_cast<std::size_t>(s.cause)] << " of "
        << tpu::core::process_name(s.owner, net.params().t) << " owned by operation " << op;
    at = s.to;
  }
  ASSERT_EQ(at, net.elapsed());
}

struct column {
  std::uint32_t t, maxdim, qd, dma_words;
};

class critical_path : public testing::TestWithParam<column> {};

// Recording changes nothing, and every cycle has an owner, of completed runs and of hung ones.
TEST_P(critical_path, accounts_for_every_cycle_of_random_programs) {
  const column k = GetParam();
  const tpu_params p = random_program::parameters(k.t, k.maxdim, k.qd, k.dma_words);
  support::flat_memory memory;
  tpu::core::plain_network net(p, support::profile(), {memory, memory, memory}, 1);
  tpu::core::plain_network recorded(p, support::profile(), {memory, memory, memory}, 1);
  recorded.record_path(true);
  const int programs = k.t > 8 ? 30 : 200;
  int completed = 0;
  for (std::uint32_t seed = 1; seed <= static_cast<std::uint32_t>(programs); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    random_program::program program = random_program::make(p, seed);
    support::store_program(memory.bytes.data(), program.counts, program.words);
    net.run(support::addresses);
    ASSERT_EQ(recorded.run(support::addresses), net.result());
    ASSERT_EQ(recorded.elapsed(), net.elapsed());
    ASSERT_NO_FATAL_FAILURE(check(recorded));
    completed += net.result() == outcome::completed ? 1 : 0;
    const causes once = sum(recorded.critical_path());
    recorded.run(support::addresses, seed); // in another order
    ASSERT_EQ(sum(recorded.critical_path()), once);
  }
  EXPECT_GT(completed, 0);
}

INSTANTIATE_TEST_SUITE_P(columns, critical_path,
                         testing::Values(column{4, 16, 16, 1}, column{4, 64, 8, 1},
                                         column{4, 16, 3, 4}, column{5, 20, 7, 2},
                                         column{8, 64, 4, 8}, column{16, 64, 16, 4}),
                         [](const auto &which) {
                           const column &k = which.param;
                           return "T" + std::to_string(k.t) + "_QD" + std::to_string(k.qd);
                         });

// Each cause is some random program's, so that the test above is about all of them.
TEST(causes, all_occur) {
  const tpu_params p = random_program::parameters(4, 16, 8);
  support::flat_memory memory;
  tpu::core::plain_network net(p, support::profile(), {memory, memory, memory}, 1);
  net.record_path(true);
  causes seen{};
  for (std::uint32_t seed = 1; seed <= 300; ++seed) {
    random_program::program program = random_program::make(p, seed);
    support::store_program(memory.bytes.data(), program.counts, program.words);
    net.run(support::addresses);
    const causes c = sum(net.critical_path());
    for (std::size_t k = 0; k < c.size(); ++k) {
      seen[k] += c[k];
    }
  }
  for (std::size_t k = 0; k < seen.size(); ++k) {
    EXPECT_GT(seen[k], 0) << cause_names[k];
  }
}

// Memory whose answers take longer.
class late_memory final : public tpu::core::memory_port {
public:
  explicit late_memory(tpu::core::memory_port &memory) : memory_(memory) {}
  cycle latency = 0;

  tpu::core::transfer read(cycle at, std::uint64_t address, void *to, std::size_t n) override {
    tpu::core::transfer t = memory_.read(at, address, to, n);
    t.latency += latency;
    return t;
  }
  tpu::core::transfer write(cycle at, std::uint64_t address, const void *from,
                            std::size_t n) override {
    tpu::core::transfer t = memory_.write(at, address, from, n);
    t.latency += latency;
    return t;
  }

private:
  tpu::core::memory_port &memory_;
};

// A program in text, run with recording on.
class made : public testing::Test {
public:
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
  const tpu::core::timing_profile timing = support::profile();
  support::flat_memory memory;
  late_memory instructions{memory}, operands{memory}, results{memory};
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
  instructions.latency = 1000;
  run(tile);
  EXPECT_EQ(of(got, path_cause::start_up), of(ideal, path_cause::start_up) + 1000); // the header
  EXPECT_EQ(of(got, path_cause::burst_a), 0); // while the program is on its way the burst is done
  EXPECT_GT(of(got, path_cause::prefetch), 1000);
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

// PE 0 waits at its forward stage for its row 7, until PE 1 has taken row 4 at a depth of 3; and
// PE 1 for that row, from vru.
TEST(slots, are_freed_by_the_row_a_depth_before) {
  tpu::core::path_facts facts;
  facts.t = 4;
  facts.qd = 3;
  facts.timing = support::profile();
  facts.units_start = 110;
  const int forward = facts.timing.pe_forward_stage;
  const cycle put = facts.units_start + 4 + facts.timing.vector_put_stage; // of row 4
  tpu::core::path_log first;
  tpu::core::path_log second;
  const tpu::core::path_log none;
  first.add(
      {put + 2, put + 1, {TPU_UNIT_PE, 1}, 7 + forward, static_cast<std::int16_t>(forward), true});
  second.add({put + 1, put, {TPU_UNIT_VRU, 0}, 4, 0, false});
  facts.elapsed = put + 5;
  facts.log = [&](tpu::core::process_id id) -> const tpu::core::path_log & {
    return id.unit != TPU_UNIT_PE || id.instance > 1 ? none : id.instance == 1 ? second : first;
  };
  facts.steps = [&](tpu::core::process_id id) {
    return id.unit != TPU_UNIT_PE || id.instance > 1 ? 0 : id.instance == 1 ? 5 : 8 + forward;
  };
  tpu::core::work_log rows;
  rows.add(4, 0);
  rows.add(1, 1);
  rows.add(9, 2);
  facts.work = [&](enum tpu_unit) -> const tpu::core::work_log & { return rows; };
  facts.is_mm = [](std::int32_t) { return true; };
  std::size_t strays = 1;
  const std::vector<path_stretch> path = tpu::core::walk_critical_path(facts, &strays);
  EXPECT_EQ(strays, 0U);
  ASSERT_EQ(path.size(), 5U); // start, vru before row 4 and with it, PE 1, finish
  EXPECT_EQ(path[1].owner.unit, static_cast<std::uint32_t>(TPU_UNIT_VRU));
  EXPECT_EQ(path[1].to, facts.units_start + 3);
  EXPECT_EQ(path[1].issue, 0);
  EXPECT_EQ(path[2].to, put + 1);
  EXPECT_EQ(path[2].issue, 1);
  EXPECT_EQ(path[3].owner.instance, 1U);
  EXPECT_EQ(path[3].to, put + 2);
  EXPECT_EQ(path[3].issue, 1);
  EXPECT_EQ(path[4].to, facts.elapsed);
}

// A run that a fault ends before anything moved is all start-up.
TEST(faults, have_a_path_too) {
  const tpu_params p = random_program::parameters(4, 16, 8);
  support::flat_memory memory;
  tpu::core::plain_network net(p, support::profile(), {memory, memory, memory}, 1);
  net.record_path(true);
  EXPECT_EQ(net.run({support::memory_bytes, 0, 0, 0}), outcome::failed);
  check(net);
  EXPECT_EQ(of(sum(net.critical_path()), path_cause::start_up), net.elapsed());
}

} // namespace
