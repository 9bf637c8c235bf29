/* SPDX-License-Identifier: Apache-2.0 */
#include "isa/workload.h"

/* Letters of a subscript, or TPU_MAX_RANK + 1 when its end is missing or too far. */
static uint32_t rank_of(const char *subscript) {
  uint32_t n = 0;
  while (n <= TPU_MAX_RANK && subscript[n] != '\0')
    ++n;
  return n;
}

uint32_t tpu_index_size(const struct tpu_workload *w, char letter) {
  for (uint32_t i = 0; i < w->indices && i < TPU_MAX_INDICES; ++i)
    if (w->index[i].letter == (uint32_t)(unsigned char)letter)
      return w->index[i].size;
  return 0;
}

/* A form is known by its pattern: letters renamed a, b, c... in order of first appearance. */
static int matches(const struct tpu_workload *w, const char *pattern) {
  char seen[TPU_MAX_INDICES];
  uint32_t letters = 0;
  const char *p = pattern;
  for (uint32_t i = 0; i <= w->inputs; ++i) {
    const char *s = i < w->inputs ? w->input[i].subscript : w->output.subscript;
    uint32_t rank = rank_of(s);
    for (uint32_t k = 0; k < rank; ++k, ++p) {
      uint32_t n = 0;
      while (n < letters && seen[n] != s[k])
        ++n;
      if (n == TPU_MAX_INDICES || *p != (char)('a' + (int)n))
        return 0;
      if (n == letters)
        seen[letters++] = s[k];
    }
    if (*p++ != (i < w->inputs ? ',' : '\0'))
      return 0;
  }
  return 1;
}

enum tpu_form tpu_workload_form(const struct tpu_workload *w) {
  static const struct {
    const char *pattern;
    uint32_t inputs;
    enum tpu_form form;
  } forms[] = {{"ab,bc,ac", 2, TPU_FORM_GEMM},
               {"ab,ab", 1, TPU_FORM_POINTWISE},
               {"ab,a", 1, TPU_FORM_ROW_REDUCE},
               {"abc,acd,abd", 2, TPU_FORM_BATCHED_GEMM}};
  for (uint32_t i = 0; i < sizeof forms / sizeof forms[0]; ++i)
    if (w->inputs == forms[i].inputs && matches(w, forms[i].pattern))
      return forms[i].form;
  return TPU_FORM_OTHER;
}

/* Saturating: a size from outside may be anything, and a saturated product fits no image. */
static uint32_t times(uint32_t a, uint32_t b) {
  uint64_t product = (uint64_t)a * b;
  return product <= UINT32_MAX ? (uint32_t)product : UINT32_MAX;
}

struct tpu_region tpu_tensor_region(const struct tpu_workload *w, const struct tpu_tensor *t) {
  struct tpu_region r = {t->row, t->col, 1, 1};
  uint32_t rank = rank_of(t->subscript);
  if (rank == 1)
    r.rows = tpu_index_size(w, t->subscript[0]);
  for (uint32_t k = 0; rank > 1 && k < rank; ++k) {
    uint32_t size = tpu_index_size(w, t->subscript[k]);
    if (k + 1 < rank)
      r.rows = times(r.rows, size);
    else
      r.cols = size;
  }
  return r;
}

struct tpu_region tpu_constant_region(const struct tpu_params *p, const struct tpu_constant *c) {
  return (struct tpu_region){c->row, c->col, c->rows != 0 ? c->rows : p->t,
                             c->cols != 0 ? c->cols : p->t};
}

uint32_t tpu_tensor_elements(const struct tpu_workload *w, const struct tpu_tensor *t) {
  struct tpu_region r = tpu_tensor_region(w, t);
  return times(r.rows, r.cols);
}

struct tpu_region tpu_write_region(const struct tpu_params *p, const struct tpu_workload *w) {
  struct tpu_region r = tpu_tensor_region(w, &w->output);
  if (w->write_window == TPU_WINDOW_COLUMN_BLOCK && r.cols <= p->maxdim)
    r.cols = (r.cols + p->t - 1) / p->t * p->t;
  return r;
}

/* A declared region and what messages call it. */
struct declared {
  struct tpu_region region;
  uint32_t buffer;
  const char *kind, *name;
};

static const char *const buffer_name[] = {"A", "B", "C"};

static int check_region(const struct tpu_params *p, const struct declared *d,
                        struct tpu_error *why) {
  const struct tpu_region *r = &d->region;
  if (r->col % p->t != 0)
    return tpu_fail(why, TPU_ERR_UNFIT,
                    "%s %s starts at column %u of %s, off a column block; allowed is a multiple "
                    "of T=%u",
                    d->kind, d->name, r->col, buffer_name[d->buffer], p->t);
  uint64_t last_row = (uint64_t)r->row + r->rows;
  uint64_t last_col = (uint64_t)r->col + r->cols;
  if (last_row > p->maxdim || last_col > p->maxdim)
    return tpu_fail(why, TPU_ERR_UNFIT,
                    "%s %s, %u x %u bytes at [%u, %u], reaches row %U and column %U of %s, whose "
                    "edge is MAXDIM=%u",
                    d->kind, d->name, r->rows, r->cols, r->row, r->col, last_row, last_col,
                    buffer_name[d->buffer], p->maxdim);
  return 1;
}

