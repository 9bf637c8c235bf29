/* SPDX-License-Identifier: Apache-2.0 */
#include "isa/encoding.h"

#include "isa/rules.h"

/* A field of a word: bits [shift, shift + width). Its top bit is spare, so that a signed reader
 * never sees a negative number: values are 0 .. 2^(width-1) - 1. */
struct field {
  const char *name;
  uint8_t shift, width;
};

enum { FIELD_OP, FIELD_F0, FIELD_NR = FIELD_F0 + 4, WORD0_FIELDS };
static const struct field word0[WORD0_FIELDS] = {{"op", 0, 6},   {"f0", 6, 12},  {"f1", 18, 12},
                                                 {"f2", 30, 12}, {"f3", 42, 12}, {"nr", 54, 8}};
enum { WORD0_BITS = 62 };

enum { TERM_TARGET, TERM_LEVEL, TERM_STRIDE, TERM_FIELDS };
static const struct field term_field[TERM_FIELDS] = {
    {"target", 0, 4}, {"level", 4, 3}, {"stride", 7, 12}};
enum { TERM_BITS = 19, WORD1_BITS = TPU_AGU_TERMS * TERM_BITS, MAX_TARGET = 4 };

static const struct tpu_op_info unknown_op;
static const struct tpu_op_info ops[TPU_OP_COUNT] = {
    [TPU_OP_NOP] = {"nop", 0, 0, 0, {NULL, NULL, NULL, NULL}},
    [TPU_OP_DMA_LD] = {"dma_ld", 4, 1, 1, {"mode", "row", "col", "dest"}},
    [TPU_OP_VLD] = {"vld", 2, 1, 1, {"vr", "spad", NULL, NULL}},
    [TPU_OP_MM] = {"mm", 4, 1, 1, {"vr", "ar", "acc", "spad"}},
    [TPU_OP_VADD] = {"vadd", 3, 1, 1, {"dest", "src1", "src2", NULL}},
    [TPU_OP_VRELU] = {"vrelu", 2, 1, 1, {"dest", "src", NULL, NULL}},
    [TPU_OP_MVOUT] = {"mvout", 3, 1, 1, {"ar", "row", "col", NULL}},
    [TPU_OP_LOOP] = {"loop", 0, 1, 0, {NULL, NULL, NULL, NULL}},
    [TPU_OP_ENDLOOP] = {"endloop", 0, 0, 0, {NULL, NULL, NULL, NULL}},
};

const struct tpu_op_info *tpu_op_lookup(unsigned op) {
  return op < TPU_OP_COUNT ? &ops[op] : &unknown_op;
}

static uint32_t field_max(const struct field *f) { return (1U << (f->width - 1U)) - 1U; }

static uint32_t field_get(const struct field *f, uint64_t word) {
  return (uint32_t)(word >> f->shift) & ((1U << f->width) - 1U);
}

static int reject(int *rule, int value) {
  if (rule != NULL)
    *rule = value;
  return 0;
}

/* What a field may hold, whoever made the instruction: the decoder passes raw bits, the encoder
 * the members of struct tpu_insn. */
static int check_field(const char *name, uint32_t value, uint32_t max, int *rule,
                       struct tpu_error *e) {
  if (value <= max)
    return 1;
  tpu_fail(e, TPU_ERR_RANGE, "field %s is %u; allowed is 0..%u", name, value, max);
  return reject(rule, TPU_RULE_FIELD_RANGE);
}

static int check_unused(const char *op, const char *name, uint32_t value, int *rule,
                        struct tpu_error *e) {
  if (value == 0)
    return 1;
  tpu_fail(e, TPU_ERR_RANGE, "field %s is %u; %s does not use it, allowed is 0", name, value, op);
  return reject(rule, TPU_RULE_FIELD_RANGE);
}

static int check_op(uint32_t op, int *rule, struct tpu_error *e) {
  if (!check_field(word0[FIELD_OP].name, op, field_max(&word0[FIELD_OP]), rule, e))
    return 0;
  if (tpu_op_lookup(op)->name != NULL)
    return 1;
  if (op == TPU_OP_RETIRED)
    tpu_fail(e, TPU_ERR_RANGE, "op 2 is retired; allowed is 0, 1, 3..%u",
             (uint32_t)TPU_OP_COUNT - 1U);
  else
    tpu_fail(e, TPU_ERR_RANGE, "op %u is unknown; allowed is 0, 1, 3..%u", op,
             (uint32_t)TPU_OP_COUNT - 1U);
  return reject(rule, TPU_RULE_OP_UNKNOWN);
}

static int check_operands(const struct tpu_op_info *info, const uint32_t value[WORD0_FIELDS],
                          int *rule, struct tpu_error *e) {
  for (unsigned k = FIELD_F0; k < WORD0_FIELDS; ++k) {
    const struct field *f = &word0[k];
    int used = k == FIELD_NR ? info->has_nr : k - FIELD_F0 < info->fields;
    if (!check_field(f->name, value[k], field_max(f), rule, e) ||
        (!used && !check_unused(info->name, f->name, value[k], rule, e)))
      return 0;
  }
  return 1;
}

