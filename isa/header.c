/* SPDX-License-Identifier: Apache-2.0 */
#include "isa/header.h"

#include "isa/rules.h"

/* Where each count stands in the header. */
struct slice {
  const char *name;
  uint8_t word, shift;
  uint8_t is_array; /* forwarded down the array: its overflow has a rule of its own */
  size_t offset;    /* in struct tpu_counts */
};

enum { SLICE_BITS = 16, SLICES = 10 };
#define SLICE(member, word, shift, is_array)                                                       \
  { #member, word, shift, is_array, offsetof(struct tpu_counts, member) }
static const struct slice slices[SLICES] = {
    SLICE(mm, 4, 0, 1),     SLICE(mm_rows, 4, 16, 1), /* first: the narrower name of an overflow */
    SLICE(insns, 0, 0, 0),  SLICE(dma_ld, 1, 0, 0),   SLICE(spm, 2, 0, 0),
    SLICE(vru, 3, 0, 0),    SLICE(accu, 5, 0, 0),     SLICE(dma_st, 6, 0, 0),
    SLICE(a_span, 7, 0, 0), SLICE(b_span, 7, 16, 0)};
#undef SLICE

static uint32_t count_of(const struct tpu_counts *c, const struct slice *s) {
  return *(const uint32_t *)((const unsigned char *)c + s->offset);
}

static uint32_t *count_in(struct tpu_counts *c, const struct slice *s) {
  return (uint32_t *)((unsigned char *)c + s->offset);
}

static void add_load(struct tpu_counts *c, const struct tpu_issue *i) {
  uint32_t end = i->f[1] + i->nr;
  uint32_t *span = (i->f[0] & TPU_DMA_SOURCE_B) != 0 ? &c->b_span : &c->a_span;
  if (i->nr != 0 && end > *span)
    *span = end;
  c->dma_ld += i->nr;
  if ((i->f[0] & TPU_DMA_DEST_VR) != 0)
    c->vru += i->nr;
  else
    c->spm += i->nr;
}

void tpu_counts_add(struct tpu_counts *c, const struct tpu_params *p, const struct tpu_issue *i) {
  switch (i->op) {
  case TPU_OP_DMA_LD:
    add_load(c, i);
    break;
  case TPU_OP_VLD:
    c->spm += i->nr;
    c->vru += i->nr;
    break;
  case TPU_OP_MM:
    c->spm += p->t + 1;
    c->vru += i->nr;
    c->mm += 1;
    c->mm_rows += i->nr;
    c->accu += i->nr;
    break;
  case TPU_OP_VADD:
    c->accu += 2U * i->nr;
    break;
  case TPU_OP_VRELU:
    c->accu += i->nr;
    break;
  case TPU_OP_MVOUT:
    c->accu += i->nr;
    c->dma_st += i->nr;
    break;
  default:
    break;
  }
}

int tpu_counts_fit(const struct tpu_counts *c, int *rule, struct tpu_error *e) {
  for (unsigned k = 0; k < SLICES; ++k) {
    const struct slice *s = &slices[k];
    if (count_of(c, s) <= TPU_MAX_COUNT)
      continue;
    if (rule != NULL)
      *rule = s->is_array != 0 ? TPU_RULE_ARRAY_OVERFLOW : TPU_RULE_COUNT_OVERFLOW;
    return tpu_fail(e, TPU_ERR_RANGE, "the header count %s reaches %u; allowed is 0..%u", s->name,
                    count_of(c, s), (uint32_t)TPU_MAX_COUNT);
  }
  return 1;
}

int tpu_counts_legal(const struct tpu_params *p, const struct tpu_counts *c, int *rule,
                     struct tpu_error *e) {
  if (c->insns > tpu_program_capacity(p)) {
    if (rule != NULL)
      *rule = TPU_RULE_IMEM_OVERFLOW;
    return tpu_fail(e, TPU_ERR_RANGE,
                    "the program has %u instructions; allowed is %u in an instruction memory of "
                    "%u words",
                    c->insns, tpu_program_capacity(p), p->imem_size);
  }
  if (!tpu_counts_fit(c, rule, e))
    return 0;
  const uint32_t span[2] = {c->a_span, c->b_span};
  for (unsigned k = 0; k < 2; ++k) {
    if (span[k] <= p->maxdim)
      continue;
    if (rule != NULL)
      *rule = TPU_RULE_DMA_SPAN;
    return tpu_fail(e, TPU_ERR_RANGE,
                    "the operand burst of %s spans %u rows; allowed is 0..%u, the image",
                    k == 0 ? "A" : "B", span[k], p->maxdim);
  }
  return 1;
}

int tpu_counts_of(const struct tpu_params *p, const struct tpu_code *code, struct tpu_counts *out,
                  int *rule, uint32_t *bad, struct tpu_error *e) {
  struct tpu_walk w;
  struct tpu_issue issue = {.index = 0};
  *out = (struct tpu_counts){.insns = code->count};
  tpu_walk_begin(&w, code);
  do {
    if (!tpu_counts_fit(out, rule, e)) {
      if (bad != NULL)
        *bad = issue.index;
      return 0;
    }
    if (!tpu_walk_next(&w, &issue))
      return 1;
    tpu_counts_add(out, p, &issue);
  } while (1);
}

int tpu_header_pack(const struct tpu_counts *c, uint64_t words[TPU_HEADER_WORDS]) {
  for (unsigned k = 0; k < TPU_HEADER_WORDS; ++k)
    words[k] = 0;
  if (!tpu_counts_fit(c, NULL, NULL))
    return 0;
  for (unsigned k = 0; k < SLICES; ++k)
    words[slices[k].word] |= (uint64_t)count_of(c, &slices[k]) << slices[k].shift;
  return 1;
}

int tpu_header_unpack(const uint64_t words[TPU_HEADER_WORDS], struct tpu_counts *out) {
  uint64_t rest[TPU_HEADER_WORDS];
  for (unsigned k = 0; k < TPU_HEADER_WORDS; ++k)
    rest[k] = words[k];
  for (unsigned k = 0; k < SLICES; ++k) {
    const struct slice *s = &slices[k];
    uint64_t mask = ((UINT64_C(1) << SLICE_BITS) - 1) << s->shift;
    *count_in(out, s) = (uint32_t)((words[s->word] & mask) >> s->shift);
    rest[s->word] &= ~mask;
  }
  for (unsigned k = 0; k < TPU_HEADER_WORDS; ++k)
    if (rest[k] != 0)
      return 0;
  return tpu_counts_fit(out, NULL, NULL);
}

uint32_t tpu_critical_work(const struct tpu_counts *c) {
  const uint32_t work[] = {c->dma_ld, c->spm, c->vru, c->accu, c->dma_st};
  uint32_t top = 0;
  for (unsigned k = 0; k < sizeof work / sizeof work[0]; ++k)
    top = work[k] > top ? work[k] : top;
  return top;
}
