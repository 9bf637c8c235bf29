/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/cli/report.h"
#include "platform/cli/trap_text.h"

namespace tpu::cli {

std::string after_end(const run_status &status, session &s) {
  if (status.end == run_end::trapped)
    return disassembly(s.machine().trap());
  return status.end == run_end::over_limit ? "; --limit allows more" : "";
}

run_view view_of(const tpu_job &job, const job_report &report, session &s) {
  run_view v;
  v.name = job.name;
  v.config = &s.config();
  v.job = &job;
  v.report = &report;
  v.console = report.ran ? s.machine().console_text() : "";
  v.verdict = tpu_verdict_name(report.verdict.settled);
  v.reason = report.verdict.reason;
  v.exact = report.verdict.run == TPU_VERDICT_EXACT;
  if (report.ran)
    v.reason += after_end(report.status, s);
  return v;
}

} // namespace tpu::cli
