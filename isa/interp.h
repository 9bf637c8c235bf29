/* SPDX-License-Identifier: Apache-2.0 */
/* The reference interpreter: the meaning of a program on A, B, C, without time. */
#ifndef TPU_ISA_INTERP_H
#define TPU_ISA_INTERP_H

#include "isa/walk.h"

#ifdef __cplusplus
extern "C" {
#endif

/* On-chip state, caller-given: spad spad_rows*T, vr nvr*T bytes, ar nar*T words, row-major. */
struct tpu_state {
  int8_t *spad;
  int8_t *vr;
  int32_t *ar;
};

/* Fills the memories with seeded garbage: no on-chip memory is ever cleared. */
void tpu_state_scramble(const struct tpu_params *p, struct tpu_state *s, uint32_t seed);

/* Checks one issue's rows against every memory and image and its field values against their
 * meaning; 1, or 0 with the sentence. What the interpreter and the models refuse to execute. */
int tpu_issue_executable(const struct tpu_params *p, const struct tpu_issue *i,
                         struct tpu_error *e);

/* Runs a program. a, b, c: MAXDIM*MAXDIM int8 row-major. The code must pass tpu_check_loops (but
 * for trip and stale iv). Returns 0 at the first issue that is not executable, with the sentence
 * and everything before it done. */
int tpu_interpret(const struct tpu_params *p, const struct tpu_code *code, struct tpu_state *s,
                  const int8_t *a, const int8_t *b, int8_t *c, struct tpu_error *e);

#ifdef __cplusplus
}
#endif
#endif
