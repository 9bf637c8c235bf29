/* SPDX-License-Identifier: Apache-2.0 */
#include "isa/image.h"

#include "isa/random.h"

/* Random bytes, four to a draw; bytes taken by shifts, so that byte order does not matter. With
 * nonzero set, a 0 becomes 0x55: garbage that cannot pass for a zero pad. */
static void fill_random(uint32_t seed, int nonzero, int8_t *image, uint32_t bytes) {
  struct tpu_random r = tpu_random_seeded(seed);
  uint32_t x = 0;
  for (uint32_t i = 0; i < bytes; ++i) {
    x = (i & 3U) == 0 ? tpu_random_next(&r) : x >> 8;
    uint8_t byte = (uint8_t)x;
    image[i] = (int8_t)(nonzero && byte == 0 ? 0x55 : byte);
  }
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
  out->expected = expected;
  out->got = got;
}

int tpu_image_compare(const struct tpu_params *p, const struct tpu_workload *w,
                      const int8_t *expected, const int8_t *prefill, const int8_t *image,
                      struct tpu_comparison *out) {
  struct tpu_region o = tpu_tensor_region(w, &w->output);
  struct tpu_region window = tpu_write_region(p, w); /* starts where o does, and contains it */
  *out = (struct tpu_comparison){0};
  for (uint32_t row = 0; row < p->maxdim; ++row) {
    int in_rows = row >= o.row && row - o.row < o.rows;
    uint32_t wrong_end = in_rows ? o.col + o.cols : 0;
    uint32_t window_end = in_rows ? window.col + window.cols : 0;
    for (uint32_t col = 0; col < p->maxdim; ++col) {
      if (col >= o.col && col < window_end) {
        if (col >= wrong_end)
          continue;
        if (image[col] != *expected && out->wrong++ == 0)
          note(out, row, col, *expected, image[col]);
        ++expected;
      } else if (image[col] != prefill[col]) {
        if (out->clobbered++ == 0 && out->wrong == 0)
          note(out, row, col, prefill[col], image[col]);
      }
    }
    image += p->maxdim;
    prefill += p->maxdim;
  }
  return out->wrong == 0 && out->clobbered == 0;
}
