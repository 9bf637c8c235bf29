/* SPDX-License-Identifier: Apache-2.0 */
/* One run of a program, held to both anchors, so that a failure says which of them moved: the
 * program against the spec (the reference interpreter's C against the expected output) and the
 * design against the instruction set (the engine's C against the interpreter's, whole). */
#ifndef TPU_JUDGE_ANCHORS_H
#define TPU_JUDGE_ANCHORS_H

#include "judge/correct.h"
#include "judge/engine.h"
#include "judge/picture.h"
#include "judge/reference.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All borrowed for the call. */
struct tpu_anchor_request {
  const struct tpu_workload *workload; /* fits */
  const struct tpu_program *program;   /* keeps every contract of layers isa and encoding */
  const struct tpu_code *code;         /* of it */
  const struct tpu_counts *counts;     /* of it */
  const int8_t *image[3];              /* A, B and C before the run */
  const int8_t *expected;              /* dense output */
  uint32_t seed;                       /* of an engine that starts afresh */
};

/* X(identifier, name, sentence) */
#define TPU_ANCHORS(X)                                                                             \
  X(NONE, "none", "both anchors hold")                                                             \
  X(PROGRAM, "program", "the program against the spec: look at the mapping")                       \
  X(DESIGN, "design", "the design against the ISA: look at the hardware model")                    \
  X(BOTH, "both", "the program against the spec, and the design against the ISA")

enum tpu_anchor {
#define TPU_ANCHOR_ENUM(id, name, text) TPU_ANCHOR_##id,
  TPU_ANCHORS(TPU_ANCHOR_ENUM)
#undef TPU_ANCHOR_ENUM
      TPU_ANCHOR_COUNT
};

const char *tpu_anchor_name(enum tpu_anchor a);     /* "?" outside the table */
const char *tpu_anchor_sentence(enum tpu_anchor a); /* "" outside the table */

struct tpu_anchor_run {
  enum tpu_anchor moved;
  /* FAULT when the design moved or the engine failed, else DEADLOCK, else what the program's is. */
  enum tpu_verdict verdict;
  struct tpu_correctness program;  /* interpreter against the spec */
  struct tpu_correctness design;   /* NOT_RUN when the engine did not complete, or there is none */
  enum tpu_engine_outcome outcome; /* of the engine; COMPLETED when there is none */
  uint64_t cycles;                 /* start to done, or to where it stopped */
  char text[900];                  /* what explains the verdict; "" for EXACT */
  struct tpu_picture picture;      /* of the anchor that the verdict comes from */
};

/* Runs the program on the interpreter and on the engine, whose params are the reference's, each
 * with the on-chip memories that it has. Without an engine (NULL) the design is not looked at.
 * Returns 1; 0 when the engine could not run. */
int tpu_anchors_run(const struct tpu_engine *engine, struct tpu_reference *reference,
                    const struct tpu_anchor_request *request, struct tpu_anchor_run *out,
                    struct tpu_report *r);

#ifdef __cplusplus
}
#endif
#endif
