// SPDX-License-Identifier: Apache-2.0
#include "judge/config.h"
#include "judge/json.h"

#include "test/judge/testing.h"

#include <cstdlib>
#include <string>
#include <vector>

namespace {

const std::string configs = std::string(TPU_SOURCE_DIR) + "/configs/";

TEST(config, files_of_the_tree_say_what_their_names_say) {
  const struct {
    const char *file;
    uint32_t t, maxdim, qd;
  } cases[] = {{"default", 4, 64, 16},
               {"published", 4, 16, 16},
               {"t8", 8, 64, 16},
               {"t16", 16, 64, 16},
               {"qd8", 4, 64, 8}};
  for (const auto &c : cases) {
    SCOPED_TRACE(c.file);
    tpu_platform_config config;
    tpu_report r = {};
    const std::string path = configs + c.file + ".json";
    ASSERT_TRUE(tpu_config_load(path.c_str(), nullptr, 0, &config, &r)) << r.text;
    EXPECT_EQ(config.params.t, c.t);
    EXPECT_EQ(config.params.maxdim, c.maxdim);
    EXPECT_EQ(config.params.qd, c.qd);
    EXPECT_EQ(config.params.dma_words, 1U);
    EXPECT_EQ(config.params.imem_size, 56U);
    EXPECT_STREQ(config.timing, "hls-2023.2");
  }
}

void expect_equal(const tpu_platform_config &a, const tpu_platform_config &b) {
  EXPECT_EQ(a.params.t, b.params.t);
  EXPECT_EQ(a.params.maxdim, b.params.maxdim);
  EXPECT_EQ(a.params.qd, b.params.qd);
  EXPECT_EQ(a.params.dma_words, b.params.dma_words);
  EXPECT_EQ(a.params.spad_rows, b.params.spad_rows);
  EXPECT_EQ(a.params.nvr, b.params.nvr);
  EXPECT_EQ(a.params.nar, b.params.nar);
  EXPECT_EQ(a.params.imem_size, b.params.imem_size);
  EXPECT_EQ(a.memory.latency_cycles, b.memory.latency_cycles);
  EXPECT_EQ(a.memory.latency_ns, b.memory.latency_ns);
  EXPECT_EQ(a.memory.clock_mhz, b.memory.clock_mhz);
  EXPECT_EQ(a.memory.bytes_per_cycle, b.memory.bytes_per_cycle);
  EXPECT_EQ(a.memory.outstanding, b.memory.outstanding);
  EXPECT_EQ(a.memory.ports, b.memory.ports);
  EXPECT_EQ(a.cpu.load_cycles, b.cpu.load_cycles);
  EXPECT_EQ(a.cpu.mul_cycles, b.cpu.mul_cycles);
  EXPECT_EQ(a.cpu.div_cycles, b.cpu.div_cycles);
  EXPECT_STREQ(a.timing, b.timing);
}

TEST(config, the_default_file_states_the_defaults) {
  tpu_platform_config file;
  tpu_platform_config none;
  tpu_report r = {};
  ASSERT_TRUE(tpu_config_load((configs + "default.json").c_str(), nullptr, 0, &file, &r));
  ASSERT_TRUE(tpu_config_load(nullptr, nullptr, 0, &none, &r)) << r.text;
  expect_equal(file, none);
}

tpu_platform_config written_and_read(const tpu_platform_config &config) {
  tpu_json_writer *w = tpu_json_writer_new();
  tpu_config_put(&config, nullptr, w);
  char *text = tpu_json_writer_text(w, 1);
  EXPECT_NE(text, nullptr);
  const scratch_folder folder;
  const std::string file = folder.write("copy.json", text);
  free(text);
  tpu_json_writer_free(w);
  tpu_platform_config copy;
  tpu_report r = {};
  EXPECT_TRUE(tpu_config_load(file.c_str(), nullptr, 0, &copy, &r)) << r.text;
  return copy;
}

// Every key once, each with a value of its own.
const char *const every_key[] = {"T=8",
                                 "MAXDIM=32",
                                 "QD=7",
                                 "DMA_WORDS=2",
                                 "SPAD_ROWS=129",
                                 "NVR=130",
                                 "NAR=131",
                                 "IMEM_SIZE=64",
                                 "memory.latency_cycles=9",
                                 "memory.bytes_per_cycle=10",
                                 "memory.outstanding=11",
                                 "memory.ports=per_initiator",
                                 "cpu.load_cycles=12",
                                 "cpu.mul_cycles=13",
                                 "cpu.div_cycles=14"};
const size_t every_count = sizeof every_key / sizeof every_key[0];

TEST(config, file_and_assignments_reach_the_same_fields) {
  const scratch_folder folder;
  const std::string file = folder.write(
      "all.json",
      R"({"accelerator": {"T": 8, "MAXDIM": 32, "QD": 7, "DMA_WORDS": 2, "SPAD_ROWS": 129,
          "NVR": 130, "NAR": 131, "IMEM_SIZE": 64},
          "memory": {"latency_cycles": 9, "bytes_per_cycle": 10, "outstanding": 11,
          "ports": "per_initiator"},
          "cpu": {"load_cycles": 12, "mul_cycles": 13, "div_cycles": 14}})");
  const tpu_platform_config expected = {{8, 32, 7, 2, 129, 130, 131, 64},
                                        {9, 0, 0, 10, 11, TPU_PORTS_PER_INITIATOR},
                                        {12, 13, 14},
                                        "hls-2023.2"};
  tpu_platform_config config;
  tpu_report r = {};
  ASSERT_TRUE(tpu_config_load(file.c_str(), nullptr, 0, &config, &r)) << r.text;
  expect_equal(config, expected);
  ASSERT_TRUE(tpu_config_load(nullptr, every_key, every_count, &config, &r)) << r.text;
  expect_equal(config, expected);
  size_t count = 0;
  (void)tpu_config_keys(&count);
  // A key that is not tried here is missing in the list above, but for the latency in ns.
  EXPECT_EQ(count, every_count + 2);
}

