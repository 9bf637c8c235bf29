/* SPDX-License-Identifier: Apache-2.0 */
/* Words of DRAM whose lanes are known before the run: those of the declared constants. No opcode
 * zeroes or sets an on-chip row, so these are the only weights a program can rely on. Shared by
 * the satisfiability predicate and the baseline mapper, so that the two cannot disagree. */
#ifndef TPU_ISA_KNOWN_H
#define TPU_ISA_KNOWN_H

#include "isa/workload.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The sizes of a workload as its form names them; absent ranks are 1. */
struct tpu_extent {
  uint32_t batch, m, k, n;
  uint32_t kt, nt; /* tiles of T lanes, the last one perhaps partial */
};

/* POINTWISE: k = n, the columns; ROW_REDUCE: n = 1. All ones for TPU_FORM_OTHER. */
struct tpu_extent tpu_workload_extent(const struct tpu_params *p, const struct tpu_workload *w);

struct tpu_place {
  uint32_t buffer, row, block; /* DRAM row and column block of a packed word */
};

/* A word whose lanes [0, lanes) are all 0. 1 = found. */
int tpu_known_zero(const struct tpu_params *p, const struct tpu_workload *w, uint32_t lanes,
                   struct tpu_place *out);

/* A word whose lane 0 is 1; *rows receives how many rows below it, itself included, are so. */
int tpu_known_one(const struct tpu_params *p, const struct tpu_workload *w, struct tpu_place *out,
                  uint32_t *rows);

/* lanes rows that hold the identity in their lanes [0, lanes); *rows receives how many rows the
 * constant has: rows from lanes on are 0 in these lanes. lanes <= T. */
int tpu_known_identity(const struct tpu_params *p, const struct tpu_workload *w, uint32_t lanes,
                       struct tpu_place *out, uint32_t *rows);

#ifdef __cplusplus
}
#endif
#endif
