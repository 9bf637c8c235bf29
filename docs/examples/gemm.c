/* SPDX-License-Identifier: Apache-2.0 */
/* A compiled submission: a compiler for plain products, mk,kn->mn in whole tiles, with or without
 * relu. It needs tpu_submission.h and nothing else:
 *
 *   cc -std=c17 -O2 -shared -fPIC -I PREFIX/include/tpuvp gemm.c -o gemm.so
 *   tpuvp judge correct --program gemm.so:gemm
 *
 * First all activations and all weights are loaded; then, column tile by column tile, the products
 * over the tiles of the reduction are summed in the accumulators and moved out. */
#include "tpu_submission.h"

#include <stdio.h>

TPU_SUBMISSION;

/* Of docs/programs.md: codes, dma_ld's mode, and bounds. */
enum { DMA_LD = 1, MM = 4, VRELU = 6, MVOUT = 7, LOOP = 8, ENDLOOP = 9 };
enum { TO_VR = 2 }; /* and 1 is image B, as a buffer's number is */
enum { FEWEST_ROWS = 4, MOST_ROWS = 127 };

/* base + the pass of the loop at by[i].level * by[i].stride; stride 0 is no term. */
struct operand {
  unsigned base;
  struct {
    unsigned level, stride;
  } by[2];
};

static struct operand at(unsigned base) { return (struct operand){base, {{0, 0}, {0, 0}}}; }

static struct operand stepping(unsigned base, unsigned level, unsigned stride) {
  return (struct operand){base, {{level, stride}, {0, 0}}};
}

/* One instruction; rows is the trip count of a loop. */
static void emit(struct tpu_submission_program *program, unsigned code,
                 const struct operand operand[4], unsigned rows) {
  struct tpu_submission_word *w = &program->words[program->count++];
  unsigned slot = 0;
  *w = (struct tpu_submission_word){{code | (uint64_t)rows << 54, 0}};
  for (unsigned i = 0; i < 4; ++i) {
    w->word[0] |= (uint64_t)operand[i].base << (6 + 12 * i);
    for (unsigned k = 0; k < 2; ++k) {
      const uint64_t term =
          (i + 1) | operand[i].by[k].level << 4 | (uint64_t)operand[i].by[k].stride << 7;
      if (operand[i].by[k].stride != 0) {
        w->word[1] |= term << (19 * slot++);
      }
    }
  }
}

static void emit_bare(struct tpu_submission_program *program, unsigned code, unsigned rows) {
  const struct operand none[4] = {at(0), at(0), at(0), at(0)};
  emit(program, code, none, rows);
}

static int decline(struct tpu_submission_program *program, const char *why) {
  (void)snprintf(program->message, sizeof program->message, "%s", why);
  return 1;
}

static unsigned size_of(const struct tpu_submission_workload *w, char letter) {
  for (unsigned i = 0; i < w->indices; ++i) {
    if (w->index[i].letter == (uint32_t)letter) {
      return w->index[i].size;
    }
  }
  return 0;
}

/* mk,kn->mn, whatever the letters. */
static int is_product(const struct tpu_submission_workload *w) {
  const char *a = w->input[0].subscript;
  const char *b = w->input[1].subscript;
  const char *c = w->output.subscript;
  return w->inputs == 2 && w->indices == 3 && a[0] != '\0' && a[1] != '\0' && a[2] == '\0' &&
         b[0] == a[1] && b[1] != '\0' && b[2] == '\0' && c[0] == a[0] && c[1] == b[1] &&
         c[2] == '\0';
}

TPU_SUBMISSION_EXPORT int gemm(const struct tpu_submission_workload *w,
                               const struct tpu_submission_params *p,
                               struct tpu_submission_program *program) {
  if (!is_product(w)) {
    return decline(program, "only mk,kn->mn is compiled");
  }
  const unsigned t = p->t;
  const unsigned m = size_of(w, w->input[0].subscript[0]);
  const unsigned k = size_of(w, w->input[0].subscript[1]);
  const unsigned n = size_of(w, w->input[1].subscript[1]);
  const unsigned kt = k / t;
  const unsigned nt = n / t;
  if (k % t != 0 || n % t != 0) {
    return decline(program, "only whole tiles are compiled: T must divide k and n");
  }
  if (m < FEWEST_ROWS || m > MOST_ROWS || k > MOST_ROWS || nt > MOST_ROWS) {
    return decline(program, "only 4 to 127 rows, and at most 127 a loop or load, are compiled");
  }
  if (kt * m > p->nvr || nt * k > p->spad_rows || m > p->nar) {
    return decline(program, "the operands do not fit the memories of the chip");
  }
  const struct tpu_submission_region *x = &w->input[0].region;
  const struct tpu_submission_region *y = &w->input[1].region;
  const struct tpu_submission_region *out = &w->output.region;

  /* Column tile kb of the activations to vr row kb*m on, of the weights to spad row nb*k on. */
  const struct operand activations[4] = {at(w->input[0].buffer | TO_VR), at(x->row),
                                         stepping(x->col / t, 0, 1), stepping(0, 0, m)};
  emit_bare(program, LOOP, kt);
  emit(program, DMA_LD, activations, m);
  emit_bare(program, ENDLOOP, 0);
  const struct operand weights[4] = {at(w->input[1].buffer), at(y->row), stepping(y->col / t, 0, 1),
                                     stepping(0, 0, k)};
  emit_bare(program, LOOP, nt);
  emit(program, DMA_LD, weights, k);
  emit_bare(program, ENDLOOP, 0);

  /* The first product of a tile overwrites the accumulators, the others add to them. */
  const struct operand first[4] = {at(0), at(0), at(0), stepping(0, 0, k)};
  const struct operand further[4] = {stepping(m, 1, m), at(0), at(1), {t, {{0, k}, {1, t}}}};
  const struct operand relu[4] = {at(0), at(0), at(0), at(0)};
  const struct operand result[4] = {at(0), at(out->row), stepping(out->col / t, 0, 1), at(0)};
  emit_bare(program, LOOP, nt);
  emit(program, MM, first, m);
  if (kt > 1) {
    emit_bare(program, LOOP, kt - 1);
    emit(program, MM, further, m);
    emit_bare(program, ENDLOOP, 0);
  }
  if (w->relu) {
    emit(program, VRELU, relu, m);
  }
  emit(program, MVOUT, result, m);
  emit_bare(program, ENDLOOP, 0);
  if (8 + 2 * program->count > p->imem_size) {
    return decline(program, "the instruction memory is too small");
  }
  return 0;
}
