/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/verdict.h"

#include <stddef.h>

struct verdict_info {
  const char *name;
  const char *sentence;
  int fails;
};

static const struct verdict_info *info(enum tpu_verdict v) {
  static const struct verdict_info table[TPU_VERDICT_COUNT + 1] = {
#define TPU_VERDICT_ROW(id, name, fails, text) {name, text, fails},
      TPU_VERDICTS(TPU_VERDICT_ROW)
#undef TPU_VERDICT_ROW
          {"?", "", 1},
  };
  const unsigned i = (unsigned)v;
  return &table[i < TPU_VERDICT_COUNT ? i : TPU_VERDICT_COUNT];
}

const char *tpu_verdict_name(enum tpu_verdict v) { return info(v)->name; }

const char *tpu_verdict_sentence(enum tpu_verdict v) { return info(v)->sentence; }

int tpu_verdict_fails(enum tpu_verdict v) { return info(v)->fails; }

/* The run's own failure, of the kind that a gap or a derivation explains. */
static int is_excusable(enum tpu_verdict run) {
  return run == TPU_VERDICT_WRONG || run == TPU_VERDICT_CLOBBERED || run == TPU_VERDICT_ILLEGAL ||
         run == TPU_VERDICT_DECLINED || run == TPU_VERDICT_DEADLOCK;
}

enum tpu_verdict tpu_verdict_settle(const struct tpu_standing *standing, enum tpu_verdict run,
                                    const char *run_reason, const char **reason) {
  enum tpu_verdict verdict = run;
  const char *why = run_reason;
  if (standing->unfit != NULL) {
    verdict = TPU_VERDICT_SKIPPED;
    why = standing->unfit;
  } else if (standing->known_gap != NULL && is_excusable(run)) {
    verdict = TPU_VERDICT_KNOWN_GAP;
    why = standing->known_gap;
  } else if (standing->unsatisfiable != NULL && (is_excusable(run) || run == TPU_VERDICT_NOT_RUN)) {
    verdict = TPU_VERDICT_UNSATISFIABLE;
    why = standing->unsatisfiable;
  } else if (run == TPU_VERDICT_EXACT &&
             (standing->known_gap != NULL || standing->unsatisfiable != NULL)) {
    verdict = TPU_VERDICT_UNEXPECTED_PASS;
    why = standing->known_gap != NULL ? standing->known_gap : standing->unsatisfiable;
  }
  if (reason != NULL)
    *reason = why;
  return verdict;
}
