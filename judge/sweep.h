/* SPDX-License-Identifier: Apache-2.0 */
/* What the points of a sweep say about parameters and workloads. A point counts when it is EXACT:
 * cycles of a hang or of a wrong result are no merit. */
#ifndef TPU_JUDGE_SWEEP_H
#define TPU_JUDGE_SWEEP_H

#include "judge/point.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All borrowed. */
struct tpu_sweep {
  const struct tpu_axes *axes;
  const uint8_t *legal;          /* by configuration: its values go together */
  const uint64_t *cost;          /* by configuration, of the legal */
  size_t specs;                  /* at least 1 */
  const struct tpu_point *point; /* configuration * specs + spec; of the legal */
};

const struct tpu_point *tpu_sweep_point(const struct tpu_sweep *s, size_t configuration,
                                        size_t spec);
int tpu_sweep_counts(const struct tpu_sweep *s, size_t configuration, size_t spec);

#define TPU_SWEEP_NONE SIZE_MAX

/* The configuration of the fewest cycles; of equals the cheapest, then the first. TPU_SWEEP_NONE:
 * none counts. */
size_t tpu_sweep_best(const struct tpu_sweep *s, size_t spec);

/* The configurations that none is better than in cycles or cost and at least as good in the other,
 * from the cheapest on; of equals all. front has room for every configuration. Returns how many. */
size_t tpu_sweep_pareto(const struct tpu_sweep *s, size_t spec, size_t *front);

/* What the points of one value of a key came to. Means are over the cases - workload and values of
 * the other keys - that count at every value of this key at which any point counts, so that they
 * compare like with like. */
struct tpu_level {
  size_t exact, hangs, other; /* of the points at this value */
  double cycles;              /* geometric mean; 0 without a case, or where exact is 0 */
  double utilization;         /* arithmetic mean; 0 likewise */
};

/* Fills level[0 .. values of the key); returns the number of such cases. */
size_t tpu_sweep_levels(const struct tpu_sweep *s, size_t axis, struct tpu_level *level);

/* Pairs of points of one workload that differ in one key only, by neighbouring values. */
struct tpu_sensitivity {
  size_t pairs;          /* of which both count */
  size_t hangs;          /* of which one counts and one hangs */
  double ratio;          /* the largest of cycles, 1 or more; 0 without a pair */
  size_t slower, faster; /* configurations of that pair, the first of equals */
  size_t spec;
};

struct tpu_sensitivity tpu_sweep_sensitivity(const struct tpu_sweep *s, size_t axis);

#ifdef __cplusplus
}
#endif
#endif
