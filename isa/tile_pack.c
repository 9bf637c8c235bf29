/* SPDX-License-Identifier: Apache-2.0 */
/* Operands of a tile into their images, and C out of its. */
#include "isa/tile.h"

#include <stddef.h>

enum { COPY_BYTES = sizeof(uint32_t) };

static int aligned(const int8_t *p) { return (uintptr_t)p % COPY_BYTES == 0; }

static void copy(int8_t *to, const int8_t *from, uint32_t bytes) {
  uint32_t i = 0;
  if (aligned(to) && aligned(from)) { /* on the core, four times as fast */
    for (; i + COPY_BYTES <= bytes; i += COPY_BYTES)
      __builtin_memcpy(__builtin_assume_aligned(to + i, COPY_BYTES),
                       __builtin_assume_aligned(from + i, COPY_BYTES), COPY_BYTES);
  }
  for (; i < bytes; ++i)
    to[i] = from[i];
}

/* A T-lane word of which `lanes` exist; the others are zero. */
static void put_word(int8_t *to, const int8_t *from, uint32_t lanes, uint32_t t) {
  copy(to, from, lanes);
  for (uint32_t i = lanes; i < t; ++i)
    to[i] = 0;
}

/* A matrix, row-major, rows x cols bytes. */
struct matrix {
  const int8_t *at;
  uint32_t rows, cols;
};

/* T columns from `col` on of so many rows from `row` on; zeros outside. */
static void put_strip(const struct tpu_params *p, const struct matrix *m, uint32_t row,
                      uint32_t rows, uint32_t col, int8_t *to) {
  const uint32_t lanes = m->cols - col < p->t ? m->cols - col : p->t;
  const uint32_t left = m->rows - row;
  const uint32_t there = left < rows ? left : rows;
  const int8_t *from = m->at + (size_t)row * m->cols + col;
  for (uint32_t r = 0; r < there; ++r, to += p->maxdim, from += m->cols)
    put_word(to, from, lanes, p->t);
  for (uint32_t r = there; r < rows; ++r, to += p->maxdim)
    put_word(to, NULL, 0, p->t);
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
  int8_t *to = c + (size_t)row_tile * plan->rows * plan->n + col;
  for (uint32_t r = 0; r < tpu_tile_rows(plan, row_tile); ++r) {
    copy(to, image, bytes);
    to += plan->n;
    image += p->maxdim;
  }
}
