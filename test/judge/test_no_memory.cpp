// SPDX-License-Identifier: Apache-2.0
// Each allocation of the judge fails in turn: that is told in one line, nothing is left behind, and
// the next try, with memory, succeeds.
#include "judge/calibration.h"
#include "judge/corpus.h"
#include "judge/depth.h"
#include "judge/fidelity.h"
#include "judge/json_write.h"
#include "judge/junit.h"
#include "judge/kpn.h"
#include "judge/legal.h"
#include "judge/operands.h"
#include "judge/program_file.h"
#include "judge/reference.h"
#include "judge/rule_cases.h"

#include "fake_engine.h"
#include "spec_texts.h"
#include "test/isa/support.hpp"
#include "test/isa/workload_support.hpp"
#include "testing.h"

#include <cjson/cJSON.h>

#include <cstdlib>
#include <functional>

namespace {
long left = -1; // allocations that still succeed; negative: all
long held = 0;  // blocks that were not freed

bool fails() { return left >= 0 && left-- == 0; }

void *counted(void *block) {
  held += block != nullptr ? 1 : 0;
  return block;
}
} // namespace

// The linker puts these in the place of the functions that they are named after.
// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming)
extern "C" {
void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *old, size_t bytes);
void __real_free(void *block);
// Of nothing there is nothing, as in some libraries.
void *__wrap_malloc(size_t bytes) {
  return bytes == 0 || fails() ? nullptr : counted(__real_malloc(bytes));
}
void *__wrap_calloc(size_t count, size_t bytes) {
  return fails() ? nullptr : counted(__real_calloc(count, bytes));
}
void *__wrap_realloc(void *old, size_t bytes) {
  if (fails())
    return nullptr;
  void *block = __real_realloc(old, bytes);
  return old == nullptr ? counted(block) : block;
}
void __wrap_free(void *block) {
  held -= block != nullptr ? 1 : 0;
  __real_free(block);
}
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming)

namespace {

// One try: success, or not with a report where there is one.
using attempt = std::function<bool(tpu_report &)>;

// Returns how many allocations there are.
long fail_each(const attempt &run, bool reports = true) {
  for (long n = 0;; ++n) {
    tpu_report r{};
    const long before = held;
    left = n;
    const bool ok = run(r);
    const bool failed = left < 0;
    left = -1;
    EXPECT_EQ(held, before) << "left behind, where allocation " << n << " failed or none";
    if (!failed) {
      EXPECT_TRUE(ok) << r.text;
      return n;
    }
    EXPECT_FALSE(ok) << "allocation " << n << " failed";
    if (reports) {
      EXPECT_NE(r.code, TPU_OK);
      EXPECT_NE(std::string(r.text).find("out of memory"), std::string::npos)
          << "allocation " << n << " failed: " << r.text;
    }
  }
}

class no_memory : public testing::Test {
protected:
  no_memory() {
    // The parser's library is shared: it calls what it is given here.
    cJSON_Hooks hooks{[](size_t bytes) { return std::malloc(bytes); },
                      [](void *p) { std::free(p); }};
    cJSON_InitHooks(&hooks);
  }
  no_memory(const no_memory &) = delete;
  no_memory &operator=(const no_memory &) = delete;
  ~no_memory() override { cJSON_InitHooks(nullptr); }

  std::string table() const {
    return folder_.write("table.json", R"([{"id": "x", "config": {"T": 4, "MAXDIM": 64, "QD": 8},
      "cycles": 9, "completes": true, "program": [["0x0", 0]]}])");
  }

  const scratch_folder folder_;
  const tpu_params p_ = tpu_test::params_of(4, 64);
};

TEST_F(no_memory, to_read_a_spec_or_a_folder_of_them) {
  const std::string file = folder_.write("01_case_x.json", valid_spec());
  EXPECT_GT(fail_each([&](tpu_report &r) {
              tpu_spec spec;
              const bool ok = tpu_spec_read(file.c_str(), &spec, &r) != 0;
              tpu_spec_release(&spec);
              return ok;
            }),
            50);
  fail_each([&](tpu_report &r) {
    tpu_corpus corpus;
    const bool ok = tpu_corpus_read(folder_.path().c_str(), &corpus, &r) != 0;
    tpu_corpus_release(&corpus);
    return ok;
  });
  fail_each([&](tpu_report &r) {
    tpu_spec spec;
    const bool ok = tpu_corpus_find(folder_.path().c_str(), "case_x", &spec, &r) != 0;
    tpu_spec_release(&spec);
    return ok;
  });
}

TEST_F(no_memory, to_read_a_table_of_measurements) {
  fail_each([file = table()](tpu_report &r) {
    tpu_calibration table;
    const bool ok = tpu_calibration_read(file.c_str(), &table, &r) != 0;
    if (ok)
      tpu_calibration_release(&table);
    return ok;
  });
}

TEST_F(no_memory, is_not_said_of_a_program_without_instructions) {
  const std::string file = folder_.write(
      "table.json", R"([{"id": "x", "config": {"T": 4, "MAXDIM": 64, "QD": 8}, "cycles": 9,
      "completes": true, "program": []}])");
  tpu_calibration table;
  tpu_report r{};
  EXPECT_EQ(tpu_calibration_read(file.c_str(), &table, &r), 0);
  EXPECT_EQ(std::string(r.text).find("memory"), std::string::npos) << r.text;
  const tpu_program program{};
  const tpu_legal_request request{&p_, &program, nullptr, nullptr};
  tpu_legality legality;
  ASSERT_EQ(tpu_legal(&request, &legality, &r), 1) << r.text;
  EXPECT_EQ(legality.violation.rule, TPU_RULE_PROG_EMPTY);
  tpu_legality_release(&legality);
}

