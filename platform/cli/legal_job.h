/* SPDX-License-Identifier: Apache-2.0 */
/* A program whose legality is judged: a workload's baseline or a file, to its verdict. */
#ifndef TPU_PLATFORM_CLI_LEGAL_JOB_H
#define TPU_PLATFORM_CLI_LEGAL_JOB_H

#include "judge/config.h"
#include "judge/engine.h"
#include "judge/legal.h"
#include "judge/program_file.h"
#include "judge/spec.h"
#include "platform/cli/submitted.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tpu_legal_job {
  const char *name;             /* of the workload, or "program" */
  int is_baseline, is_function; /* else of a file */
  struct tpu_program program;   /* its own; no words when there is none */
  int has_header;
  int judged; /* legality is there; else the verdict says why not */
  struct tpu_legality legality;
  enum tpu_verdict verdict; /* of what is not legal: ILLEGAL, SKIPPED, DECLINED, ... */
  char reason[700];         /* "" when legal */
  struct tpu_standing_store standing_store;
};

/* Judges what was submitted - the words of a file with their header, or the program of a function,
 * which was asked for this spec - or, where nothing was, the spec's baseline. spec may be NULL for
 * a file. Returns 1, *job to be released; 0 for bad input or want of memory. */
int tpu_legal_job(const struct tpu_spec *spec, const struct tpu_submitted *submitted,
                  const struct tpu_params *p, struct tpu_legal_job *job, struct tpu_report *r);
void tpu_legal_job_release(struct tpu_legal_job *job);

int tpu_legal_job_is_legal(const struct tpu_legal_job *job);
const char *tpu_legal_job_word(const struct tpu_legal_job *job); /* LEGAL, or the verdict's name */

/* How it is told, with what the stall pipelines say of it (NULL: they were not asked). */
void tpu_legal_print(const struct tpu_legal_job *job, const struct tpu_platform_config *config,
                     const struct tpu_engine_result *stalls);
void tpu_legal_put(const struct tpu_legal_job *job, const struct tpu_platform_config *config,
                   const struct tpu_engine_result *stalls, struct tpu_json_writer *w);

#ifdef __cplusplus
}
#endif
#endif
