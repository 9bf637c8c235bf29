/* SPDX-License-Identifier: Apache-2.0 */
/* How many of each verdict a suite had. */
#ifndef TPU_JUDGE_TALLY_H
#define TPU_JUDGE_TALLY_H

#include "judge/json_write.h"
#include "judge/verdict.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Begins as all zeros. */
struct tpu_tally {
  unsigned of[TPU_VERDICT_COUNT];
  unsigned failed; /* those of which tpu_verdict_fails */
};

void tpu_tally_add(struct tpu_tally *tally, enum tpu_verdict verdict);

enum { TPU_TALLY_BYTES = 320 };

/* "16 exact, 1 known gap": those that occurred; out holds TPU_TALLY_BYTES. Returns out. */
const char *tpu_tally_text(const struct tpu_tally *tally, char *out);

/* An object: every verdict by its name in lower case, then the text. */
void tpu_tally_put(const struct tpu_tally *tally, const char *key, struct tpu_json_writer *w);

#ifdef __cplusplus
}
#endif
#endif
