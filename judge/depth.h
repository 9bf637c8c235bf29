/* SPDX-License-Identifier: Apache-2.0 */
/* The smallest stream depth at which a program completes. That one which completes at some depth
 * completes at every deeper one is not taken for granted: no bisection, every depth is run, from
 * the least upward. */
#ifndef TPU_JUDGE_DEPTH_H
#define TPU_JUDGE_DEPTH_H

#include "judge/engine.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tpu_depth_run {
  uint32_t qd;
  int completed;
  uint64_t cycles; /* start to done, or to the detected deadlock */
};

/* What is established: every depth of run[] was run; none below smallest completes. */
struct tpu_depth {
  struct tpu_depth_run *run; /* QD = TPU_MIN_QD, TPU_MIN_QD + 1, ... */
  size_t count;
  uint32_t smallest;  /* 0: the program hangs at every depth up to TPU_MAX_QD */
  size_t hangs_above; /* depths above smallest that were run and hang */
  /* The hang at the deepest depth below smallest, or at the deepest of all; blocked_qd = 0 when it
   * completes at the least depth. The result is the engine's. */
  uint32_t blocked_qd;
  struct tpu_engine_result blocked;
};

/* Runs the request at every QD from TPU_MIN_QD to that of its params, and deeper, up to TPU_MAX_QD,
 * while none completes. Returns 1, *out to be released; 0, *out empty, when a run was prevented or
 * ended in a fault. */
int tpu_depth_search(const struct tpu_engine *engine, const struct tpu_engine_request *request,
                     struct tpu_depth *out, struct tpu_report *r);
void tpu_depth_release(const struct tpu_engine *engine, struct tpu_depth *depth);

#ifdef __cplusplus
}
#endif
#endif
