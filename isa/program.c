/* SPDX-License-Identifier: Apache-2.0 */
#include "isa/program.h"

#include "isa/rules.h"

int tpu_decode_program(const struct tpu_program *src, struct tpu_code *dst, uint32_t *bad,
                       int *rule, struct tpu_error *e) {
  dst->count = 0;
  for (uint32_t i = 0; i < src->count; ++i) {
    if (bad != NULL)
      *bad = i;
    if (i == dst->capacity) {
      if (rule != NULL)
        *rule = TPU_RULE_NONE;
      return tpu_fail(e, TPU_ERR_CAPACITY,
                      "a program of %u instructions does not fit the decoder's storage of %u",
                      src->count, dst->capacity);
    }
    if (!tpu_decode(&src->words[i], &dst->insn[i], rule, e))
      return 0;
    dst->count = i + 1;
  }
  return 1;
}

struct tpu_addr tpu_at(uint32_t base) {
  return (struct tpu_addr){.base = base};
}

struct tpu_addr tpu_plus(struct tpu_addr a, struct tpu_loop loop, uint32_t stride) {
  if (a.terms <= TPU_AGU_TERMS)
    a.term[a.terms++] = (struct tpu_addr_term){loop, stride};
  return a;
}

void tpu_builder_begin(struct tpu_builder *b, struct tpu_program *program) {
  *b = (struct tpu_builder){.program = program, .next_id = 1}; /* id 0 names no loop */
  program->count = 0;
}

static int failed(const struct tpu_builder *b) { return b->error.code != TPU_OK; }

static void emit(struct tpu_builder *b, const struct tpu_insn *insn) {
  struct tpu_program *p = b->program;
  if (p->count == p->capacity) {
    tpu_fail(&b->error, TPU_ERR_CAPACITY, "instruction %u: the program is full; allowed is %u",
             p->count, p->capacity);
    return;
  }
  struct tpu_error e = {.code = TPU_OK};
  if (tpu_encode(insn, &p->words[p->count], &e))
    ++p->count;
  else
    tpu_fail(&b->error, e.code, "instruction %u: %s", p->count, e.text);
}

static int number_ok(struct tpu_builder *b, const char *op, const char *what, uint32_t value,
                     uint32_t lo, uint32_t hi) {
  if (value >= lo && value <= hi)
    return 1;
  return tpu_fail(&b->error, TPU_ERR_RANGE, "instruction %u: %s: %s is %u; allowed is %u..%u",
                  b->program->count, op, what, value, lo, hi);
}

struct tpu_loop tpu_build_loop(struct tpu_builder *b, uint32_t trip) {
  const struct tpu_loop none = {0, 0};
  if (failed(b))
    return none;
  if (b->depth == TPU_LOOP_DEPTH) {
    tpu_fail(&b->error, TPU_ERR_USE, "instruction %u: loop: %u loops are open; allowed is %u deep",
             b->program->count, b->depth, (uint32_t)TPU_LOOP_DEPTH);
    return none;
  }
  if (!number_ok(b, "loop", "trip count", trip, 1, TPU_MAX_ROWS))
    return none;
  emit(b, &(struct tpu_insn){.op = TPU_OP_LOOP, .nr = (uint8_t)trip});
  if (failed(b))
    return none;
  struct tpu_loop loop = {b->next_id++, (uint8_t)b->depth};
  b->open[b->depth++] = loop.id;
  return loop;
}

void tpu_build_endloop(struct tpu_builder *b) {
  if (failed(b))
    return;
  if (b->depth == 0) {
    tpu_fail(&b->error, TPU_ERR_USE, "instruction %u: endloop: no loop is open", b->program->count);
    return;
  }
  emit(b, &(struct tpu_insn){.op = TPU_OP_ENDLOOP});
  if (!failed(b))
    --b->depth;
}

void tpu_build_nop(struct tpu_builder *b) {
  if (!failed(b))
    emit(b, &(struct tpu_insn){.op = TPU_OP_NOP});
}

