/* SPDX-License-Identifier: Apache-2.0 */
#include "isa/interp.h"

#include "isa/issue.h"
#include "isa/random.h"

void tpu_state_scramble(const struct tpu_params *p, struct tpu_state *s, uint32_t seed) {
  struct tpu_random r = tpu_random_seeded(seed);
  for (uint32_t k = 0; k < p->spad_rows * p->t; ++k)
    s->spad[k] = (int8_t)tpu_random_range(&r, -128, 127);
  for (uint32_t k = 0; k < p->nvr * p->t; ++k)
    s->vr[k] = (int8_t)tpu_random_range(&r, -128, 127);
  for (uint32_t k = 0; k < p->nar * p->t; ++k)
    s->ar[k] = (int32_t)tpu_random_next(&r);
}

int tpu_issue_executable(const struct tpu_params *p, const struct tpu_issue *i,
                         struct tpu_error *e) {
  return tpu_issue_check(p, i, NULL, e);
}

static void run_dma_ld(const struct tpu_params *p, const struct tpu_issue *i, struct tpu_state *s,
                       const int8_t *a, const int8_t *b) {
  const int8_t *image = (i->f[0] & TPU_DMA_SOURCE_B) != 0 ? b : a;
  int8_t *memory = (i->f[0] & TPU_DMA_DEST_VR) != 0 ? s->vr : s->spad;
  for (uint32_t r = 0; r < i->nr; ++r)
    for (uint32_t j = 0; j < p->t; ++j)
      memory[(i->f[3] + r) * p->t + j] = image[(i->f[1] + r) * p->maxdim + i->f[2] * p->t + j];
}

static void run_vld(const struct tpu_params *p, const struct tpu_issue *i, struct tpu_state *s) {
  for (uint32_t k = 0; k < i->nr * p->t; ++k)
    s->vr[i->f[0] * p->t + k] = s->spad[i->f[1] * p->t + k];
}

/* Sums wrap at 32 bits: unsigned arithmetic, converted back. */
static void run_mm(const struct tpu_params *p, const struct tpu_issue *i, struct tpu_state *s) {
  const uint32_t t = p->t;
  const int8_t *weight = s->spad + i->f[3] * t;
  for (uint32_t r = 0; r < i->nr; ++r) {
    const int8_t *row = s->vr + (i->f[0] + r) * t;
    int32_t *acc = s->ar + (i->f[1] + r) * t;
    for (uint32_t j = 0; j < t; ++j) {
      uint32_t sum = i->f[2] != 0 ? (uint32_t)acc[j] : 0;
      for (uint32_t k = 0; k < t; ++k)
        sum += (uint32_t)((int32_t)row[k] * weight[k * t + j]);
      acc[j] = (int32_t)sum;
    }
  }
}

/* Rows go in order: a later row reads what an earlier one of the same instruction wrote. */
static void run_vadd(const struct tpu_params *p, const struct tpu_issue *i, struct tpu_state *s) {
  for (uint32_t k = 0; k < i->nr * p->t; ++k)
    s->ar[i->f[0] * p->t + k] =
        (int32_t)((uint32_t)s->ar[i->f[1] * p->t + k] + (uint32_t)s->ar[i->f[2] * p->t + k]);
}

static void run_vrelu(const struct tpu_params *p, const struct tpu_issue *i, struct tpu_state *s) {
  for (uint32_t k = 0; k < i->nr * p->t; ++k) {
    int32_t x = s->ar[i->f[1] * p->t + k];
    s->ar[i->f[0] * p->t + k] = x > 0 ? x : 0;
  }
}

static void run_mvout(const struct tpu_params *p, const struct tpu_issue *i,
                      const struct tpu_state *s, int8_t *c) {
  for (uint32_t r = 0; r < i->nr; ++r)
    for (uint32_t j = 0; j < p->t; ++j) {
      int32_t x = s->ar[(i->f[0] + r) * p->t + j];
      int32_t low = x < -128 ? -128 : x;
      c[(i->f[1] + r) * p->maxdim + i->f[2] * p->t + j] = (int8_t)(low > 127 ? 127 : low);
    }
}

int tpu_interpret(const struct tpu_params *p, const struct tpu_code *code, struct tpu_state *s,
                  const int8_t *a, const int8_t *b, int8_t *c, struct tpu_error *e) {
  struct tpu_walk w;
  struct tpu_issue i;
  tpu_walk_begin(&w, code);
  while (tpu_walk_next(&w, &i)) {
    struct tpu_error why = {.code = TPU_OK};
    if (!tpu_issue_executable(p, &i, &why))
      return tpu_fail(e, why.code, "instruction %u (%s): %s", i.index, tpu_op_lookup(i.op)->name,
                      why.text);
    switch (i.op) {
    case TPU_OP_DMA_LD:
      run_dma_ld(p, &i, s, a, b);
      break;
    case TPU_OP_VLD:
      run_vld(p, &i, s);
      break;
    case TPU_OP_MM:
      run_mm(p, &i, s);
      break;
    case TPU_OP_VADD:
      run_vadd(p, &i, s);
      break;
    case TPU_OP_VRELU:
      run_vrelu(p, &i, s);
      break;
    default:
      run_mvout(p, &i, s, c);
      break;
    }
  }
  return 1;
}
