/* SPDX-License-Identifier: Apache-2.0 */
/* What --program names: a file that holds the words, or a function of a shared library that makes
 * them for each workload. */
#ifndef TPU_PLATFORM_CLI_SUBMITTED_H
#define TPU_PLATFORM_CLI_SUBMITTED_H

#include "judge/program_file.h"
#include "judge/spec.h"
#include "judge/submission.h"
#include "platform/cli/options.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tpu_submitted {
  int given;                        /* there is a --program */
  int is_function;                  /* of a library */
  struct tpu_submission submission; /* that function */
  struct tpu_program program;       /* of the file, or made for the spec that was asked for last */
  struct tpu_program_header header; /* of the file */
  struct tpu_no_program none;       /* of that spec */
};

/* Is the function of a library named? Then the specs may be many, since it is called for each. */
int tpu_submitted_is_function(const struct tpu_args *args);

/* Reads the file, or sees that the function is there. headed: the file may bring its header.
 * Returns 1, *out to be released; 0 for bad input, nothing to release. */
int tpu_submitted_open(const struct tpu_args *args, int headed, struct tpu_submitted *out,
                       struct tpu_report *r);
void tpu_submitted_release(struct tpu_submitted *submitted);

/* Calls the function for a spec that fits; does nothing for a file, or where nothing is given. 0
 * for what prevented it. */
int tpu_submitted_ask(struct tpu_submitted *submitted, const struct tpu_spec *spec,
                      const struct tpu_params *p, struct tpu_report *r);

/* The program that is given, NULL: none, the baseline is due. It is empty where the function made
 * none, which tpu_submitted_none then tells, else NULL. */
const struct tpu_program *tpu_submitted_program(const struct tpu_submitted *submitted);
const struct tpu_no_program *tpu_submitted_none(const struct tpu_submitted *submitted);

#ifdef __cplusplus
}
#endif
#endif
