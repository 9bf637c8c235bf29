/* SPDX-License-Identifier: Apache-2.0 */
// Which unit limits a run, and why, in words.
#ifndef TPU_PLATFORM_CLI_RUN_LIMIT_H
#define TPU_PLATFORM_CLI_RUN_LIMIT_H

#include "platform/cli/path_report.h"

namespace tpu::cli {

struct run_limit {
  std::string unit;              // ""; unless the run completed
  std::uint64_t cycles = 0;      // of the critical path in it
  std::string sentence;          // what limits, and on what most of that goes
  std::vector<std::string> more; // the largest cause of all, the busiest unit
};

// Of a run with its critical path; of one that hung the sentence is that of the hang, of another
// its reason.
run_limit limit_of(const path_view &v);

} // namespace tpu::cli
#endif