TEST_F(no_memory, to_read_and_to_write_a_program) {
  tpu_program program{};
  const std::string file = folder_.write("p.json", R"([["0x0", 0], [1, 2]])");
  fail_each([&](tpu_report &r) {
    const bool ok = tpu_program_read(file.c_str(), &program, &r) != 0;
    EXPECT_TRUE(ok || program.words == nullptr);
    if (ok)
      tpu_program_release(&program);
    return ok;
  });
  tpu_report read{};
  ASSERT_EQ(tpu_program_read(file.c_str(), &program, &read), 1) << read.text;
  const std::string out = folder_.path() + "/out.json";
  EXPECT_EQ(fail_each([&](tpu_report &r) {
              return tpu_program_write(out.c_str(), &program, TPU_WORDS_HEX, &r) != 0;
            }),
            1);
  tpu_program_release(&program);
}

TEST_F(no_memory, to_judge_a_program_or_to_run_its_network) {
  using namespace tpu_test;
  insns tile = {dma(2, 0, 0, 0, 4), dma(1, 0, 0, 0, 4), mm(0, 0, 0, 0, 4), mvout(0, 0, 0, 4)};
  std::vector<tpu_word> words = encoded(tile);
  const tpu_program program{words.data(), 4, 4};
  const tpu_workload w = tpu_test::gemm_of(4, 4, 4);
  const tpu_legal_request request{&p_, &program, nullptr, &w};
  EXPECT_GT(fail_each([&](tpu_report &r) {
              tpu_legality legality;
              const bool ok = tpu_legal(&request, &legality, &r) != 0;
              if (ok)
                tpu_legality_release(&legality);
              return ok;
            }),
            7);
  fail_each([](tpu_report &r) {
    tpu_rule_result result;
    return tpu_rule_case_run(0, &result, &r) != 0;
  });
}

TEST_F(no_memory, to_draw_operands_or_for_the_reference) {
  const std::string file = folder_.write("case_x.json", valid_spec());
  tpu_spec spec;
  tpu_report read{};
  ASSERT_EQ(tpu_spec_read(file.c_str(), &spec, &read), 1) << read.text;
  EXPECT_EQ(fail_each(
                [&](tpu_report &) {
                  tpu_operand_set set;
                  const bool ok = tpu_operands_draw(&spec, TPU_DISTRIBUTION_FULL, 1, &set) != 0;
                  if (ok)
                    tpu_operands_release(&set);
                  return ok;
                },
                false),
            2);
  tpu_spec_release(&spec);
  EXPECT_EQ(fail_each([&](tpu_report &r) {
              tpu_reference reference;
              const bool ok = tpu_reference_open(&p_, 1, &reference, &r) != 0;
              if (ok)
                tpu_reference_close(&reference);
              return ok;
            }),
            4);
}

TEST_F(no_memory, for_runs_at_every_depth_or_of_every_point) {
  fake_engine engine([](const tpu_engine_request &) {
    return fake_engine::end{TPU_ENGINE_COMPLETED, 9};
  });
  const tpu_program program{};
  const tpu_counts counts{};
  const tpu_engine_request request{&p_, &program, &counts, {}, 0, 0};
  EXPECT_EQ(fail_each([&](tpu_report &r) {
              tpu_depth depth;
              const bool ok = tpu_depth_search(engine.table(), &request, &depth, &r) != 0;
              if (ok)
                tpu_depth_release(engine.table(), &depth);
              return ok;
            }),
            1);
  tpu_calibration calibration;
  tpu_report read{};
  ASSERT_EQ(tpu_calibration_read(table().c_str(), &calibration, &read), 1) << read.text;
  EXPECT_EQ(fail_each([&](tpu_report &r) {
              tpu_fidelity fidelity;
              const bool ok = tpu_fidelity_run(engine.table(), &calibration, &fidelity, &r) != 0;
              if (ok)
                tpu_fidelity_release(&fidelity);
              return ok;
            }),
            1);
  tpu_calibration_release(&calibration);
}

TEST_F(no_memory, to_print_json_or_junit) {
  const auto print = [&](tpu_report &) {
    tpu_json_writer *w = tpu_json_writer_new();
    if (w == nullptr)
      return false;
    tpu_json_begin_object(w, nullptr);
    tpu_json_begin_array(w, "list");
    tpu_json_put_u64(w, nullptr, UINT64_MAX);
    tpu_json_put_string(w, nullptr, "text");
    tpu_json_put_double(w, nullptr, 0.5);
    tpu_json_put_bool(w, nullptr, 1);
    tpu_json_put_null(w, nullptr);
    tpu_json_end(w);
    tpu_json_end(w);
    char *text = tpu_json_writer_text(w, 1);
    std::free(text);
    tpu_json_writer_free(w);
    return text != nullptr;
  };
  EXPECT_GT(fail_each(print, false), 12);
  const std::string out = folder_.path() + "/junit.xml";
  fail_each([&](tpu_report &r) {
    tpu_junit *junit = tpu_junit_new("suite");
    if (junit == nullptr)
      return tpu_report_fail(&r, TPU_ERR_CAPACITY, "out of memory") != 0;
    tpu_junit_add(junit, "a", TPU_VERDICT_WRONG, "why", std::string(3000, 'x').c_str());
    const bool ok = tpu_junit_write(junit, out.c_str(), &r) != 0;
    tpu_junit_free(junit);
    return ok;
  });
}

} // namespace
