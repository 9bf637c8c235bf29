/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/cli/work_view.h"

#include "judge/verdict.h"

int tpu_work_completed(const struct tpu_work_view *v) {
  return v->work != NULL && v->work->outcome == TPU_ENGINE_COMPLETED;
}

const char *tpu_work_outcome(enum tpu_engine_outcome o) {
  return o == TPU_ENGINE_COMPLETED  ? "COMPLETES"
         : o == TPU_ENGINE_DEADLOCK ? tpu_verdict_name(TPU_VERDICT_DEADLOCK)
                                    : tpu_verdict_name(TPU_VERDICT_FAULT);
}

static void put_units(const struct tpu_work *work, struct tpu_json_writer *w) {
  tpu_json_begin_array(w, "units");
  for (int i = 0; work != NULL && i < TPU_UNIT_COUNT; ++i) {
    const struct tpu_work_unit *u = &work->unit[i];
    tpu_json_begin_object(w, NULL);
    tpu_json_put_string(w, "unit", u->name);
    tpu_json_put_u64(w, "instances", u->instances);
    tpu_json_put_u64(w, "promised", u->counters.promised);
    tpu_json_put_u64(w, "done", u->counters.done);
    tpu_json_put_u64(w, "busy", u->counters.busy);
    tpu_json_put_u64(w, "starved", u->counters.starved);
    tpu_json_put_u64(w, "blocked", u->counters.blocked);
    tpu_json_put_u64(w, "idle", u->counters.idle);
    tpu_json_put_double(w, "utilization", u->utilization);
    tpu_json_put_bool(w, "at_bound", u->at_bound);
    tpu_json_end(w);
  }
  tpu_json_end(w);
}

void tpu_work_put(const struct tpu_work_view *v, const char *key, struct tpu_json_writer *w) {
  static const struct tpu_work none = {.cycles = 0};
  const int ran = v->work != NULL;
  const struct tpu_work *work = ran ? v->work : &none;
  tpu_json_begin_object(w, key);
  tpu_json_put_string(w, "name", v->name);
  tpu_json_put_string(w, "outcome", v->outcome);
  tpu_json_put_text_or_null(w, "reason", v->reason);
  tpu_json_put_u64_or_null(w, "cycles", ran, work->cycles);
  tpu_json_put_u64_or_null(w, "bound", ran, work->bound);
  tpu_json_begin_array(w, "at");
  for (int i = 0; ran && i < TPU_UNIT_COUNT; ++i) {
    if (work->unit[i].at_bound) {
      tpu_json_put_string(w, NULL, work->unit[i].name);
    }
  }
  tpu_json_end(w);
  tpu_json_put_double_or_null(w, "over_bound", tpu_work_completed(v), work->over_bound);
  tpu_json_put_double_or_null(w, "estimate", ran, work->estimate);
  tpu_json_put_double_or_null(w, "estimate_error_pct", tpu_work_completed(v),
                              work->estimate_error_pct);
  tpu_json_put_u64_or_null(w, "rounds", ran, work->rounds);
  put_units(v->work, w);
  tpu_json_end(w);
}
