// SPDX-License-Identifier: Apache-2.0
// The order in which units are evaluated, or their modules made and woken, changes nothing a run
// shows: cycles, counters, the hang report, every byte of C, the trace.
#include <memory>

#include "bench.h"
#include "run_record.h"
#include "trace_log.h"

namespace {

constexpr std::uint32_t programs = 200;
constexpr std::uint32_t orders = 5;
constexpr std::uint32_t first_order = 11; // seeds of the shuffles

struct seen {
  std::string record;
  std::vector<std::int8_t> c;
};

// Machines of several widths; the depth is such that some programs hang.
class on_random_programs : public testing::TestWithParam<std::uint32_t> {
protected:
  const tpu_params params_ = random_program::parameters(GetParam(), 4 * GetParam(), 4);
  const tpu::core::timing_profile timing_ = support::profile();

  // run(order, fill) fills its memory, runs in that order, 0 being the usual one, and tells.
  template <class Run> void compare_orders(Run run) {
    int hung = 0;
    for (std::uint32_t seed = 1; seed <= programs / support::thinning; ++seed) {
      random_program::program program = random_program::make(params_, seed);
      const auto fill = [&](std::uint8_t *memory) {
        support::store_program(memory, program.counts, program.words);
        support::store_operands(memory, params_, seed);
      };
      const seen want = run(0, fill);
      hung += want.record.find("deadlock") != std::string::npos ? 1 : 0;
      for (std::uint32_t order = first_order; order < first_order + orders; ++order) {
        const seen got = run(order, fill);
        ASSERT_EQ(got.record, want.record) << "seed " << seed << " order " << order;
        ASSERT_EQ(got.c, want.c) << "seed " << seed << " order " << order;
      }
    }
    EXPECT_GE(hung, 1);
  }
};

TEST_P(on_random_programs, the_ready_list_may_be_shuffled) {
  support::flat_memory memory;
  tpu::core::plain_network net(params_, timing_, {memory, memory, memory}, 1);
  compare_orders([&](std::uint32_t order, const auto &fill) {
    fill(memory.bytes.data());
    net.run(support::addresses, order);
    return seen{support::record(net), support::image_c(params_, memory.bytes.data())};
  });
}

TEST_P(on_random_programs, the_modules_may_be_made_in_any_order) {
  std::vector<std::unique_ptr<bench::bench>> benches;
  std::vector<std::unique_ptr<support::trace_log>> logs;
  std::vector<std::unique_ptr<tpu::core::tracer>> tracers;
  for (std::uint32_t k = 0; k <= orders; ++k) {
    const std::uint32_t order = k == 0 ? 0 : first_order + k - 1;
    benches.push_back(std::make_unique<bench::bench>(
        ("order" + std::to_string(order)).c_str(), params_, timing_, 1, tpu::dram_config{}, order));
    logs.push_back(std::make_unique<support::trace_log>());
    tracers.push_back(
        std::make_unique<tpu::core::tracer>(benches.back()->device, *logs.back(), 100));
  }
  const auto names = [](bench::bench &b) {
    std::string text;
    for (const sc_core::sc_object *child : b.device.get_child_objects()) {
      text += std::string(child->basename()) + " ";
    }
    return text;
  };
  for (std::uint32_t k = 1; k <= orders; ++k) {
    EXPECT_NE(names(*benches[k]), names(*benches[k - 1])); // shuffled indeed
  }
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  for (auto &b : benches) {
    b->set_bases();
  }
  compare_orders([&](std::uint32_t order, const auto &fill) {
    const std::size_t k = order == 0 ? 0 : order - first_order + 1;
    bench::bench &b = *benches[k];
    fill(b.dram.data());
    const std::uint32_t status = b.run();
    return seen{"status " + std::to_string(status) + "\n" + support::record(b.device) +
                    logs[k]->text(),
                support::image_c(params_, b.dram.data())};
  });
}

INSTANTIATE_TEST_SUITE_P(widths, on_random_programs, testing::Values(4U, 8U),
                         testing::PrintToStringParamName());

} // namespace
