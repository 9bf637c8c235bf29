/* SPDX-License-Identifier: Apache-2.0 */
/* Work counted before a run against the time of it. */
#ifndef TPU_JUDGE_WORK_H
#define TPU_JUDGE_WORK_H

#include "judge/engine.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tpu_work_unit {
  const char *name;
  uint32_t instances; /* T*T of wld and pe, over which the counters are summed; else 1 */
  struct tpu_engine_counters counters;
  double utilization; /* done / (instances * cycles) */
  int at_bound;       /* its count is the largest */
};

struct tpu_work {
  enum tpu_engine_outcome outcome; /* FAULT also for a completed run whose accounts disagree */
  char text[900];                  /* of a deadlock or fault, else "" */
  uint64_t cycles;                 /* start to done, or to where it stopped */
  struct tpu_work_unit unit[TPU_UNIT_COUNT];
  /* The largest count that an instance is promised, wld and pe the mean of theirs: no instance does
   * more than one piece of work a cycle, so no run takes fewer cycles. Several units may be at it.
   */
  uint64_t bound;
  double over_bound;         /* cycles / bound; 0 unless completed */
  double estimate;           /* cycles */
  double estimate_error_pct; /* estimate less simulated, per cent of the simulated; 0 likewise */
  uint64_t rounds;           /* of the barrier-synchronous network (judge/kpn.h) */
};

/* Takes the account of a run that has been, and runs its code, which must be decoded and legal, on
 * the network. A unit that has done other work than it was promised in a completed run, and a
 * network that does not come out even, are faults of assembler or model. Returns 1; 0 for want of
 * memory. */
int tpu_work_of(const struct tpu_params *params, const struct tpu_code *code,
                const struct tpu_counts *counts, const struct tpu_engine_result *result,
                struct tpu_work *out, struct tpu_report *r);

/* The same of the request, which it runs on the engine. Returns 1; 0 when a run was prevented. */
int tpu_work_run(const struct tpu_engine *engine, const struct tpu_engine_request *request,
                 const struct tpu_code *code, struct tpu_work *out, struct tpu_report *r);

#ifdef __cplusplus
}
#endif
#endif
