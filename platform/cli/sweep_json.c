/* SPDX-License-Identifier: Apache-2.0 */
/* A finished sweep as one document. */
#include "judge/causes.h"
#include "judge/measured.h"
#include "platform/cli/sweep_report.h"

#include <stdlib.h>

static void put_axes(const struct tpu_axes *axes, struct tpu_json_writer *w) {
  tpu_json_begin_array(w, "keys");
  for (size_t a = 0; a < axes->count; ++a) {
    tpu_json_begin_object(w, NULL);
    tpu_json_put_string(w, "key", axes->axis[a].key);
    tpu_json_begin_array(w, "values");
    for (size_t v = 0; v < axes->axis[a].count; ++v) {
      tpu_json_put_string(w, NULL, axes->axis[a].value[v]);
    }
    tpu_json_end(w);
    tpu_json_end(w);
  }
  tpu_json_end(w);
}

static void put_cost(const struct tpu_params *p, struct tpu_json_writer *w) {
  const struct tpu_cost c = tpu_cost_of(p);
  tpu_json_begin_object(w, "cost");
  tpu_json_put_u64(w, "scratchpad", c.scratchpad);
  tpu_json_put_u64(w, "vector_registers", c.vector_registers);
  tpu_json_put_u64(w, "accumulators", c.accumulators);
  tpu_json_put_u64(w, "instruction_memory", c.instruction_memory);
  tpu_json_put_u64(w, "streams", c.streams);
  tpu_json_put_u64(w, "bits", c.bits);
  tpu_json_put_u64(w, "multipliers", c.multipliers);
  tpu_json_put_u64(w, "cost", c.cost);
  tpu_json_end(w);
}

static void put_configurations(const struct tpu_sweep_plan *plan, struct tpu_json_writer *w) {
  tpu_json_begin_array(w, "configurations");
  for (size_t c = 0; c < plan->axes.configurations; ++c) {
    struct tpu_report why = {.code = TPU_OK};
    tpu_json_begin_object(w, NULL);
    tpu_json_put_u64(w, "number", c + 1);
    tpu_axes_put(&plan->axes, c, "set", w);
    tpu_json_put_bool(w, "legal", plan->legal[c]);
    if (plan->legal[c]) {
      tpu_json_put_null(w, "reason");
      tpu_json_put_bool(w, "extrapolated", tpu_extrapolated(&plan->config[c]));
      put_cost(&plan->config[c].params, w);
    } else {
      (void)tpu_sweep_plan_refusal(plan, c, &why);
      tpu_json_put_string(w, "reason", why.text);
    }
    tpu_json_end(w);
  }
  tpu_json_end(w);
}

static void put_points(const struct tpu_sweep_store *store, struct tpu_json_writer *w) {
  const struct tpu_sweep_plan *plan = store->plan;
  tpu_json_begin_array(w, "points");
  for (size_t c = 0; c < plan->axes.configurations; ++c) {
    for (uint32_t k = 0; plan->legal[c] && k < plan->corpus.count; ++k) {
      const struct tpu_point *p = &store->point[c * plan->corpus.count + k];
      tpu_json_begin_object(w, NULL);
      tpu_json_put_u64(w, "configuration", c + 1);
      tpu_json_put_string(w, "spec", plan->spec[k]);
      tpu_json_put_string(w, "verdict", tpu_verdict_name(p->verdict));
      tpu_json_put_text_or_null(w, "reason", p->reason);
      tpu_json_put_string(w, "end", tpu_point_end_name(p->end));
      tpu_json_put_u64_or_null(w, "cycles", p->end != TPU_POINT_NOT_RUN, p->cycles);
      tpu_json_put_double_or_null(w, "array_utilization", p->end == TPU_POINT_COMPLETED,
                                  p->utilization);
      tpu_causes_put(p->cause, 0, w);
      tpu_json_end(w);
    }
  }
  tpu_json_end(w);
}

static void put_sensitivity(const struct tpu_sweep_plan *plan, const struct tpu_sensitivity *x,
                            struct tpu_json_writer *w) {
  tpu_json_begin_object(w, "sensitivity");
  tpu_json_put_u64(w, "pairs", x->pairs);
  tpu_json_put_u64(w, "one_hangs", x->hangs);
  tpu_json_put_double_or_null(w, "ratio", x->pairs != 0, x->ratio);
  tpu_json_put_text_or_null(w, "spec", x->pairs != 0 ? plan->spec[x->spec] : NULL);
  tpu_json_put_u64_or_null(w, "slower", x->pairs != 0, x->slower + 1);
  tpu_json_put_u64_or_null(w, "faster", x->pairs != 0, x->faster + 1);
  tpu_json_end(w);
}

