/* SPDX-License-Identifier: Apache-2.0 */
/* The points of a sweep that are known, with the lines that state them. */
#ifndef TPU_PLATFORM_CLI_SWEEP_STORE_H
#define TPU_PLATFORM_CLI_SWEEP_STORE_H

#include "judge/sweep.h"
#include "platform/cli/sweep_plan.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tpu_sweep_store {
  const struct tpu_sweep_plan *plan; /* borrowed */
  struct tpu_point *point;           /* configuration * specs + spec */
  char **line;                       /* the same; NULL: not known */
  char **place;                      /* the same: where its line stood */
  size_t *known;                     /* by configuration: its points that are */
  uint64_t *cost;                    /* by configuration, of the legal */
  size_t complete;                   /* configurations of which every point is known */
};

int tpu_sweep_store_open(const struct tpu_sweep_plan *plan, struct tpu_sweep_store *out,
                         struct tpu_report *r);
void tpu_sweep_store_close(struct tpu_sweep_store *store);

/* Takes a line in, newline included; name stands for it in messages. *is_new: its point was not
 * known. 0 when it is none of this sweep, when a sweep does not write it so, byte for byte, and
 * when another line said something else of its point. */
int tpu_sweep_store_take(struct tpu_sweep_store *store, const char *name, const char *line,
                         size_t length, int *is_new, size_t *configuration, struct tpu_report *r);

int tpu_sweep_store_has(const struct tpu_sweep_store *store, size_t configuration);

/* For the judge; all borrowed. */
struct tpu_sweep tpu_sweep_store_view(const struct tpu_sweep_store *store);

#ifdef __cplusplus
}
#endif
#endif
