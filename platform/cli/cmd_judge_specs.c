/* SPDX-License-Identifier: Apache-2.0 */
/* tpuvp judge specs: the corpus, what each spec stresses, and where it stands. */
#include "isa/mapper.h"
#include "platform/cli/commands.h"
#include "platform/cli/output.h"
#include "platform/cli/setup.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Does the baseline mapper decline it here, and in which words? -1 without memory. */
static int is_declined(const struct tpu_spec *spec, const struct tpu_params *p,
                       struct tpu_error *why) {
  const uint32_t capacity = tpu_program_capacity(p);
  struct tpu_program program = {malloc((capacity + 1) * sizeof *program.words), capacity, 0};
  if (program.words == NULL) {
    return -1;
  }
  const int mapped = tpu_map_baseline(p, &spec->workload, &program, why);
  free(program.words);
  return !mapped;
}

/* What is known before anything runs, in one word and with its reason. declined: the mapper's
 * sentence or NULL. */
static const char *standing_word(const struct tpu_standing *s, const char *declined,
                                 const char **reason) {
  *reason = s->unfit != NULL           ? s->unfit
            : s->known_gap != NULL     ? s->known_gap
            : s->unsatisfiable != NULL ? s->unsatisfiable
                                       : declined;
  return s->unfit != NULL           ? tpu_verdict_name(TPU_VERDICT_SKIPPED)
         : s->known_gap != NULL     ? tpu_verdict_name(TPU_VERDICT_KNOWN_GAP)
         : s->unsatisfiable != NULL ? tpu_verdict_name(TPU_VERDICT_UNSATISFIABLE)
         : declined != NULL         ? tpu_verdict_name(TPU_VERDICT_DECLINED)
                                    : "SATISFIABLE";
}

static void print_text(const struct tpu_spec *spec, const char *word, const char *reason) {
  char dims[96];
  struct tpu_text t = tpu_text_on(dims, sizeof dims);
  for (uint32_t i = 0; i < spec->workload.indices; ++i) {
    const struct tpu_index *index = &spec->workload.index[i];
    tpu_text_format(&t, "%s%c=%u", i ? " " : "", (int)index->letter, index->size);
  }
  printf("%-26s %-14s %-22s %s\n", spec->workload.name, spec->einsum, dims, word);
  printf("    %s\n", spec->stresses);
  if (reason != NULL) {
    printf("    %s: %s\n", word, reason);
  }
}

static void put_json(struct tpu_json_writer *w, const struct tpu_spec *spec, const char *word,
                     const char *reason) {
  tpu_json_begin_object(w, NULL);
  tpu_json_put_string(w, "name", spec->workload.name);
  tpu_json_put_string(w, "file", spec->path);
  tpu_json_put_string(w, "einsum", spec->einsum);
  tpu_json_begin_object(w, "dims");
  for (uint32_t i = 0; i < spec->workload.indices; ++i) {
    const char letter[2] = {(char)spec->workload.index[i].letter, '\0'};
    tpu_json_put_u64(w, letter, spec->workload.index[i].size);
  }
  tpu_json_end(w);
  tpu_json_put_string(w, "stresses", spec->stresses);
  tpu_json_put_string(w, "standing", word);
  tpu_json_put_text_or_null(w, "reason", reason);
  tpu_json_end(w);
}

/* One spec, in either form; 0 when it is bad input at this configuration. */
static int show(const struct tpu_spec *spec, const struct tpu_params *p, struct tpu_json_writer *w,
                struct tpu_report *r) {
  struct tpu_standing_store store;
  struct tpu_standing standing;
  const char *reason = NULL;
  if (!tpu_spec_standing(spec, p, &store, &standing, r)) {
    return 0;
  }
  struct tpu_error why = {.code = TPU_OK};
  const int declined = is_declined(spec, p, &why);
  if (declined < 0) {
    return tpu_report_fail(r, TPU_ERR_CAPACITY, "out of memory");
  }
  const char *word = standing_word(&standing, declined ? why.text : NULL, &reason);
  if (w != NULL) {
    put_json(w, spec, word, reason);
  } else {
    print_text(spec, word, reason);
  }
  return 1;
}

static int show_all(const struct tpu_args *args, const struct tpu_params *p,
                    struct tpu_json_writer *w, struct tpu_report *r) {
  const char *name = args->value[TPU_OPTION_SPEC];
  int good = 1;
  if (name != NULL) {
    struct tpu_spec spec;
    if (!tpu_setup_spec(args, name, &spec, r)) {
      return 0;
    }
    good = show(&spec, p, w, r);
    tpu_spec_release(&spec);
    return good;
  }
  struct tpu_corpus corpus;
  if (!tpu_setup_corpus(args, &corpus, r)) {
    return 0;
  }
  for (uint32_t i = 0; good && i < corpus.count; ++i) { /* refuse before anything is printed */
    good = tpu_spec_check_at(&corpus.spec[i], p, r);
  }
  for (uint32_t i = 0; good && i < corpus.count; ++i) {
    good = show(&corpus.spec[i], p, w, r);
  }
  tpu_corpus_release(&corpus);
  return good;
}

int tpu_command_judge_specs(const struct tpu_args *args, struct tpu_report *r) {
  struct tpu_platform_config config;
  if (!tpu_setup_config(args, &config, NULL, r)) {
    return TPU_EXIT_USAGE;
  }
  if (!tpu_args_have(args, TPU_OPTION_JSON)) {
    return show_all(args, &config.params, NULL, r) ? TPU_EXIT_OK : TPU_EXIT_USAGE;
  }
  struct tpu_json_writer *w = tpu_document_new(r);
  if (w == NULL) {
    return TPU_EXIT_USAGE;
  }
  tpu_json_begin_object(w, NULL);
  tpu_json_begin_array(w, "specs");
  if (!show_all(args, &config.params, w, r)) {
    tpu_json_writer_free(w);
    return TPU_EXIT_USAGE;
  }
  tpu_json_end(w);
  tpu_config_put(&config, "config", w);
  tpu_json_end(w);
  return tpu_print_json(w, r) ? TPU_EXIT_OK : TPU_EXIT_USAGE;
}