static void put_parameter(const struct tpu_sweep_plan *plan, const struct tpu_sweep *sweep,
                          size_t axis, struct tpu_level *level, struct tpu_json_writer *w) {
  const struct tpu_axis *a = &plan->axes.axis[axis];
  const size_t cases = tpu_sweep_levels(sweep, axis, level);
  const struct tpu_sensitivity sensitivity = tpu_sweep_sensitivity(sweep, axis);
  tpu_json_begin_object(w, NULL);
  tpu_json_put_string(w, "key", a->key);
  tpu_json_put_u64(w, "cases", cases);
  tpu_json_begin_array(w, "values");
  for (size_t v = 0; v < a->count; ++v) {
    const int has_means = cases != 0 && level[v].exact != 0;
    tpu_json_begin_object(w, NULL);
    tpu_json_put_string(w, "value", a->value[v]);
    tpu_json_put_u64(w, "exact", level[v].exact);
    tpu_json_put_u64(w, "hangs", level[v].hangs);
    tpu_json_put_u64(w, "other", level[v].other);
    tpu_json_put_double_or_null(w, "cycles", has_means, level[v].cycles);
    tpu_json_put_double_or_null(w, "array_utilization", has_means, level[v].utilization);
    tpu_json_end(w);
  }
  tpu_json_end(w);
  put_sensitivity(plan, &sensitivity, w);
  tpu_json_end(w);
}

static void put_workloads(const struct tpu_sweep_plan *plan, const struct tpu_sweep *sweep,
                          size_t *front, struct tpu_json_writer *w) {
  tpu_json_begin_array(w, "workloads");
  for (uint32_t k = 0; k < plan->corpus.count; ++k) {
    const size_t best = tpu_sweep_best(sweep, k);
    const size_t count = tpu_sweep_pareto(sweep, k, front);
    tpu_json_begin_object(w, NULL);
    tpu_json_put_string(w, "spec", plan->spec[k]);
    tpu_json_put_u64_or_null(w, "best", best != TPU_SWEEP_NONE, best + 1);
    tpu_json_begin_array(w, "pareto");
    for (size_t i = 0; i < count; ++i) {
      tpu_json_put_u64(w, NULL, front[i] + 1);
    }
    tpu_json_end(w);
    tpu_json_end(w);
  }
  tpu_json_end(w);
}

static size_t most_values(const struct tpu_axes *axes) {
  size_t most = 1;
  for (size_t a = 0; a < axes->count; ++a) {
    most = axes->axis[a].count > most ? axes->axis[a].count : most;
  }
  return most;
}

static void put_sweep(const struct tpu_sweep_store *store, struct tpu_level *level, size_t *front,
                      struct tpu_json_writer *w) {
  const struct tpu_sweep_plan *plan = store->plan;
  const struct tpu_sweep sweep = tpu_sweep_store_view(store);
  const struct tpu_tally tally = tpu_sweep_tally(store);
  tpu_json_begin_object(w, NULL);
  put_axes(&plan->axes, w);
  tpu_json_put_string(w, "variant", tpu_sweep_plan_variant(plan));
  tpu_json_put_string(w, "cost_formula", TPU_COST_FORMULA);
  put_configurations(plan, w);
  put_points(store, w);
  tpu_json_begin_array(w, "parameters");
  for (size_t a = 0; a < plan->axes.count; ++a) {
    put_parameter(plan, &sweep, a, level, w);
  }
  tpu_json_end(w);
  put_workloads(plan, &sweep, front, w);
  tpu_tally_put(&tally, "summary", w);
  tpu_json_end(w);
}

char *tpu_sweep_report_json(const struct tpu_sweep_store *store, struct tpu_report *r) {
  struct tpu_json_writer *w = tpu_json_writer_new();
  struct tpu_level *level = malloc(most_values(&store->plan->axes) * sizeof *level);
  size_t *front = malloc(store->plan->axes.configurations * sizeof *front);
  char *text = NULL;
  if (w != NULL && level != NULL && front != NULL) {
    put_sweep(store, level, front, w);
    text = tpu_json_writer_text(w, 1);
  }
  if (text == NULL) {
    (void)tpu_report_fail(r, TPU_ERR_CAPACITY, "out of memory");
  }
  tpu_json_writer_free(w);
  free(level);
  free(front);
  return text;
}
