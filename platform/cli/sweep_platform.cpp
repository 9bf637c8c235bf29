// SPDX-License-Identifier: Apache-2.0
// Points of a sweep on the whole platform: where memory is not ideal, cycles depend on where the
// firmware puts program and images, and on the core.
#include "platform/cli/counters.h"
#include "platform/cli/engine_result.h"
#include "platform/cli/session.h"
#include "platform/cli/sweep_point.h"

#include <algorithm>
#include <cstdio>

namespace tpu::cli {

namespace {

struct bench {
  session &machine;
  const tpu_application &application;
};

int run_on_platform(void *context, const tpu_job *job, tpu_point *out, tpu_report *r) {
  const auto &[machine, application] = *static_cast<bench *>(context);
  job_report report;
  if (machine.run(*job, application, default_limit, report, r) == 0)
    return 0;
  const device_account &d = report.device;
  const cause_cycles causes = sum_by_cause(d.path);
  out->verdict = report.verdict.settled;
  out->end = d.completed ? TPU_POINT_COMPLETED : d.deadlock ? TPU_POINT_DEADLOCK : TPU_POINT_FAULT;
  out->cycles = d.cycles;
  out->utilization = d.array_utilization;
  std::copy(causes.begin(), causes.end(), out->cause);
  for (std::size_t u = 0; u < d.units.size(); ++u)
    for (const counter_text &c : counter_texts)
      out->unit[u].count[c.id] = d.units[u].counters.value(c.id);
  tpu_shorten(report.verdict.reason, 0, out->reason, sizeof out->reason);
  return 1;
}

} // namespace

} // namespace tpu::cli

int tpu_sweep_configuration_on_platform(const struct tpu_sweep_plan *plan, size_t configuration,
                                        struct tpu_report *r) {
  using namespace tpu::cli;
  const tpu_args none{};
  tpu_application application{};
  if (tpu_application_read(&none, TPU_APPLICATION_CORPUS, &application, r) == 0)
    return 0;
  int good = 0;
  const auto s = session::open(plan->config[configuration], plan->config_path, 1, nullptr, r);
  if (s != nullptr) {
    bench b{*s, application};
    good = tpu_sweep_configuration_run(plan, configuration, run_on_platform, &b, r);
  }
  tpu_application_release(&application);
  return good;
}
