/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/console.h"
#include "firmware/corpus/corpus.h"
#include "firmware/csr.h"

static void say_difference(struct tpu_text *t, const struct tpu_comparison *c) {
  if (c->wrong == 0 && c->clobbered == 0) {
    return;
  }
  tpu_text_format(t,
                  ", %u bytes wrong, %u clobbered, first at row %u column %u: expected %d, got %d",
                  c->wrong, c->clobbered, c->row, c->col, c->expected, c->got);
}

static const char *subject(const struct corpus_run *run) {
  if (run->payload == NULL) {
    return "tpu_corpus";
  }
  return run->payload->has_workload != 0 ? run->payload->workload.name : "program";
}

static void compose(const struct corpus_run *run, struct tpu_text *t) {
  const struct tpu_result *r = run->result;
  tpu_text_format(t, "%s: %s", subject(run), tpu_outcome_name(r->outcome));
  if (run->why.code != TPU_OK || run->why.text[0] != '\0') {
    tpu_text_format(t, ", %s", run->why.text);
  }
  say_difference(t, &r->comparison);
  if (r->end_to_end != 0) {
    tpu_text_format(t, ", accelerator %U cycles, end to end %U cycles", r->accelerator,
                    r->end_to_end);
  }
  if (r->satisfiable == 0) {
    tpu_text_format(t, "; %s: %s",
                    r->outcome == TPU_OUTCOME_EXACT ? "unexpected, as it cannot be satisfied here"
                                                    : "it cannot be satisfied here",
                    run->unsatisfiable.text);
  }
}

static int exit_code(const struct tpu_result *r) {
  switch (r->outcome) {
  case TPU_OUTCOME_EXACT:
  case TPU_OUTCOME_COMPLETED:
    return r->satisfiable != 0 ? TPU_EXIT_PASS : TPU_EXIT_VERDICT;
  case TPU_OUTCOME_SETUP:
    return TPU_EXIT_SETUP;
  default:
    return TPU_EXIT_VERDICT;
  }
}

int corpus_report(struct corpus_run *run) {
  struct tpu_result *r = run->result;
  struct tpu_text t = tpu_text_on(r->line, sizeof r->line);
  compose(run, &t);
  tpu_console_write(r->line);
  tpu_console_write("\n");
  tpu_fence(); /* the magic says that all the rest stands */
  r->magic = TPU_RESULT_MAGIC;
  return exit_code(r);
}
