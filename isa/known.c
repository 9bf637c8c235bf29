/* SPDX-License-Identifier: Apache-2.0 */
#include "isa/known.h"

struct tpu_extent tpu_workload_extent(const struct tpu_params *p, const struct tpu_workload *w) {
  struct tpu_extent x = {1, 1, 1, 1, 1, 1};
  const char *in = w->input[0].subscript;
  switch (tpu_workload_form(w)) {
  case TPU_FORM_GEMM:
    x.m = tpu_index_size(w, in[0]);
    x.k = tpu_index_size(w, in[1]);
    x.n = tpu_index_size(w, w->input[1].subscript[1]);
    break;
  case TPU_FORM_BATCHED_GEMM:
    x.batch = tpu_index_size(w, in[0]);
    x.m = tpu_index_size(w, in[1]);
    x.k = tpu_index_size(w, in[2]);
    x.n = tpu_index_size(w, w->input[1].subscript[2]);
    break;
  case TPU_FORM_POINTWISE:
    x.m = tpu_index_size(w, in[0]);
    x.k = x.n = tpu_index_size(w, in[1]);
    break;
  case TPU_FORM_ROW_REDUCE:
    x.m = tpu_index_size(w, in[0]);
    x.k = tpu_index_size(w, in[1]);
    break;
  case TPU_FORM_OTHER:
    break;
  }
  x.kt = (x.k + p->t - 1) / p->t;
  x.nt = (x.n + p->t - 1) / p->t;
  return x;
}

static struct tpu_place place_of(const struct tpu_params *p, const struct tpu_constant *c,
                                 uint32_t row, uint32_t block) {
  return (struct tpu_place){c->buffer, c->row + row, c->col / p->t + block};
}

int tpu_known_zero(const struct tpu_params *p, const struct tpu_workload *w, uint32_t lanes,
                   struct tpu_place *out) {
  for (uint32_t i = 0; i < w->constants; ++i) {
    const struct tpu_constant *c = &w->constant[i];
    struct tpu_region r = tpu_constant_region(p, c);
    if (c->kind == TPU_CONST_DATA)
      continue; /* its values are the caller's and not known here */
    if (r.cols >= p->t + lanes) {
      /* The second column block of row 0: right of the one, whatever the kind. */
      *out = place_of(p, c, 0, 1);
      return 1;
    }
    if (c->kind == TPU_CONST_IDENTITY && r.cols >= lanes && r.rows > lanes) {
      *out = place_of(p, c, lanes, 0);
      return 1;
    }
  }
  return 0;
}

int tpu_known_one(const struct tpu_params *p, const struct tpu_workload *w, struct tpu_place *out,
                  uint32_t *rows) {
  int found = 0;
  for (uint32_t i = 0; i < w->constants; ++i) {
    const struct tpu_constant *c = &w->constant[i];
    if (c->kind == TPU_CONST_DATA)
      continue;
    uint32_t run = c->kind == TPU_CONST_IDENTITY ? 1 : tpu_constant_region(p, c).rows;
    if (found && run <= *rows)
      continue;
    *out = place_of(p, c, 0, 0);
    *rows = run;
    found = 1;
  }
  return found;
}

int tpu_known_identity(const struct tpu_params *p, const struct tpu_workload *w, uint32_t lanes,
                       struct tpu_place *out, uint32_t *rows) {
  int found = 0;
  for (uint32_t i = 0; i < w->constants; ++i) {
    const struct tpu_constant *c = &w->constant[i];
    struct tpu_region r = tpu_constant_region(p, c);
    if (c->kind != TPU_CONST_IDENTITY || r.rows < lanes || r.cols < lanes ||
        (found && r.rows <= *rows))
      continue;
    *out = place_of(p, c, 0, 0);
    *rows = r.rows;
    found = 1;
  }
  return found;
}
