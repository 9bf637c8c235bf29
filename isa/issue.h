/* SPDX-License-Identifier: Apache-2.0 */
/* What one issue touches, and whether that exists: the one statement of the ranges that checker,
 * interpreter and models hold an issue to. */
#ifndef TPU_ISA_ISSUE_H
#define TPU_ISA_ISSUE_H

#include "isa/walk.h"

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

const char *tpu_mem_name(enum tpu_mem mem); /* "spad", "vr", "ar", "A", "B", "C", "none" */

/* Where an issue is at fault. */
struct tpu_fault {
  int rule; /* enum tpu_rule */
  enum tpu_mem mem;
  uint32_t first, rows; /* the offending rows of mem, 0 rows when no memory is concerned */
};

/* Checks, in this order: rows >= 1 (enc.zero_rows), every resolved field 0..2047 (enc.field_range),
 * op.mm_acc_field, op.dma_ld_field, then the rows of every memory and image touched
 * (dram.operand_range, dram.result_range, mem.out_of_range). 1, or 0 with the first fault; fault
 * and e may be NULL. */
int tpu_issue_check(const struct tpu_params *p, const struct tpu_issue *i, struct tpu_fault *fault,
                    struct tpu_error *e);

#ifdef __cplusplus
}
#endif
#endif
