/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/causes.h"
#include "judge/estimate.h"
#include "judge/measured.h"
#include "platform/cli/counters.h"
#include "platform/cli/engine_result.h"
#include "platform/cli/hang.h"
#include "platform/cli/report.h"

namespace tpu::cli {

namespace {

const char *end_word(run_end end) {
  switch (end) {
  case run_end::finished:
    return "finished";
  case run_end::trapped:
    return "trapped";
  case run_end::asleep:
    return "asleep";
  case run_end::over_limit:
    return "over limit";
  case run_end::broken:
    break;
  }
  return "broken";
}

void put_unit(tpu_json_writer *w, const char *key, const unit_account &u, bool instance) {
  tpu_json_begin_object(w, key);
  if (instance)
    tpu_json_put_string(w, "name", u.name.c_str());
  for (const counter_text &c : counter_texts)
    tpu_json_put_u64(w, c.name, u.counters.value(c.id));
  tpu_json_put_double(w, "utilization", u.utilization);
  if (!instance)
    put_waits(w, "waits", u.waits);
  tpu_json_end(w);
}

} // namespace

void put_units(tpu_json_writer *w, const char *key, const std::vector<unit_account> &units) {
  tpu_json_begin_object(w, key);
  for (const unit_account &u : units)
    put_unit(w, u.name.c_str(), u, false);
  tpu_json_end(w);
}

// Those of no cycles are left out.
void put_waits(tpu_json_writer *w, const char *key, const core::wait_sums &waits) {
  tpu_json_begin_object(w, key);
  for (const auto &[state, cycles] :
       {std::pair{TPU_COUNTER_STARVED, &waits.starved}, {TPU_COUNTER_BLOCKED, &waits.blocked}}) {
    tpu_json_begin_object(w, counter_texts[state].name);
    for (const wait_text &on : wait_texts)
      if ((*cycles)[on.id] != 0)
        tpu_json_put_i64(w, on.name, (*cycles)[on.id]);
    tpu_json_end(w);
  }
  tpu_json_end(w);
}

namespace {

void put_device(tpu_json_writer *w, const device_account &d) {
  put_units(w, "units", d.units);
  tpu_json_begin_object(w, "array");
  for (const auto &[key, list] : {std::pair{"wld", &d.wld}, std::pair{"pe", &d.pe}}) {
    tpu_json_begin_array(w, key);
    for (const unit_account &u : *list)
      put_unit(w, nullptr, u, true);
    tpu_json_end(w);
  }
  tpu_json_end(w);
  tpu_json_put_double(w, "array_utilization", d.array_utilization);
  tpu_json_put_text_or_null(w, "critical_unit", d.critical_unit.c_str());
  tpu_json_begin_object(w, "critical_path");
  for (std::size_t u = 0; d.completed && u < d.units.size(); ++u)
    tpu_json_put_u64(w, d.units[u].name.c_str(), d.critical_path[u]);
  tpu_json_end(w);
}

// What follows from the program alone.
void put_program(tpu_json_writer *w, const tpu_job *job) {
  const char *names[TPU_CRITICAL_MAX];
  const bool counted = job != nullptr && job->counted != 0;
  const std::uint32_t count = counted ? tpu_critical_units(&job->counts, names) : 0;
  tpu_json_begin_array(w, "critical_unit_work");
  for (std::uint32_t i = 0; i < count; ++i)
    tpu_json_put_string(w, nullptr, names[i]);
  tpu_json_end(w);
  tpu_json_put_double_or_null(w, "estimate", counted, counted ? tpu_estimate(&job->counts) : 0);
  if (job != nullptr && job->program.words != nullptr)
    tpu_json_put_u64(w, "instructions", job->program.count);
}

void put_comparison(tpu_json_writer *w, const tpu_job_verdict &v) {
  if (v.compared == 0)
    return;
  const tpu_comparison &c = v.comparison;
  tpu_json_begin_object(w, "comparison");
  tpu_json_put_u64(w, "wrong", c.wrong);
  tpu_json_put_u64(w, "clobbered", c.clobbered);
  if (c.wrong != 0 || c.clobbered != 0) {
    tpu_json_put_u64(w, "row", c.row);
    tpu_json_put_u64(w, "col", c.col);
    tpu_json_put_i64(w, "expected", c.expected);
    tpu_json_put_i64(w, "got", c.got);
  }
  tpu_json_end(w);
}

void put_windows(tpu_json_writer *w, const job_report &report) {
  tpu_json_begin_object(w, "windows");
  tpu_json_put_u64(w, "accelerator", report.device.cycles);
  tpu_json_put_u64(w, "end_to_end", report.result.end_to_end);
  tpu_json_put_u64(w, "map", report.result.map);
  tpu_json_put_u64(w, "load", report.result.load);
  tpu_json_put_u64(w, "wait", report.result.wait);
  tpu_json_end(w);
}

} // namespace

void put_contract(tpu_json_writer *w, const tpu_job *job) {
  tpu_json_put_bool(w, "unchecked", job != nullptr && job->request.unchecked != 0);
  if (job != nullptr && job->illegal != 0)
    tpu_json_put_string(w, "rule", tpu_rule_name(job->violation.rule));
}

void put_run(const run_view &v, const char *key, tpu_json_writer *w) {
  const job_report &report = *v.report;
  tpu_json_begin_object(w, key);
  tpu_json_put_string(w, "name", v.name.c_str());
  tpu_json_put_bool(w, "completed", report.device.completed);
  tpu_json_put_u64(w, "cycles", report.device.cycles);
  tpu_json_put_bool(w, "exact", v.exact);
  tpu_json_put_string(w, "verdict", v.verdict.c_str());
  tpu_json_put_text_or_null(w, "reason", v.reason.c_str());
  tpu_json_put_bool(w, "extrapolated", tpu_extrapolated(v.config));
  put_contract(w, v.job);
  put_program(w, v.job);
  put_device(w, report.device);
  tpu_causes_put(sum_by_cause(report.device.path).data(), 1, w);
  put_windows(w, report);
  put_comparison(w, report.verdict);
  if (report.device.deadlock)
    tpu_hang_put(&report.device.deadlock->view(), "deadlock", w);
  if (report.ran) {
    put_memory(v.config->memory, report.memory, "memory", w);
    tpu_json_begin_object(w, "core");
    tpu_json_put_string(w, "end", end_word(report.status.end));
    tpu_json_put_u64(w, "exit_code", report.status.exit_code);
    tpu_json_put_u64(w, "cycles", report.status.cycles);
    tpu_json_put_u64(w, "instructions", report.status.instructions);
    tpu_json_put_string(w, "console", v.console.c_str());
    tpu_json_end(w);
  }
  tpu_config_put(v.config, "config", w);
  tpu_json_end(w);
}

} // namespace tpu::cli