/* Appends the terms of operand field k (from 0) to insn; *used counts them over all fields. */
static int add_terms(struct tpu_builder *b, struct tpu_insn *insn, uint32_t *used, unsigned k,
                     const struct tpu_addr *a) {
  const struct tpu_op_info *info = tpu_op_lookup(insn->op);
  for (uint32_t n = 0; n < a->terms; ++n) {
    if (*used == TPU_AGU_TERMS)
      return tpu_fail(&b->error, TPU_ERR_RANGE,
                      "instruction %u: %s: a fourth address term; allowed is %u over all fields",
                      b->program->count, info->name, (uint32_t)TPU_AGU_TERMS);
    const struct tpu_addr_term *t = &a->term[n];
    if (t->loop.level >= b->depth || b->open[t->loop.level] != t->loop.id)
      return tpu_fail(&b->error, TPU_ERR_USE,
                      "instruction %u: %s: %s uses a loop variable outside its loop",
                      b->program->count, info->name, info->field_name[k]);
    if (!number_ok(b, info->name, "stride", t->stride, 0, TPU_MAX_FIELD))
      return 0;
    insn->term[(*used)++] = (struct tpu_term){(uint8_t)(k + 1), t->loop.level, (uint16_t)t->stride};
  }
  return 1;
}

static void build(struct tpu_builder *b, enum tpu_op op, const struct tpu_addr *field,
                  uint32_t rows) {
  if (failed(b))
    return;
  const struct tpu_op_info *info = tpu_op_lookup(op);
  if (!number_ok(b, info->name, "row count", rows, 1, TPU_MAX_ROWS))
    return;
  struct tpu_insn insn = {.op = (uint8_t)op, .nr = (uint8_t)rows};
  uint32_t used = 0;
  for (unsigned k = 0; k < info->fields; ++k) {
    if (!number_ok(b, info->name, info->field_name[k], field[k].base, 0, TPU_MAX_FIELD) ||
        !add_terms(b, &insn, &used, k, &field[k]))
      return;
    insn.f[k] = (uint16_t)field[k].base;
  }
  emit(b, &insn);
}

void tpu_build_dma_ld(struct tpu_builder *b, uint32_t mode, struct tpu_addr dram_row,
                      struct tpu_addr col_block, struct tpu_addr dest, uint32_t rows) {
  if (failed(b) || !number_ok(b, "dma_ld", "mode", mode, 0, TPU_DMA_MODES - 1))
    return;
  const struct tpu_addr field[] = {tpu_at(mode), dram_row, col_block, dest};
  build(b, TPU_OP_DMA_LD, field, rows);
}

void tpu_build_vld(struct tpu_builder *b, struct tpu_addr vr, struct tpu_addr spad, uint32_t rows) {
  const struct tpu_addr field[] = {vr, spad};
  build(b, TPU_OP_VLD, field, rows);
}

void tpu_build_mm(struct tpu_builder *b, struct tpu_addr vr, struct tpu_addr ar, int accumulate,
                  struct tpu_addr spad, uint32_t rows) {
  const struct tpu_addr field[] = {vr, ar, tpu_at(accumulate != 0), spad};
  build(b, TPU_OP_MM, field, rows);
}

void tpu_build_vadd(struct tpu_builder *b, struct tpu_addr dest, struct tpu_addr src1,
                    struct tpu_addr src2, uint32_t rows) {
  const struct tpu_addr field[] = {dest, src1, src2};
  build(b, TPU_OP_VADD, field, rows);
}

void tpu_build_vrelu(struct tpu_builder *b, struct tpu_addr dest, struct tpu_addr src,
                     uint32_t rows) {
  const struct tpu_addr field[] = {dest, src};
  build(b, TPU_OP_VRELU, field, rows);
}

void tpu_build_mvout(struct tpu_builder *b, struct tpu_addr ar, struct tpu_addr dram_row,
                     struct tpu_addr col_block, uint32_t rows) {
  const struct tpu_addr field[] = {ar, dram_row, col_block};
  build(b, TPU_OP_MVOUT, field, rows);
}

int tpu_builder_end(struct tpu_builder *b, struct tpu_error *e) {
  if (!failed(b) && b->depth != 0)
    tpu_fail(&b->error, TPU_ERR_USE, "the program ends with %u loop(s) open", b->depth);
  if (!failed(b))
    return 1;
  if (e != NULL)
    *e = b->error;
  return 0;
}
