/* SPDX-License-Identifier: Apache-2.0 */
// tpuvp corpus: every spec as an image, one after the other on one platform.
#include "judge/causes.h"
#include "judge/measured.h"
#include "judge/tally.h"
#include "platform/cli/commands.h"
#include "platform/cli/engine_result.h"
#include "platform/cli/output.h"
#include "platform/cli/report.h"
#include "platform/cli/submissions.h"

#include <cinttypes>
#include <cstdio>
#include <unistd.h>

namespace tpu::cli {

namespace {

// Where verdicts go.
struct sinks {
  tpu_json_writer *w = nullptr; // null: text
  tpu_junit *junit = nullptr;   // null: none
  tpu_tally tally{};
};

void print_head(const tpu_platform_config &config) {
  const tpu_params &p = config.params;
  std::printf("corpus on T=%u MAXDIM=%u QD=%u DMA_WORDS=%u%s\n\n", p.t, p.maxdim, p.qd, p.dma_words,
              tpu_extrapolated_note(&config));
  std::printf("%-26s %-15s %11s %11s  %-13s %s\n", "spec", "verdict", "accelerator", "end to end",
              "critical unit", "array");
}

void print_row(const tpu_job &job, const job_report &report) {
  const char *verdict = tpu_verdict_name(report.verdict.settled);
  const device_account &d = report.device;
  if (report.ran && d.completed) {
    std::printf("%-26s %-15s %11" PRIu64 " %11" PRIu64 "  %-13s %4.1f %%\n", job.name, verdict,
                d.cycles, report.result.end_to_end, d.critical_unit.c_str(),
                100 * d.array_utilization);
  } else {
    std::printf("%-26s %-15s %11s %11s  %-13s %s\n", job.name, verdict, "-", "-", "-", "-");
  }
  if (report.verdict.reason[0] != '\0')
    std::printf("    %s\n", report.verdict.reason);
}

void print_foot(const tpu_tally &t) {
  char text[TPU_TALLY_BYTES];
  std::printf("\ncycles: accelerator from start to done; end to end with the driver on the core\n"
              "array: MACs / (T*T * accelerator cycles)\n\n%s\n",
              tpu_tally_text(&t, text));
}

void put_spec(const tpu_job &job, const job_report &report, tpu_json_writer *w) {
  const device_account &d = report.device;
  const tpu_verdict settled = report.verdict.settled;
  tpu_json_begin_object(w, nullptr);
  tpu_json_put_string(w, "name", job.name);
  tpu_json_put_string(w, "verdict", tpu_verdict_name(settled));
  tpu_json_put_text_or_null(w, "reason", report.verdict.reason);
  tpu_json_put_string(w, "run", tpu_verdict_name(report.verdict.run));
  tpu_json_put_bool(w, "completed", d.completed);
  tpu_json_put_bool(w, "exact", report.verdict.run == TPU_VERDICT_EXACT);
  tpu_json_put_u64(w, "cycles", d.cycles);
  tpu_json_put_u64(w, "end_to_end", report.result.end_to_end);
  tpu_json_put_text_or_null(w, "critical_unit", d.critical_unit.c_str());
  tpu_json_put_double(w, "array_utilization", d.array_utilization);
  tpu_causes_put(sum_by_cause(d.path).data(), 1, w);
  put_units(w, "units", d.units);
  tpu_json_put_bool(w, "extrapolated", tpu_extrapolated(job.request.config));
  tpu_json_end(w);
}

// Everything before the first result: what cannot be read is said before anything is printed.
int check_all(const tpu_corpus &corpus, const tpu_params &p, tpu_report *r) {
  for (std::uint32_t i = 0; i < corpus.count; ++i)
    if (tpu_spec_check_at(&corpus.spec[i], &p, r) == 0)
      return 0;
  return 1;
}

int run_all(const tpu_corpus &corpus, session &s, const tpu_application &application,
            std::uint32_t seed, sinks &out, tpu_report *r) {
  for (std::uint32_t i = 0; i < corpus.count; ++i) {
    tpu_job_request request{};
    request.config = &s.config();
    request.spec = &corpus.spec[i];
    request.distribution = TPU_DISTRIBUTION_FULL;
    request.seed = seed;
    tpu_job job;
    job_report report;
    tpu_progress(i + 1, corpus.count, corpus.spec[i].workload.name);
    if (tpu_job_prepare(&job, &request, r) == 0)
      return 0;
    const int good = s.run(job, application, default_limit, report, r);
    if (isatty(STDOUT_FILENO) != 0)
      tpu_progress_end(); // both streams on one screen: make room for the row
    if (good != 0) {
      tpu_tally_add(&out.tally, report.verdict.settled);
      if (out.junit != nullptr)
        tpu_junit_add(out.junit, job.name, report.verdict.settled, report.verdict.reason, nullptr);
      if (out.w != nullptr)
        put_spec(job, report, out.w);
      else
        print_row(job, report);
      std::fflush(stdout);
    }
    tpu_job_release(&job);
    if (good == 0)
      return 0;
  }
  tpu_progress_end();
  return 1;
}

int tell_json(const tpu_corpus &corpus, session &s, const tpu_application &application,
              std::uint32_t seed, sinks &out, tpu_report *r) {
  out.w = tpu_document_new(r);
  if (out.w == nullptr)
    return 0;
  tpu_json_begin_object(out.w, nullptr);
  tpu_json_begin_array(out.w, "specs");
  if (run_all(corpus, s, application, seed, out, r) == 0) {
    tpu_json_writer_free(out.w);
    return 0;
  }
  tpu_json_end(out.w);
  tpu_tally_put(&out.tally, "summary", out.w);
  tpu_config_put(&s.config(), "config", out.w);
  tpu_json_end(out.w);
  return tpu_print_json(out.w, r);
}

int tell_text(const tpu_corpus &corpus, session &s, const tpu_application &application,
              std::uint32_t seed, sinks &out, tpu_report *r) {
  print_head(s.config());
  if (run_all(corpus, s, application, seed, out, r) == 0)
    return 0;
  print_foot(out.tally);
  return 1;
}

int run_corpus(const tpu_args *args, const tpu_corpus &corpus, session &s,
               const tpu_application &application, std::uint32_t seed, tpu_report *r) {
  sinks out;
  if (tpu_submissions_junit(args, "corpus", &out.junit, r) == 0)
    return TPU_EXIT_USAGE;
  const bool json = tpu_args_have(args, TPU_OPTION_JSON) != 0;
  const bool good = (json ? tell_json(corpus, s, application, seed, out, r)
                          : tell_text(corpus, s, application, seed, out, r)) != 0 &&
                    tpu_submissions_write_junit(args, out.junit, r) != 0;
  tpu_junit_free(out.junit);
  if (!good)
    return TPU_EXIT_USAGE;
  return out.tally.failed != 0 ? TPU_EXIT_VERDICT : TPU_EXIT_OK;
}

} // namespace

} // namespace tpu::cli

int tpu_command_corpus(const struct tpu_args *args, struct tpu_report *r) {
  using namespace tpu::cli;
  tpu_platform_config config;
  char config_path[TPU_PATH_SIZE];
  std::uint32_t seed = 0;
  tpu_corpus corpus;
  if (tpu_args_seed(args, &seed, r) == 0 || tpu_setup_config(args, &config, config_path, r) == 0 ||
      tpu_setup_corpus(args, &corpus, r) == 0)
    return TPU_EXIT_USAGE;
  int code = TPU_EXIT_USAGE;
  tpu_application application{};
  if (check_all(corpus, config.params, r) != 0 &&
      tpu_application_read(args, TPU_APPLICATION_CORPUS, &application, r) != 0) {
    const auto s = session::open(config, config_path, seed, nullptr, r);
    if (s != nullptr)
      code = run_corpus(args, corpus, *s, application, seed, r);
    tpu_application_release(&application);
  }
  tpu_corpus_release(&corpus);
  return code;
}
