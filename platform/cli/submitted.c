/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/cli/submitted.h"

#include "platform/cli/setup.h"

#include <stdlib.h>

int tpu_submitted_is_function(const struct tpu_args *args) {
  const char *word = args->value[TPU_OPTION_PROGRAM];
  return word != NULL && tpu_submission_is_one(word);
}

/* The limits are of a call: without one they would be ignored. */
static int refuse_limits(const struct tpu_args *args, struct tpu_report *r) {
  static const enum tpu_option limits[] = {TPU_OPTION_SUBMISSION_SECONDS,
                                           TPU_OPTION_SUBMISSION_MBYTES};
  for (size_t i = 0; i < sizeof limits / sizeof limits[0]; ++i) {
    if (tpu_args_have(args, limits[i])) {
      return tpu_report_fail(r, TPU_ERR_SYNTAX,
                             "option '--%s' has no meaning without --program LIBRARY.so:FUNCTION",
                             tpu_option_lookup(limits[i])->name);
    }
  }
  return 1;
}

static int open_function(const struct tpu_args *args, struct tpu_submitted *out,
                         struct tpu_report *r) {
  struct tpu_submission *s = &out->submission;
  uint64_t seconds = 0;
  uint64_t mbytes = 0;
  out->is_function = 1;
  if (!tpu_submission_parse(args->value[TPU_OPTION_PROGRAM], s, r) ||
      !tpu_args_number(args, TPU_OPTION_SUBMISSION_SECONDS, 1, TPU_SUBMISSION_MAX_SECONDS,
                       s->seconds, &seconds, r) ||
      !tpu_args_number(args, TPU_OPTION_SUBMISSION_MBYTES, TPU_SUBMISSION_MIN_MBYTES,
                       TPU_SUBMISSION_MAX_MBYTES, s->mbytes, &mbytes, r)) {
    return 0;
  }
  s->seconds = (unsigned)seconds;
  s->mbytes = (unsigned)mbytes;
  out->program.words = malloc(TPU_PROGRAM_FILE_MAX * sizeof *out->program.words);
  out->program.capacity = TPU_PROGRAM_FILE_MAX;
  if (out->program.words == NULL) {
    return tpu_report_fail(r, TPU_ERR_CAPACITY, "out of memory");
  }
  return tpu_submission_probe(s, r);
}

int tpu_submitted_open(const struct tpu_args *args, int headed, struct tpu_submitted *out,
                       struct tpu_report *r) {
  const char *word = args->value[TPU_OPTION_PROGRAM];
  *out = (struct tpu_submitted){.given = word != NULL};
  if (tpu_submitted_is_function(args)) {
    if (open_function(args, out, r)) {
      return 1;
    }
    tpu_submitted_release(out);
    return 0;
  }
  return refuse_limits(args, r) &&
         (word == NULL || (headed ? tpu_setup_headed_program(word, &out->program, &out->header, r)
                                  : tpu_setup_program(word, &out->program, r)));
}

void tpu_submitted_release(struct tpu_submitted *submitted) {
  tpu_program_release(&submitted->program);
}

int tpu_submitted_ask(struct tpu_submitted *submitted, const struct tpu_spec *spec,
                      const struct tpu_params *p, struct tpu_report *r) {
  struct tpu_error why;
  if (!submitted->is_function) {
    return 1;
  }
  submitted->program.count = 0;
  submitted->none = (struct tpu_no_program){.verdict = TPU_VERDICT_NOT_RUN};
  return !tpu_workload_fits(p, &spec->workload, &why) ||
         tpu_submission_call(&submitted->submission, p, &spec->workload, &submitted->program,
                             &submitted->none, r);
}

const struct tpu_program *tpu_submitted_program(const struct tpu_submitted *submitted) {
  return submitted->given ? &submitted->program : NULL;
}

const struct tpu_no_program *tpu_submitted_none(const struct tpu_submitted *submitted) {
  return submitted->none.verdict != TPU_VERDICT_NOT_RUN ? &submitted->none : NULL;
}
