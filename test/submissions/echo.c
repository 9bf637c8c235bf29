/* SPDX-License-Identifier: Apache-2.0 */
/* Says in words what it was given: the bytes of the params, then those of the workload. */
#include "tpu_submission.h"

#include <string.h>

TPU_SUBMISSION;

TPU_SUBMISSION_EXPORT int echo(const struct tpu_submission_workload *workload,
                               const struct tpu_submission_params *params,
                               struct tpu_submission_program *program) {
  char *at = (char *)program->words;
  memcpy(at, params, sizeof *params);
  memcpy(at + sizeof *params, workload, sizeof *workload);
  program->count = (uint32_t)((sizeof *params + sizeof *workload + 15) / 16);
  return program->capacity == TPU_SUBMISSION_CAPACITY ? 0 : 1;
}
