/* SPDX-License-Identifier: Apache-2.0 */
/* The dynamic stream: loops run, addresses resolved. The one statement of loop semantics that
 * checker, header, interpreter, judge and sequencer model share. */
#ifndef TPU_ISA_WALK_H
#define TPU_ISA_WALK_H

#include "isa/program.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One data instruction as dispatched. */
struct tpu_issue {
  uint32_t index; /* instruction number in the program */
  uint8_t op;
  uint8_t nr;
  uint8_t depth;               /* loops open around it */
  uint32_t iv[TPU_LOOP_DEPTH]; /* induction values, outermost first; [0 .. depth) are live */
  uint32_t f[4];               /* operand fields, terms added; may exceed 2047 if illegal */
};

/* Instructions without work that follow one another, empty loops among them: passed over at once
 * when met again. */
struct tpu_stretch {
  uint32_t from, to; /* [from, to) */
  uint64_t fetches;
  uint32_t iv[TPU_LOOP_DEPTH]; /* what its loops leave in the registers; UINT32_MAX = nothing */
  uint8_t opens;               /* at `to` a loop opens that has work in it */
};

enum { TPU_WALK_STRETCHES = 16 }; /* remembered at a time */

/* A copy of the state is a walk of its own, from where it stands. */
struct tpu_walk {
  const struct tpu_code *code;
  uint32_t pc;
  uint32_t depth;
  struct {
    uint32_t start, trip;
  } frame[TPU_LOOP_DEPTH];
  uint32_t iv[TPU_LOOP_DEPTH];
  uint64_t fetches; /* instructions fetched so far, loop, endloop and nop included */
  struct tpu_stretch stretch[TPU_WALK_STRETCHES];
  uint32_t stretches; /* remembered so far; older ones make room */
  uint32_t due;       /* where the next one is likely to stand */
};

/* Checks the loop structure: first nesting (loop.depth, loop.unbalanced, loop.unclosed) over the
 * whole program, then loop.trip and loop.stale_iv; 1, or 0 with rule, instruction and sentence
 * (each may be NULL). A program that fails must not be walked, except for loop.trip (a trip count
 * of 0 runs once) and loop.stale_iv (the register starts at 0 and keeps its last value: after a
 * loop, its trip count). */
int tpu_check_loops(const struct tpu_code *code, int *rule, uint32_t *bad, struct tpu_error *e);

void tpu_walk_begin(struct tpu_walk *w, const struct tpu_code *code);

/* The next data instruction, or 0 at the end. A loop without data instructions is passed over
 * arithmetically: w->fetches counts it, time does not grow with its trip count. Nor does a pass of
 * a loop cost more for the instructions without work in it, while there are no more than
 * TPU_WALK_STRETCHES stretches of them. */
int tpu_walk_next(struct tpu_walk *w, struct tpu_issue *out);

/* Fetches of the whole program, empty loops counted arithmetically; the promised work of the
 * sequencer. Linear in the static size. */
uint64_t tpu_total_fetches(const struct tpu_code *code);

#ifdef __cplusplus
}
#endif
#endif
