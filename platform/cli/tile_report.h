/* SPDX-License-Identifier: Apache-2.0 */
// How a GEMM by tiles is told: as text, and as JSON.
#ifndef TPU_PLATFORM_CLI_TILE_REPORT_H
#define TPU_PLATFORM_CLI_TILE_REPORT_H

#include "platform/cli/session.h"
#include "platform/cli/tile_job.h"

#include <memory>
#include <string>

namespace tpu::cli {

struct tile_view {
  const tpu_tile_job *job = nullptr;
  const tpu_tile_verdict *verdict = nullptr;
  const tpu_tile_result *result = nullptr; // all 0 when nothing reported
  bool ran = false;
  run_status status;
  memory_account memory;
  std::unique_ptr<const hang> deadlock; // when it hung
  std::string console;
  bool with_programs = false; // disassembled
};

void print_tile(const tile_view &v);
void put_tile(const tile_view &v, tpu_json_writer *w);

} // namespace tpu::cli
#endif
