/* SPDX-License-Identifier: Apache-2.0 */
/* The reference interpreter with on-chip memories of its own: a machine without time. */
#ifndef TPU_JUDGE_REFERENCE_H
#define TPU_JUDGE_REFERENCE_H

#include "isa/interp.h"
#include "judge/report.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tpu_reference {
  struct tpu_params params; /* resolved */
  struct tpu_state state;   /* what the last run left */
  int8_t *c;                /* C after the last run, MAXDIM*MAXDIM bytes */
};

/* The memories hold garbage from seed. Returns 1, *out to be closed; 0 when memory lacks. */
int tpu_reference_open(const struct tpu_params *p, uint32_t seed, struct tpu_reference *out,
                       struct tpu_report *r);
void tpu_reference_close(struct tpu_reference *reference); /* an empty one is allowed */

/* Runs a program on images A, B and C, MAXDIM*MAXDIM bytes each; they are not changed. On-chip
 * memories start from what the run before left. As tpu_interpret otherwise. */
int tpu_reference_run(struct tpu_reference *reference, const struct tpu_code *code,
                      const int8_t *const image[3], struct tpu_error *e);

#ifdef __cplusplus
}
#endif
#endif
