/* SPDX-License-Identifier: Apache-2.0 */
/* The contracts a program must keep, layers isa and encoding (and spec, given a workload). */
#ifndef TPU_ISA_CHECK_H
#define TPU_ISA_CHECK_H

#include "isa/header.h"
#include "isa/issue.h"
#include "isa/rules.h"
#include "isa/workload.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The first broken contract: who, where, what. */
struct tpu_violation {
  int rule;      /* enum tpu_rule */
  int32_t index; /* instruction number, -1 = the program as a whole */
  uint8_t op;    /* 0 when the words cannot be decoded */
  uint8_t depth; /* iv[0 .. depth) are the loop values at that moment */
  uint32_t iv[TPU_LOOP_DEPTH];
  enum tpu_mem mem; /* the memory the rows below lie in */
  uint32_t rows;    /* offending rows: first .. first + rows, as far as they are one stretch */
  uint32_t first;
  char detail[248]; /* one sentence: what happened */
};

/* Working storage of a check, about 9 KB; contents need no initialisation. */
struct tpu_check_work {
  uint8_t spad[TPU_MAX_MEM_ROWS / 8]; /* bit: row written */
  uint8_t vr[TPU_MAX_MEM_ROWS / 8];
  uint32_t ar[TPU_MAX_MEM_ROWS]; /* accu step of the last write + 1, 0 = never */
};

/* Decodes and checks a program against layers isa and encoding, exactly over the dynamic stream.
 * Order: prog.empty, decoding, loop structure, then issue by issue the header counts, the issue's
 * own values and ranges, its reads and its writes; imem.overflow and dma.span last. It stops at the
 * first violation; the issue that takes a header count beyond 32767 is itself reported, and neither
 * it nor what follows is examined further. Returns 1, or 0 with *v.
 * code is the caller's storage for the decoded form and is left filled when 1 is returned;
 * tpu_program_capacity(p) instructions are enough: a longer program that does not fit the storage
 * is reported as imem.overflow at once. A shorter one that does not fit is the caller's fault:
 * TPU_RULE_NONE. counts may be NULL.
 * Resources: O(dynamic data instructions x rows), never O(trips of an empty loop). */
int tpu_check_program(const struct tpu_params *p, const struct tpu_program *program,
                      struct tpu_code *code, struct tpu_check_work *work, struct tpu_counts *counts,
                      struct tpu_violation *v);

/* Layer spec: every mvout's footprint against the workload's write window, and the output region
 * against the union of footprints. The program must have passed tpu_check_program, the workload
 * must fit. covered is caller storage of MAXDIM * WPR bits rounded up to bytes (one per packed word
 * of C); less is the caller's fault: 0 with TPU_RULE_NONE. */
int tpu_check_spec(const struct tpu_params *p, const struct tpu_code *code,
                   const struct tpu_workload *workload, uint8_t *covered, size_t covered_bytes,
                   struct tpu_violation *v);

#ifdef __cplusplus
}
#endif
#endif