static int overlap(const struct declared *a, const struct declared *b) {
  const struct tpu_region *x = &a->region;
  const struct tpu_region *y = &b->region;
  return a->buffer == b->buffer && x->row < y->row + y->rows && y->row < x->row + x->rows &&
         x->col < y->col + y->cols && y->col < x->col + x->cols;
}

static int check_counts(const struct tpu_workload *w, struct tpu_error *why) {
  const struct {
    const char *what;
    uint32_t value, lo, hi;
  } limit[] = {{"indices", w->indices, 1, TPU_MAX_INDICES},
               {"inputs", w->inputs, 1, TPU_MAX_INPUTS},
               {"constants", w->constants, 0, TPU_MAX_CONSTANTS},
               {"relu", w->relu, 0, 1},
               {"pad_zero", w->pad_zero, 0, 1},
               {"write_window", w->write_window, 0, TPU_WINDOW_COLUMN_BLOCK}};
  for (uint32_t i = 0; i < sizeof limit / sizeof limit[0]; ++i)
    if (limit[i].value < limit[i].lo || limit[i].value > limit[i].hi)
      return tpu_fail(why, TPU_ERR_RANGE, "the workload's %s is %u; allowed is %u..%u",
                      limit[i].what, limit[i].value, limit[i].lo, limit[i].hi);
  for (uint32_t i = 0; i < w->indices; ++i) {
    const struct tpu_index *x = &w->index[i];
    if (x->letter < 'a' || x->letter > 'z')
      return tpu_fail(why, TPU_ERR_RANGE, "index %u is character %u; allowed is a..z", i,
                      x->letter);
    for (uint32_t k = 0; k < i; ++k)
      if (w->index[k].letter == x->letter)
        return tpu_fail(why, TPU_ERR_RANGE, "index %c is declared twice", (int)x->letter);
  }
  return 1;
}

static int check_tensor(const struct tpu_workload *w, const struct tpu_tensor *t, const char *kind,
                        int is_output, struct tpu_error *why) {
  uint32_t rank = rank_of(t->subscript);
  if (rank == 0 || rank > TPU_MAX_RANK)
    return tpu_fail(why, TPU_ERR_RANGE, "%s has a subscript without 1..%u letters", kind,
                    (uint32_t)TPU_MAX_RANK);
  for (uint32_t k = 0; k < rank; ++k)
    if (tpu_index_size(w, t->subscript[k]) == 0)
      return tpu_fail(why, TPU_ERR_RANGE, "%s %s: index %c has no size; allowed is 1 or more", kind,
                      t->subscript, (int)t->subscript[k]);
  if (is_output ? t->buffer != TPU_BUFFER_C : t->buffer > TPU_BUFFER_B)
    return tpu_fail(why, TPU_ERR_RANGE, "%s %s lies in buffer number %u; allowed is %s", kind,
                    t->subscript, t->buffer, is_output ? "2 (C)" : "0 (A) and 1 (B)");
  return 1;
}

int tpu_workload_fits(const struct tpu_params *p, const struct tpu_workload *w,
                      struct tpu_error *why) {
  static const char *const constant_name[] = {"identity", "ones_column", "data"};
  struct declared d[TPU_MAX_INPUTS + TPU_MAX_CONSTANTS + 1];
  uint32_t n = 0;
  if (!check_counts(w, why))
    return 0;
  for (uint32_t i = 0; i < w->inputs; ++i) {
    const struct tpu_tensor *t = &w->input[i];
    if (!check_tensor(w, t, "input", 0, why))
      return 0;
    d[n++] = (struct declared){tpu_tensor_region(w, t), t->buffer, "input", t->subscript};
  }
  for (uint32_t i = 0; i < w->constants; ++i) {
    const struct tpu_constant *c = &w->constant[i];
    if (c->kind > TPU_CONST_DATA || c->buffer > TPU_BUFFER_B)
      return tpu_fail(why, TPU_ERR_RANGE,
                      "constant %u is of kind %u in buffer number %u; allowed are kinds 0..2 and "
                      "buffers 0 (A) and 1 (B)",
                      i, c->kind, c->buffer);
    d[n++] =
        (struct declared){tpu_constant_region(p, c), c->buffer, "constant", constant_name[c->kind]};
  }
  if (!check_tensor(w, &w->output, "output", 1, why))
    return 0;
  d[n++] = (struct declared){tpu_tensor_region(w, &w->output), TPU_BUFFER_C, "output",
                             w->output.subscript};
  for (uint32_t i = 0; i < n; ++i) {
    if (!check_region(p, &d[i], why))
      return 0;
    for (uint32_t k = 0; k < i; ++k)
      if (overlap(&d[i], &d[k]))
        return tpu_fail(why, TPU_ERR_UNFIT,
                        "%s %s at [%u, %u] overlaps %s %s at [%u, %u] of buffer %s", d[i].kind,
                        d[i].name, d[i].region.row, d[i].region.col, d[k].kind, d[k].name,
                        d[k].region.row, d[k].region.col, buffer_name[d[i].buffer]);
  }
  return 1;
}
