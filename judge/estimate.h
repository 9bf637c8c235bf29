/* SPDX-License-Identifier: Apache-2.0 */
/* What a program should cost before it runs: a straight line through five published counts. It
 * says nothing about whether the program completes. */
#ifndef TPU_JUDGE_ESTIMATE_H
#define TPU_JUDGE_ESTIMATE_H

#include "isa/header.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Least squares of cycles over critical work, at these parameters. */
#define TPU_ESTIMATE_MACHINE "T=4 MAXDIM=16 QD=16 DMA_WORDS=1"
#define TPU_ESTIMATE_FIXED 179.0
#define TPU_ESTIMATE_PER_WORK 1.573

/* Cycles: fixed + per work * tpu_critical_work(counts). */
double tpu_estimate(const struct tpu_counts *counts);

/* What a reader of an estimate for these parameters must know: "" where the line was fitted,
 * elsewhere where that was. */
const char *tpu_estimate_note(const struct tpu_params *p);

/* The units whose work count is the largest of dma_ld, spm, vru, accu, dma_st, in data-path order:
 * names[0 .. returned). */
enum { TPU_CRITICAL_MAX = 5 };
uint32_t tpu_critical_units(const struct tpu_counts *counts, const char *names[TPU_CRITICAL_MAX]);

#ifdef __cplusplus
}
#endif
#endif
