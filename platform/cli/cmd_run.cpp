/* SPDX-License-Identifier: Apache-2.0 */
// tpuvp run: a workload, a program, or an ELF image, on the platform.
#include "judge/image_file.h"
#include "platform/cli/commands.h"
#include "platform/cli/counters_csv.h"
#include "platform/cli/output.h"
#include "platform/cli/prepare.h"
#include "platform/cli/report.h"
#include "platform/elf.h"

#include <cstdlib>
#include <cstring>
#include <iostream>

namespace tpu::cli {

namespace {

constexpr std::size_t max_image_bytes = std::size_t{64} << 20;

bool has(const tpu_args *args, tpu_option option) { return tpu_args_have(args, option) != 0; }

int write_csv(const tpu_args *args, const run_view &v, tpu_report *r) {
  const char *path = args->value[TPU_OPTION_CSV];
  const device_account &device = v.report->device;
  if (path == nullptr)
    return 1;
  if (device.units.empty())
    return tpu_report_fail(r, TPU_ERR_USE,
                           "%s: the accelerator was not started, so there are no counters to write",
                           path);
  const std::string text = counters_csv(device.units);
  return tpu_file_write(path, text.data(), text.size(), r);
}

int tell(const tpu_args *args, const run_view &v, tpu_report *r) {
  if (write_csv(args, v, r) == 0)
    return 0;
  if (!has(args, TPU_OPTION_JSON)) {
    print_run(v);
    return 1;
  }
  tpu_json_writer *w = tpu_document_new(r);
  if (w == nullptr)
    return 0;
  put_run(v, nullptr, w);
  return tpu_print_json(w, r);
}

// The lines of a guest of its own: on stdout as they come, unless that is to hold one JSON
// document. A job's one line is told with its report.
std::ostream *console_of(const tpu_args *args, bool image) {
  return image && !has(args, TPU_OPTION_JSON) ? &std::cout : nullptr;
}

// --- an image that brings its own everything ---------------------------------------------------

bool names_an_image(const char *word) {
  const std::size_t length = std::strlen(word);
  char *bytes = nullptr;
  std::size_t size = 0;
  tpu_report ignored{};
  if (length > 4 && std::strcmp(word + length - 4, ".elf") == 0)
    return true;
  if (tpu_read_file(word, max_image_bytes, &bytes, &size, &ignored) == 0)
    return false;
  const bool elf = tpu_elf_is_elf(reinterpret_cast<const std::uint8_t *>(bytes), size) != 0;
  std::free(bytes);
  return elf;
}

int run_image(const tpu_args *args, const char *path, session &s, std::uint64_t limit,
              tpu_report *r) {
  char *bytes = nullptr;
  std::size_t size = 0;
  if (tpu_read_file(path, max_image_bytes, &bytes, &size, r) == 0)
    return TPU_EXIT_USAGE;
  std::memset(s.machine().memory(TPU_RESULT_BASE, TPU_RESULT_SIZE), 0, TPU_RESULT_SIZE);
  const int loaded = s.machine().load(path, reinterpret_cast<const std::uint8_t *>(bytes), size, r);
  std::free(bytes);
  if (loaded == 0)
    return TPU_EXIT_USAGE;
  job_report report;
  image_verdict verdict;
  if (s.run_image(limit, report, verdict, r) == 0)
    return TPU_EXIT_USAGE;
  run_view v;
  v.name = path;
  v.config = &s.config();
  v.report = &report;
  v.console = s.machine().console_text();
  v.verdict = verdict.word;
  v.reason = verdict.reason;
  v.exact = verdict.exact;
  v.reason += after_end(report.status, s);
  if (tell(args, v, r) == 0)
    return TPU_EXIT_USAGE;
  return report.status.passed ? TPU_EXIT_OK : TPU_EXIT_VERDICT;
}

// --- a workload, a program, or a program for a workload ----------------------------------------

int write_c(const tpu_args *args, session &s, const job_report &report, tpu_report *r) {
  const char *path = args->value[TPU_OPTION_OUT];
  const tpu_params &p = s.config().params;
  const std::size_t bytes = std::size_t{p.maxdim} * p.maxdim;
  if (path == nullptr)
    return 1;
  const std::uint8_t *c =
      report.ran ? s.machine().memory(report.result.address[TPU_BUFFER_C], bytes) : nullptr;
  if (c == nullptr)
    return tpu_report_fail(r, TPU_ERR_USE, "%s: nothing was run, so there is no C to write", path);
  return tpu_image_write(path, &p, reinterpret_cast<const std::int8_t *>(c), r);
}

int run_job(const tpu_args *args, const tpu_job &job, session &s, std::uint64_t limit,
            tpu_report *r) {
  tpu_application application{};
  if (tpu_application_read(args, TPU_APPLICATION_CORPUS, &application, r) == 0)
    return TPU_EXIT_USAGE;
  job_report report;
  const int good = s.run(job, application, limit, report, r);
  tpu_application_release(&application);
  if (good == 0 || (report.ran && write_c(args, s, report, r) == 0))
    return TPU_EXIT_USAGE;
  if (tell(args, view_of(job, report, s), r) == 0)
    return TPU_EXIT_USAGE;
  return report.verdict.settled == TPU_VERDICT_EXACT ? TPU_EXIT_OK : TPU_EXIT_VERDICT;
}

struct job_run {
  const tpu_args *args;
  session &s;
  std::uint64_t limit;
};

int run_prepared(void *context, const tpu_job *job, tpu_report *r) {
  const auto &run = *static_cast<job_run *>(context);
  return run_job(run.args, *job, run.s, run.limit, r);
}

int refuse_with_image(const tpu_args *args, tpu_report *r) {
  for (const tpu_option o :
       {TPU_OPTION_PROGRAM, TPU_OPTION_SUBMISSION_SECONDS, TPU_OPTION_SUBMISSION_MBYTES,
        TPU_OPTION_A, TPU_OPTION_B, TPU_OPTION_C, TPU_OPTION_OUT, TPU_OPTION_UNCHECKED,
        TPU_OPTION_CORPUS, TPU_OPTION_SEED, TPU_OPTION_FIRMWARE})
    if (has(args, o))
      return tpu_report_fail(r, TPU_ERR_SYNTAX,
                             "option '--%s' has no meaning for an image, which brings its own "
                             "workload: give a SPEC or a program",
                             tpu_option_lookup(o)->name);
  return 1;
}

} // namespace

} // namespace tpu::cli

int tpu_command_run_one(const struct tpu_args *args, struct tpu_report *r) {
  using namespace tpu::cli;
  run_options o;
  const char *word = args->operands == 1 ? args->operand[0] : nullptr;
  if (tpu_prepare_check(args, "run", "a SPEC, an IMAGE or a program", word, r) == 0)
    return TPU_EXIT_USAGE;
  const bool image = word != nullptr && names_an_image(word);
  if ((image && refuse_with_image(args, r) == 0) || read_run_options(args, o, r) == 0)
    return TPU_EXIT_USAGE;
  const auto s = session::open(o.config, o.config_path, o.seed, console_of(args, image), r);
  if (s == nullptr)
    return TPU_EXIT_USAGE;
  if (image)
    return run_image(args, word, *s, o.limit, r);
  job_run run{args, *s, o.limit};
  return tpu_prepare_job(args, word, &s->config(), o.seed, run_prepared, &run, r);
}
