/* SPDX-License-Identifier: Apache-2.0 */
// tpuvp path: a run, and where every cycle of it went.
#include "judge/measured.h"
#include "platform/cli/commands.h"
#include "platform/cli/hang.h"
#include "platform/cli/output.h"
#include "platform/cli/path_report.h"
#include "platform/cli/prepare.h"
#include "platform/cli/report.h"

#include <cstdio>

namespace tpu::cli {

namespace {

void print(const path_view &v) {
  const job_report &report = *v.report;
  const tpu_params &p = v.job->request.config->params;
  print_head(v.job->name, tpu_verdict_name(report.verdict.settled), report.verdict.reason, v.job,
             report);
  std::printf("  machine      T=%u MAXDIM=%u QD=%u DMA_WORDS=%u%s\n", p.t, p.maxdim, p.qd,
              p.dma_words, tpu_extrapolated_note(v.job->request.config));
  if (!report.device.path.empty())
    print_path(v);
  if (report.device.deadlock)
    tpu_hang_print(&report.device.deadlock->view());
}

int print_json(const path_view &v, tpu_report *r) {
  const job_report &report = *v.report;
  const tpu_platform_config *config = v.job->request.config;
  tpu_json_writer *w = tpu_document_new(r);
  if (w == nullptr)
    return 0;
  tpu_json_begin_object(w, nullptr);
  tpu_json_put_string(w, "name", v.job->name);
  tpu_json_put_string(w, "verdict", tpu_verdict_name(report.verdict.settled));
  tpu_json_put_text_or_null(w, "reason", report.verdict.reason);
  tpu_json_put_bool(w, "completed", report.device.completed);
  tpu_json_put_u64(w, "cycles", report.device.cycles);
  tpu_json_put_bool(w, "extrapolated", tpu_extrapolated(config));
  put_contract(w, v.job);
  put_path(v, w);
  if (report.device.deadlock)
    tpu_hang_put(&report.device.deadlock->view(), "deadlock", w);
  tpu_config_put(config, "config", w);
  tpu_json_end(w);
  return tpu_print_json(w, r);
}

struct job_run {
  const tpu_args *args;
  session &s;
  std::uint64_t limit;
};

int run_path(void *context, const tpu_job *job, tpu_report *r) {
  const auto &[args, s, limit] = *static_cast<job_run *>(context);
  tpu_application application{};
  if (tpu_application_read(args, TPU_APPLICATION_CORPUS, &application, r) == 0)
    return TPU_EXIT_USAGE;
  job_report report;
  const int good = s.run(*job, application, limit, report, r);
  tpu_application_release(&application);
  if (good == 0)
    return TPU_EXIT_USAGE;
  const path_view v{job, &report, &s.machine().device(), tpu_args_have(args, TPU_OPTION_ALL) != 0};
  if (tpu_args_have(args, TPU_OPTION_JSON) == 0)
    print(v);
  else if (print_json(v, r) == 0)
    return TPU_EXIT_USAGE;
  return report.verdict.settled == TPU_VERDICT_EXACT ? TPU_EXIT_OK : TPU_EXIT_VERDICT;
}

} // namespace

} // namespace tpu::cli

int tpu_command_path(const struct tpu_args *args, struct tpu_report *r) {
  using namespace tpu::cli;
  run_options o;
  const char *word = args->operands == 1 ? args->operand[0] : nullptr;
  if (tpu_prepare_check(args, "path", "a SPEC or a program", word, r) == 0 ||
      read_run_options(args, o, r) == 0)
    return TPU_EXIT_USAGE;
  const auto s = session::open(o.config, o.config_path, o.seed, nullptr, r);
  if (s == nullptr)
    return TPU_EXIT_USAGE;
  job_run run{args, *s, o.limit};
  return tpu_prepare_job(args, word, &s->config(), o.seed, run_path, &run, r);
}
