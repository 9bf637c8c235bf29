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

// An instruction of the job's program, disassembled.
std::string disassembled(const tpu_job &job, std::uint32_t index);

// The cycles that one instruction of the program owns, all its issues together.
struct instruction_share {
  std::uint32_t index = 0;
  std::uint64_t cycles = 0;
  cause_cycles causes{};
};

// In the order of the program; those that own nothing are left out.
std::vector<instruction_share> by_instruction(const path_view &v);

// Stretches of one cause and instruction that follow one another, across processes: the hops of a
// row from PE to PE are one.
struct passage {
  core::path_stretch whole;
  core::process_id last;
};

std::vector<passage> passages(const std::vector<core::path_stretch> &path);

// "pe[0][0]..pe[3][3]": the first process and the last, of an array of t * t.
std::string process_range(const passage &p, std::uint32_t t);

// Follows the head of the report; report->device.path is not empty.
void print_path(const path_view &v);

// Members of an object that is already open: causes, instructions.
void put_path_shares(const path_view &v, tpu_json_writer *w);
// The same, and stretches.
void put_path(const path_view &v, tpu_json_writer *w);

} // namespace tpu::cli
#endif
