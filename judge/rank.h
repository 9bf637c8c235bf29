/* SPDX-License-Identifier: Apache-2.0 */
/* Programs of one workload in the order of their simulated cycles, and whether estimates have them
 * in the same. */
#ifndef TPU_JUDGE_RANK_H
#define TPU_JUDGE_RANK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tpu_ranked {
  int is_ranked;   /* it is right and completed; what is not has no place in an order */
  uint64_t cycles; /* simulated */
  double estimate; /* cycles */
  /* Set by tpu_rank: from 1, equals equal; 0 for the unranked. */
  uint32_t rank, estimate_rank;
};

/* Sets the ranks, and order[0 .. count) to indices: the ranked by cycles, the unranked behind them,
 * equals as they were. */
void tpu_rank(struct tpu_ranked *entry, size_t count, size_t *order);

enum tpu_agreement {
  TPU_RANK_NOTHING,  /* one is not ranked, or their cycles are equal */
  TPU_RANK_AGREES,   /* the estimate has them in the order of their cycles */
  TPU_RANK_EQUAL,    /* the estimate has them equal */
  TPU_RANK_REVERSED, /* the estimate has them the other way round */
};

enum tpu_agreement tpu_rank_pair(const struct tpu_ranked *a, const struct tpu_ranked *b);

#ifdef __cplusplus
}
#endif
#endif
