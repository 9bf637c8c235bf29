/* SPDX-License-Identifier: Apache-2.0 */
/* Crashes while it is loaded. */
#include "tpu_submission.h"

#include <stdlib.h>

TPU_SUBMISSION;

__attribute__((constructor)) static void begin(void) { abort(); }

TPU_SUBMISSION_EXPORT int map(const struct tpu_submission_workload *workload,
                              const struct tpu_submission_params *params,
                              struct tpu_submission_program *program) {
  (void)workload, (void)params, (void)program;
  return 1;
}
