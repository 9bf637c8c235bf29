/* SPDX-License-Identifier: Apache-2.0 */
/* How far simulated cycles are from measured ones. */
#ifndef TPU_JUDGE_FIDELITY_H
#define TPU_JUDGE_FIDELITY_H

#include "judge/calibration.h"
#include "judge/engine.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tpu_fidelity_point {
  int completed;    /* the simulated run */
  uint64_t cycles;  /* of it: start to done, or to the detected deadlock */
  int compared;     /* measured and simulated cycles are known: the errors below are */
  int64_t error;    /* simulated - measured, cycles */
  double error_pct; /* the same, per cent of the measured */
};

struct tpu_fidelity {
  struct tpu_fidelity_point *point; /* of the table, in its order */
  size_t count;
  size_t compared;
  double mean;  /* of the absolute errors of those compared, per cent */
  double worst; /* the largest of them */
  size_t worst_point;
  size_t wrong; /* points that complete where the measured hangs, or the other way round */
};

/* Runs every point. Returns 1, *out to be released; 0 when the engine could not run, or a
 * run ended in a fault. */
int tpu_fidelity_run(const struct tpu_engine *engine, const struct tpu_calibration *table,
                     struct tpu_fidelity *out, struct tpu_report *r);
void tpu_fidelity_release(struct tpu_fidelity *fidelity);

#ifdef __cplusplus
}
#endif
#endif