TEST(config, a_latency_in_ns_becomes_cycles_of_the_clock) {
  const scratch_folder folder;
  const struct {
    const char *file;
    std::vector<const char *> sets;
    std::uint32_t cycles;
  } cases[] = {
      {R"({"memory": {"latency_ns": 50, "clock_mhz": 300}})", {}, 15},
      {R"({"memory": {"latency_ns": 50, "clock_mhz": 301}})", {}, 16}, // rounded up
      {R"({"memory": {"latency_ns": 1, "clock_mhz": 1}})", {}, 1},
      {R"({"memory": {"latency_ns": 50, "clock_mhz": 300}})", {"memory.clock_mhz=1000"}, 50},
      {R"({"memory": {"latency_ns": 50, "clock_mhz": 300}})", {"memory.latency_cycles=7"}, 7},
      {R"({"memory": {"latency_cycles": 4}})", {"memory.latency_ns=10", "memory.clock_mhz=200"}, 2},
      {R"({"memory": {"latency_cycles": 4}})", {"memory.clock_mhz=200", "memory.latency_ns=10"}, 2},
      {"{}", {"memory.latency_ns=1000000", "memory.clock_mhz=100"}, 100000},
  };
  for (const auto &c : cases) {
    SCOPED_TRACE(c.file);
    const std::string file = folder.write("c.json", c.file);
    tpu_platform_config config;
    tpu_report r = {};
    ASSERT_TRUE(tpu_config_load(file.c_str(), c.sets.data(), c.sets.size(), &config, &r)) << r.text;
    EXPECT_EQ(config.memory.latency_cycles, c.cycles);
    expect_equal(written_and_read(config), config);
  }
}

