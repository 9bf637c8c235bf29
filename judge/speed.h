/* SPDX-License-Identifier: Apache-2.0 */
/* What a result about speed may claim: the cheap gate, the tiers, and tables of measurements. */
#ifndef TPU_JUDGE_SPEED_H
#define TPU_JUDGE_SPEED_H

#include "judge/calibration.h"

#ifdef __cplusplus
extern "C" {
#endif

/* X(identifier, name, sentence): what has been shown of a submission, from the least to the most.
 * An estimate is on no tier. */
#define TPU_TIERS(X)                                                                               \
  X(NONE, "none", "nothing: there is no program, or it breaks a contract")                         \
  X(LEGAL, "legal", "it keeps every contract")                                                     \
  X(CORRECT, "correct", "and the reference interpreter's output is the spec's, bit for bit")       \
  X(TIMED, "timed", "and the engine ran it to completion and counted its cycles")                  \
  X(CONFIRMED, "confirmed", "and the RTL was measured to run it to completion, in these cycles")

enum tpu_tier {
#define TPU_TIER_ENUM(id, name, text) TPU_TIER_##id,
  TPU_TIERS(TPU_TIER_ENUM)
#undef TPU_TIER_ENUM
      TPU_TIER_COUNT
};

const char *tpu_tier_name(enum tpu_tier t);     /* "?" outside the table */
const char *tpu_tier_sentence(enum tpu_tier t); /* "" outside the table */

/* What was found out about a submission; 0: no, or not looked at. */
struct tpu_findings {
  int legal;
  int correct;
  int timed;    /* ran to completion on the engine */
  int hangs;    /* did not */
  int measured; /* ran to completion on the RTL, in so many cycles */
};

/* The highest tier of which every lower one holds. A measurement needs no simulation; but what
 * hangs in the simulation is on neither of the upper two. */
enum tpu_tier tpu_tier_of(const struct tpu_findings *f);

/* The cheap gate: an estimate passes up to 10 per cent above that of the reference submission. */
#define TPU_GATE_RATIO 1.10
int tpu_gate_passes(double estimate, double reference);

/* The point of a table that measured these words at these parameters, or NULL. */
const struct tpu_measured_point *tpu_measured_find(const struct tpu_calibration *table,
                                                   const struct tpu_params *p,
                                                   const struct tpu_program *program);

#ifdef __cplusplus
}
#endif
#endif
