/* SPDX-License-Identifier: Apache-2.0 */
/* tpuvp judge rules: the table of contracts, each tried by a crafted violation, and every baseline
 * held to all of them. */
#include "judge/rule_cases.h"
#include "platform/cli/commands.h"
#include "platform/cli/legal_job.h"
#include "platform/cli/output.h"
#include "platform/cli/setup.h"

#include <stdio.h>
#include <stdlib.h>

struct self_test {
  struct tpu_rule_result *result; /* of every crafted violation */
  size_t results;
  struct tpu_legal_job *job; /* of every spec */
  size_t jobs;
};

/* Where a program can be right there must be a baseline, and a legal one; elsewhere it is not asked
 * to. */
static int is_asked(const struct tpu_legal_job *job) {
  return tpu_legal_job_is_legal(job) || tpu_verdict_fails(job->verdict);
}

static int has_passed(const struct self_test *t, int rule) {
  int tried = 0;
  for (size_t k = 0; k < t->results; ++k) {
    if (t->result[k].rule != rule) {
      continue;
    }
    if (!t->result[k].passed) {
      return 0;
    }
    tried = 1;
  }
  return tried;
}

static size_t failures(const struct self_test *t) {
  size_t failed = 0;
  for (int rule = 0; rule < TPU_RULE_COUNT; ++rule) {
    failed += !has_passed(t, rule);
  }
  for (size_t k = 0; k < t->jobs; ++k) {
    failed += is_asked(&t->job[k]) && !t->job[k].legality.legal;
  }
  return failed;
}

static const char *got_name(const struct tpu_rule_result *x) {
  return x->got == TPU_RULE_NONE ? "accepted" : tpu_rule_name(x->got);
}

static void print_text(const struct self_test *t) {
  size_t accepted = 0;
  size_t asked = 0;
  for (int rule = 0; rule < TPU_RULE_COUNT; ++rule) {
    printf("%-22s %s\n", tpu_rule_name(rule), tpu_layer_name(tpu_rule_layer(rule)));
    printf("    the rule:       %s\n", tpu_rule_contract(rule));
    printf("    what to change: %s\n", tpu_rule_remedy(rule));
    for (size_t k = 0; k < t->results; ++k) {
      const struct tpu_rule_result *x = &t->result[k];
      if (x->rule == rule) {
        printf("    crafted:        %s: %s%s\n", x->what, x->passed ? "named" : "FAILED, ",
               x->passed ? "" : got_name(x));
      }
    }
    if (!has_passed(t, rule)) {
      printf("    FAILED\n");
    }
  }
  for (size_t k = 0; k < t->jobs; ++k) {
    const struct tpu_legal_job *job = &t->job[k];
    asked += (size_t)is_asked(job);
    accepted += is_asked(job) && job->legality.legal;
    if (is_asked(job) && !job->legality.legal) {
      printf("FAILED: the baseline of %s is rejected: %s\n", job->name, job->reason);
    }
  }
  printf("\n%d rules, %zu crafted violations; %zu of %zu baselines accepted, %zu not asked\n",
         (int)TPU_RULE_COUNT, t->results, accepted, asked, t->jobs - asked);
}

static void put_rule(const struct self_test *t, int rule, struct tpu_json_writer *w) {
  tpu_json_begin_object(w, NULL);
  tpu_json_put_string(w, "layer", tpu_layer_name(tpu_rule_layer(rule)));
  tpu_json_put_string(w, "rule", tpu_rule_name(rule));
  tpu_json_put_string(w, "the_rule", tpu_rule_contract(rule));
  tpu_json_put_string(w, "what_to_change", tpu_rule_remedy(rule));
  tpu_json_begin_array(w, "crafted");
  for (size_t k = 0; k < t->results; ++k) {
    const struct tpu_rule_result *x = &t->result[k];
    if (x->rule != rule) {
      continue;
    }
    tpu_json_begin_object(w, NULL);
    tpu_json_put_string(w, "what", x->what);
    tpu_json_put_string(w, "got", got_name(x));
    tpu_json_put_string(w, "what_happened", x->violation.detail);
    tpu_json_put_bool(w, "passed", x->passed);
    tpu_json_end(w);
  }
  tpu_json_end(w);
  tpu_json_put_bool(w, "passed", has_passed(t, rule));
  tpu_json_end(w);
}

static int print_json(const struct self_test *t, const struct tpu_platform_config *config,
                      struct tpu_report *r) {
  struct tpu_json_writer *w = tpu_document_new(r);
  if (w == NULL) {
    return 0;
  }
  tpu_json_begin_object(w, NULL);
  tpu_json_begin_array(w, "rules");
  for (int rule = 0; rule < TPU_RULE_COUNT; ++rule) {
    put_rule(t, rule, w);
  }
  tpu_json_end(w);
  tpu_json_begin_array(w, "baselines");
  for (size_t k = 0; k < t->jobs; ++k) {
    const struct tpu_legal_job *job = &t->job[k];
    tpu_json_begin_object(w, NULL);
    tpu_json_put_string(w, "name", job->name);
    tpu_json_put_string(w, "verdict", tpu_legal_job_word(job));
    tpu_json_put_text_or_null(w, "reason", job->reason);
    tpu_json_put_bool(w, "asked", is_asked(job));
    tpu_json_end(w);
  }
  tpu_json_end(w);
  tpu_json_put_bool(w, "passed", failures(t) == 0);
  tpu_config_put(config, "config", w);
  tpu_json_end(w);
  return tpu_print_json(w, r);
}

static int run(struct self_test *t, const struct tpu_corpus *corpus, const struct tpu_params *p,
               struct tpu_report *r) {
  const struct tpu_submitted nothing = {.given = 0};
  const size_t cases = tpu_rule_case_count();
  t->result = malloc(cases * sizeof *t->result);
  t->job = malloc((corpus->count + 1U) * sizeof *t->job);
  if (t->result == NULL || t->job == NULL) {
    return tpu_report_fail(r, TPU_ERR_CAPACITY, "out of memory");
  }
  for (; t->results < cases; ++t->results) {
    if (!tpu_rule_case_run(t->results, &t->result[t->results], r)) {
      return 0;
    }
  }
  for (; t->jobs < corpus->count; ++t->jobs) {
    if (!tpu_legal_job(&corpus->spec[t->jobs], &nothing, p, &t->job[t->jobs], r)) {
      return 0;
    }
  }
  return 1;
}

int tpu_command_judge_rules(const struct tpu_args *args, struct tpu_report *r) {
  struct tpu_platform_config config;
  struct tpu_corpus corpus;
  struct self_test t = {.results = 0};
  int code = TPU_EXIT_USAGE;
  if (!tpu_setup_config(args, &config, NULL, r) || !tpu_setup_corpus(args, &corpus, r)) {
    return code;
  }
  if (run(&t, &corpus, &config.params, r)) {
    code = failures(&t) == 0 ? TPU_EXIT_OK : TPU_EXIT_VERDICT;
    if (!tpu_args_have(args, TPU_OPTION_JSON)) {
      print_text(&t);
    } else if (!print_json(&t, &config, r)) {
      code = TPU_EXIT_USAGE;
    }
  }
  for (size_t k = 0; k < t.jobs; ++k) {
    tpu_legal_job_release(&t.job[k]);
  }
  free(t.job);
  free(t.result);
  tpu_corpus_release(&corpus);
  return code;
}