TEST(config, a_latency_is_given_in_one_way) {
  const std::vector<const char *> cases[] = {
      {"memory.latency_ns=10"},
      {"memory.clock_mhz=10"},
      {"memory.latency_cycles=1", "memory.latency_ns=10", "memory.clock_mhz=10"},
      {"memory.latency_ns=10", "memory.clock_mhz=10", "memory.latency_cycles=1"},
      {"memory.latency_ns=1000000", "memory.clock_mhz=101"},
      {"memory.latency_ns=0", "memory.clock_mhz=101"},
      {"memory.latency_cycles=9", "memory.clock_mhz=101"},
      {"memory.clock_mhz=101", "memory.latency_cycles=9"},
  };
  for (const auto &sets : cases) {
    tpu_platform_config config;
    tpu_report r = {};
    EXPECT_FALSE(tpu_config_load(nullptr, sets.data(), sets.size(), &config, &r)) << sets[0];
    EXPECT_NE(std::string(r.text).find("latency"), std::string::npos) << r.text;
  }
}

TEST(config, a_memory_that_answers_at_once_is_ideal_whatever_else_is_said_of_it) {
  const struct {
    std::vector<const char *> sets;
    const char *refused; // nullptr: ideal
  } cases[] = {
      {{}, nullptr},
      {{"memory.outstanding=4", "memory.ports=per_initiator"}, nullptr},
      {{"memory.latency_ns=50", "memory.clock_mhz=300"},
       "c.json --set memory.latency_ns=50 --set memory.clock_mhz=300: $.memory.latency_cycles is "
       "15; only 0 is allowed: so it is"},
      {{"memory.bytes_per_cycle=8"},
       "c.json --set memory.bytes_per_cycle=8: $.memory.bytes_per_cycle is 8; only 0 is allowed: "
       "so it is"},
  };
  for (const auto &c : cases) {
    tpu_platform_config config;
    tpu_report r = {};
    char source[TPU_CONFIG_SOURCE_BYTES];
    ASSERT_TRUE(tpu_config_load(nullptr, c.sets.data(), c.sets.size(), &config, &r)) << r.text;
    EXPECT_EQ(tpu_memory_is_ideal(&config.memory) != 0, c.refused == nullptr);
    tpu_config_source("c.json", c.sets.data(), c.sets.size(), source);
    EXPECT_EQ(tpu_config_need_ideal(&config, source, "so it is", &r) != 0, c.refused == nullptr);
    if (c.refused != nullptr) {
      EXPECT_STREQ(r.text, c.refused);
    }
  }
}

TEST(config, the_source_of_many_assignments_is_cut) {
  const std::string each = " --set memory.bytes_per_cycle=8";
  const std::vector<const char *> sets(40, "memory.bytes_per_cycle=8");
  char source[TPU_CONFIG_SOURCE_BYTES];
  const std::string text = tpu_config_source(nullptr, sets.data(), sets.size(), source);
  EXPECT_EQ(text.rfind("default configuration" + each + each, 0), 0U);
  EXPECT_EQ(text.substr(text.size() - 4), " ...");
  EXPECT_LT(text.size(), sizeof source);
  EXPECT_GE(text.size() + each.size(), sizeof source); // no other would fit
}

TEST(config, assignments_come_after_the_file_in_their_order) {
  const char *const sets[] = {"QD=9", "T=16", "QD=12"};
  tpu_platform_config config;
  tpu_report r = {};
  ASSERT_TRUE(tpu_config_load((configs + "qd8.json").c_str(), sets, 3, &config, &r)) << r.text;
  EXPECT_EQ(config.params.qd, 12U);
  EXPECT_EQ(config.params.t, 16U);
  EXPECT_EQ(config.params.maxdim, 64U);
  EXPECT_EQ(config.params.spad_rows, 256U); // derived only after all that
}

TEST(config, what_is_written_reads_back) {
  tpu_platform_config config;
  tpu_report r = {};
  ASSERT_TRUE(tpu_config_load(nullptr, every_key, every_count, &config, &r)) << r.text;
  expect_equal(written_and_read(config), config);
}

