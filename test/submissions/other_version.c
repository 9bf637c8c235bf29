/* SPDX-License-Identifier: Apache-2.0 */
/* Built against a header of a later version. */
#include "tpu_submission.h"
#undef TPU_SUBMISSION_ABI
#define TPU_SUBMISSION_ABI 2

TPU_SUBMISSION;

TPU_SUBMISSION_EXPORT int map(const struct tpu_submission_workload *workload,
                              const struct tpu_submission_params *params,
                              struct tpu_submission_program *program) {
  (void)workload, (void)params, (void)program;
  return 1;
}
