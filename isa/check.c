/* SPDX-License-Identifier: Apache-2.0 */
#include "isa/check.h"

/* Detail sentences are shorter than an error's text; the terminator is always there. */
static int violate(struct tpu_violation *v, int rule, const char *detail) {
  v->rule = rule;
  struct tpu_text t = tpu_text_on(v->detail, sizeof v->detail);
  tpu_text_str(&t, detail);
  return 0;
}

static int violate_rows(struct tpu_violation *v, int rule, enum tpu_mem mem, uint32_t first,
                        uint32_t rows) {
  v->rule = rule;
  v->mem = mem;
  v->first = first;
  v->rows = rows;
  return 0;
}

static void place(struct tpu_violation *v, const struct tpu_issue *i) {
  v->index = (int32_t)i->index;
  v->op = i->op;
  v->depth = i->depth;
  for (unsigned k = 0; k < TPU_LOOP_DEPTH; ++k)
    v->iv[k] = k < i->depth ? i->iv[k] : 0;
}

static int is_written(const uint8_t *map, uint32_t row) { return (map[row / 8] >> (row % 8)) & 1; }

static void set_written(uint8_t *map, uint32_t row, int written) {
  uint8_t bit = (uint8_t)(1U << (row % 8));
  map[row / 8] = (uint8_t)(written != 0 ? map[row / 8] | bit : map[row / 8] & (uint8_t)~bit);
}

/* The first stretch of rows in [first, first + rows) that nothing has written; 1 if none. */
static int check_map(const uint8_t *map, enum tpu_mem mem, uint32_t first, uint32_t rows,
                     struct tpu_violation *v) {
  uint32_t r = 0;
  while (r < rows && is_written(map, first + r))
    ++r;
  if (r == rows)
    return 1;
  uint32_t bad = r;
  while (bad < rows && !is_written(map, first + bad))
    ++bad;
  return violate_rows(v, TPU_RULE_WRITE_BEFORE_READ, mem, first + r, bad - r);
}

static void describe_unwritten(struct tpu_violation *v, const char *as, const char *note) {
  struct tpu_text t = tpu_text_on(v->detail, sizeof v->detail);
  tpu_text_format(&t, "reads %s row(s) %u..%u as %s before any instruction wrote them%s",
                  tpu_mem_name(v->mem), v->first, v->first + v->rows - 1, as, note);
}

static int check_operands(const struct tpu_params *p, const struct tpu_issue *i,
                          struct tpu_check_work *work, struct tpu_violation *v) {
  switch (i->op) {
  case TPU_OP_DMA_LD:
    for (uint32_t r = 0; r < i->nr; ++r)
      set_written((i->f[0] & TPU_DMA_DEST_VR) != 0 ? work->vr : work->spad, i->f[3] + r, 1);
    return 1;
  case TPU_OP_VLD: /* no consumer yet: the copy is as written as its source */
    for (uint32_t r = 0; r < i->nr; ++r)
      set_written(work->vr, i->f[0] + r, is_written(work->spad, i->f[1] + r));
    return 1;
  case TPU_OP_MM:
    if (!check_map(work->spad, TPU_MEM_SPAD, i->f[3], p->t, v)) {
      describe_unwritten(v, "weights", "");
      return 0;
    }
    if (!check_map(work->vr, TPU_MEM_VR, i->f[0], i->nr, v)) {
      describe_unwritten(v, "activations", " (a vld copy of an unwritten row is unwritten)");
      return 0;
    }
    return 1;
  default:
    return 1;
  }
}

/* What an instruction does in accu for its row r: steps [step, step + steps), reads in order, then
 * the write, which is in the last of them. */
struct accu_plan {
  uint32_t steps; /* a row */
  uint32_t reads;
  uint32_t source[2]; /* first row of each, and in which of the steps it is read */
  uint32_t source_step[2];
  int writes;
  uint32_t dest;
};

static struct accu_plan plan_of(const struct tpu_issue *i) {
  switch (i->op) {
  case TPU_OP_MM:
    return (struct accu_plan){
        .steps = 1, .reads = i->f[2], .source = {i->f[1]}, .writes = 1, .dest = i->f[1]};
  case TPU_OP_VADD:
    return (struct accu_plan){.steps = 2,
                              .reads = 2,
                              .source = {i->f[1], i->f[2]},
                              .source_step = {0, 1},
                              .writes = 1,
                              .dest = i->f[0]};
  case TPU_OP_VRELU:
    return (struct accu_plan){
        .steps = 1, .reads = 1, .source = {i->f[1]}, .writes = 1, .dest = i->f[0]};
  case TPU_OP_MVOUT:
    return (struct accu_plan){.steps = 1, .reads = 1, .source = {i->f[0]}};
  default:
    return (struct accu_plan){.steps = 0};
  }
}

/* ar[row] holds the step of its last write + 1. */
static int ar_rule(const uint32_t *ar, uint32_t row, uint32_t step) {
  if (ar[row] == 0)
    return TPU_RULE_WRITE_BEFORE_READ;
  return step - (ar[row] - 1) < TPU_AR_RAW_DIST ? TPU_RULE_AR_RAW_DISTANCE : TPU_RULE_NONE;
}

