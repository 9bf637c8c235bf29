/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/speed.h"

#include "judge/named.h"

#include <string.h>

static const struct tpu_named tiers[TPU_TIER_COUNT] = {TPU_TIERS(TPU_NAMED_ROW)};

const char *tpu_tier_name(enum tpu_tier t) { return tpu_named_of(tiers, TPU_TIER_COUNT, t).name; }

const char *tpu_tier_sentence(enum tpu_tier t) {
  return tpu_named_of(tiers, TPU_TIER_COUNT, t).sentence;
}

enum tpu_tier tpu_tier_of(const struct tpu_findings *f) {
  if (!f->legal)
    return TPU_TIER_NONE;
  if (!f->correct)
    return TPU_TIER_LEGAL;
  if (f->hangs)
    return TPU_TIER_CORRECT;
  return f->measured ? TPU_TIER_CONFIRMED : f->timed ? TPU_TIER_TIMED : TPU_TIER_CORRECT;
}

int tpu_gate_passes(double estimate, double reference) {
  return estimate <= TPU_GATE_RATIO * reference;
}

const struct tpu_measured_point *tpu_measured_find(const struct tpu_calibration *table,
                                                   const struct tpu_params *p,
                                                   const struct tpu_program *program) {
  for (size_t i = 0; i < table->count; i++) {
    const struct tpu_measured_point *m = &table->point[i];
    if (m->program.count == program->count && memcmp(&m->params, p, sizeof *p) == 0 &&
        memcmp(m->program.words, program->words, program->count * sizeof *program->words) == 0)
      return m;
  }
  return NULL;
}
