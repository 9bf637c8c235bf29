/* SPDX-License-Identifier: Apache-2.0 */
/* Is what came back in C right? By output region and write window, or byte for byte. */
#ifndef TPU_JUDGE_CORRECT_H
#define TPU_JUDGE_CORRECT_H

#include "isa/image.h"
#include "judge/verdict.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tpu_correctness {
  enum tpu_verdict verdict; /* EXACT, WRONG or CLOBBERED; FAULT from tpu_correct_design */
  struct tpu_comparison comparison;
  char text[200]; /* one sentence: what differs, how much of it, the first place */
};

/* The program against the spec: every byte of the output region equals expected (dense), nothing
 * outside the write window differs from prefill. A wrong output is WRONG, clobbers included in the
 * sentence; CLOBBERED alone means that the output is right. Returns 1 when EXACT. */
int tpu_correct_program(const struct tpu_params *p, const struct tpu_workload *w,
                        const int8_t *expected, const int8_t *prefill, const int8_t *image,
                        struct tpu_correctness *out);

/* The design against the instruction set: the platform's C and the interpreter's, all
 * MAXDIM*MAXDIM bytes, no window. A difference is a FAULT. Returns 1 when EXACT. */
int tpu_correct_design(const struct tpu_params *p, const int8_t *interpreted, const int8_t *image,
                       struct tpu_correctness *out);

#ifdef __cplusplus
}
#endif
#endif