static void describe_accu(struct tpu_violation *v, const struct tpu_issue *i, uint32_t source,
                          uint32_t distance) {
  const char *as = i->op == TPU_OP_MM     ? "accumulator"
                   : i->op != TPU_OP_VADD ? "source"
                   : source == 0          ? "source 1"
                                          : "source 2";
  if (v->rule == TPU_RULE_WRITE_BEFORE_READ) {
    describe_unwritten(v, as, "");
    return;
  }
  struct tpu_text t = tpu_text_on(v->detail, sizeof v->detail);
  tpu_text_format(&t,
                  "reads ar row(s) %u..%u as %s, the first of them %u accu step(s) after the write "
                  "it depends on; allowed is %u or more",
                  v->first, v->first + v->rows - 1, as, distance, (uint32_t)TPU_AR_RAW_DIST);
}

/* Rows in order, as accu does them: an instruction may read what its own earlier row wrote. After
 * the first bad read of a source, its neighbours in the same plight are counted too. */
static int check_accu(const struct tpu_issue *i, uint32_t *ar, uint32_t *step,
                      struct tpu_violation *v) {
  const struct accu_plan plan = plan_of(i);
  uint32_t bad_source = 0;
  uint32_t distance = 0;
  int bad = 0;
  for (uint32_t r = 0; r < i->nr && plan.steps != 0; ++r, *step += plan.steps) {
    for (uint32_t k = 0; k < plan.reads; ++k) {
      uint32_t row = plan.source[k] + r;
      uint32_t now = *step + plan.source_step[k];
      int rule = ar_rule(ar, row, now);
      if (rule == TPU_RULE_NONE)
        continue;
      if (!bad) {
        bad = 1;
        bad_source = k;
        distance = now - (ar[row] - 1);
        violate_rows(v, rule, TPU_MEM_AR, row, 1);
      } else if (k == bad_source && rule == v->rule) {
        v->rows += v->first + v->rows == row;
      }
    }
    if (plan.writes != 0)
      ar[plan.dest + r] = *step + plan.steps;
  }
  if (bad)
    describe_accu(v, i, bad_source, distance);
  return !bad;
}

static int check_issue(const struct tpu_params *p, const struct tpu_issue *i,
                       struct tpu_check_work *work, uint32_t *step, struct tpu_violation *v) {
  struct tpu_fault fault;
  struct tpu_error e;
  if (!tpu_issue_check(p, i, &fault, &e)) {
    violate_rows(v, fault.rule, fault.mem, fault.first, fault.rows);
    return violate(v, fault.rule, e.text);
  }
  return check_operands(p, i, work, v) && check_accu(i, work->ar, step, v);
}

static int overflow(struct tpu_violation *v, int rule, const char *detail) {
  v->rule = rule;
  struct tpu_text t = tpu_text_on(v->detail, sizeof v->detail);
  tpu_text_format(&t, "%s; later instructions were not examined", detail);
  return 0;
}

/* The dynamic stream, in order. */
static int check_stream(const struct tpu_params *p, const struct tpu_code *code,
                        struct tpu_check_work *work, struct tpu_counts *counts,
                        struct tpu_violation *v) {
  struct tpu_walk w;
  struct tpu_issue i;
  struct tpu_error e;
  uint32_t step = 0;
  int rule = TPU_RULE_NONE;
  tpu_walk_begin(&w, code);
  while (tpu_walk_next(&w, &i)) {
    place(v, &i);
    struct tpu_counts next = *counts;
    tpu_counts_add(&next, p, &i);
    next.insns = 0; /* a property of the program, judged with its size at the end */
    if (!tpu_counts_fit(&next, &rule, &e))
      return overflow(v, rule, e.text);
    if (!check_issue(p, &i, work, &step, v))
      return 0;
    tpu_counts_add(counts, p, &i);
  }
  return 1;
}

static int check_static(const struct tpu_params *p, const struct tpu_program *program,
                        struct tpu_code *code, struct tpu_violation *v) {
  uint32_t bad = 0;
  int rule = TPU_RULE_NONE;
  struct tpu_error e;
  if (program->count == 0)
    return violate(v, TPU_RULE_PROG_EMPTY, "the program has no instruction; allowed is 1 or more");
  if (program->count > code->capacity && program->count > tpu_program_capacity(p)) {
    const struct tpu_counts size = {.insns = program->count};
    tpu_counts_legal(p, &size, &rule, &e);
    return violate(v, rule, e.text);
  }
  int whole = tpu_decode_program(program, code, &bad, &rule, &e);
  if (whole && tpu_check_loops(code, &rule, &bad, &e))
    return 1;
  if (rule != TPU_RULE_NONE)
    v->index = (int32_t)bad;
  if (whole)
    v->op = code->insn[bad].op;
  return violate(v, rule, e.text);
}

int tpu_check_program(const struct tpu_params *p, const struct tpu_program *program,
                      struct tpu_code *code, struct tpu_check_work *work, struct tpu_counts *counts,
                      struct tpu_violation *v) {
  int rule = TPU_RULE_NONE;
  struct tpu_error e;
  struct tpu_counts sum = {.insns = program->count};
  *work = (struct tpu_check_work){.spad = {0}};
  *v = (struct tpu_violation){.rule = TPU_RULE_NONE, .index = -1};
  if (!check_static(p, program, code, v) || !check_stream(p, code, work, &sum, v))
    return 0;
  *v = (struct tpu_violation){.rule = TPU_RULE_NONE, .index = -1};
  if (!tpu_counts_legal(p, &sum, &rule, &e))
    return violate(v, rule, e.text);
  if (counts != NULL)
    *counts = sum;
  return 1;
}
