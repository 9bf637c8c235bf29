/* SPDX-License-Identifier: Apache-2.0 */
/* tpuvp judge correct: programs against their specs, and the platform against the instruction set,
 * on four operand distributions, each twice on one elaborated platform. */
#include "judge/tally.h"
#include "platform/cli/commands.h"
#include "platform/cli/correctness.h"
#include "platform/cli/output.h"
#include "platform/cli/platform_engine.h"
#include "platform/cli/submissions.h"

#include <stdio.h>

/* The whole command. */
struct correct {
  const struct tpu_platform_config *config;
  uint32_t seed;
  struct tpu_submissions submissions;
  struct tpu_engine engine;
  struct tpu_tally tally;
};

static const struct tpu_picture *picture_of(const struct tpu_correct_case *x) {
  return x->shown >= 0 && x->run[x->shown].picture.rows != 0 ? &x->run[x->shown].picture : NULL;
}

/* Runs in which an anchor held; -1 when there were none. */
static int held(const struct tpu_correct_case *x, int design) {
  int n = 0;
  for (int i = 0; i < x->runs; ++i) {
    const struct tpu_correctness *c = design ? &x->run[i].design : &x->run[i].program;
    n += c->verdict == TPU_VERDICT_EXACT;
  }
  return x->runs != 0 ? n : -1;
}

static void draw(const struct tpu_picture *p, struct tpu_text *t) {
  tpu_text_format(t, "    C from row %u, column %u on; a character is ", p->row, p->col);
  tpu_text_format(t, p->cell == 1 ? "a byte" : "%u x %u bytes", p->cell, p->cell);
  tpu_text_format(t, ": %c right, %c wrong, %c clobbered\n", (int)TPU_PICTURE_SAME,
                  (int)TPU_PICTURE_WRONG, (int)TPU_PICTURE_CLOBBERED);
  for (uint32_t i = 0; i < p->rows; ++i) {
    tpu_text_format(t, "    %s\n", p->line[i]);
  }
}

enum { DRAWN_BYTES = 4096 };

static void print_case(const struct tpu_correct_case *x, int draws) {
  char drawn[DRAWN_BYTES];
  char count[2][16] = {"-", "-"};
  for (int design = 0; design < 2 && x->runs != 0; ++design) {
    (void)snprintf(count[design], sizeof count[design], "%d of %d", held(x, design), x->runs);
  }
  printf("%-26s %-15s %12s %12s\n", x->spec->workload.name, tpu_verdict_name(x->settled), count[0],
         count[1]);
  if (x->reason[0] != '\0') {
    printf("    %s\n", x->reason);
  }
  if (x->own != x->settled && x->detail[0] != '\0' && draws) {
    printf("    %s\n", x->detail);
  }
  if (x->moved != TPU_ANCHOR_NONE && draws) {
    printf("    moved: %s\n", tpu_anchor_sentence(x->moved));
  }
  if (picture_of(x) != NULL && draws) {
    struct tpu_text t = tpu_text_on(drawn, sizeof drawn);
    draw(picture_of(x), &t);
    (void)fputs(drawn, stdout);
  }
}

static void put_place(const struct tpu_correctness *c, struct tpu_json_writer *w) {
  if (c->comparison.wrong == 0 && c->comparison.clobbered == 0) {
    tpu_json_put_null(w, "first");
    return;
  }
  tpu_json_begin_object(w, "first");
  tpu_json_put_u64(w, "row", c->comparison.row);
  tpu_json_put_u64(w, "col", c->comparison.col);
  tpu_json_put_i64(w, "expected", c->comparison.expected);
  tpu_json_put_i64(w, "got", c->comparison.got);
  tpu_json_end(w);
}

static void put_anchor(const struct tpu_correctness *c, const char *key,
                       struct tpu_json_writer *w) {
  if (c->verdict == TPU_VERDICT_NOT_RUN) {
    tpu_json_put_null(w, key);
    return;
  }
  tpu_json_begin_object(w, key);
  tpu_json_put_bool(w, "holds", c->verdict == TPU_VERDICT_EXACT);
  tpu_json_put_string(w, "text", c->text);
  tpu_json_put_u64(w, "wrong", c->comparison.wrong);
  tpu_json_put_u64(w, "clobbered", c->comparison.clobbered);
  put_place(c, w);
  tpu_json_end(w);
}

static void put_run(const struct tpu_correct_case *x, int i, struct tpu_json_writer *w) {
  const struct tpu_anchor_run *run = &x->run[i];
  tpu_json_begin_object(w, NULL);
  tpu_json_put_string(w, "operands", tpu_correct_operands(x, i));
  tpu_json_put_u64(w, "run", (uint64_t)(i % x->turns) + 1);
  tpu_json_put_string(w, "verdict", tpu_verdict_name(run->verdict));
  tpu_json_put_string(w, "moved", tpu_anchor_name(run->moved));
  put_anchor(&run->program, "program_against_spec", w);
  put_anchor(&run->design, "design_against_isa", w);
  tpu_json_put_u64(w, "cycles", run->cycles);
  tpu_json_end(w);
}

