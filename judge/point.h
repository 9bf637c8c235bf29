/* SPDX-License-Identifier: Apache-2.0 */
/* One point of a sweep: a workload at a configuration; and the line of JSON that states it. */
#ifndef TPU_JUDGE_POINT_H
#define TPU_JUDGE_POINT_H

#include "judge/axes.h"
#include "judge/cost.h"
#include "judge/units.h"
#include "judge/verdict.h"
#include "platform/hw/path_causes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* X(identifier, name): how a point's run ended. */
#define TPU_POINT_ENDS(X)                                                                          \
  X(NOT_RUN, "not run")                                                                            \
  X(COMPLETED, "completed")                                                                        \
  X(DEADLOCK, "deadlock")                                                                          \
  X(FAULT, "fault")

enum tpu_point_end {
#define TPU_POINT_END_ENUM(id, name) TPU_POINT_##id,
  TPU_POINT_ENDS(TPU_POINT_END_ENUM)
#undef TPU_POINT_END_ENUM
      TPU_POINT_END_COUNT
};

const char *tpu_point_end_name(enum tpu_point_end end); /* "?" outside the table */

struct tpu_point {
  enum tpu_verdict verdict; /* that stands */
  enum tpu_point_end end;
  uint64_t cycles;                 /* start to done, or to where it stopped; 0: not run */
  double utilization;              /* MACs / (T*T * cycles) of a completed run, else 0 */
  uint64_t cause[TPU_CAUSE_COUNT]; /* of a completed run or a deadlock, else 0 */
  struct tpu_unit_counters unit[TPU_UNIT_COUNT]; /* 0: not run */
  char reason[600];                              /* why the verdict stands, or "" */
};

/* The line of a point, ending in a newline, from malloc; NULL when memory lacks. config is
 * resolved. */
char *tpu_point_line(const struct tpu_axes *axes, size_t configuration,
                     const struct tpu_platform_config *config, const char *spec,
                     const char *variant, const struct tpu_point *point);

/* Reads such a line, of length characters; name stands for it in messages. *spec receives its
 * position among specs. 0 when it is no such line, one of another sweep, or one whose causes do not
 * add up. */
int tpu_point_read(const char *name, const char *line, size_t length, const struct tpu_axes *axes,
                   const char *const *specs, size_t count, const char *variant,
                   size_t *configuration, size_t *spec, struct tpu_point *out,
                   struct tpu_report *r);

#ifdef __cplusplus
}
#endif
#endif
