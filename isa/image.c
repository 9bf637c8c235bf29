/* SPDX-License-Identifier: Apache-2.0 */
#include "isa/image.h"

#include "isa/random.h"

static int has_zero_byte(uint32_t x) { return ((x - 0x01010101U) & ~x & 0x80808080U) != 0; }

/* x with every zero byte made 0x55: garbage that cannot pass for a zero pad. */
static uint32_t without_zero_bytes(uint32_t x) {
  uint32_t high = ~(((x & 0x7f7f7f7fU) + 0x7f7f7f7fU) | x | 0x7f7f7f7fU); /* 0x80 where it is 0 */
  return x | (high >> 7) * 0x55U;
}

/* Random bytes, four to a draw, the lowest first; bytes taken by shifts, so that byte order does
 * not matter. Whole draws in the loop, since the core spends most of a small run here. */
static void fill_random(uint32_t seed, int nonzero, int8_t *image, uint32_t bytes) {
  struct tpu_random r = tpu_random_seeded(seed);
  uint32_t i = 0;
  for (; i + 4 <= bytes; i += 4) {
    uint32_t x = tpu_random_next(&r);
    if (nonzero && __builtin_expect(has_zero_byte(x), 0))
      x = without_zero_bytes(x);
    image[i] = (int8_t)(uint8_t)x;
    image[i + 1] = (int8_t)(uint8_t)(x >> 8);
    image[i + 2] = (int8_t)(uint8_t)(x >> 16);
    image[i + 3] = (int8_t)(uint8_t)(x >> 24);
  }
  uint32_t x = i < bytes ? tpu_random_next(&r) : 0;
  if (nonzero)
    x = without_zero_bytes(x);
  for (; i < bytes; ++i, x >>= 8)
    image[i] = (int8_t)(uint8_t)x;
}

/* Lays dense row-major values into a region that lies inside the image. */
static void place(uint32_t maxdim, const struct tpu_region *r, const int8_t *value, int8_t *image) {
  int8_t *row = image + (size_t)r->row * maxdim + r->col;
  for (uint32_t i = 0; i < r->rows; ++i, row += maxdim)
    for (uint32_t k = 0; k < r->cols; ++k)
      row[k] = *value++;
}

static void place_constant(const struct tpu_params *p, const struct tpu_constant *c,
                           const int8_t *data, int8_t *image) {
  struct tpu_region r = tpu_constant_region(p, c);
  if (c->kind == TPU_CONST_DATA) {
    place(p->maxdim, &r, data, image);
    return;
  }
  int8_t *row = image + (size_t)r.row * p->maxdim + r.col;
  for (uint32_t i = 0; i < r.rows; ++i, row += p->maxdim) {
    for (uint32_t k = 0; k < r.cols; ++k)
      row[k] = 0;
    uint32_t one = c->kind == TPU_CONST_IDENTITY ? i : 0;
    if (one < r.cols)
      row[one] = 1;
  }
}

void tpu_image_operand(const struct tpu_params *p, const struct tpu_workload *w,
                       const struct tpu_operands *data, uint32_t buffer, uint32_t seed,
                       int8_t *image) {
  uint32_t bytes = p->maxdim * p->maxdim;
  if (w->pad_zero != 0)
    for (uint32_t i = 0; i < bytes; ++i)
      image[i] = 0;
  else
    fill_random(seed ^ (buffer + 1U) * 0x9e3779b9U, 1, image, bytes); /* A and B differ */
  for (uint32_t i = 0; i < w->inputs; ++i) {
    struct tpu_region r = tpu_tensor_region(w, &w->input[i]);
    if (w->input[i].buffer == buffer)
      place(p->maxdim, &r, data->input[i], image);
  }
  for (uint32_t i = 0; i < w->constants; ++i)
    if (w->constant[i].buffer == buffer)
      place_constant(p, &w->constant[i], data->constant[i], image);
}

void tpu_image_prefill(const struct tpu_params *p, uint32_t seed, int8_t *image) {
  fill_random(seed, 0, image, p->maxdim * p->maxdim);
}

/* Notes the first difference of a kind; the caller counts. */
static void note(struct tpu_comparison *out, uint32_t row, uint32_t col, int8_t expected,
                 int8_t got) {
  out->row = row;
  out->col = col;
  out->expected = (int32_t)expected;
  out->got = (int32_t)got;
}

/* Bytes [from, to) of a row of C, which may not have changed. */
static void check_kept(uint32_t row, uint32_t from, uint32_t to, const int8_t *prefill,
                       const int8_t *image, struct tpu_comparison *out) {
  for (uint32_t col = from; col < to; ++col)
    if (image[col] != prefill[col] && out->clobbered++ == 0 && out->wrong == 0)
      note(out, row, col, prefill[col], image[col]);
}

int tpu_image_compare(const struct tpu_params *p, const struct tpu_workload *w,
                      const int8_t *expected, const int8_t *prefill, const int8_t *image,
                      struct tpu_comparison *out) {
  struct tpu_region o = tpu_tensor_region(w, &w->output);
  struct tpu_region window = tpu_write_region(p, w); /* starts where o does, and contains it */
  uint32_t window_end = window.col + window.cols;
  *out = (struct tpu_comparison){0};
  for (uint32_t row = 0; row < p->maxdim; ++row, image += p->maxdim, prefill += p->maxdim) {
    if (row < o.row || row - o.row >= o.rows) {
      check_kept(row, 0, p->maxdim, prefill, image, out);
      continue;
    }
    check_kept(row, 0, o.col, prefill, image, out);
    for (uint32_t col = o.col; col < o.col + o.cols; ++col, ++expected)
      if (image[col] != *expected && out->wrong++ == 0)
        note(out, row, col, *expected, image[col]);
    check_kept(row, window_end, p->maxdim, prefill, image, out);
  }
  return out->wrong == 0 && out->clobbered == 0;
}