TEST(config, refuses_files_with_their_place) {
  const struct {
    const char *text, *place, *part;
  } cases[] = {
      {"[]", "$: ", "is a list; must be an object"},
      {"{\"accelerater\": {}}", "$.accelerater", "did you mean accelerator?"},
      {"{\"accelerator\": []}", "$.accelerator", "must be an object"},
      {"{\"accelerator\": {\"t\": 4}}", "$.accelerator.t", "unknown key; allowed: T, MAXDIM"},
      {"{\"accelerator\": {\"T\": 3}}", "$.accelerator.T", "is 3; must be an integer from 4 to 64"},
      {"{\"accelerator\": {\"T\": 65}}", "$.accelerator.T", "is 65"},
      {"{\"accelerator\": {\"T\": \"4\"}}", "$.accelerator.T", "is the string \"4\""},
      {"{\"accelerator\": {\"T\": 4.5}}", "$.accelerator.T", "is 4.5"},
      {"{\"accelerator\": {\"T\": 4, \"T\": 8}}", "$.accelerator.T", "twice"},
      {"{\"accelerator\": {\"MAXDIM\": 66}}", "$.accelerator: ", "MAXDIM is 66"},
      {"{\"accelerator\": {\"MAXDIM\": 92}}", "$.accelerator: ", "MAXDIM is 92"},
      {"{\"accelerator\": {\"MAXDIM\": null}}", "$.accelerator.MAXDIM", "is null"},
      {"{\"accelerator\": {\"QD\": 1}}", "$.accelerator.QD", "from 2 to 1024"},
      {"{\"accelerator\": {\"DMA_WORDS\": 17}}", "$.accelerator: ", "DMA_WORDS is 17"},
      {"{\"accelerator\": {\"SPAD_ROWS\": 0}}", "$.accelerator.SPAD_ROWS", "from 1 to 2048"},
      {"{\"accelerator\": {\"SPAD_ROWS\": 8}}", "$.accelerator: ", "SPAD_ROWS is 8"},
      {"{\"accelerator\": {\"NVR\": 8}}", "$.accelerator: ", "NVR is 8"},
      {"{\"accelerator\": {\"NAR\": 8}}", "$.accelerator: ", "NAR is 8"},
      {"{\"accelerator\": {\"NAR\": 2049}}", "$.accelerator.NAR", "from 1 to 2048"},
      {"{\"accelerator\": {\"IMEM_SIZE\": 57}}", "$.accelerator: ", "IMEM_SIZE is 57"},
      {"{\"accelerator\": {\"IMEM_SIZE\": 8}}", "$.accelerator.IMEM_SIZE", "from 16"},
      {"{\"memory\": {\"outstanding\": 0}}", "$.memory.outstanding", "from 1 to 1024"},
      {"{\"memory\": {\"latency_cycles\": -1}}", "$.memory.latency_cycles", "is -1"},
      {"{\"memory\": {\"ports\": \"Shared\"}}", "$.memory.ports",
       "\"shared\" or \"per_initiator\""},
      {"{\"memory\": {\"latency_ns\": 5}}", "$.memory: ", "latency_ns is given without clock_mhz"},
      {"{\"memory\": {\"clock_mhz\": 5}}", "$.memory: ", "clock_mhz is given without latency_ns"},
      {"{\"memory\": {\"latency_cycles\": 0, \"latency_ns\": 5, \"clock_mhz\": 9}}",
       "$.memory.latency_ns", "one of the two"},
      {"{\"memory\": {\"latency_ns\": 1000000, \"clock_mhz\": 101}}",
       "$.memory: ", "101000 cycles; allowed are up to 100000"},
      {"{\"memory\": {\"latency\": 1}}", "$.memory.latency", "unknown key"},
      {"{\"cpu\": {\"mul_cycles\": 0}}", "$.cpu.mul_cycles", "from 1 to 1000"},
      {"{\"cpu\": {\"ports\": \"shared\"}}", "$.cpu.ports", "unknown key"},
      {"{\"timing\": \"../x\"}", "$.timing", "must name a timing profile"},
      {"{\"timing\": \"\"}", "$.timing", "1 to 47 characters"},
      {"{\"timing\": 1}", "$.timing", "must be a string"},
      {"{\"description\": 1}", "$.description", "must be a string"},
      {"{\"cpu\": {}", "byte 10", "the text ends"},
  };
  const scratch_folder folder;
  for (const auto &c : cases) {
    SCOPED_TRACE(c.text);
    const std::string file = folder.write("c.json", c.text);
    tpu_platform_config config;
    tpu_report r = {};
    EXPECT_FALSE(tpu_config_load(file.c_str(), nullptr, 0, &config, &r));
    expect_report(r, file, c.place, c.part);
  }
}

