/* SPDX-License-Identifier: Apache-2.0 */
/* What changed from one file of results to another. */
#ifndef TPU_JUDGE_COMPARE_H
#define TPU_JUDGE_COMPARE_H

#include "judge/records.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Is a number's change more than tolerance per cent of `of`? With 0 any change is. */
int tpu_compare_passes(uint64_t a, uint64_t b, uint64_t of, double tolerance);

/* b - a of two counts, each at most INT64_MAX. */
int64_t tpu_compare_delta(uint64_t a, uint64_t b);

/* Of what a unit's counter's change is a share: busy, starved, blocked and idle of their sum,
 * promised and done of themselves, in the first record. */
uint64_t tpu_compare_base(const struct tpu_record *a, unsigned unit, enum tpu_counter c);

/* Did a record change: its verdict, or past tolerance its cycles, end to end, a cause (as a share
 * of its cycles) or a unit's counter? */
int tpu_compare_changed(const struct tpu_record *a, const struct tpu_record *b, double tolerance);

/* Pairs by name, in the order of a, then those that are in b only. Both must be released by the
 * caller no sooner. */
struct tpu_pair {
  const struct tpu_record *a, *b; /* NULL: not in that file */
};

/* pair has room for a->count + b->count; returns how many, or SIZE_MAX for lack of memory. */
size_t tpu_compare_pairs(const struct tpu_records *a, const struct tpu_records *b,
                         struct tpu_pair *pair);

/* A setting whose value differs; "-" where a document does not state it. */
struct tpu_setting_change {
  const char *key, *a, *b; /* of the records */
};

enum { TPU_MAX_SETTING_CHANGES = 2 * TPU_MAX_SETTINGS };

/* Those that differ, in the order of a, then those that are in b only. Returns how many. */
size_t tpu_compare_settings(const struct tpu_records *a, const struct tpu_records *b,
                            struct tpu_setting_change out[TPU_MAX_SETTING_CHANGES]);

/* The causes whose cycles changed, the largest change first, equals as they stand. Returns how
 * many. */
unsigned tpu_compare_causes(const struct tpu_record *a, const struct tpu_record *b,
                            enum tpu_path_cause order[TPU_CAUSE_COUNT]);

#ifdef __cplusplus
}
#endif
#endif
