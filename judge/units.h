/* SPDX-License-Identifier: Apache-2.0 */
/* The counters of the units of a run, as documents state them. */
#ifndef TPU_JUDGE_UNITS_H
#define TPU_JUDGE_UNITS_H

#include "judge/json.h"
#include "judge/json_write.h"
#include "platform/hw/counters.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of a unit; cycles of wld and pe are summed over their instances. */
struct tpu_unit_counters {
  uint64_t count[TPU_COUNTER_COUNT];
};

const char *tpu_counter_name(enum tpu_counter c); /* a key of JSON; "?" outside the table */

/* The object "units": every counter of the TPU_UNIT_COUNT units; without `ran` it is empty. */
void tpu_units_put(const struct tpu_unit_counters *unit, int ran, struct tpu_json_writer *w);

/* Reads that object of a document, in which a unit may have more; one that is not listed is left as
 * it is. */
int tpu_units_read(struct tpu_json document, struct tpu_unit_counters *unit, struct tpu_report *r);

#ifdef __cplusplus
}
#endif
#endif
