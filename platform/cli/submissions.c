/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/cli/submissions.h"

#include <stdlib.h>

static int read_one(const struct tpu_args *args, const char *name, struct tpu_corpus *out,
                    struct tpu_report *r) {
  out->spec = calloc(1, sizeof *out->spec);
  if (out->spec == NULL) {
    return tpu_report_fail(r, TPU_ERR_CAPACITY, "out of memory");
  }
  if (!tpu_setup_spec(args, name, out->spec, r)) {
    free(out->spec);
    out->spec = NULL;
    return 0;
  }
  out->count = 1;
  return 1;
}

int tpu_submissions_read(const struct tpu_args *args, const char *command,
                         const struct tpu_params *p, struct tpu_submissions *out,
                         struct tpu_report *r) {
  const char *name = args->value[TPU_OPTION_SPEC];
  const char *file = args->value[TPU_OPTION_PROGRAM];
  *out = (struct tpu_submissions){.given = file != NULL};
  if (file != NULL && name == NULL) {
    return tpu_report_fail(r, TPU_ERR_SYNTAX,
                           "option '--program' of '%s' needs '--spec NAME': a program is judged by "
                           "the spec that it is for",
                           command);
  }
  int good = name != NULL ? read_one(args, name, &out->corpus, r)
                          : tpu_setup_corpus(args, &out->corpus, r);
  for (uint32_t i = 0; good && i < out->corpus.count; ++i) {
    good = tpu_spec_check_at(&out->corpus.spec[i], p, r);
  }
  good = good && (file == NULL || tpu_setup_program(file, &out->program, r));
  if (!good) {
    tpu_submissions_release(out);
  }
  return good;
}

void tpu_submissions_release(struct tpu_submissions *submissions) {
  tpu_corpus_release(&submissions->corpus);
  tpu_program_release(&submissions->program);
}

const struct tpu_program *tpu_submissions_program(const struct tpu_submissions *submissions) {
  return submissions->given ? &submissions->program : NULL;
}

int tpu_submissions_junit(const struct tpu_args *args, const char *suite, struct tpu_junit **junit,
                          struct tpu_report *r) {
  *junit = NULL;
  if (!tpu_args_have(args, TPU_OPTION_JUNIT)) {
    return 1;
  }
  *junit = tpu_junit_new(suite);
  return *junit != NULL || tpu_report_fail(r, TPU_ERR_CAPACITY, "out of memory");
}

int tpu_submissions_write_junit(const struct tpu_args *args, const struct tpu_junit *junit,
                                struct tpu_report *r) {
  return junit == NULL || tpu_junit_write(junit, args->value[TPU_OPTION_JUNIT], r);
}
