/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/picture.h"

#include <string.h>

/* What is compared. expected is NULL for whole images, which must_be then is. */
struct view {
  const struct tpu_params *p;
  const int8_t *expected; /* dense, over output */
  struct tpu_region output, window;
  const int8_t *must_be; /* whole image */
  const int8_t *image;
};

static int inside(const struct tpu_region *r, uint32_t row, uint32_t col) {
  return row >= r->row && row < r->row + r->rows && col >= r->col && col < r->col + r->cols;
}

static char mark(const struct view *v, uint32_t row, uint32_t col) {
  const size_t at = (size_t)row * v->p->maxdim + col;
  if (v->expected != NULL && inside(&v->output, row, col)) {
    const size_t i = (size_t)(row - v->output.row) * v->output.cols + (col - v->output.col);
    return v->image[at] == v->expected[i] ? TPU_PICTURE_SAME : TPU_PICTURE_WRONG;
  }
  if (v->image[at] == v->must_be[at] || (v->expected != NULL && inside(&v->window, row, col)))
    return TPU_PICTURE_SAME;
  return v->expected != NULL ? TPU_PICTURE_CLOBBERED : TPU_PICTURE_WRONG;
}

static void widen(struct tpu_region *r, uint32_t row, uint32_t col) {
  if (r->rows == 0) {
    *r = (struct tpu_region){row, col, 1, 1};
    return;
  }
  const uint32_t bottom = r->row + r->rows;
  const uint32_t right = r->col + r->cols;
  const uint32_t top = row < r->row ? row : r->row;
  const uint32_t left = col < r->col ? col : r->col;
  *r = (struct tpu_region){top, left, (row >= bottom ? row + 1 : bottom) - top,
                           (col >= right ? col + 1 : right) - left};
}

/* The rectangle that holds every difference; 0 when there is none. */
static int find_differences(const struct view *v, struct tpu_region *box) {
  int found = 0;
  for (uint32_t row = 0; row < v->p->maxdim; row++)
    for (uint32_t col = 0; col < v->p->maxdim; col++)
      if (mark(v, row, col) != TPU_PICTURE_SAME) {
        widen(box, row, col);
        found = 1;
      }
  return found;
}

static char worse(char a, char b) {
  if (a == TPU_PICTURE_WRONG || b == TPU_PICTURE_SAME)
    return a;
  return b;
}

static char cell_mark(const struct view *v, const struct tpu_picture *out, uint32_t i, uint32_t j) {
  const uint32_t row = out->row + i * out->cell;
  const uint32_t col = out->col + j * out->cell;
  char worst = TPU_PICTURE_SAME;
  for (uint32_t y = row; y < row + out->cell && y < v->p->maxdim; y++)
    for (uint32_t x = col; x < col + out->cell && x < v->p->maxdim; x++)
      worst = worse(worst, mark(v, y, x));
  return worst;
}

static void draw(const struct view *v, struct tpu_region box, struct tpu_picture *out) {
  memset(out, 0, sizeof *out);
  out->cell = 1;
  if (!find_differences(v, &box))
    return;
  out->row = box.row;
  out->col = box.col;
  out->rows = box.rows;
  out->cols = box.cols;
  while (out->rows > TPU_PICTURE_ROWS || out->cols > TPU_PICTURE_COLS) {
    out->cell = out->cell == 1 ? v->p->t : out->cell + v->p->t;
    out->row = box.row / out->cell * out->cell;
    out->col = box.col / out->cell * out->cell;
    out->rows = (box.row + box.rows - out->row + out->cell - 1) / out->cell;
    out->cols = (box.col + box.cols - out->col + out->cell - 1) / out->cell;
  }
  for (uint32_t i = 0; i < out->rows; i++)
    for (uint32_t j = 0; j < out->cols; j++)
      out->line[i][j] = cell_mark(v, out, i, j);
}

void tpu_picture_program(const struct tpu_params *p, const struct tpu_workload *w,
                         const int8_t *expected, const int8_t *prefill, const int8_t *image,
                         struct tpu_picture *out) {
  const struct view v = {.p = p,
                         .expected = expected,
                         .output = tpu_tensor_region(w, &w->output),
                         .window = tpu_write_region(p, w),
                         .must_be = prefill,
                         .image = image};
  draw(&v, v.output, out);
}

void tpu_picture_design(const struct tpu_params *p, const int8_t *interpreted, const int8_t *image,
                        struct tpu_picture *out) {
  const struct view v = {.p = p, .must_be = interpreted, .image = image};
  draw(&v, (struct tpu_region){0, 0, 0, 0}, out);
}
