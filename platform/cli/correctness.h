/* SPDX-License-Identifier: Apache-2.0 */
/* A program for a spec on every operand distribution, held to both anchors. */
#ifndef TPU_PLATFORM_CLI_CORRECTNESS_H
#define TPU_PLATFORM_CLI_CORRECTNESS_H

#include "judge/anchors.h"
#include "platform/cli/job.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TPU_CORRECT_TURNS = 2, TPU_CORRECT_RUNS = TPU_DISTRIBUTION_COUNT * TPU_CORRECT_TURNS };

/* What is asked for; all borrowed. */
struct tpu_correct_request {
  const struct tpu_platform_config *config;
  const struct tpu_spec *spec;
  const struct tpu_program *program; /* NULL: the baseline mapping */
  const struct tpu_no_program *none; /* why the submission has none, or NULL */
  uint32_t seed;
  const struct tpu_engine *engine; /* NULL: the program against the spec only */
  struct tpu_reference *reference; /* params of config */
  int turns;                       /* runs on each distribution, 1..TPU_CORRECT_TURNS */
};

struct tpu_correct_case {
  const struct tpu_spec *spec;
  struct tpu_anchor_run run[TPU_CORRECT_RUNS]; /* by distribution, then turn */
  int runs;                                    /* 0: not run, for the reason */
  int turns;
  int shown;                /* the run that explains the verdict, -1: none */
  enum tpu_anchor moved;    /* over all runs */
  enum tpu_verdict own;     /* the worst of the runs, or why there were none */
  enum tpu_verdict settled; /* after precedence: what stands */
  int rule;                 /* broken, or TPU_RULE_NONE */
  struct tpu_counts counts; /* of the program, when counted */
  int counted;
  char reason[1000];
  char detail[1000]; /* what the run that is shown found, or "" */
};

/* Returns 1 with *out; 0 for bad input, or what prevented a run. */
int tpu_correct_judge(const struct tpu_correct_request *request, struct tpu_correct_case *out,
                      struct tpu_report *r);

const char *tpu_correct_operands(const struct tpu_correct_case *x, int run); /* "small", ... */

#ifdef __cplusplus
}
#endif
#endif
