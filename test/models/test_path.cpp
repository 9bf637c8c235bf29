// SPDX-License-Identifier: Apache-2.0
// The critical path: every cycle of every run has one cause and one owner.
#include <map>
#include <set>

#include "columns.h"
#include "paths.h"

using namespace paths;
using tpu::core::outcome;

namespace {

class critical_path : public testing::TestWithParam<support::column> {};

// Recording changes nothing, and every cycle has an owner, of completed runs and of hung ones.
TEST_P(critical_path, accounts_for_every_cycle_of_random_programs) {
  const support::column k = GetParam();
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

INSTANTIATE_TEST_SUITE_P(columns, critical_path, support::various_columns(), support::column_name);

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

// Holds each wait of PEs and loaders to the process at the other end of the stream it was on.
class other_ends final : public tpu::core::run_observer {
public:
  explicit other_ends(const tpu::core::network &net)
      : all_(net.processes()), t_(net.params().t), pes_(net.params().t * net.params().t) {}

  // Who waited, by unit and stream.
  std::map<std::pair<std::uint32_t, std::uint8_t>, std::set<std::uint32_t>> seen;

  void waited(std::size_t process, const tpu::core::path_entry &e) override {
    const bool in_register = process >= all_.size();
    const process_id own =
        in_register ? process_id{TPU_UNIT_WLD, index(process - all_.size())} : all_[process];
    if (own.unit != TPU_UNIT_PE && own.unit != TPU_UNIT_WLD) {
      return;
    }
    const process_id by = in_register ? of_register(own, e.on) : other(own, e);
    ASSERT_EQ(e.by.unit, by.unit) << own.unit << ", " << own.instance << " on " << int{e.on};
    ASSERT_EQ(e.by.instance, by.instance)
        << own.unit << ", " << own.instance << " on " << int{e.on};
    seen[{own.unit, e.on}].insert(own.instance);
  }
  void started() override {}
  void dispatched(const tpu_issue &, const tpu::core::unit_work &) override {}
  void ran() override {}
  void ended() override {}
  const tpu::core::wait_sums &waits(std::size_t) const override { return none_; }

private:
  using process_id = tpu::core::process_id;

  static std::uint32_t index(std::size_t k) { return static_cast<std::uint32_t>(k); }
  process_id of_register(process_id own, std::uint8_t on) const {
    return {on == TPU_WAIT_WQ ? TPU_UNIT_PE : TPU_UNIT_WLD, own.instance};
  }
  process_id other(process_id own, const tpu::core::path_entry &e) const {
    const std::uint32_t k = own.instance;
    switch (e.on) {
    case TPU_WAIT_WQ:
      return {TPU_UNIT_WLD, k + pes_};
    case TPU_WAIT_ACOL:
    case TPU_WAIT_WCOL:
      if (k == 0 && !e.slot) {
        return {e.on == TPU_WAIT_ACOL ? TPU_UNIT_VRU : TPU_UNIT_SPM, 0};
      }
      [[fallthrough]];
    case TPU_WAIT_P_FWD:
      return {own.unit, e.slot ? k + t_ : k - t_};
    default: // along the row; the last result word leaves it
      if (k + 1 == pes_ && e.slot) {
        return {TPU_UNIT_ACCU, 0};
      }
      return {own.unit, e.slot ? k + 1 : k - 1};
    }
  }

  std::vector<process_id> all_;
  std::uint32_t t_, pes_;
  tpu::core::wait_sums none_;
};

TEST(causes, are_of_the_process_at_the_other_end) {
  const tpu_params p = random_program::parameters(4, 16, 8);
  support::flat_memory memory;
  tpu::core::timing_profile wide_is_slow = support::profile(); // weights come after activations
  wide_is_slow.stream_ram_bits = 8 * 8;
  wide_is_slow.stream_ram_cycles = 4;
  tpu::core::plain_network net(p, wide_is_slow, {memory, memory, memory}, 1);
  other_ends ends(net);
  net.observe(&ends);
  for (std::uint32_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    random_program::program program = random_program::make(p, seed);
    support::store_program(memory.bytes.data(), program.counts, program.words);
    ASSERT_NO_FATAL_FAILURE(net.run(support::addresses));
  }
  for (const std::uint8_t on : {TPU_WAIT_WQ, TPU_WAIT_A_FWD, TPU_WAIT_ACOL, TPU_WAIT_P_FWD}) {
    EXPECT_GT((ends.seen[{TPU_UNIT_PE, on}].size()), 1U) << int{on};
  }
  for (const std::uint8_t on : {TPU_WAIT_WQ, TPU_WAIT_WCOL, TPU_WAIT_WROW}) {
    EXPECT_GT((ends.seen[{TPU_UNIT_WLD, on}].size()), 1U) << int{on};
  }
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
  tpu::core::work_log others; // had vru put row 4 for another instruction than PE 1 took it for
  others.add(14, 0);
  facts.work = [&](enum tpu_unit u) -> const tpu::core::work_log & {
    return u == TPU_UNIT_VRU ? others : rows;
  };
  (void)tpu::core::walk_critical_path(facts, &strays);
  EXPECT_EQ(strays, 1U);
}

// What processes log one among the other comes back for each, as it was; also what is logged after
// a look.
TEST(run_log, gives_each_process_its_waits) {
  using tpu::core::path_entry;
  const auto equal = [](const path_entry &a, const path_entry &b) {
    return a.at == b.at && a.released == b.released && a.by.unit == b.by.unit &&
           a.by.instance == b.by.instance && a.step == b.step && a.stage == b.stage &&
           a.slot == b.slot && a.on == b.on;
  };
  const cycle far = cycle{1} << 40;
  const path_entry first{far + 9, far - 5000, {TPU_UNIT_DMA_ST, 0}, far,
                         0,       true,       TPU_WAIT_RESPONSE};
  const path_entry other{12, 10, {TPU_UNIT_WLD, 8191}, 3, 6, false, TPU_WAIT_WQ};
  const path_entry later{far + 20, far + 20, {TPU_UNIT_ACCU, 0}, far + 2, 31, true, TPU_WAIT_CW};
  tpu::core::run_log log;
  log.begin(nullptr);
  log.add(12293, first); // the last of T = 64
  log.add(0, other);
  ASSERT_EQ(log.of(12293).entries().size(), 1U);
  EXPECT_TRUE(equal(log.of(12293).entries()[0], first));
  log.add(12293, later);
  ASSERT_EQ(log.of(12293).entries().size(), 2U);
  EXPECT_TRUE(equal(*log.of(12293).last(), later));
  ASSERT_EQ(log.of(0).entries().size(), 1U);
  EXPECT_TRUE(equal(log.of(0).entries()[0], other));
  EXPECT_TRUE(log.of(1).entries().empty());
  EXPECT_TRUE(log.of(12294).entries().empty());
  log.begin(nullptr);
  EXPECT_TRUE(log.of(12293).entries().empty());
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
