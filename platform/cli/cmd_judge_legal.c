/* SPDX-License-Identifier: Apache-2.0 */
/* tpuvp judge legal: the four layers of contracts, and beside them whether the program hangs at the
 * configured depth. */
#include "platform/cli/commands.h"
#include "platform/cli/engine.h"
#include "platform/cli/legal_job.h"
#include "platform/cli/output.h"
#include "platform/cli/setup.h"

#include <inttypes.h>
#include <stdio.h>

struct session {
  const struct tpu_platform_config *config;
  const struct tpu_engine *engine;
  struct tpu_json_writer *json; /* NULL: text */
  int whole_corpus;             /* text: a line each, rejections in full */
};

/* One line of a table. */
static void print_line(const struct tpu_legal_job *job, const struct tpu_engine_result *stalls) {
  printf("%-26s %-14s", job->name, tpu_legal_job_word(job));
  if (job->judged && job->legality.networked) {
    printf(" %12u %9" PRIu64, job->program.count, job->legality.network.rounds);
  }
  if (stalls != NULL) {
    printf("  %s", stalls->outcome == TPU_ENGINE_COMPLETED ? "completes" : stalls->text);
  }
  printf("\n");
  if (!job->judged) {
    printf("    %s\n", job->reason);
  }
}

static void tell(const struct session *s, const struct tpu_legal_job *job,
                 const struct tpu_engine_result *stalls) {
  if (s->json != NULL) {
    tpu_legal_put(job, s->config, stalls, s->json);
  } else if (s->whole_corpus && !(job->judged && !job->legality.legal)) {
    print_line(job, stalls);
  } else {
    tpu_legal_print(job, s->config, stalls);
  }
}

/* A legal program on the engine, with images of zeros: whether it completes does not depend on
 * them. */
static int run_pipelines(const struct session *s, const struct tpu_legal_job *job,
                         struct tpu_engine_result *result, struct tpu_report *r) {
  const struct tpu_engine_request request = {.params = &s->config->params,
                                             .program = &job->program,
                                             .counts = &job->legality.counts,
                                             .seed = 1};
  return s->engine->run(s->engine->context, &request, result, r);
}

/* Returns an enum tpu_exit. */
static int judge(const struct session *s, const struct tpu_spec *spec,
                 struct tpu_submitted *submitted, struct tpu_report *r) {
  struct tpu_legal_job job;
  struct tpu_engine_result result;
  int code = TPU_EXIT_USAGE;
  if ((spec != NULL && !tpu_submitted_ask(submitted, spec, &s->config->params, r)) ||
      !tpu_legal_job(spec, submitted, &s->config->params, &job, r)) {
    return code;
  }
  if (!tpu_legal_job_is_legal(&job)) {
    tell(s, &job, NULL);
    code = s->whole_corpus && !tpu_verdict_fails(job.verdict) ? TPU_EXIT_OK : TPU_EXIT_VERDICT;
  } else if (run_pipelines(s, &job, &result, r)) {
    tell(s, &job, &result);
    code = result.outcome == TPU_ENGINE_FAULT ? TPU_EXIT_VERDICT : TPU_EXIT_OK;
    s->engine->release(&result);
  }
  tpu_legal_job_release(&job);
  return code;
}

static int judge_corpus(const struct session *s, const struct tpu_args *args,
                        struct tpu_submitted *submitted, struct tpu_report *r) {
  struct tpu_corpus corpus;
  int code = TPU_EXIT_OK;
  if (!tpu_setup_corpus(args, &corpus, r)) {
    return TPU_EXIT_USAGE;
  }
  for (uint32_t i = 0; code == TPU_EXIT_OK && i < corpus.count; ++i) { /* before any is told */
    code = tpu_spec_check_at(&corpus.spec[i], &s->config->params, r) ? code : TPU_EXIT_USAGE;
  }
  if (code == TPU_EXIT_OK && s->json == NULL) {
    printf("%-26s %-14s %12s %9s  %s\n", "spec", "verdict", "instructions", "rounds", "pipelines");
  }
  for (uint32_t i = 0; code != TPU_EXIT_USAGE && i < corpus.count; ++i) {
    const int one = judge(s, &corpus.spec[i], submitted, r);
    code = one > code ? one : code;
  }
  tpu_corpus_release(&corpus);
  return code;
}

