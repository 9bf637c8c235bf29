/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/depth.h"

#include <stdlib.h>

/* Takes a finished run in; keeps its result, or releases it. */
static void take(const struct tpu_engine *engine, uint32_t qd, struct tpu_engine_result *result,
                 struct tpu_depth *out) {
  const int completed = result->outcome == TPU_ENGINE_COMPLETED;
  out->run[out->count++] = (struct tpu_depth_run){qd, completed, result->cycles};
  if (!completed && out->smallest == 0) {
    if (out->blocked_qd != 0)
      engine->release(&out->blocked);
    out->blocked = *result;
    out->blocked_qd = qd;
    return;
  }
  if (!completed)
    out->hangs_above++;
  else if (out->smallest == 0)
    out->smallest = qd;
  engine->release(result);
}

int tpu_depth_search(const struct tpu_engine *engine, const struct tpu_engine_request *request,
                     struct tpu_depth *out, struct tpu_report *r) {
  struct tpu_params params = *request->params;
  struct tpu_engine_request at = *request;
  at.params = &params;
  *out = (struct tpu_depth){.count = 0};
  out->run = malloc((TPU_MAX_QD - TPU_MIN_QD + 1) * sizeof *out->run);
  if (out->run == NULL)
    return tpu_report_fail(r, TPU_ERR_CAPACITY, "out of memory");
  for (uint32_t qd = TPU_MIN_QD;
       qd <= request->params->qd || (out->smallest == 0 && qd <= TPU_MAX_QD); qd++) {
    struct tpu_engine_result result;
    params.qd = qd;
    int good = engine->run(engine->context, &at, &result, r);
    if (good && result.outcome == TPU_ENGINE_FAULT) {
      good =
          tpu_report_fail(r, TPU_ERR_USE, "QD=%u: the run ended in a fault: %s", qd, result.text);
      engine->release(&result);
    }
    if (!good) {
      tpu_depth_release(engine, out);
      return 0;
    }
    take(engine, qd, &result, out);
  }
  return 1;
}

void tpu_depth_release(const struct tpu_engine *engine, struct tpu_depth *depth) {
  if (depth->blocked_qd != 0)
    engine->release(&depth->blocked);
  free(depth->run);
  *depth = (struct tpu_depth){.count = 0};
}
