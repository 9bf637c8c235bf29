/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/rank.h"

/* Does a stand before b in the order? */
static int is_before(const struct tpu_ranked *a, const struct tpu_ranked *b) {
  if (!a->is_ranked || !b->is_ranked)
    return a->is_ranked && !b->is_ranked;
  return a->cycles < b->cycles;
}

void tpu_rank(struct tpu_ranked *entry, size_t count, size_t *order) {
  for (size_t i = 0; i < count; i++) {
    size_t at = i;
    for (; at > 0 && is_before(&entry[i], &entry[order[at - 1]]); at--)
      order[at] = order[at - 1];
    order[at] = i;
  }
  for (size_t i = 0; i < count; i++) {
    struct tpu_ranked *e = &entry[i];
    e->rank = e->estimate_rank = e->is_ranked ? 1 : 0;
    for (size_t j = 0; e->is_ranked && j < count; j++) {
      e->rank += entry[j].is_ranked && entry[j].cycles < e->cycles;
      e->estimate_rank += entry[j].is_ranked && entry[j].estimate < e->estimate;
    }
  }
}

enum tpu_agreement tpu_rank_pair(const struct tpu_ranked *a, const struct tpu_ranked *b) {
  if (!a->is_ranked || !b->is_ranked || a->cycles == b->cycles)
    return TPU_RANK_NOTHING;
  const struct tpu_ranked *faster = a->cycles < b->cycles ? a : b;
  const struct tpu_ranked *slower = faster == a ? b : a;
  if (faster->estimate < slower->estimate)
    return TPU_RANK_AGREES;
  return faster->estimate > slower->estimate ? TPU_RANK_REVERSED : TPU_RANK_EQUAL;
}