TEST(config, refuses_assignments) {
  const struct {
    const char *set, *part;
  } cases[] = {
      {"T", "--set T: must be KEY=VALUE"},
      {"", "must be KEY=VALUE"},
      {"=4", "unknown key; allowed: T, MAXDIM, QD"},
      {"t=4", "--set t=4: unknown key"},
      {"MAXDIMM=4", "did you mean MAXDIM?"},
      {"latency_cycles=4", "memory.latency_cycles"},
      {"accelerator.T=4", "unknown key"},
      {"T=3", "--set T: is \"3\"; must be an integer from 4 to 64"},
      {"T=", "is \"\"; must be an integer"},
      {"T=04", "is \"04\""},
      {"T=+4", "is \"+4\""},
      {"T= 4", "is \" 4\""},
      {"T=4.0", "is \"4.0\""},
      {"T=1e1", "is \"1e1\""},
      {"T=0x8", "is \"0x8\""},
      {"QD=-1", "is \"-1\""},
      {"QD=18446744073709551632", "is \"18446744073709551632\""}, // 2^64 + 16
      {"SPAD_ROWS=0", "from 1 to 2048"},
      {"memory.ports=both", "\"shared\" or \"per_initiator\""},
      {"cpu.div_cycles=0", "from 1 to 1000"},
      {"cpu.mul_cycles=1001", "is \"1001\"; must be an integer from 1 to 1000"},
      {"MAXDIM=66", "MAXDIM is 66"},
      {"MAXDIM=92", "MAXDIM is 92"},
      {"T=4\n=", "is \"4?=\""},
  };
  for (const auto &c : cases) {
    SCOPED_TRACE(c.set);
    tpu_platform_config config;
    tpu_report r = {};
    EXPECT_FALSE(tpu_config_load(nullptr, &c.set, 1, &config, &r));
    const std::string text = r.text;
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    EXPECT_TRUE(text.rfind("--set ", 0) == 0 || text.rfind("default configuration --set ", 0) == 0)
        << text;
    EXPECT_NE(text.find(c.part), std::string::npos) << text;
  }
}

TEST(config, a_long_value_is_shown_from_its_begin) {
  const std::string set = "memory.ports=begin" + std::string(200, 'x') + "end";
  const char *assignment = set.c_str();
  tpu_platform_config config;
  tpu_report r = {};
  EXPECT_FALSE(tpu_config_load(nullptr, &assignment, 1, &config, &r));
  const std::string text = r.text;
  EXPECT_NE(text.find("is \"beginxxx"), std::string::npos) << text;
  EXPECT_NE(text.find("xxx...\""), std::string::npos) << text;
}

TEST(config, a_short_profile_name_takes_the_place_of_a_long_one) {
  const scratch_folder folder;
  const std::string file = folder.write("c.json", R"({"timing": "x"})");
  tpu_platform_config config;
  tpu_report r = {};
  ASSERT_TRUE(tpu_config_load(file.c_str(), nullptr, 0, &config, &r)) << r.text;
  EXPECT_STREQ(config.timing, "x");
}

TEST(config, a_refused_file_changes_nothing) {
  const scratch_folder folder;
  const std::string file = folder.write("c.json", R"({"accelerator": {"T": 8, "QD": 0}})");
  tpu_platform_config config = tpu_config_default();
  tpu_report r = {};
  EXPECT_FALSE(tpu_config_read(file.c_str(), &config, &r));
  EXPECT_EQ(config.params.t, 4U);
}

} // namespace
