/* SPDX-License-Identifier: Apache-2.0 */
/* Causes of the cycles of a critical path, as they are told. */
#ifndef TPU_JUDGE_CAUSES_H
#define TPU_JUDGE_CAUSES_H

#include "judge/json.h"
#include "judge/json_write.h"
#include "platform/hw/path_causes.h"

#ifdef __cplusplus
extern "C" {
#endif

const char *tpu_cause_id(enum tpu_path_cause c);       /* a key of JSON; "?" outside the table */
const char *tpu_cause_name(enum tpu_path_cause c);     /* "?" outside the table */
const char *tpu_cause_sentence(enum tpu_path_cause c); /* "" outside the table */

/* The object "causes": cycles by id, TPU_CAUSE_COUNT of them; those that are 0 with `zeros` only.
 */
void tpu_causes_put(const uint64_t *cycles, int zeros, struct tpu_json_writer *w);

/* Reads that object of a document; a cause that is not listed is left as it is. */
int tpu_causes_read(struct tpu_json document, uint64_t *cycles, struct tpu_report *r);

#ifdef __cplusplus
}
#endif
#endif