static void put_picture(const struct tpu_picture *p, struct tpu_json_writer *w) {
  if (p == NULL) {
    tpu_json_put_null(w, "picture");
    return;
  }
  tpu_json_begin_object(w, "picture");
  tpu_json_put_u64(w, "row", p->row);
  tpu_json_put_u64(w, "col", p->col);
  tpu_json_put_u64(w, "cell", p->cell);
  tpu_json_begin_array(w, "lines");
  for (uint32_t i = 0; i < p->rows; ++i) {
    tpu_json_put_string(w, NULL, p->line[i]);
  }
  tpu_json_end(w);
  tpu_json_end(w);
}

static void put_case(const struct tpu_correct_case *x, struct tpu_json_writer *w) {
  tpu_json_begin_object(w, NULL);
  tpu_json_put_string(w, "name", x->spec->workload.name);
  tpu_json_put_string(w, "verdict", tpu_verdict_name(x->settled));
  tpu_json_put_text_or_null(w, "reason", x->reason);
  tpu_json_put_string(w, "own", tpu_verdict_name(x->own));
  tpu_json_put_string(w, "moved", tpu_anchor_name(x->moved));
  tpu_json_put_text_or_null(w, "rule", x->rule != TPU_RULE_NONE ? tpu_rule_name(x->rule) : NULL);
  tpu_json_begin_array(w, "runs");
  for (int i = 0; i < x->runs; ++i) {
    put_run(x, i, w);
  }
  tpu_json_end(w);
  put_picture(picture_of(x), w);
  tpu_json_end(w);
}

static int judge(void *context, const struct tpu_spec *spec, struct tpu_reference *reference,
                 void *one, struct tpu_report *r) {
  const struct correct *c = context;
  const struct tpu_correct_request request = {.config = c->config,
                                              .spec = spec,
                                              .program =
                                                  tpu_submitted_program(&c->submissions.submitted),
                                              .none = tpu_submitted_none(&c->submissions.submitted),
                                              .seed = c->seed,
                                              .engine = &c->engine,
                                              .reference = reference,
                                              .turns = TPU_CORRECT_TURNS};
  return tpu_correct_judge(&request, one, r);
}

static void tell(void *context, const void *one, struct tpu_json_writer *w,
                 struct tpu_junit *junit) {
  struct correct *c = context;
  const struct tpu_correct_case *x = one;
  tpu_tally_add(&c->tally, x->settled);
  if (junit != NULL) {
    char drawn[DRAWN_BYTES] = "";
    struct tpu_text t = tpu_text_on(drawn, sizeof drawn);
    if (picture_of(x) != NULL) {
      draw(picture_of(x), &t);
    }
    tpu_junit_add(junit, x->spec->workload.name, x->settled, x->reason, drawn);
  }
  if (w != NULL) {
    put_case(x, w);
  } else {
    print_case(x, tpu_verdict_fails(x->settled) || c->submissions.corpus.count == 1);
  }
}

static void print_head(const void *context) {
  const struct correct *c = context;
  const struct tpu_params *p = &c->config->params;
  printf("judge correct on T=%u MAXDIM=%u QD=%u DMA_WORDS=%u\n\n%-26s %-15s %12s %12s\n", p->t,
         p->maxdim, p->qd, p->dma_words, "spec", "verdict", "program/spec", "design/ISA");
}

static void print_foot(const void *context) {
  const struct correct *c = context;
  char text[TPU_TALLY_BYTES];
  printf("\n%d runs a spec: operands small, mid, full, corner, each twice on one platform\n"
         "program/spec: runs in which the interpreter's C is the spec's; design/ISA: in which the\n"
         "platform's C is the interpreter's, every byte\n\n%s\n",
         (int)TPU_CORRECT_RUNS, tpu_tally_text(&c->tally, text));
}

static void put_members(const void *context, struct tpu_json_writer *w) {
  const struct correct *c = context;
  tpu_tally_put(&c->tally, "summary", w);
  tpu_config_put(c->config, "config", w);
}

int tpu_command_judge_correct(const struct tpu_args *args, struct tpu_report *r) {
  struct tpu_platform_config config;
  char config_path[TPU_PATH_SIZE];
  char timing[TPU_PATH_SIZE];
  struct correct c = {.config = &config};
  if (!tpu_args_seed(args, &c.seed, r) || !tpu_setup_config(args, &config, config_path, r) ||
      !tpu_setup_timing(&config, config_path, timing, r) ||
      !tpu_submissions_read(args, "judge correct", &config.params, &c.submissions, r)) {
    return TPU_EXIT_USAGE;
  }
  int code = TPU_EXIT_USAGE;
  if (tpu_platform_engine_open(&config, timing, c.seed, &c.engine, r)) {
    static const struct tpu_judging how = {
        "judge correct", sizeof(struct tpu_correct_case), judge, tell, print_head, print_foot,
        put_members};
    if (tpu_submissions_judge(args, &config, c.seed, &c.submissions, &how, &c, r)) {
      code = c.tally.failed != 0 ? TPU_EXIT_VERDICT : TPU_EXIT_OK;
    }
    tpu_platform_engine_close(&c.engine);
  }
  tpu_submissions_release(&c.submissions);
  return code;
}
