/* SPDX-License-Identifier: Apache-2.0 */
// Windows of counters, from segments that are made up.
#include "platform/trace/windows.h"

#include <cstdlib>
#include <fstream>
#include <map>
#include <random>
#include <sstream>

#include <gtest/gtest.h>
#include <unistd.h>

namespace {

using tpu::core::cycle;
using tpu::core::trace_segment;
using tpu::core::trace_shape;
using tpu::core::unit_state;

constexpr std::uint32_t pe_fill = 3;

trace_shape shape_of_three() {
  trace_shape shape;
  shape.t = 4;
  shape.processes = {{{TPU_UNIT_SEQUENCER, 0}, "sequencer", 0},
                     {{TPU_UNIT_PE, 0}, "pe[0][0]", pe_fill},
                     {{TPU_UNIT_PE, 1}, "pe[0][1]", pe_fill}};
  return shape;
}

trace_segment segment(cycle from, cycle to, unit_state state, std::uint32_t process,
                      std::int64_t step = 0) {
  return {from, to, step, 0, 0, process, state, 0};
}

struct report_and_file {
  tpu_report report{};
  char path[32] = "/tmp/tpuvp-windows-XXXXXX";
  report_and_file() { (void)close(mkstemp(path)); }
  ~report_and_file() { (void)unlink(path); }
};

} // namespace

TEST(Windows, AWaitOfAnyLengthTakesNoMemoryForIt) {
  tpu::trace::window_writer windows(1);
  windows.begin(shape_of_three());
  windows.segment(segment(0, cycle{1} << 50, unit_state::starved, 0));
  windows.segment(segment(0, cycle{1} << 50, unit_state::busy, 1));
}

TEST(Windows, EachCycleCountsInTheWindowItLiesIn) {
  for (const cycle length : {1, 3, 10, 1000}) {
    std::mt19937 random(static_cast<unsigned>(length));
    const trace_shape shape = shape_of_three();
    constexpr cycle elapsed = 200;
    std::vector<trace_segment> segments;
    std::map<std::pair<cycle, std::uint32_t>, std::array<cycle, 5>> due; // ..., idle, macs
    for (std::uint32_t p = 0; p < shape.processes.size(); ++p) {
      const std::uint32_t unit = shape.processes[p].id.unit;
      std::int64_t step = 0;
      for (cycle at = 0; at < elapsed;) {
        const auto state = static_cast<unit_state>(random() % 4);
        const cycle to = std::min<cycle>(at + 1 + static_cast<cycle>(random() % 40), elapsed);
        segments.push_back(segment(at, to, state, p, step));
        for (; at < to; ++at) {
          auto &count = due[{at / length * length, unit}];
          ++count[state == unit_state::busy      ? 0
                  : state == unit_state::starved ? 1
                  : state == unit_state::blocked ? 2
                                                 : 3];
          if (state == unit_state::busy && step++ >= pe_fill && unit == TPU_UNIT_PE)
            ++count[4];
        }
      }
    }
    std::stable_sort(segments.begin(), segments.end(),
                     [](const auto &a, const auto &b) { return a.from < b.from; });
    report_and_file out;
    tpu::trace::window_writer windows(length);
    ASSERT_TRUE(windows.open(out.path, &out.report));
    windows.begin(shape);
    for (const trace_segment &s : segments)
      windows.segment(s);
    windows.end(elapsed);
    ASSERT_TRUE(windows.close(&out.report));

    std::ifstream file(out.path);
    std::string line;
    std::getline(file, line);
    std::size_t found = 0;
    while (std::getline(file, line)) {
      std::istringstream words(line);
      std::vector<std::string> word;
      for (std::string w; std::getline(words, w, ',');)
        word.push_back(w);
      ASSERT_EQ(word.size(), 8u) << line;
      const std::uint32_t unit = word[2] == "sequencer" ? TPU_UNIT_SEQUENCER
                                 : word[2] == "pe"      ? TPU_UNIT_PE
                                                        : TPU_UNIT_COUNT;
      if (unit == TPU_UNIT_COUNT)
        continue;
      const cycle from = std::stoll(word[0]);
      EXPECT_EQ(std::stoll(word[1]), std::min(from + length, elapsed));
      const std::array<cycle, 5> &count = due[{from, unit}];
      for (std::size_t i = 0; i < count.size(); ++i)
        EXPECT_EQ(std::stoll(word[3 + i]), count[i]) << line;
      ++found;
    }
    EXPECT_EQ(found, due.size());
  }
}
