/* SPDX-License-Identifier: Apache-2.0 */
/* Operands of a tile into their images, and C out of its. */
#include "isa/tile.h"

#include <stddef.h>

enum { COPY_BYTES = sizeof(uint32_t) };

/* A block of bytes on its way between a matrix and an image, each with a stride of its own. */
struct transfer {
  int8_t *to;
  const int8_t *from;
  size_t to_stride, from_stride;
  uint32_t rows, bytes; /* bytes a row */
};

/* By words of the core, four times as fast, where every row allows it. */
static inline int by_words(const struct transfer *x) {
  return ((uintptr_t)x->to | (uintptr_t)x->from | x->to_stride | x->from_stride | x->bytes) %
             COPY_BYTES ==
         0;
}

static void copy(struct transfer x) {
  const int words = by_words(&x);
  for (; x.rows != 0; --x.rows, x.to += x.to_stride, x.from += x.from_stride) {
    const int8_t *from = x.from;
    const int8_t *const end = from + x.bytes;
    int8_t *to = x.to;
    if (words)
      for (; from != end; from += COPY_BYTES, to += COPY_BYTES)
        __builtin_memcpy(__builtin_assume_aligned(to, COPY_BYTES),
                         __builtin_assume_aligned(from, COPY_BYTES), COPY_BYTES);
    else
      while (from != end)
        *to++ = *from++;
  }
}

static void clear(int8_t *to, size_t stride, uint32_t rows, uint32_t bytes) {
  for (uint32_t r = 0; r < rows; ++r, to += stride)
    for (uint32_t i = 0; i < bytes; ++i)
      to[i] = 0;
}

/* A matrix, row-major, rows x cols bytes. */
struct matrix {
  const int8_t *at;
  uint32_t rows, cols;
};

/* T columns from `col` on of so many rows from `row` on; below the matrix zeros, beside it nothing.
 * A's lanes past k stay as they were: the weight rows that they meet are zero. */
static void put_strip(const struct tpu_params *p, const struct matrix *m, uint32_t row,
                      uint32_t rows, uint32_t col, int8_t *to) {
  const uint32_t lanes = m->cols - col < p->t ? m->cols - col : p->t;
  const uint32_t left = m->rows - row;
  const uint32_t there = left < rows ? left : rows;
  const struct transfer x = {to,   m->at + (size_t)row * m->cols + col, p->maxdim, m->cols, there,
                             lanes};
  copy(x);
  if (there < rows)
    clear(to + (size_t)there * p->maxdim, p->maxdim, rows - there, p->t);
}

/* Where the next strip goes. */
struct place {
  int8_t *column; /* top of the column block */
  uint32_t level; /* of the strip in it */
};

static int8_t *next(const struct tpu_params *p, const struct tpu_strips *s, struct place *place) {
  if (place->level == s->stack) {
    place->level = 0;
    place->column += p->t;
  }
  return place->column + (size_t)place->level++ * s->rows * p->maxdim;
}

void tpu_tile_pack_a(const struct tpu_params *p, const struct tpu_tile_plan *plan, const int8_t *a,
                     uint32_t tile, int8_t *image) {
  const struct tpu_strips s = tpu_tile_strips_a(plan, tpu_tile_rows(plan, tile));
  /* Rows past the tile's own are padding, and no other tile's. */
  const struct matrix m = {a, tile * plan->rows + tpu_tile_rows(plan, tile), plan->k};
  struct place place = {image, 0};
  for (uint32_t kb = 0; kb < plan->kt; ++kb)
    put_strip(p, &m, tile * plan->rows, s.rows, kb * p->t, next(p, &s, &place));
}

void tpu_tile_pack_b(const struct tpu_params *p, const struct tpu_tile_plan *plan, const int8_t *b,
                     uint32_t tile, int8_t *image) {
  const uint32_t blocks = tpu_tile_blocks(p, plan, tile);
  const struct tpu_strips s = tpu_tile_strips_b(p, plan, blocks);
  const struct matrix m = {b, plan->k, plan->n};
  struct place place = {image, 0};
  for (uint32_t block = 0; block < blocks; ++block)
    for (uint32_t kb = 0; kb < plan->kt; ++kb)
      put_strip(p, &m, kb * p->t, s.rows, (tile * plan->blocks + block) * p->t,
                next(p, &s, &place));
}

void tpu_tile_unpack(const struct tpu_params *p, const struct tpu_tile_plan *plan,
                     const int8_t *image, uint32_t row_tile, uint32_t col_tile, int8_t *c) {
  const uint32_t col = col_tile * plan->blocks * p->t;
  const uint32_t width = tpu_tile_blocks(p, plan, col_tile) * p->t;
  const uint32_t bytes = plan->n - col < width ? plan->n - col : width;
  const struct transfer x = {c + (size_t)row_tile * plan->rows * plan->n + col,
                             image,
                             plan->n,
                             p->maxdim,
                             tpu_tile_rows(plan, row_tile),
                             bytes};
  copy(x);
}
