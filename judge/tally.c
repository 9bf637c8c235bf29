/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/tally.h"

#include "isa/error.h"

#include <ctype.h>

/* The order in which verdicts are told. */
static const enum tpu_verdict order[TPU_VERDICT_COUNT] = {
    TPU_VERDICT_EXACT,      TPU_VERDICT_KNOWN_GAP,       TPU_VERDICT_UNSATISFIABLE,
    TPU_VERDICT_SKIPPED,    TPU_VERDICT_UNEXPECTED_PASS, TPU_VERDICT_WRONG,
    TPU_VERDICT_CLOBBERED,  TPU_VERDICT_ILLEGAL,         TPU_VERDICT_DECLINED,
    TPU_VERDICT_NO_PROGRAM, TPU_VERDICT_DEADLOCK,        TPU_VERDICT_FAULT,
    TPU_VERDICT_NOT_RUN};

static const char *word_of(enum tpu_verdict v, char out[32]) {
  const char *name = tpu_verdict_name(v);
  size_t i = 0;
  for (; name[i] != '\0' && i < 31; i++)
    out[i] = (char)tolower((unsigned char)name[i]);
  out[i] = '\0';
  return out;
}

void tpu_tally_add(struct tpu_tally *tally, enum tpu_verdict verdict) {
  tally->of[verdict]++;
  tally->failed += tpu_verdict_fails(verdict) != 0;
}

const char *tpu_tally_text(const struct tpu_tally *tally, char *out) {
  struct tpu_text t = tpu_text_on(out, TPU_TALLY_BYTES);
  char word[32];
  for (int i = 0; i < TPU_VERDICT_COUNT; i++)
    if (tally->of[order[i]] != 0)
      tpu_text_format(&t, "%s%u %s", t.length != 0 ? ", " : "", tally->of[order[i]],
                      word_of(order[i], word));
  return out;
}

void tpu_tally_put(const struct tpu_tally *tally, const char *key, struct tpu_json_writer *w) {
  char word[32];
  char text[TPU_TALLY_BYTES];
  tpu_json_begin_object(w, key);
  for (int i = 0; i < TPU_VERDICT_COUNT; i++)
    tpu_json_put_u64(w, word_of(order[i], word), tally->of[order[i]]);
  tpu_json_put_string(w, "text", tpu_tally_text(tally, text));
  tpu_json_end(w);
}
