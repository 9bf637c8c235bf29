/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/fidelity.h"

#include <math.h>
#include <stdlib.h>

static int run_point(const struct tpu_engine *engine, const struct tpu_measured_point *measured,
                     struct tpu_fidelity_point *out, struct tpu_report *r) {
  const struct tpu_engine_request request = {
      .params = &measured->params, .program = &measured->program, .counts = &measured->counts};
  struct tpu_engine_result result;
  if (!engine->run(engine->context, &request, &result, r))
    return 0;
  if (result.outcome == TPU_ENGINE_FAULT) { /* it says nothing about the program */
    (void)tpu_report_fail(r, TPU_ERR_USE, "%s: the run ended in a fault: %s", measured->id,
                          result.text);
    engine->release(&result);
    return 0;
  }
  out->completed = result.outcome == TPU_ENGINE_COMPLETED;
  out->cycles = result.cycles;
  out->compared = out->completed && measured->cycles != 0;
  if (out->compared) {
    out->error = (int64_t)result.cycles - (int64_t)measured->cycles;
    out->error_pct = 100.0 * (double)out->error / (double)measured->cycles;
  }
  engine->release(&result);
  return 1;
}

static void add_up(const struct tpu_calibration *table, struct tpu_fidelity *f) {
  double sum = 0;
  for (size_t i = 0; i < f->count; i++) {
    const struct tpu_fidelity_point *p = &f->point[i];
    f->wrong += !p->completed != !table->point[i].completes;
    if (!p->compared)
      continue;
    const double error = fabs(p->error_pct);
    sum += error;
    if (f->compared == 0 || error > f->worst) {
      f->worst = error;
      f->worst_point = i;
    }
    f->compared++;
  }
  f->mean = f->compared != 0 ? sum / (double)f->compared : 0;
}

int tpu_fidelity_run(const struct tpu_engine *engine, const struct tpu_calibration *table,
                     struct tpu_fidelity *out, struct tpu_report *r) {
  *out = (struct tpu_fidelity){.count = table->count};
  out->point = calloc(table->count, sizeof *out->point);
  if (out->point == NULL)
    return tpu_report_fail(r, TPU_ERR_CAPACITY, "out of memory");
  for (size_t i = 0; i < table->count; i++) {
    if (!run_point(engine, &table->point[i], &out->point[i], r)) {
      tpu_fidelity_release(out);
      return 0;
    }
  }
  add_up(table, out);
  return 1;
}

void tpu_fidelity_release(struct tpu_fidelity *fidelity) {
  free(fidelity->point);
  *fidelity = (struct tpu_fidelity){.count = 0};
}
