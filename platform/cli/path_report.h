/* SPDX-License-Identifier: Apache-2.0 */
// The critical path of a run as it is told: by cause, by instruction, and stretch by stretch.
#ifndef TPU_PLATFORM_CLI_PATH_REPORT_H
#define TPU_PLATFORM_CLI_PATH_REPORT_H

#include "platform/cli/engine_result.h"
#include "platform/cli/job.h"
#include "platform/cli/session.h"

#include <string>
#include <vector>

namespace tpu::cli {

struct path_view {
  const tpu_job *job = nullptr; // the one that was run
  const job_report *report = nullptr;
  const core::network *net = nullptr; // still as the run left it
  bool all = false;                   // text: every stretch
};

// Follows the head of the report; report->device.path is not empty.
void print_path(const path_view &v);

// Members of an object that is already open: causes, instructions, stretches.
void put_path(const path_view &v, tpu_json_writer *w);

} // namespace tpu::cli
#endif
