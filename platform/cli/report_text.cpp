/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/estimate.h"
#include "platform/cli/hang.h"
#include "platform/cli/report.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

namespace tpu::cli {

namespace {

void print_units(const device_account &d) {
  std::printf("\n  %-10s %10s %10s %8s %8s %8s %8s  %s\n", "unit", "promised", "done", "busy",
              "starved", "blocked", "idle", "utilization");
  for (const unit_account &u : d.units) {
    const core::unit_counters &c = u.counters;
    std::printf("  %-10s %10" PRIu64 " %10" PRIu64 " %8" PRId64 " %8" PRId64 " %8" PRId64
                " %8" PRId64 "  %5.1f %%%s\n",
                u.name.c_str(), c.promised, c.done, c.busy, c.starved, c.blocked, c.idle,
                100 * u.utilization, u.instances > 1 ? " (summed over instances)" : "");
  }
  std::printf("  utilization = work done / accelerator cycles; busy + starved + blocked + idle = "
              "cycles\n");
}

void print_device(const run_view &v) {
  const job_report &report = *v.report;
  const device_account &d = report.device;
  const tpu_params &p = v.config->params;
  std::printf("  accelerator  %" PRIu64 " cycles, start to %s%s\n", d.cycles,
              d.completed ? "done" : "where it stopped",
              tpu_extrapolated(&p) != 0 ? " (QD is neither 8 nor 16: extrapolated)" : "");
  if (report.result.end_to_end != 0)
    std::printf("  end to end   %" PRIu64 " cycles with the driver: map %" PRIu64 ", load %" PRIu64
                ", run and wait %" PRIu64 "\n",
                report.result.end_to_end, report.result.map, report.result.load,
                report.result.wait);
  if (!d.completed)
    return;
  if (v.job != nullptr)
    std::printf("  array        %.1f %% = %" PRIu64 " MACs / (%u*%u * %" PRIu64 " cycles)\n",
                100 * d.array_utilization, std::uint64_t{v.job->counts.mm_rows} * p.t * p.t, p.t,
                p.t, d.cycles);
  std::printf("  critical     %s; cycles of the critical path:", d.critical_unit.c_str());
  const char *separator = " ";
  for (std::size_t u = 0; u < d.units.size(); ++u) {
    if (d.critical_path[u] == 0)
      continue;
    std::printf("%s%s %" PRIu64, separator, d.units[u].name.c_str(), d.critical_path[u]);
    separator = ", ";
  }
  std::printf("\n");
}

// The guest's lines; those of an image were shown as they came.
void print_console(const std::string &text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::printf("  console      %.*s\n", static_cast<int>(end - at), text.c_str() + at);
    at = end + 1;
  }
}

void print_program(const tpu_job &job) {
  const char *names[TPU_CRITICAL_MAX];
  if (job.counted == 0)
    return;
  std::string most;
  const std::uint32_t count = tpu_critical_units(&job.counts, names);
  for (std::uint32_t i = 0; i < count; ++i)
    most += (i != 0 ? ", " : "") + std::string(names[i]);
  std::printf("  program      %u instructions; most work: %u in %s; estimate %.0f cycles\n",
              job.program.count, tpu_critical_work(&job.counts), most.c_str(),
              tpu_estimate(&job.counts));
}

} // namespace

void print_head(const std::string &name, const std::string &verdict, const std::string &reason,
                const tpu_job *job, const job_report &report) {
  const bool unchecked =
      job != nullptr && report.ran && job->request.unchecked != 0 && job->illegal != 0;
  std::printf("%s: %s%s%s%s\n", name.c_str(), verdict.c_str(),
              unchecked ? " (unchecked: the program breaks a contract)" : "",
              reason.empty() ? "" : " - ", reason.c_str());
  if (unchecked)
    std::printf("  contract     %s\n", job->reason);
}

void print_run(const run_view &v) {
  const tpu_params &p = v.config->params;
  const job_report &report = *v.report;
  print_head(v.name, v.verdict, v.reason, v.job, report);
  std::printf("  machine      T=%u MAXDIM=%u QD=%u DMA_WORDS=%u\n", p.t, p.maxdim, p.qd,
              p.dma_words);
  if (v.job != nullptr) {
    print_program(*v.job);
    print_console(v.console);
  }
  if (report.ran && !report.device.units.empty()) {
    print_device(v);
    print_units(report.device);
  }
  if (report.ran)
    print_memory(v.config->memory, report.memory);
  if (report.device.deadlock)
    tpu_hang_print(&report.device.deadlock->view());
}

} // namespace tpu::cli
