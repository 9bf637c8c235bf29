/* SPDX-License-Identifier: Apache-2.0 */
/* The engine, as the judge is handed it: a table of callbacks that whoever has a simulator fills.
 * A run is that of the accelerator alone, start to done; on which memory is the engine's matter. */
#ifndef TPU_JUDGE_ENGINE_H
#define TPU_JUDGE_ENGINE_H

#include "isa/header.h"
#include "judge/report.h"
#include "platform/hw/path_causes.h"
#include "platform/hw/registers.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is to run. All borrowed for the call. */
struct tpu_engine_request {
  const struct tpu_params *params; /* resolved */
  const struct tpu_program *program;
  const struct tpu_counts *counts; /* what the header promises, each at most TPU_MAX_COUNT */
  const int8_t *image[3]; /* A, B and C before the run, MAXDIM*MAXDIM bytes each; NULL: zeros */
  uint32_t seed;          /* garbage of the on-chip memories */
  int wants_causes;       /* the result has its cause[] filled, which costs some time */
};

enum tpu_engine_outcome {
  TPU_ENGINE_COMPLETED,
  TPU_ENGINE_DEADLOCK,
  TPU_ENGINE_FAULT /* a unit met what it cannot execute */
};

/* Cycles of wld and pe are summed over their instances. */
struct tpu_engine_counters {
  uint64_t promised, done;
  uint64_t busy, starved, blocked, idle; /* cycles; they sum to the run's, times the instances */
};

/* A process that waits. */
struct tpu_hang_process {
  const char *name;
  int get; /* from the stream; else to put into it */
  const char *stream;
  uint32_t occupancy; /* tokens in the stream, of depth */
  uint32_t depth;
  const char *waits_for; /* the process at the other end */
  const char *held;      /* what its pipeline holds back meanwhile; may be "" */
};

/* Where all stopped: who waits for which stream, and the processes that wait in a circle. */
struct tpu_hang {
  const char *sentence; /* "37 processes wait for each other; the circle: accu waits for ..." */
  const struct tpu_hang_process *process;
  size_t processes;
  const char *const *circle; /* names, each waiting for the next, the last for the first */
  size_t circle_length;      /* 0 when the chain of waits ends at a unit that has finished */
  const char *const *clause; /* the circle in words, a step each; neighbours in the array as one */
  size_t clauses;
};

struct tpu_engine_result {
  enum tpu_engine_outcome outcome;
  uint64_t cycles; /* start to done, to the detected deadlock, or to the fault */
  struct tpu_engine_counters unit[TPU_UNIT_COUNT];
  /* Cycles of the critical path by enum tpu_path_cause; they sum to `cycles`. All 0 unless asked
   * for, and of a fault. */
  uint64_t cause[TPU_CAUSE_COUNT];
  const int8_t *image;         /* C after the run, MAXDIM*MAXDIM bytes */
  const struct tpu_hang *hang; /* of a deadlock, else NULL */
  const char *text;            /* deadlock or fault in a sentence, else "" */
  void *storage;               /* the engine's, behind the pointers above */
};

struct tpu_engine {
  void *context;
  int keeps_state;
  /* Returns 1 with *result filled, to be released; 0 for what prevented a run (memory), nothing to
   * release. Runs do not influence each other: the same request has the same result. But when
   * keeps_state, all runs are on one machine, whose on-chip memories keep what the run before left:
   * the seed says nothing, and a program that reads what it did not write has another result. */
  int (*run)(void *context, const struct tpu_engine_request *request,
             struct tpu_engine_result *result, struct tpu_report *r);
  void (*release)(struct tpu_engine_result *result);
};

#ifdef __cplusplus
}
#endif
#endif
