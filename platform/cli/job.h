/* SPDX-License-Identifier: Apache-2.0 */
/* One thing to run - a workload, a program, or both - made ready on the host: operands, images,
 * what must come out, and what is known before anything runs. */
#ifndef TPU_PLATFORM_CLI_JOB_H
#define TPU_PLATFORM_CLI_JOB_H

#include "firmware/payload.h"
#include "isa/check.h"
#include "judge/config.h"
#include "judge/operands.h"
#include "judge/submission.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is asked for. spec or program, or both. */
struct tpu_job_request {
  const struct tpu_platform_config *config; /* resolved; borrowed */
  const struct tpu_spec *spec;              /* borrowed */
  const struct tpu_program *program;        /* borrowed; NULL: the baseline mapping */
  const struct tpu_no_program *none;  /* why the submission has no program, or NULL; borrowed */
  const char *image_path[3];          /* raw images A, B, C in place of drawn ones, or NULL */
  enum tpu_distribution distribution; /* of the drawn operands */
  uint32_t seed;
  int unchecked; /* run a program that breaks a contract */
};

struct tpu_job {
  struct tpu_job_request request;
  char name[64]; /* of the workload, or "program" */
  struct tpu_standing_store standing_store;
  struct tpu_standing standing; /* all NULL without a spec */
  struct tpu_operand_set operands;
  int8_t *image[3]; /* A, B, C before the run, MAXDIM*MAXDIM bytes each */
  int8_t *expected; /* dense output of the workload; NULL without a spec */
  int8_t
      *interpreted; /* C by the reference interpreter; NULL when there is a spec, or no meaning */
  struct tpu_program program; /* the words that run */
  struct tpu_code code;       /* decoded, when legal or at least countable */
  struct tpu_counts counts;   /* of code; all 0 unless counted */
  int counted;
  uint32_t seeds[3]; /* pads of A and B, prefill of C */
  /* NOT_RUN: to be run. SKIPPED, DECLINED, NO_PROGRAM, ILLEGAL: it will not be, by the reason. */
  enum tpu_verdict verdict;
  int illegal; /* breaks a contract; runs only unchecked */
  struct tpu_violation violation;
  char reason[512];
};

/* Returns 1 with *job filled, to be released; 0 for bad input or lack of memory, nothing to
 * release. */
int tpu_job_prepare(struct tpu_job *job, const struct tpu_job_request *request,
                    struct tpu_report *r);
void tpu_job_release(struct tpu_job *job);

/* The payload for the corpus application, from malloc. */
int tpu_job_payload(const struct tpu_job *job, uint8_t **payload, size_t *bytes,
                    struct tpu_report *r);

/* What a run left behind. */
struct tpu_job_outcome {
  const char *abnormal; /* why the run ended otherwise than by the application, or NULL */
  const struct tpu_result *result; /* the application's report; NULL with abnormal */
  const int8_t *image;             /* C after the run, MAXDIM*MAXDIM bytes; NULL when unknown */
  const struct tpu_word *words;    /* the program as it lies in DRAM; NULL when unknown */
  const char *hang;                /* the deadlock in a sentence, or NULL */
};

struct tpu_job_verdict {
  enum tpu_verdict run;     /* the run's own */
  enum tpu_verdict settled; /* after precedence: what stands */
  int compared;
  struct tpu_comparison comparison;
  char reason[600]; /* why the settled verdict stands; "" for a plain EXACT */
};

/* Judges a run by the bytes of C on the host; the application's own verdict must be the same, and
 * the program it ran the one that the host mapped, else FAULT. outcome NULL: the job was not
 * run. */
void tpu_job_judge(const struct tpu_job *job, const struct tpu_job_outcome *outcome,
                   struct tpu_job_verdict *v);

#ifdef __cplusplus
}
#endif
#endif
