/* SPDX-License-Identifier: Apache-2.0 */
// How a run is told: as text, and as the JSON that scripts rely on.
#ifndef TPU_PLATFORM_CLI_REPORT_H
#define TPU_PLATFORM_CLI_REPORT_H

#include "judge/json_write.h"
#include "platform/cli/session.h"

namespace tpu::cli {

// One run as it is told. job is null for an ELF image that brings its own everything.
struct run_view {
  std::string name;
  const tpu_platform_config *config = nullptr;
  const tpu_job *job = nullptr;
  const job_report *report = nullptr;
  std::string console;
  std::string verdict; // the word
  std::string reason;  // may be empty
  bool exact = false;
};

// A job's run, which is the session's last; it refers to all three.
run_view view_of(const tpu_job &job, const job_report &report, session &s);

// Head of a run of a job: name, verdict, reason, and when it ran unchecked the contract that it
// breaks. job may be null.
void print_head(const std::string &name, const std::string &verdict, const std::string &reason,
                const tpu_job *job, const job_report &report);

// Members of an object that is open: unchecked, and the rule of an illegal program. job may be
// null.
void put_contract(tpu_json_writer *w, const tpu_job *job);

void print_run(const run_view &v);
// What the starved and blocked cycles of each were spent on.
void print_waits(const std::vector<unit_account> &units);
void put_run(const run_view &v, const char *key, tpu_json_writer *w);

// The counters of each unit.
void put_units(tpu_json_writer *w, const char *key, const std::vector<unit_account> &units);
// What starved and blocked cycles were spent on; those of no cycles are left out.
void put_waits(tpu_json_writer *w, const char *key, const core::wait_sums &waits);

// What the memory did in a run; as text only when it is not ideal, which is never busy.
void print_memory(const tpu_memory_config &c, const memory_account &m);
void put_memory(const tpu_memory_config &c, const memory_account &m, const char *key,
                tpu_json_writer *w);

} // namespace tpu::cli
#endif
