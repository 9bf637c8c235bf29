/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/cli/sweep_store.h"

#include <stdlib.h>
#include <string.h>

static size_t points(const struct tpu_sweep_plan *plan) {
  return plan->axes.configurations * plan->corpus.count;
}

int tpu_sweep_store_open(const struct tpu_sweep_plan *plan, struct tpu_sweep_store *out,
                         struct tpu_report *r) {
  const size_t configurations = plan->axes.configurations;
  *out = (struct tpu_sweep_store){.plan = plan};
  out->point = calloc(points(plan), sizeof *out->point);
  out->line = calloc(points(plan), sizeof *out->line);
  out->known = calloc(configurations, sizeof *out->known);
  out->cost = calloc(configurations, sizeof *out->cost);
  if (out->point == NULL || out->line == NULL || out->known == NULL || out->cost == NULL) {
    tpu_sweep_store_close(out);
    return tpu_report_fail(r, TPU_ERR_CAPACITY, "out of memory for %zu points", points(plan));
  }
  for (size_t c = 0; c < configurations; ++c) {
    out->cost[c] = plan->legal[c] ? tpu_cost_of(&plan->config[c].params).cost : 0;
  }
  return 1;
}

void tpu_sweep_store_close(struct tpu_sweep_store *store) {
  for (size_t i = 0; store->line != NULL && i < points(store->plan); ++i) {
    free(store->line[i]);
  }
  free(store->line);
  free(store->point);
  free(store->known);
  free(store->cost);
  *store = (struct tpu_sweep_store){.plan = NULL};
}

int tpu_sweep_store_take(struct tpu_sweep_store *store, const char *name, const char *line,
                         size_t length, int *is_new, size_t *configuration, struct tpu_report *r) {
  const struct tpu_sweep_plan *plan = store->plan;
  struct tpu_point point;
  size_t spec = 0;
  if (!tpu_point_read(name, line, length, &plan->axes, plan->spec, plan->corpus.count,
                      tpu_sweep_plan_variant(plan), configuration, &spec, &point, r)) {
    return 0;
  }
  if (!plan->legal[*configuration]) {
    return tpu_report_fail(r, TPU_ERR_RANGE, "%s: a point of a configuration that is not legal",
                           name);
  }
  const size_t at = *configuration * plan->corpus.count + spec;
  *is_new = store->line[at] == NULL;
  if (!*is_new) {
    return 1;
  }
  char *copy = malloc(length + 1);
  if (copy == NULL) {
    return tpu_report_fail(r, TPU_ERR_CAPACITY, "out of memory");
  }
  memcpy(copy, line, length);
  copy[length] = '\0';
  store->line[at] = copy;
  store->point[at] = point;
  ++store->known[*configuration];
  if (tpu_sweep_store_has(store, *configuration)) {
    ++store->complete;
  }
  return 1;
}

int tpu_sweep_store_has(const struct tpu_sweep_store *store, size_t configuration) {
  return store->known[configuration] == store->plan->corpus.count;
}

struct tpu_sweep tpu_sweep_store_view(const struct tpu_sweep_store *store) {
  return (struct tpu_sweep){.axes = &store->plan->axes,
                            .legal = store->plan->legal,
                            .cost = store->cost,
                            .specs = store->plan->corpus.count,
                            .point = store->point};
}