static int judge_named(const struct session *s, const struct tpu_args *args, const char *word,
                       struct tpu_submitted *submitted, struct tpu_report *r) {
  struct tpu_spec spec;
  if (word == NULL) {
    return judge(s, NULL, submitted, r);
  }
  if (!tpu_setup_spec(args, word, &spec, r)) {
    return TPU_EXIT_USAGE;
  }
  const int code = judge(s, &spec, submitted, r);
  tpu_spec_release(&spec);
  return code;
}

/* A program file stands without a SPEC; a function is called for every spec of the corpus. */
static int names_program_only(const struct tpu_args *args) {
  return tpu_args_have(args, TPU_OPTION_PROGRAM) && !tpu_submitted_is_function(args);
}

/* The SPEC, as operand or option; *word NULL: none. */
static int find_word(const struct tpu_args *args, const char **word, struct tpu_report *r) {
  const char *option = args->value[TPU_OPTION_SPEC];
  *word = args->operands == 1 ? args->operand[0] : option;
  if (args->operands == 1 && option != NULL) {
    return tpu_report_fail(r, TPU_ERR_SYNTAX,
                           "SPEC is given twice, '%s' and '--spec %s': once is due",
                           args->operand[0], option);
  }
  if (*word == NULL && names_program_only(args) && tpu_args_have(args, TPU_OPTION_CORPUS)) {
    return tpu_report_fail(
        r, TPU_ERR_SYNTAX,
        "option '--corpus' has no meaning for a program without a SPEC: give one");
  }
  return 1;
}

static int run(const struct session *s, const struct tpu_args *args, const char *word,
               struct tpu_report *r) {
  struct tpu_submitted submitted;
  if (!tpu_submitted_open(args, 1, &submitted, r)) {
    return TPU_EXIT_USAGE;
  }
  const int code = s->whole_corpus ? judge_corpus(s, args, &submitted, r)
                                   : judge_named(s, args, word, &submitted, r);
  tpu_submitted_release(&submitted);
  return code;
}

static int run_json(struct session *s, const struct tpu_args *args, const char *word,
                    struct tpu_report *r) {
  s->json = tpu_document_new(r);
  if (s->json == NULL) {
    return TPU_EXIT_USAGE;
  }
  tpu_json_begin_object(s->json, NULL);
  tpu_json_begin_array(s->json, "programs");
  const int code = run(s, args, word, r);
  if (code == TPU_EXIT_USAGE) {
    tpu_json_writer_free(s->json);
    return code;
  }
  tpu_json_end(s->json);
  tpu_config_put(s->config, "config", s->json);
  tpu_json_end(s->json);
  return tpu_print_json(s->json, r) ? code : TPU_EXIT_USAGE;
}

int tpu_command_judge_legal(const struct tpu_args *args, struct tpu_report *r) {
  struct tpu_platform_config config;
  struct tpu_engine engine;
  char timing[TPU_PATH_SIZE];
  const char *word = NULL;
  if (!find_word(args, &word, r) || !tpu_setup_ideal(args, "judge legal", &config, timing, r) ||
      !tpu_engine_open(timing, &engine, r)) {
    return TPU_EXIT_USAGE;
  }
  struct session s = {.config = &config,
                      .engine = &engine,
                      .whole_corpus = word == NULL && !names_program_only(args)};
  const int code =
      tpu_args_have(args, TPU_OPTION_JSON) ? run_json(&s, args, word, r) : run(&s, args, word, r);
  tpu_engine_close(&engine);
  return code;
}
