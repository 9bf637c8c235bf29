/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/correct.h"
#include "platform/cli/job.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static enum tpu_verdict say(char *reason, size_t size, enum tpu_verdict verdict, const char *format,
                            ...) __attribute__((format(printf, 4, 5)));

static enum tpu_verdict say(char *reason, size_t size, enum tpu_verdict verdict, const char *format,
                            ...) {
  va_list args;
  va_start(args, format);
  (void)vsnprintf(reason, size, format, args);
  va_end(args);
  return verdict;
}

/* What the application must have said when the host finds this. */
static enum tpu_outcome outcome_of(enum tpu_verdict v) {
  return v == TPU_VERDICT_EXACT   ? TPU_OUTCOME_EXACT
         : v == TPU_VERDICT_WRONG ? TPU_OUTCOME_WRONG
                                  : TPU_OUTCOME_CLOBBERED;
}

/* The bytes of C, on the host. */
static enum tpu_verdict compare(const struct tpu_job *job, const struct tpu_job_outcome *outcome,
                                struct tpu_job_verdict *v, char *reason, size_t size) {
  const struct tpu_params *p = &job->request.config->params;
  const struct tpu_result *result = outcome->result;
  struct tpu_correctness c = {.verdict = TPU_VERDICT_NOT_RUN};
  if (job->request.spec != NULL) {
    (void)tpu_correct_program(p, &job->request.spec->workload, job->expected,
                              job->image[TPU_BUFFER_C], outcome->image, &c);
  } else if (job->interpreted != NULL) {
    (void)tpu_correct_design(p, job->interpreted, outcome->image, &c);
    if (c.verdict == TPU_VERDICT_FAULT && job->illegal) {
      c.verdict = TPU_VERDICT_WRONG; /* what it reads or keeps is undefined, not the platform */
    }
  } else {
    return say(reason, size, TPU_VERDICT_FAULT,
               "the platform completed a program that the interpreter refuses");
  }
  v->compared = 1;
  v->comparison = c.comparison;
  const enum tpu_outcome due =
      outcome_of(c.verdict == TPU_VERDICT_FAULT ? TPU_VERDICT_WRONG : c.verdict);
  if (result->outcome != (uint32_t)due) {
    return say(reason, size, TPU_VERDICT_FAULT,
               "the host finds %s, the application on the core said %s",
               tpu_verdict_name(c.verdict), tpu_outcome_name(result->outcome));
  }
  return say(reason, size, c.verdict, "%s", c.verdict == TPU_VERDICT_EXACT ? "" : c.text);
}

static enum tpu_verdict own_verdict(const struct tpu_job *job,
                                    const struct tpu_job_outcome *outcome,
                                    struct tpu_job_verdict *v, char *reason, size_t size) {
  if (outcome == NULL) {
    return say(reason, size, job->verdict, "%s", job->reason);
  }
  if (outcome->abnormal != NULL) {
    return say(reason, size, TPU_VERDICT_FAULT, "%s", outcome->abnormal);
  }
  const struct tpu_result *result = outcome->result;
  if (outcome->words == NULL || result->instructions != job->program.count ||
      memcmp(outcome->words, job->program.words, job->program.count * sizeof *job->program.words) !=
          0) {
    return say(reason, size, TPU_VERDICT_FAULT,
               "the program in DRAM is not the one that the host mapped: %s", result->line);
  }
  switch (result->outcome) {
  case TPU_OUTCOME_EXACT:
  case TPU_OUTCOME_WRONG:
  case TPU_OUTCOME_CLOBBERED:
  case TPU_OUTCOME_COMPLETED:
    return compare(job, outcome, v, reason, size);
  case TPU_OUTCOME_DEADLOCK:
    return say(reason, size, TPU_VERDICT_DEADLOCK, "%s",
               outcome->hang != NULL ? outcome->hang : result->line);
  case TPU_OUTCOME_ERROR: /* what an illegal program provokes is its own doing */
    return say(reason, size, job->illegal ? TPU_VERDICT_ILLEGAL : TPU_VERDICT_FAULT, "%s",
               result->line);
  default:
    return say(reason, size, TPU_VERDICT_FAULT, "%s", result->line);
  }
}

void tpu_job_judge(const struct tpu_job *job, const struct tpu_job_outcome *outcome,
                   struct tpu_job_verdict *v) {
  char own[sizeof v->reason] = "";
  const char *reason = NULL;
  *v = (struct tpu_job_verdict){.run = TPU_VERDICT_NOT_RUN};
  v->run = own_verdict(job, outcome, v, own, sizeof own);
  v->settled = tpu_verdict_settle(&job->standing, v->run, own, &reason);
  (void)snprintf(v->reason, sizeof v->reason, "%s", reason != NULL ? reason : "");
}
