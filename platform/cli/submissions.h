/* SPDX-License-Identifier: Apache-2.0 */
/* What a command of judge is to judge: every spec of the corpus, or the one of --spec, with the
 * program of --program or of the function that it names, else with the baseline mapping. */
#ifndef TPU_PLATFORM_CLI_SUBMISSIONS_H
#define TPU_PLATFORM_CLI_SUBMISSIONS_H

#include "judge/json_write.h"
#include "judge/junit.h"
#include "judge/reference.h"
#include "platform/cli/setup.h"
#include "platform/cli/submitted.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tpu_submissions {
  struct tpu_corpus corpus; /* the one spec, or all; each can be judged at the configuration */
  struct tpu_submitted submitted;
};

/* Returns 1, *out to be released; 0 for bad input: a program file without --spec among it, since a
 * program is judged by the spec that it is for. A function is called for each. */
int tpu_submissions_read(const struct tpu_args *args, const char *command,
                         const struct tpu_params *p, struct tpu_submissions *out,
                         struct tpu_report *r);
void tpu_submissions_release(struct tpu_submissions *submissions);

/* How a command judges one submission after the other, and tells of them. */
struct tpu_judging {
  const char *command; /* "judge correct" */
  size_t case_bytes;   /* of what judge fills */
  /* reference: the interpreter, with params of the configuration. The function of --program was
   * asked for this spec. 0 for bad input, or what prevented it. */
  int (*judge)(void *context, const struct tpu_spec *spec, struct tpu_reference *reference,
               void *one, struct tpu_report *r);
  /* w NULL: text; junit NULL: none */
  void (*tell)(void *context, const void *one, struct tpu_json_writer *w, struct tpu_junit *junit);
  void (*head)(const void *context);                               /* text, before all */
  void (*foot)(const void *context);                               /* and after */
  void (*members)(const void *context, struct tpu_json_writer *w); /* JSON, after "specs" */
};

/* Judges them all and tells of them in text or, by --json, one document, and in the file of
 * --junit. seed: of the platform's memories; the interpreter's hold other garbage, so that a
 * program that reads what it did not write is seen. 0 for what prevented it. */
int tpu_submissions_judge(const struct tpu_args *args, const struct tpu_platform_config *config,
                          uint32_t seed, struct tpu_submissions *submissions,
                          const struct tpu_judging *how, void *context, struct tpu_report *r);

/* For --junit: a suite when the option is given, else *junit is NULL. 0 when memory lacks. */
int tpu_submissions_junit(const struct tpu_args *args, const char *suite, struct tpu_junit **junit,
                          struct tpu_report *r);
/* Writes it to the file of the option, if there is one. */
int tpu_submissions_write_junit(const struct tpu_args *args, const struct tpu_junit *junit,
                                struct tpu_report *r);

#ifdef __cplusplus
}
#endif
#endif
