/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/estimate.h"

double tpu_estimate(const struct tpu_counts *counts) {
  return TPU_ESTIMATE_FIXED + TPU_ESTIMATE_PER_WORK * tpu_critical_work(counts);
}

const char *tpu_estimate_note(const struct tpu_params *p) {
  const int fitted = p->t == 4 && p->maxdim == 16 && p->qd == 16 && p->dma_words == 1;
  return fitted ? "" : " (a line fitted at " TPU_ESTIMATE_MACHINE ")";
}

uint32_t tpu_critical_units(const struct tpu_counts *counts, const char *names[TPU_CRITICAL_MAX]) {
  const struct {
    const char *name;
    uint32_t work;
  } unit[TPU_CRITICAL_MAX] = {{"dma_ld", counts->dma_ld},
                              {"spm", counts->spm},
                              {"vru", counts->vru},
                              {"accu", counts->accu},
                              {"dma_st", counts->dma_st}};
  uint32_t found = 0;
  for (int i = 0; i < TPU_CRITICAL_MAX; ++i) {
    if (unit[i].work == tpu_critical_work(counts))
      names[found++] = unit[i].name;
  }
  return found;
}
