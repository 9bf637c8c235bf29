/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/cli/submissions.h"

#include "platform/cli/output.h"

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
  *out = (struct tpu_submissions){.corpus = {.count = 0}};
  if (file != NULL && name == NULL && !tpu_submitted_is_function(args)) {
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
  good = good && tpu_submitted_open(args, 0, &out->submitted, r);
  if (!good) {
    tpu_submissions_release(out);
  }
  return good;
}

void tpu_submissions_release(struct tpu_submissions *submissions) {
  tpu_corpus_release(&submissions->corpus);
  tpu_submitted_release(&submissions->submitted);
}

/* One run over all submissions. */
struct pass {
  struct tpu_submissions *submissions;
  const struct tpu_params *params;
  const struct tpu_judging *how;
  void *context;
  struct tpu_reference reference;
  struct tpu_junit *junit;
};

static int judge_each(struct pass *p, struct tpu_json_writer *w, struct tpu_report *r) {
  const struct tpu_corpus *corpus = &p->submissions->corpus;
  void *one = malloc(p->how->case_bytes);
  int good = one != NULL || tpu_report_fail(r, TPU_ERR_CAPACITY, "out of memory");
  for (uint32_t i = 0; good && i < corpus->count; ++i) {
    const struct tpu_spec *spec = &corpus->spec[i];
    good = tpu_submitted_ask(&p->submissions->submitted, spec, p->params, r) &&
           p->how->judge(p->context, spec, &p->reference, one, r);
    if (good) {
      p->how->tell(p->context, one, w, p->junit);
    }
  }
  free(one);
  return good;
}

static int judge_text(struct pass *p, struct tpu_report *r) {
  p->how->head(p->context);
  if (!judge_each(p, NULL, r)) {
    return 0;
  }
  p->how->foot(p->context);
  return 1;
}

static int judge_json(struct pass *p, struct tpu_report *r) {
  struct tpu_json_writer *w = tpu_document_new(r);
  if (w == NULL) {
    return 0;
  }
  tpu_json_begin_object(w, NULL);
  tpu_json_begin_array(w, "specs");
  if (!judge_each(p, w, r)) {
    tpu_json_writer_free(w);
    return 0;
  }
  tpu_json_end(w);
  p->how->members(p->context, w);
  tpu_json_end(w);
  return tpu_print_json(w, r);
}

int tpu_submissions_judge(const struct tpu_args *args, const struct tpu_platform_config *config,
                          uint32_t seed, struct tpu_submissions *submissions,
                          const struct tpu_judging *how, void *context, struct tpu_report *r) {
  struct pass p = {
      .submissions = submissions, .params = &config->params, .how = how, .context = context};
  const int good = tpu_submissions_junit(args, how->command, &p.junit, r) &&
                   tpu_reference_open(&config->params, ~seed, &p.reference, r) &&
                   (tpu_args_have(args, TPU_OPTION_JSON) ? judge_json(&p, r) : judge_text(&p, r)) &&
                   tpu_submissions_write_junit(args, p.junit, r);
  tpu_reference_close(&p.reference);
  tpu_junit_free(p.junit);
  return good;
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
