/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/estimate.h"
#include "judge/measured.h"
#include "platform/cli/counters.h"
#include "platform/cli/hang.h"
#include "platform/cli/report.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <iterator>

namespace tpu::cli {

namespace {

void print_units(const device_account &d) {
  const auto width = [](tpu_counter c) { return c < TPU_COUNTER_BUSY ? 10 : 8; };
  std::printf("\n  %-10s", "unit");
  for (const counter_text &c : counter_texts)
    std::printf(" %*s", width(c.id), c.name);
  std::printf("  utilization\n");
  for (const unit_account &u : d.units) {
    std::printf("  %-10s", u.name.c_str());
    for (const counter_text &c : counter_texts)
      std::printf(" %*" PRIu64, width(c.id), u.counters.value(c.id));
    std::printf("  %5.1f %%%s\n", 100 * u.utilization,
                u.instances > 1 ? " (summed over instances)" : "");
  }
  std::printf("  utilization = work done / accelerator cycles; busy + starved + blocked + idle = "
              "cycles\n");
}

// "c_spm 300, dma2sp 42", the most first.
std::string waits_in_words(const std::array<core::cycle, TPU_WAIT_COUNT> &cycles) {
  std::vector<wait_text> order;
  std::copy_if(wait_texts.begin(), wait_texts.end(), std::back_inserter(order),
               [&](const wait_text &on) { return cycles[on.id] != 0; });
  std::stable_sort(order.begin(), order.end(), [&](const wait_text &a, const wait_text &b) {
    return cycles[a.id] > cycles[b.id];
  });
  std::string out;
  for (const wait_text &on : order)
    out += (out.empty() ? "" : ", ") + std::string(on.name) + " " + std::to_string(cycles[on.id]);
  return out;
}

} // namespace

void print_waits(const std::vector<unit_account> &units) {
  std::printf("\n  waits by stream, in cycles; of a unit they are its starved and blocked\n");
  for (const unit_account &u : units) {
    const std::string starved = waits_in_words(u.waits.starved);
    const std::string blocked = waits_in_words(u.waits.blocked);
    if (!starved.empty() || !blocked.empty())
      std::printf("  %-10s %s%s%s%s%s\n", u.name.c_str(),
                  starved.empty() ? "" : "starved: ", starved.c_str(),
                  starved.empty() || blocked.empty() ? "" : "; ",
                  blocked.empty() ? "" : "blocked: ", blocked.c_str());
  }
}

namespace {

void print_device(const run_view &v) {
  const job_report &report = *v.report;
  const device_account &d = report.device;
  const tpu_params &p = v.config->params;
  std::printf("  accelerator  %" PRIu64 " cycles, start to %s%s\n", d.cycles,
              d.completed ? "done" : "where it stopped", tpu_extrapolated_note(v.config));
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
  std::printf("  program      %u instructions; most work: %u in %s; estimate %.0f cycles%s\n",
              job.program.count, tpu_critical_work(&job.counts), most.c_str(),
              tpu_estimate(&job.counts), tpu_estimate_note(&job.request.config->params));
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
    print_waits(report.device.units);
  }
  if (report.ran)
    print_memory(v.config->memory, report.memory);
  if (report.device.deadlock)
    tpu_hang_print(&report.device.deadlock->view());
}

} // namespace tpu::cli
