/* SPDX-License-Identifier: Apache-2.0 */
/* Counted work against measured, as JSON tells it. */
#ifndef TPU_PLATFORM_CLI_WORK_VIEW_H
#define TPU_PLATFORM_CLI_WORK_VIEW_H

#include "judge/json_write.h"
#include "judge/work.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is told of a program. work is NULL when nothing was run, for the reason. */
struct tpu_work_view {
  const char *name;
  const char *outcome;
  const char *reason; /* or NULL */
  const struct tpu_work *work;
};

int tpu_work_completed(const struct tpu_work_view *v);
const char *tpu_work_outcome(enum tpu_engine_outcome o); /* the word for it */

/* An object, as an element of "programs" of docs/work.schema.json. */
void tpu_work_put(const struct tpu_work_view *v, const char *key, struct tpu_json_writer *w);

#ifdef __cplusplus
}
#endif
#endif
