// SPDX-License-Identifier: Apache-2.0
// Tables of measured programs, and errors against them, by an engine made up for the test.
#include "judge/fidelity.h"

#include "test/judge/testing.h"

#include "test/judge/fake_engine.h"

namespace {

const std::string config = R"({"T": 4, "MAXDIM": 16, "QD": 16})";
const std::string program = R"([["0x0", 0]])"; // a nop

std::string point(const std::string &id, const std::string &cycles,
                  const std::string &completes = "true", const std::string &at = config,
                  const std::string &words = program) {
  return R"({"id": ")" + id + R"(", "config": )" + at + R"(, "cycles": )" + cycles +
         R"(, "completes": )" + completes + R"(, "program": )" + words + "}";
}

std::string cut(std::string text, const std::string &part) {
  const size_t at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return text.erase(at, part.size());
}

TEST(calibration, the_published_table_is_read) {
  tpu_calibration table;
  tpu_report r{};
  ASSERT_EQ(tpu_calibration_read(TPU_SOURCE_DIR "/test/data/rtl_calibration.json", &table, &r), 1)
      << r.text;
  EXPECT_EQ(table.count, 47U);
  size_t hangs = 0;
  for (size_t i = 0; i < table.count; i++) {
    const tpu_measured_point &p = table.point[i];
    EXPECT_EQ(p.completes != 0, p.cycles != 0) << p.id;
    EXPECT_EQ(p.counts.insns, p.program.count) << p.id;
    EXPECT_GT(p.params.imem_size, 0U) << p.id; // resolved
    hangs += p.completes ? 0 : 1;
  }
  EXPECT_EQ(hangs, 4U);
  tpu_calibration_release(&table);
}

TEST(calibration, keys_of_the_accelerator_are_those_of_a_configuration) {
  const scratch_folder folder;
  const std::string file = folder.write(
      "t.json", "[" +
                    point("x", "null", "true",
                          R"({"T": 8, "MAXDIM": 32, "QD": 3, "DMA_WORDS": 2, "NVR": 512})") +
                    "]");
  tpu_calibration table;
  tpu_report r{};
  ASSERT_EQ(tpu_calibration_read(file.c_str(), &table, &r), 1) << r.text;
  const tpu_params &p = table.point[0].params;
  EXPECT_EQ(p.t, 8U);
  EXPECT_EQ(p.maxdim, 32U);
  EXPECT_EQ(p.qd, 3U);
  EXPECT_EQ(p.dma_words, 2U);
  EXPECT_EQ(p.nvr, 512U);
  EXPECT_EQ(table.point[0].cycles, 0U);
  EXPECT_TRUE(table.point[0].completes);
  tpu_calibration_release(&table);
}

TEST(calibration, every_kind_of_bad_table_is_refused_at_its_place) {
  const std::string good = point("x", "100");
  const struct {
    std::string text, place, says;
  } cases[] = {
      {"{}", "$", "list"},
      {"[]", "$", "1"},
      {"[7]", "$[0]", "object"},
      {"[" + good + ",]", "byte", ""},
      {"[" + cut(good, R"("id": "x", )") + "]", "$[0]", "id"},
      {"[" + cut(good, R"("cycles": 100, )") + "]", "$[0]", "cycles"},
      {"[" + cut(good, R"("completes": true, )") + "]", "$[0]", "completes"},
      {"[" + cut(good, R"(, "program": )" + program) + "]", "$[0]", "program"},
      {"[" + cut(good, R"("config": )" + config + ", ") + "]", "$[0]", "config"},
      {"[" + point("x", R"(100, "note": "y")") + "]", "$[0]", "note"},
      {"[" + point("", "100") + "]", "$[0].id", "1"},
      {"[" + point(std::string(101, 'x'), "100") + "]", "$[0].id", "100"},
      {"[" + good + ", " + point("y", "1") + ", " + good + "]", "$[2].id", "allowed once"},
      {"[" + point("x", "0") + "]", "$[0].cycles", "from 1 to 4294967295"},
      {"[" + point("x", "1.5") + "]", "$[0].cycles", "1.5"},
      {"[" + point("x", "\"9\"") + "]", "$[0].cycles", "integer"},
      {"[" + point("x", "100", "false") + "]", "$[0].cycles", "only null is allowed"},
      {"[" + point("x", "100", "1") + "]", "$[0].completes", ""},
      {"[" + point("x", "100", "true", "[]") + "]", "$[0].config", "object"},
      {"[" + point("x", "100", "true", R"({"T": 4, "MAXDIM": 16})") + "]", "$[0].config", "QD"},
      {"[" + point("x", "100", "true", R"({"T": 4, "QD": 16})") + "]", "$[0].config", "MAXDIM"},
      {"[" + point("x", "100", "true", R"({"MAXDIM": 16, "QD": 16})") + "]", "$[0].config", "T"},
      {"[" + point("x", "100", "true", R"({"T": 4, "MAXDIM": 16, "QD": 1})") + "]",
       "$[0].config.QD", "from 2 to 1024"},
      {"[" + point("x", "100", "true", R"({"T": 4, "MAXDIM": 18, "QD": 16})") + "]", "$[0].config",
       "multiple of T=4"},
      {"[" + point("x", "100", "true", R"({"T": 4, "MAXDIM": 16, "QD": 16, "qd": 8})") + "]",
       "$[0].config", "qd"},
      {"[" + point("x", "100", "true", config, "{}") + "]", "$[0].program", "list"},
      {"[" + point("x", "100", "true", config, "[[1]]") + "]", "$[0].program[0]", "2"},
      {"[" + point("x", "100", "true", config, R"([["0x", 0]])") + "]", "$[0].program[0][0]", "0x"},
      {"[" + point("x", "100", "true", config, "[]") + "]", "$[0].program", "prog.empty"},
      {"[" + point("x", "100", "true", config, R"([[8, 0]])") + "]", "$[0].program",
       "breaks a contract"},
  };
  const scratch_folder folder;
  for (const auto &c : cases) {
    const std::string file = folder.write("t.json", c.text);
    tpu_calibration table;
    tpu_report r{};
    EXPECT_EQ(tpu_calibration_read(file.c_str(), &table, &r), 0) << c.text;
    expect_report(r, file, c.place, c.says);
    EXPECT_EQ(table.count, 0U);
  }
  tpu_calibration table;
  tpu_report r{};
  EXPECT_EQ(tpu_calibration_read("/absent.json", &table, &r), 0);
  EXPECT_NE(std::string(r.text).find("/absent.json"), std::string::npos);
}

// A table of these points, run by an engine that takes these cycles; 0: it hangs.
tpu_fidelity measured_against(const std::string &points, const std::vector<uint64_t> &cycles) {
  const scratch_folder folder;
  const std::string file = folder.write("t.json", "[" + points + "]");
  tpu_calibration table;
  tpu_report r{};
  tpu_fidelity f{};
  size_t next = 0;
  const fake_engine engine([&](const tpu_engine_request &) {
    const uint64_t c = cycles[next++];
    return fake_engine::end{c != 0 ? TPU_ENGINE_COMPLETED : TPU_ENGINE_DEADLOCK, c != 0 ? c : 77};
  });
  EXPECT_EQ(tpu_calibration_read(file.c_str(), &table, &r), 1) << r.text;
  EXPECT_EQ(tpu_fidelity_run(engine.table(), &table, &f, &r), 1) << r.text;
  tpu_calibration_release(&table);
  return f;
}

TEST(fidelity, errors_are_of_the_measured_and_their_mean_is_of_absolutes) {
  tpu_fidelity f = measured_against(
      point("a", "100") + "," + point("b", "200") + "," + point("c", "400"), {101, 194, 400});
  EXPECT_EQ(f.point[0].error, 1);
  EXPECT_DOUBLE_EQ(f.point[0].error_pct, 1.0);
  EXPECT_EQ(f.point[1].error, -6);
  EXPECT_DOUBLE_EQ(f.point[1].error_pct, -3.0);
  EXPECT_EQ(f.compared, 3U);
  EXPECT_DOUBLE_EQ(f.mean, 4.0 / 3);
  EXPECT_DOUBLE_EQ(f.worst, 3.0);
  EXPECT_EQ(f.worst_point, 1U);
  EXPECT_EQ(f.wrong, 0U);
  tpu_fidelity_release(&f);
}

TEST(fidelity, errors_are_exact_however_large) {
  tpu_fidelity f = measured_against(point("a", "1"), {16777218});
  EXPECT_EQ(f.point[0].error, 16777217); // no float holds it
  EXPECT_EQ(f.point[0].error_pct, 1677721700.0);
  tpu_fidelity_release(&f);
}

TEST(fidelity, completions_count_where_cycles_are_unknown) {
  tpu_fidelity f =
      measured_against(point("hangs", "null", "false") + "," + point("hangs too", "null", "false") +
                           "," + point("completes", "null") + "," + point("completes too", "null") +
                           "," + point("e", "100"),
                       {0, 300, 300, 0, 0});
  EXPECT_EQ(f.compared, 0U);
  EXPECT_EQ(f.mean, 0);
  EXPECT_EQ(f.wrong, 3U); // the second, the fourth and the last
  for (size_t i = 0; i < f.count; i++)
    EXPECT_FALSE(f.point[i].compared);
  EXPECT_TRUE(f.point[1].completed && f.point[2].completed);
  tpu_fidelity_release(&f);
}

// A fault says nothing about the program, so it is neither a hang nor a completion.
TEST(fidelity, a_fault_of_the_engine_is_no_hang) {
  const scratch_folder folder;
  const std::string file =
      folder.write("t.json", "[" + point("a", "100") + "," + point("b", "null", "false") + "]");
  tpu_calibration table;
  tpu_report r{};
  ASSERT_EQ(tpu_calibration_read(file.c_str(), &table, &r), 1) << r.text;
  fake_engine engine([&engine](const tpu_engine_request &) {
    return fake_engine::end{engine.runs() == 0 ? TPU_ENGINE_COMPLETED : TPU_ENGINE_FAULT, 100};
  });
  tpu_fidelity f;
  EXPECT_EQ(tpu_fidelity_run(engine.table(), &table, &f, &r), 0);
  EXPECT_STREQ(r.text, "b: the run ended in a fault: made up");
  tpu_calibration_release(&table);
}

TEST(fidelity, reports_an_engine_that_cannot_run) {
  const scratch_folder folder;
  const std::string file =
      folder.write("t.json", "[" + point("a", "100") + "," + point("b", "100") + "]");
  tpu_calibration table;
  tpu_report r{};
  ASSERT_EQ(tpu_calibration_read(file.c_str(), &table, &r), 1) << r.text;
  fake_engine engine([](const tpu_engine_request &) {
    return fake_engine::end{TPU_ENGINE_COMPLETED, 100};
  });
  engine.fail_from(1);
  tpu_fidelity f;
  EXPECT_EQ(tpu_fidelity_run(engine.table(), &table, &f, &r), 0);
  EXPECT_STREQ(r.text, "no engine left");
  tpu_calibration_release(&table);
}

} // namespace
