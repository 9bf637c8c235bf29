/* SPDX-License-Identifier: Apache-2.0 */
// Timing profiles as files: every constant with its value, unit and reason.
#ifndef TPU_PLATFORM_TIMING_FILE_H
#define TPU_PLATFORM_TIMING_FILE_H

#include "judge/report.h"
#include "models/core/timing.h"

namespace tpu {

// Reads a profile: {"description": text, "constants": {KEY: {"value": n, "unit": text, "reason":
// text}, ...}} with exactly the keys of TPU_TIMING_CONSTANTS. Returns 1, or 0 with file and JSON
// path, what is wrong and what is allowed.
int read_timing_profile(const char *path, core::timing_profile &out, tpu_report *r);

} // namespace tpu
#endif
