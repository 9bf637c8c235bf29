/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/cli/report.h"

namespace tpu::cli {

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
  return v;
}

} // namespace tpu::cli
