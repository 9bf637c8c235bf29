/* SPDX-License-Identifier: Apache-2.0 */
#include "isa/issue.h"

#include "isa/rules.h"

const char *tpu_mem_name(enum tpu_mem mem) {
  switch (mem) {
  case TPU_MEM_NONE:
    return "none";
  case TPU_MEM_SPAD:
    return "spad";
  case TPU_MEM_VR:
    return "vr";
  case TPU_MEM_AR:
    return "ar";
  case TPU_MEM_A:
    return "A";
  case TPU_MEM_B:
    return "B";
  case TPU_MEM_C:
    return "C";
  }
  return "?";
}

static int faulty(struct tpu_fault *fault, int rule, enum tpu_mem mem, uint32_t first,
                  uint32_t rows) {
  if (fault != NULL)
    *fault = (struct tpu_fault){rule, mem, first, rows};
  return 0;
}

static uint32_t rows_of(const struct tpu_params *p, enum tpu_mem mem) {
  switch (mem) {
  case TPU_MEM_SPAD:
    return p->spad_rows;
  case TPU_MEM_VR:
    return p->nvr;
  case TPU_MEM_AR:
    return p->nar;
  case TPU_MEM_A:
  case TPU_MEM_B:
  case TPU_MEM_C:
    return p->maxdim;
  case TPU_MEM_NONE:
    break;
  }
  return 0;
}

/* The issue being checked and where its faults go. */
struct subject {
  const struct tpu_params *p;
  const struct tpu_issue *i;
  struct tpu_fault *fault;
  struct tpu_error *e;
};

static int check_rows(const struct subject *s, int rule, const char *verb, enum tpu_mem mem,
                      uint32_t first, uint32_t rows) {
  uint32_t limit = rows_of(s->p, mem);
  if (first + rows <= limit)
    return 1;
  tpu_fail(s->e, TPU_ERR_RANGE, "%s %s row(s) %u..%u; allowed is 0..%u", verb, tpu_mem_name(mem),
           first, first + rows - 1, limit - 1);
  uint32_t bad = first > limit ? first : limit;
  return faulty(s->fault, rule, mem, bad, first + rows - bad);
}

static int check_memory(const struct subject *s, const char *verb, enum tpu_mem mem, unsigned field,
                        uint32_t rows) {
  return check_rows(s, TPU_RULE_OUT_OF_RANGE, verb, mem, s->i->f[field], rows);
}

/* Rows f1 .. f1 + nr and column block f2 of an image. */
static int check_image(const struct subject *s, int rule, const char *verb, enum tpu_mem mem) {
  uint32_t blocks = tpu_words_per_row(s->p);
  if (!check_rows(s, rule, verb, mem, s->i->f[1], s->i->nr))
    return 0;
  if (s->i->f[2] < blocks)
    return 1;
  tpu_fail(s->e, TPU_ERR_RANGE, "%s column block %u of %s; allowed is 0..%u", verb, s->i->f[2],
           tpu_mem_name(mem), blocks - 1);
  return faulty(s->fault, rule, mem, s->i->f[1], s->i->nr);
}

static int check_fields(const struct subject *s) {
  const struct tpu_op_info *info = tpu_op_lookup(s->i->op);
  for (unsigned k = 0; k < info->fields; ++k) {
    if (s->i->f[k] <= TPU_MAX_FIELD)
      continue;
    tpu_fail(s->e, TPU_ERR_RANGE, "field f%u (%s) resolves to %u; allowed is 0..%u", k,
             info->field_name[k], s->i->f[k], (uint32_t)TPU_MAX_FIELD);
    return faulty(s->fault, TPU_RULE_FIELD_RANGE, TPU_MEM_NONE, 0, 0);
  }
  if (s->i->op == TPU_OP_MM && s->i->f[2] > 1) {
    tpu_fail(s->e, TPU_ERR_RANGE,
             "field f2 (acc) resolves to %u; allowed is 0 (overwrite) or 1 (accumulate)",
             s->i->f[2]);
    return faulty(s->fault, TPU_RULE_MM_ACC_FIELD, TPU_MEM_NONE, 0, 0);
  }
  if (s->i->op == TPU_OP_DMA_LD && s->i->f[0] >= TPU_DMA_MODES) {
    tpu_fail(s->e, TPU_ERR_RANGE, "field f0 (mode) resolves to %u; allowed is 0..%u", s->i->f[0],
             (uint32_t)TPU_DMA_MODES - 1U);
    return faulty(s->fault, TPU_RULE_DMA_LD_FIELD, TPU_MEM_NONE, 0, 0);
  }
  return 1;
}

static int check_load(const struct subject *s) {
  uint32_t mode = s->i->f[0];
  return check_image(s, TPU_RULE_DRAM_OPERAND, "reads",
                     (mode & TPU_DMA_SOURCE_B) != 0 ? TPU_MEM_B : TPU_MEM_A) &&
         check_memory(s, "writes", (mode & TPU_DMA_DEST_VR) != 0 ? TPU_MEM_VR : TPU_MEM_SPAD, 3,
                      s->i->nr);
}

int tpu_issue_check(const struct tpu_params *p, const struct tpu_issue *i, struct tpu_fault *fault,
                    struct tpu_error *e) {
  const struct subject s = {p, i, fault, e};
  const struct tpu_op_info *info = tpu_op_lookup(i->op);
  if (info->is_data == 0) {
    tpu_fail(e, TPU_ERR_USE, "op %u is no data instruction", (uint32_t)i->op);
    return faulty(fault, TPU_RULE_OP_UNKNOWN, TPU_MEM_NONE, 0, 0);
  }
  if (i->nr == 0) {
    tpu_fail(e, TPU_ERR_RANGE, "field nr is 0 rows; allowed is 1..%u", (uint32_t)TPU_MAX_ROWS);
    return faulty(fault, TPU_RULE_ZERO_ROWS, TPU_MEM_NONE, 0, 0);
  }
  if (!check_fields(&s))
    return 0;
  switch (i->op) {
  case TPU_OP_DMA_LD:
    return check_load(&s);
  case TPU_OP_VLD:
    return check_memory(&s, "reads", TPU_MEM_SPAD, 1, i->nr) &&
           check_memory(&s, "writes", TPU_MEM_VR, 0, i->nr);
  case TPU_OP_MM:
    return check_memory(&s, "reads", TPU_MEM_SPAD, 3, p->t) &&
           check_memory(&s, "reads", TPU_MEM_VR, 0, i->nr) &&
           check_memory(&s, "writes", TPU_MEM_AR, 1, i->nr);
  case TPU_OP_VADD:
    return check_memory(&s, "reads", TPU_MEM_AR, 1, i->nr) &&
           check_memory(&s, "reads", TPU_MEM_AR, 2, i->nr) &&
           check_memory(&s, "writes", TPU_MEM_AR, 0, i->nr);
  case TPU_OP_VRELU:
    return check_memory(&s, "reads", TPU_MEM_AR, 1, i->nr) &&
           check_memory(&s, "writes", TPU_MEM_AR, 0, i->nr);
  default: /* mvout, the last data instruction */
    return check_memory(&s, "reads", TPU_MEM_AR, 0, i->nr) &&
           check_image(&s, TPU_RULE_DRAM_RESULT, "writes", TPU_MEM_C);
  }
}
