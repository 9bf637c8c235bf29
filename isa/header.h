/* SPDX-License-Identifier: Apache-2.0 */
/* The instruction-memory header: the work each unit is promised, over the dynamic stream. */
#ifndef TPU_ISA_HEADER_H
#define TPU_ISA_HEADER_H

#include "isa/walk.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Counts; each must be 0..32767 to be packed. */
struct tpu_counts {
  uint32_t insns;  /* static instructions */
  uint32_t dma_ld; /* dma_ld rows */
  uint32_t spm;    /* dma_ld rows to spad + vld rows + (T + 1) per mm */
  uint32_t vru;    /* dma_ld rows to vr + vld rows + mm rows */
  uint32_t mm;     /* mm issues */
  uint32_t mm_rows;
  uint32_t accu;   /* mm + vrelu + mvout rows + 2 x vadd rows */
  uint32_t dma_st; /* mvout rows */
  uint32_t a_span; /* highest A row + 1 that any dma_ld names, 0 = none */
  uint32_t b_span;
};

/* Adds one issue to the counts. */
void tpu_counts_add(struct tpu_counts *c, const struct tpu_params *p, const struct tpu_issue *i);

/* Does every count fit its slice? 1, or 0 with hdr.array_overflow (mm, mm_rows) or
 * hdr.count_overflow. rule and e may be NULL, here and below. */
int tpu_counts_fit(const struct tpu_counts *c, int *rule, struct tpu_error *e);

/* Layer encoding on finished counts: imem.overflow, hdr.array_overflow, hdr.count_overflow,
 * dma.span. 1, or 0 with the first rule they break. */
int tpu_counts_legal(const struct tpu_params *p, const struct tpu_counts *c, int *rule,
                     struct tpu_error *e);

/* Counts of a whole program, which must pass tpu_check_loops. Stops at the first count beyond
 * TPU_MAX_COUNT: returns 0, with the rule (hdr.count_overflow, hdr.array_overflow) and the
 * instruction at which it happened. */
int tpu_counts_of(const struct tpu_params *p, const struct tpu_code *code, struct tpu_counts *out,
                  int *rule, uint32_t *bad, struct tpu_error *e);

/* Counts above TPU_MAX_COUNT are the caller's fault and are refused: 0. */
int tpu_header_pack(const struct tpu_counts *c, uint64_t words[TPU_HEADER_WORDS]);

/* Returns 0 when a count has its top bit set or an unused bit is set; *out is filled as read. */
int tpu_header_unpack(const uint64_t words[TPU_HEADER_WORDS], struct tpu_counts *out);

/* The largest of dma_ld, spm, vru, accu, dma_st: the steady-state bound of a program. */
uint32_t tpu_critical_work(const struct tpu_counts *c);

#ifdef __cplusplus
}
#endif
#endif
