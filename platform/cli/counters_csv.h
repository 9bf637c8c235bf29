/* SPDX-License-Identifier: Apache-2.0 */
// The counters of a run as CSV.
#ifndef TPU_PLATFORM_CLI_COUNTERS_CSV_H
#define TPU_PLATFORM_CLI_COUNTERS_CSV_H

#include "platform/cli/session.h"

namespace tpu::cli {

// A row a unit: unit, instances, each counter, then starved_NAME and blocked_NAME for what was
// waited on. The names are those of docs/counters.md.
std::string counters_csv(const std::vector<unit_account> &units);

} // namespace tpu::cli
#endif
