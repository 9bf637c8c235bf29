// SPDX-License-Identifier: Apache-2.0
// Timing profiles: each constant's range, and stages that lie in their pipelines.
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "platform/timing_file.h"

namespace {

struct constant {
  const char *key;
  int lowest, highest;
};

const constant constants[] = {
#define CONSTANT(key, lo, hi) {#key, lo, hi},
    TPU_TIMING_CONSTANTS(CONSTANT)
#undef CONSTANT
};

std::string shipped() {
  std::ifstream file(TPU_SOURCE_DIR "/configs/timing/hls-2023.2.json");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// The profile with the value of a constant replaced.
std::string with(const std::string &key, long value) {
  std::string text = shipped();
  const std::size_t at = text.find('"' + key + '"');
  const std::size_t from = text.find("\"value\": ", at) + 9;
  const std::size_t to = text.find(',', from);
  return text.replace(from, to - from, std::to_string(value));
}

// "" when it is accepted, else the report.
std::string read(const std::string &text) {
  // Tests run side by side, each a process: a file each.
  const auto *test = testing::UnitTest::GetInstance()->current_test_info();
  const std::string path =
      testing::TempDir() + "timing_" + test->name() + "_" + std::to_string(getpid()) + ".json";
  std::ofstream(path) << text;
  tpu::core::timing_profile profile;
  tpu_report r{};
  const bool good = tpu::read_timing_profile(path.c_str(), profile, &r) != 0;
  std::remove(path.c_str());
  return good ? "" : r.text;
}

TEST(timing_file, accepts_the_profile_that_ships) { EXPECT_EQ(read(shipped()), ""); }

TEST(timing_file, holds_each_constant_to_its_range) {
  for (const constant &c : constants) {
    for (const long value : {c.lowest - 1L, c.highest + 1L}) {
      const std::string report = read(with(c.key, value));
      EXPECT_NE(report.find(std::string("$.constants.") + c.key + ".value"), std::string::npos)
          << c.key << " " << value << ": " << report;
      EXPECT_NE(report.find(std::to_string(c.highest)), std::string::npos) << report;
    }
  }
}

TEST(timing_file, holds_stages_to_their_pipelines) {
  const struct {
    const char *key;
    int value;
    const char *other;
  } cases[] = {{"load_put_stage", 6, "load_stages"},
               {"scratchpad_put_stage", 6, "scratchpad_stages"},
               {"scratchpad_get_stage", 6, "scratchpad_put_stage"},
               {"vector_put_stage", 5, "vector_stages"},
               {"vector_get_stage", 5, "vector_put_stage"},
               {"pe_forward_stage", 3, "pe_top_stages"},
               {"pe_top_stages", 6, "pe_stages"},
               {"pe_collect_stage", 5, "pe_stages"},
               {"accumulator_put_stage", 5, "accumulator_stages"},
               {"accumulator_get_stage", 5, "accumulator_put_stage"},
               {"store_request_stage", 10, "store_stages"},
               {"store_get_stage", 9, "store_request_stage"}};
  for (const auto &c : cases) {
    const std::string report = read(with(c.key, c.value));
    EXPECT_NE(report.find(std::string("$.constants.") + c.key + ".value: is " +
                          std::to_string(c.value) + "; allowed with this " + c.other),
              std::string::npos)
        << report;
  }
}

TEST(timing_file, refuses_a_missing_or_unknown_constant) {
  std::string text = shipped();
  text.replace(text.find("fetch_interval"), 14, "fetch_intervam");
  EXPECT_NE(read(text).find("fetch_intervam"), std::string::npos) << read(text);
  EXPECT_NE(read("{\"description\": \"d\", \"constants\": {}}").find("start_cycles"),
            std::string::npos);
}

} // namespace
