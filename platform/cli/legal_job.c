/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/cli/legal_job.h"

#include "isa/mapper.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void settle(struct tpu_legal_job *job, const struct tpu_standing *standing,
                   enum tpu_verdict run, const char *why) {
  const char *reason = NULL;
  job->verdict = tpu_verdict_settle(standing, run, why, &reason);
  (void)snprintf(job->reason, sizeof job->reason, "%s", reason);
}

/* The words to judge: a copy, or the baseline's. 0 without memory; *why says when it declined. */
static int make_words(struct tpu_legal_job *job, const struct tpu_spec *spec,
                      const struct tpu_program *given, const struct tpu_params *p,
                      struct tpu_error *why) {
  const uint32_t capacity = given != NULL ? given->count : tpu_program_capacity(p);
  job->program.words = malloc((capacity + 1) * sizeof *job->program.words);
  job->program.capacity = capacity;
  if (job->program.words == NULL)
    return 0;
  if (given != NULL) {
    memcpy(job->program.words, given->words, given->count * sizeof *given->words);
    job->program.count = given->count;
  } else {
    (void)tpu_map_baseline(p, &spec->workload, &job->program, why);
  }
  return 1;
}

static int judge(struct tpu_legal_job *job, const struct tpu_spec *spec,
                 const struct tpu_submitted *submitted, const struct tpu_params *p,
                 struct tpu_report *r) {
  const struct tpu_no_program *none = tpu_submitted_none(submitted);
  struct tpu_standing standing = {NULL, NULL, NULL};
  struct tpu_error why = {.code = TPU_OK};
  if (spec != NULL && !tpu_spec_standing(spec, p, &job->standing_store, &standing, r))
    return 0;
  if (standing.unfit != NULL) {
    settle(job, &standing, TPU_VERDICT_NOT_RUN, "");
    return 1;
  }
  if (none != NULL) {
    settle(job, &standing, none->verdict, none->reason);
    return 1;
  }
  if (!make_words(job, spec, tpu_submitted_program(submitted), p, &why))
    return tpu_report_fail(r, TPU_ERR_CAPACITY, "out of memory");
  if (why.code != TPU_OK) {
    settle(job, &standing, TPU_VERDICT_DECLINED, why.text);
    return 1;
  }
  const struct tpu_legal_request request = {.params = p,
                                            .program = &job->program,
                                            .header =
                                                job->has_header ? submitted->header.word : NULL,
                                            .workload = spec != NULL ? &spec->workload : NULL};
  if (!tpu_legal(&request, &job->legality, r))
    return 0;
  job->judged = 1;
  if (!job->legality.legal) {
    char text[512];
    settle(job, &standing, TPU_VERDICT_ILLEGAL,
           tpu_violation_text(&job->legality.violation, text, sizeof text));
  }
  return 1;
}

int tpu_legal_job(const struct tpu_spec *spec, const struct tpu_submitted *submitted,
                  const struct tpu_params *p, struct tpu_legal_job *job, struct tpu_report *r) {
  *job = (struct tpu_legal_job){.name = spec != NULL ? spec->workload.name : "program",
                                .is_baseline = !submitted->given,
                                .is_function = submitted->is_function,
                                .has_header = submitted->header.given};
  if (judge(job, spec, submitted, p, r))
    return 1;
  tpu_legal_job_release(job);
  return 0;
}

void tpu_legal_job_release(struct tpu_legal_job *job) {
  if (job->judged)
    tpu_legality_release(&job->legality);
  job->judged = 0;
  free(job->program.words);
  job->program = (struct tpu_program){NULL, 0, 0};
}

int tpu_legal_job_is_legal(const struct tpu_legal_job *job) {
  return job->judged && job->legality.legal;
}

const char *tpu_legal_job_word(const struct tpu_legal_job *job) {
  return tpu_legal_job_is_legal(job) ? "LEGAL" : tpu_verdict_name(job->verdict);
}
