/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* strdup */
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
  out->place = calloc(points(plan), sizeof *out->place);
  out->known = calloc(configurations, sizeof *out->known);
  out->cost = calloc(configurations, sizeof *out->cost);
  if (out->point == NULL || out->line == NULL || out->place == NULL || out->known == NULL ||
      out->cost == NULL) {
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
  for (size_t i = 0; store->place != NULL && i < points(store->plan); ++i) {
    free(store->place[i]);
  }
  free(store->line);
  free(store->place);
  free(store->point);
  free(store->known);
  free(store->cost);
  *store = (struct tpu_sweep_store){.plan = NULL};
}

/* A line that was changed since is none. */
static int check_line(const struct tpu_sweep_plan *plan, const char *name, const char *line,
                      size_t length, size_t configuration, size_t spec,
                      const struct tpu_point *point, struct tpu_report *r) {
  char *due = tpu_point_line(&plan->axes, configuration, &plan->config[configuration],
                             plan->spec[spec], tpu_sweep_plan_variant(plan), point);
  if (due == NULL) {
    return tpu_report_fail(r, TPU_ERR_CAPACITY, "out of memory");
  }
  const int same = strlen(due) == length && memcmp(due, line, length) == 0;
  free(due);
  return same || tpu_report_fail(r, TPU_ERR_SYNTAX,
                                 "%s: is not as a sweep writes it: without the line its "
                                 "configuration runs again",
                                 name);
}

static int check_twin(const struct tpu_sweep_store *store, size_t at, const char *name,
                      const char *line, size_t length, struct tpu_report *r) {
  return (strlen(store->line[at]) == length && memcmp(store->line[at], line, length) == 0) ||
         tpu_report_fail(r, TPU_ERR_SYNTAX, "%s: states another result of its point than %s", name,
                         store->place[at]);
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
  if (!check_line(plan, name, line, length, *configuration, spec, &point, r)) {
    return 0;
  }
  const size_t at = *configuration * plan->corpus.count + spec;
  *is_new = store->line[at] == NULL;
  if (!*is_new) {
    return check_twin(store, at, name, line, length, r);
  }
  store->place[at] = strdup(name);
  char *copy = store->place[at] != NULL ? malloc(length + 1) : NULL;
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
