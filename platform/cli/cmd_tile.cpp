/* SPDX-License-Identifier: Apache-2.0 */
// tpuvp tile: a GEMM of any size, cut into tiles that the firmware schedules.
#include "judge/image_file.h"
#include "judge/number.h"
#include "platform/cli/commands.h"
#include "platform/cli/engine_result.h"
#include "platform/cli/output.h"
#include "platform/cli/tile_report.h"
#include "platform/cli/trap_text.h"

#include <cstring>
#include <new>
#include <utility>

namespace tpu::cli {

namespace {

// The cycles of all runs as the model counts them, beside what the core reads.
class cycle_sum {
public:
  explicit cycle_sum(platform &machine) : machine_(machine) {
    machine.registers().on_start([this] { add_last(); });
  }
  cycle_sum(const cycle_sum &) = delete;
  cycle_sum &operator=(const cycle_sum &) = delete;
  ~cycle_sum() { machine_.registers().on_start({}); }

  // Of the runs that completed, the last one too once all are over.
  std::uint64_t total() {
    add_last();
    return sum_;
  }

private:
  void add_last() {
    if (machine_.device().result() == core::outcome::completed)
      sum_ += static_cast<std::uint64_t>(machine_.device().elapsed());
  }

  platform &machine_;
  std::uint64_t sum_ = 0;
};

// What the application left in memory, as long as all of it adds up; else why not.
std::string read_result(session &s, tile_view &v, std::uint64_t counted, tpu_tile_result &result) {
  platform &machine = s.machine();
  if (v.status.end != run_end::finished) {
    return v.status.text + (v.status.end == run_end::trapped      ? disassembly(machine.trap())
                            : v.status.end == run_end::over_limit ? "; --limit allows more"
                                                                  : "");
  }
  std::memcpy(&result, machine.memory(TPU_RESULT_BASE, sizeof result), sizeof result);
  const bool whole = result.magic == TPU_TILE_RESULT_MAGIC && result.version == TPU_TILE_VERSION &&
                     result.bytes == sizeof result && result.programs <= TPU_TILE_MAX_PROGRAMS;
  if (!whole) {
    result = tpu_tile_result{};
    return "the application ended before it reported";
  }
  result.line[sizeof result.line - 1] = '\0';
  std::uint64_t read = 0;
  for (std::uint32_t i = 0; i < result.programs; ++i)
    read += result.program[i].cycles;
  if (read != counted)
    return "the core read " + std::to_string(read) + " accelerator cycles, the model counted " +
           std::to_string(counted);
  return v.memory.broken.empty() ? "" : v.memory.broken + " do not add up";
}

void judge(session &s, const tpu_tile_job &job, std::uint64_t counted, tile_view &v,
           tpu_tile_result &result, tpu_tile_verdict &verdict) {
  platform &machine = s.machine();
  const std::string abnormal = read_result(s, v, counted, result);
  tpu_tile_outcome outcome{};
  outcome.abnormal = abnormal.empty() ? nullptr : abnormal.c_str();
  outcome.result = abnormal.empty() ? &result : nullptr;
  outcome.payload = machine.memory(TPU_PAYLOAD_BASE, job.at.total_bytes);
  for (std::uint32_t i = 0; i < result.programs; ++i)
    outcome.program[i] = machine.memory(result.program[i].address,
                                        TPU_HEADER_WORDS * sizeof(std::uint64_t) +
                                            result.program[i].instructions * sizeof(tpu_word));
  if (machine.device().result() == core::outcome::deadlock) {
    v.deadlock = std::make_unique<const hang>(machine.device());
    outcome.hang = v.deadlock->view().sentence;
  }
  tpu_tile_judge(&job, &outcome, &verdict);
}

int run(session &s, const tpu_tile_job &job, const tpu_application &application,
        std::uint64_t limit, tile_view &v, tpu_tile_result &result, tpu_tile_verdict &verdict,
        tpu_report *r) {
  platform &machine = s.machine();
  if (machine.load(application.path, reinterpret_cast<const std::uint8_t *>(application.bytes),
                   application.size, r) == 0)
    return 0;
  machine.record_path(false);
  std::memcpy(machine.memory(TPU_PAYLOAD_BASE, job.at.total_bytes), job.payload,
              job.at.total_bytes);
  try {
    cycle_sum counted(machine);
    v.ran = true;
    v.status = machine.run(limit);
    v.memory = machine.memory_use();
    v.console = machine.console_text();
    judge(s, job, counted.total(), v, result, verdict);
  } catch (const std::bad_alloc &) {
    return out_of_memory(s.config().params, r);
  }
  // Only the core knows how much room its image leaves.
  return result.outcome == TPU_OUTCOME_REFUSED
             ? tpu_report_fail(r, TPU_ERR_CAPACITY, "%s", result.line)
             : 1;
}

int tell(const tpu_args *args, const tile_view &v, tpu_report *r) {
  if (tpu_args_have(args, TPU_OPTION_JSON) == 0) {
    print_tile(v);
    return 1;
  }
  tpu_json_writer *w = tpu_document_new(r);
  if (w == nullptr)
    return 0;
  put_tile(v, w);
  return tpu_print_json(w, r);
}

int run_and_tell(const tpu_args *args, const run_options &o, const tpu_tile_job &job,
                 tpu_report *r) {
  tpu_application application{};
  tpu_tile_result result{};
  tpu_tile_verdict verdict{};
  tile_view v;
  v.job = &job;
  v.verdict = &verdict;
  v.result = &result;
  v.with_programs = tpu_args_have(args, TPU_OPTION_PRINT_PROGRAM) != 0;
  const auto s = session::open(o.config, o.config_path, o.seed, nullptr, r);
  if (s == nullptr)
    return TPU_EXIT_USAGE;
  if (tpu_tile_is_legal(&job) != 0) {
    if (tpu_application_read(args, TPU_APPLICATION_TILE, &application, r) == 0)
      return TPU_EXIT_USAGE;
    const int good = run(*s, job, application, o.limit, v, result, verdict, r);
    tpu_application_release(&application);
    if (good == 0)
      return TPU_EXIT_USAGE;
  } else {
    tpu_tile_judge(&job, nullptr, &verdict);
  }
  const char *out = args->value[TPU_OPTION_OUT];
  if (out != nullptr && verdict.compared != 0 &&
      tpu_file_write(out, s->machine().memory(TPU_PAYLOAD_BASE + job.at.c.offset, job.at.c.bytes),
                     job.at.c.bytes, r) == 0)
    return TPU_EXIT_USAGE;
  if (tell(args, v, r) == 0)
    return TPU_EXIT_USAGE;
  return verdict.verdict == TPU_VERDICT_EXACT ? TPU_EXIT_OK : TPU_EXIT_VERDICT;
}

int read_size(const tpu_args *args, unsigned number, const char *name, std::uint32_t &size,
              tpu_report *r) {
  std::uint64_t value = 0;
  char shown[64];
  if (args->operands <= number)
    return tpu_report_fail(r, TPU_ERR_SYNTAX, "'tile' needs M K N: %s is missing", name);
  const char *word = args->operand[number];
  if (tpu_number_decimal(word, std::strlen(word), nullptr, &value) != TPU_NUMBER_OK || value == 0 ||
      value > TPU_TILE_MAX_SIZE)
    return tpu_report_fail(r, TPU_ERR_RANGE, "%s is '%s': an integer 1..%u is due", name,
                           tpu_shorten(word, 0, shown, sizeof shown),
                           static_cast<unsigned>(TPU_TILE_MAX_SIZE));
  size = static_cast<std::uint32_t>(value);
  return 1;
}

} // namespace

} // namespace tpu::cli

int tpu_command_tile(const struct tpu_args *args, struct tpu_report *r) {
  using namespace tpu::cli;
  run_options o;
  tpu_tile_request request{};
  tpu_tile_job job;
  if (read_size(args, 0, "M", request.m, r) == 0 || read_size(args, 1, "K", request.k, r) == 0 ||
      read_size(args, 2, "N", request.n, r) == 0 || read_run_options(args, o, r) == 0)
    return TPU_EXIT_USAGE;
  request.config = &o.config;
  request.seed = o.seed;
  request.path[0] = args->value[TPU_OPTION_A];
  request.path[1] = args->value[TPU_OPTION_B];
  if (tpu_tile_prepare(&job, &request, r) == 0)
    return TPU_EXIT_USAGE;
  const int code = run_and_tell(args, o, job, r);
  tpu_tile_release(&job);
  return code;
}
