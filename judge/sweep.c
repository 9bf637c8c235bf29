/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/sweep.h"

#include <math.h>

const struct tpu_point *tpu_sweep_point(const struct tpu_sweep *s, size_t configuration,
                                        size_t spec) {
  return &s->point[configuration * s->specs + spec];
}

int tpu_sweep_counts(const struct tpu_sweep *s, size_t configuration, size_t spec) {
  return s->legal[configuration] &&
         tpu_sweep_point(s, configuration, spec)->verdict == TPU_VERDICT_EXACT;
}

static int hangs(const struct tpu_sweep *s, size_t configuration, size_t spec) {
  return s->legal[configuration] &&
         tpu_sweep_point(s, configuration, spec)->end == TPU_POINT_DEADLOCK;
}

static uint64_t cycles_of(const struct tpu_sweep *s, size_t configuration, size_t spec) {
  return tpu_sweep_point(s, configuration, spec)->cycles;
}

/* By cycles, then by cost. */
static int is_faster(const struct tpu_sweep *s, size_t spec, size_t a, size_t b) {
  const uint64_t x = cycles_of(s, a, spec);
  const uint64_t y = cycles_of(s, b, spec);
  return x < y || (x == y && s->cost[a] < s->cost[b]);
}

size_t tpu_sweep_best(const struct tpu_sweep *s, size_t spec) {
  size_t best = TPU_SWEEP_NONE;
  for (size_t c = 0; c < s->axes->configurations; c++)
    if (tpu_sweep_counts(s, c, spec) && (best == TPU_SWEEP_NONE || is_faster(s, spec, c, best)))
      best = c;
  return best;
}

static int dominates(const struct tpu_sweep *s, size_t spec, size_t a, size_t b) {
  const uint64_t x = cycles_of(s, a, spec);
  const uint64_t y = cycles_of(s, b, spec);
  return x <= y && s->cost[a] <= s->cost[b] && (x < y || s->cost[a] < s->cost[b]);
}

/* The front so far, in order of cost, with c in it unless one there is better; what c is better
 * than leaves. */
static size_t enter(const struct tpu_sweep *s, size_t spec, size_t *front, size_t count, size_t c) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    if (dominates(s, spec, front[i], c))
      return count;
  for (size_t i = 0; i < count; i++)
    if (!dominates(s, spec, c, front[i]))
      front[kept++] = front[i];
  size_t at = kept;
  for (; at > 0 && s->cost[c] < s->cost[front[at - 1]]; at--)
    front[at] = front[at - 1];
  front[at] = c;
  return kept + 1;
}

size_t tpu_sweep_pareto(const struct tpu_sweep *s, size_t spec, size_t *front) {
  size_t count = 0;
  for (size_t c = 0; c < s->axes->configurations; c++)
    if (tpu_sweep_counts(s, c, spec))
      count = enter(s, spec, front, count, c);
  return count;
}

static void tally_levels(const struct tpu_sweep *s, size_t axis, struct tpu_level *level) {
  for (size_t c = 0; c < s->axes->configurations; c++) {
    struct tpu_level *at = &level[tpu_axes_at(s->axes, c, axis)];
    for (size_t k = 0; s->legal[c] && k < s->specs; k++) {
      size_t *which = tpu_sweep_counts(s, c, k) ? &at->exact
                      : hangs(s, c, k)          ? &at->hangs
                                                : &at->other;
      ++*which;
    }
  }
}

/* Does the workload count at every value that any counts at, the others as in c? */
static int counts_throughout(const struct tpu_sweep *s, const struct tpu_axis *a,
                             const struct tpu_level *level, size_t c, size_t spec) {
  size_t values = 0;
  for (size_t v = 0; v < a->count; v++) {
    if (level[v].exact == 0)
      continue;
    if (!tpu_sweep_counts(s, c + v * a->stride, spec))
      return 0;
    values++;
  }
  return values != 0;
}

size_t tpu_sweep_levels(const struct tpu_sweep *s, size_t axis, struct tpu_level *level) {
  const struct tpu_axis *a = &s->axes->axis[axis];
  size_t cases = 0;
  for (size_t v = 0; v < a->count; v++)
    level[v] = (struct tpu_level){.exact = 0};
  tally_levels(s, axis, level);
  for (size_t c = 0; c < s->axes->configurations; c++) {
    for (size_t k = 0; tpu_axes_at(s->axes, c, axis) == 0 && k < s->specs; k++) {
      if (!counts_throughout(s, a, level, c, k))
        continue;
      cases++;
      for (size_t v = 0; v < a->count; v++) {
        if (level[v].exact == 0)
          continue;
        const struct tpu_point *p = tpu_sweep_point(s, c + v * a->stride, k);
        level[v].cycles += log((double)p->cycles);
        level[v].utilization += p->utilization;
      }
    }
  }
  for (size_t v = 0; cases != 0 && v < a->count; v++) {
    if (level[v].exact == 0)
      continue;
    level[v].cycles = exp(level[v].cycles / (double)cases);
    level[v].utilization /= (double)cases;
  }
  return cases;
}

static void take_pair(const struct tpu_sweep *s, size_t low, size_t high, size_t spec,
                      struct tpu_sensitivity *out) {
  if (!tpu_sweep_counts(s, low, spec) || !tpu_sweep_counts(s, high, spec)) {
    if ((tpu_sweep_counts(s, low, spec) && hangs(s, high, spec)) ||
        (tpu_sweep_counts(s, high, spec) && hangs(s, low, spec)))
      out->hangs++;
    return;
  }
  const int rises = cycles_of(s, low, spec) < cycles_of(s, high, spec);
  const size_t slower = rises ? high : low;
  const size_t faster = rises ? low : high;
  const double ratio = (double)cycles_of(s, slower, spec) / (double)cycles_of(s, faster, spec);
  out->pairs++;
  if (ratio > out->ratio) {
    out->ratio = ratio;
    out->slower = slower;
    out->faster = faster;
    out->spec = spec;
  }
}

struct tpu_sensitivity tpu_sweep_sensitivity(const struct tpu_sweep *s, size_t axis) {
  const struct tpu_axis *a = &s->axes->axis[axis];
  struct tpu_sensitivity out = {.pairs = 0};
  for (size_t c = 0; c < s->axes->configurations; c++)
    for (size_t k = 0; tpu_axes_at(s->axes, c, axis) + 1 < a->count && k < s->specs; k++)
      take_pair(s, c, c + a->stride, k, &out);
  return out;
}
