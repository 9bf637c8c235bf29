/* SPDX-License-Identifier: Apache-2.0 */
/* The contracts a program must keep, layers isa and encoding (and spec, given a workload). */
#ifndef TPU_ISA_CHECK_H
#define TPU_ISA_CHECK_H

#include "isa/header.h"
#include "isa/rules.h"
#include "isa/workload.h"

#ifdef __cplusplus
extern "C" {
#endif

enum tpu_mem {
  TPU_MEM_NONE,
  TPU_MEM_SPAD,
  TPU_MEM_VR,
  TPU_MEM_AR,
  TPU_MEM_A,
  TPU_MEM_B,
  TPU_MEM_C
};

/* The first broken contract: who, where, what. */
struct tpu_violation {
  int rule;      /* enum tpu_rule */
  int32_t index; /* instruction number, -1 = the program as a whole */
  uint8_t op;
  uint8_t depth; /* iv[0 .. depth) are the loop values at that moment */
  uint32_t iv[TPU_LOOP_DEPTH];
  enum tpu_mem mem; /* the memory the rows below lie in */
  uint32_t rows;    /* offending rows: first .. first + rows, as far as they are one stretch */
  uint32_t first;
  char detail[200]; /* one sentence: what happened */
};

/* Working storage of a check, about 9 KB; contents need no initialisation. */
struct tpu_check_work {
  uint8_t spad[TPU_MAX_MEM_ROWS / 8]; /* bit: row written */
  uint8_t vr[TPU_MAX_MEM_ROWS / 8];
  uint32_t ar[TPU_MAX_MEM_ROWS]; /* accu step of the last write + 1, 0 = never */
};

/* Decodes and checks a program against layers isa and encoding, exactly over the dynamic stream,
 * stopping at the first violation or at the first header count beyond 32767. code is the caller's
 * storage for the decoded form and is left filled when 1 is returned; counts may be NULL.
 * Resources: O(dynamic data instructions x rows), never O(trips of an empty loop). */
int tpu_check_program(const struct tpu_params *p, const struct tpu_program *program,
                      struct tpu_code *code, struct tpu_check_work *work, struct tpu_counts *counts,
                      struct tpu_violation *v);

/* Layer spec: every mvout's footprint against the workload's write window, and the output region
 * against the union of footprints. The program must have passed tpu_check_program. covered is
 * caller storage of MAXDIM * WPR bits rounded up to bytes (one per packed word of C). */
int tpu_check_spec(const struct tpu_params *p, const struct tpu_code *code,
                   const struct tpu_workload *workload, uint8_t *covered, size_t covered_bytes,
                   struct tpu_violation *v);

#ifdef __cplusplus
}
#endif
#endif