static int check_term(const struct tpu_op_info *info, unsigned k, const uint32_t value[TERM_FIELDS],
                      int *rule, struct tpu_error *e) {
  if (value[TERM_TARGET] == 0) {
    for (unsigned n = TERM_LEVEL; n < TERM_FIELDS; ++n) {
      if (value[n] == 0)
        continue;
      tpu_fail(e, TPU_ERR_RANGE, "term %u: %s is %u while target is 0 (unused); allowed is 0", k,
               term_field[n].name, value[n]);
      return reject(rule, TPU_RULE_FIELD_RANGE);
    }
    return 1;
  }
  for (unsigned n = 0; n < TERM_FIELDS; ++n) {
    uint32_t max = n == TERM_TARGET ? MAX_TARGET : field_max(&term_field[n]);
    if (value[n] <= max)
      continue;
    tpu_fail(e, TPU_ERR_RANGE, "term %u: %s is %u; allowed is 0..%u", k, term_field[n].name,
             value[n], max);
    return reject(rule, TPU_RULE_FIELD_RANGE);
  }
  if (value[TERM_TARGET] <= info->fields) /* loop, endloop and nop use none */
    return 1;
  if (info->is_data == 0)
    tpu_fail(e, TPU_ERR_RANGE, "term %u: target is %u; %s carries no terms, allowed is 0", k,
             value[TERM_TARGET], info->name);
  else
    tpu_fail(e, TPU_ERR_RANGE, "term %u: target is %u, a field %s does not use; allowed is 0..%u",
             k, value[TERM_TARGET], info->name, (uint32_t)info->fields);
  return reject(rule, TPU_RULE_FIELD_RANGE);
}

int tpu_encode(const struct tpu_insn *insn, struct tpu_word *out, struct tpu_error *e) {
  if (!check_op(insn->op, NULL, e))
    return 0;
  const struct tpu_op_info *info = tpu_op_lookup(insn->op);
  const uint32_t value[WORD0_FIELDS] = {insn->op,   insn->f[0], insn->f[1],
                                        insn->f[2], insn->f[3], insn->nr};
  if (!check_operands(info, value, NULL, e))
    return 0;
  struct tpu_word w = {0, 0};
  for (unsigned k = 0; k < WORD0_FIELDS; ++k)
    w.w0 |= (uint64_t)value[k] << word0[k].shift;
  for (unsigned k = 0; k < TPU_AGU_TERMS; ++k) {
    const struct tpu_term *t = &insn->term[k];
    const uint32_t part[TERM_FIELDS] = {t->target, t->level, t->stride};
    if (!check_term(info, k, part, NULL, e))
      return 0;
    for (unsigned n = 0; n < TERM_FIELDS; ++n)
      w.w1 |= (uint64_t)part[n] << (k * TERM_BITS + term_field[n].shift);
  }
  *out = w;
  return 1;
}

static int check_spare(const char *word, uint64_t value, unsigned used, int *rule,
                       struct tpu_error *e) {
  if (value >> used == 0)
    return 1;
  tpu_fail(e, TPU_ERR_RANGE, "bits %u..63 of %s are %u; they are unused, allowed is 0", used, word,
           (uint32_t)(value >> used));
  return reject(rule, TPU_RULE_FIELD_RANGE);
}

int tpu_decode(const struct tpu_word *w, struct tpu_insn *out, int *rule, struct tpu_error *e) {
  uint32_t value[WORD0_FIELDS];
  for (unsigned k = 0; k < WORD0_FIELDS; ++k)
    value[k] = field_get(&word0[k], w->w0);
  if (!check_op(value[FIELD_OP], rule, e))
    return 0;
  const struct tpu_op_info *info = tpu_op_lookup(value[FIELD_OP]);
  if (!check_operands(info, value, rule, e) || !check_spare("word 0", w->w0, WORD0_BITS, rule, e) ||
      !check_spare("word 1", w->w1, WORD1_BITS, rule, e))
    return 0;
  struct tpu_insn insn = {.op = (uint8_t)value[FIELD_OP], .nr = (uint8_t)value[FIELD_NR]};
  for (unsigned k = 0; k < 4; ++k)
    insn.f[k] = (uint16_t)value[FIELD_F0 + k];
  for (unsigned k = 0; k < TPU_AGU_TERMS; ++k) {
    uint32_t part[TERM_FIELDS];
    for (unsigned n = 0; n < TERM_FIELDS; ++n)
      part[n] = field_get(&term_field[n], w->w1 >> (k * TERM_BITS));
    if (!check_term(info, k, part, rule, e))
      return 0;
    insn.term[k] = (struct tpu_term){(uint8_t)part[TERM_TARGET], (uint8_t)part[TERM_LEVEL],
                                     (uint16_t)part[TERM_STRIDE]};
  }
  *out = insn;
  return 1;
}
