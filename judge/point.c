/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/point.h"

#include "judge/causes.h"
#include "judge/measured.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const ends[TPU_POINT_END_COUNT] = {
#define END_NAME(id, name) name,
    TPU_POINT_ENDS(END_NAME)
#undef END_NAME
};

const char *tpu_point_end_name(enum tpu_point_end end) {
  return (unsigned)end < TPU_POINT_END_COUNT ? ends[end] : "?";
}

char *tpu_point_line(const struct tpu_axes *axes, size_t configuration,
                     const struct tpu_platform_config *config, const char *spec,
                     const char *variant, const struct tpu_point *point) {
  const struct tpu_cost cost = tpu_cost_of(&config->params);
  struct tpu_json_writer *w = tpu_json_writer_new();
  if (w == NULL)
    return NULL;
  tpu_json_begin_object(w, NULL);
  tpu_axes_put(axes, configuration, "set", w);
  tpu_json_put_string(w, "spec", spec);
  tpu_json_put_string(w, "variant", variant);
  tpu_json_put_string(w, "verdict", tpu_verdict_name(point->verdict));
  tpu_json_put_text_or_null(w, "reason", point->reason);
  tpu_json_put_string(w, "end", tpu_point_end_name(point->end));
  tpu_json_put_u64_or_null(w, "cycles", point->end != TPU_POINT_NOT_RUN, point->cycles);
  tpu_json_put_double_or_null(w, "array_utilization", point->end == TPU_POINT_COMPLETED,
                              point->utilization);
  tpu_json_put_bool(w, "extrapolated", tpu_extrapolated(config));
  tpu_json_put_u64(w, "bits", cost.bits);
  tpu_json_put_u64(w, "multipliers", cost.multipliers);
  tpu_json_put_u64(w, "cost", cost.cost);
  tpu_causes_put(point->cause, 0, w);
  tpu_units_put(point->unit, point->end != TPU_POINT_NOT_RUN, w);
  tpu_json_end(w);
  char *text = tpu_json_writer_text(w, 0);
  tpu_json_writer_free(w);
  return text;
}

/* Verdict, end and reason. */
static int read_words(struct tpu_json root, struct tpu_point *out, struct tpu_report *r) {
  const char *verdicts[TPU_VERDICT_COUNT];
  struct tpu_json v;
  uint32_t at = 0;
  const char *reason = "";
  for (unsigned i = 0; i < TPU_VERDICT_COUNT; i++)
    verdicts[i] = tpu_verdict_name((enum tpu_verdict)i);
  if (!tpu_json_need(root, "verdict", &v, r) ||
      !tpu_json_enum(v, verdicts, TPU_VERDICT_COUNT, &at, r))
    return 0;
  out->verdict = (enum tpu_verdict)at;
  if (!tpu_json_need(root, "end", &v, r) || !tpu_json_enum(v, ends, TPU_POINT_END_COUNT, &at, r))
    return 0;
  out->end = (enum tpu_point_end)at;
  if (!tpu_json_need(root, "reason", &v, r) ||
      (tpu_json_type(v) != TPU_JSON_NULL && !tpu_json_string(v, 1, 4096, &reason, r)))
    return 0;
  (void)snprintf(out->reason, sizeof out->reason, "%s", reason);
  return 1;
}

/* Of a fault there are none. */
static int check_causes(struct tpu_json root, const struct tpu_point *p, struct tpu_report *r) {
  uint64_t sum = 0;
  for (unsigned c = 0; c < TPU_CAUSE_COUNT; c++)
    sum += p->cause[c];
  return (p->end != TPU_POINT_COMPLETED && p->end != TPU_POINT_DEADLOCK) || sum == p->cycles ||
         tpu_json_fail(root, r, "the causes add up to %" PRIu64 " cycles; due are %" PRIu64, sum,
                       p->cycles);
}

static int read_point(struct tpu_json root, struct tpu_point *out, struct tpu_report *r) {
  struct tpu_json v;
  return read_words(root, out, r) && tpu_json_need(root, "cycles", &v, r) &&
         (out->end == TPU_POINT_NOT_RUN || tpu_json_count(v, &out->cycles, r)) &&
         tpu_json_need(root, "array_utilization", &v, r) &&
         (out->end != TPU_POINT_COMPLETED || tpu_json_number(v, 0, 1, &out->utilization, r)) &&
         tpu_causes_read(root, out->cause, r) && check_causes(root, out, r) &&
         tpu_units_read(root, out->unit, r);
}

static int read_identity(struct tpu_json root, const struct tpu_axes *axes,
                         const char *const *specs, size_t count, const char *variant,
                         size_t *configuration, size_t *spec, struct tpu_report *r) {
  struct tpu_json v;
  uint32_t at = 0;
  if (!tpu_json_need(root, "set", &v, r) || !tpu_axes_find(axes, v, configuration, r) ||
      !tpu_json_need(root, "spec", &v, r) || !tpu_json_enum(v, specs, count, &at, r))
    return 0;
  *spec = at;
  return tpu_json_need(root, "variant", &v, r) && tpu_json_enum(v, &variant, 1, &at, r);
}

int tpu_point_read(const char *name, const char *line, size_t length, const struct tpu_axes *axes,
                   const char *const *specs, size_t count, const char *variant,
                   size_t *configuration, size_t *spec, struct tpu_point *out,
                   struct tpu_report *r) {
  struct tpu_json_doc *doc = tpu_json_parse(name, line, length, r);
  if (doc == NULL)
    return 0;
  *out = (struct tpu_point){.verdict = TPU_VERDICT_NOT_RUN};
  const struct tpu_json root = tpu_json_root(doc);
  const int good = tpu_json_object(root, NULL, 0, r) &&
                   read_identity(root, axes, specs, count, variant, configuration, spec, r) &&
                   read_point(root, out, r);
  tpu_json_close(doc);
  return good;
}
