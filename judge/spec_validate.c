/* SPDX-License-Identifier: Apache-2.0 */
/* What concerns several members of a spec, or a spec and a configuration. */
#include "judge/spec_read.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MAX_REGIONS = TPU_MAX_INPUTS + TPU_MAX_CONSTANTS + 1 };

/* Element number i of the list under key; both are known to exist. */
static struct tpu_json element(struct tpu_json root, const char *key, uint32_t i) {
  struct tpu_json v;
  (void)tpu_json_get(root, key, &v);
  v = tpu_json_first(v);
  for (; i > 0; i--)
    v = tpu_json_next(v);
  return v;
}

static struct tpu_json member(struct tpu_json object, const char *key) {
  struct tpu_json v;
  (void)tpu_json_get(object, key, &v);
  return v;
}

static struct tpu_json tensor_at(struct tpu_json root, const struct tpu_workload *w, uint32_t i) {
  return i < w->inputs ? element(root, "inputs", i) : member(root, "output");
}

static const struct tpu_tensor *tensor_of(const struct tpu_workload *w, uint32_t i) {
  return i < w->inputs ? &w->input[i] : &w->output;
}

/* The statement and the subscripts are two statements of one thing, so that neither can drift. */
static int check_einsum(struct tpu_json root, const struct tpu_spec *s, struct tpu_report *r) {
  const struct tpu_workload *w = &s->workload;
  char stated[TPU_SPEC_EINSUM_BYTES];
  size_t at = 0;
  for (uint32_t i = 0; i <= w->inputs; i++)
    at += (size_t)snprintf(stated + at, sizeof stated - at, "%s%s",
                           i == 0          ? ""
                           : i < w->inputs ? ","
                                           : "->",
                           tensor_of(w, i)->subscript);
  if (strcmp(stated, s->einsum) == 0)
    return 1;
  return tpu_json_fail(member(root, "einsum"), r,
                       "is \"%s\", but the subscripts say \"%s\"; the two must agree", s->einsum,
                       stated);
}

static int is_in_an_input(const struct tpu_workload *w, char letter) {
  for (uint32_t i = 0; i < w->inputs; i++)
    if (strchr(w->input[i].subscript, letter) != NULL)
      return 1;
  return 0;
}

static int check_indices(struct tpu_json root, const struct tpu_workload *w, struct tpu_report *r) {
  for (uint32_t i = 0; i <= w->inputs; i++) {
    const struct tpu_json v = member(tensor_at(root, w, i), "subscript");
    uint64_t elements = 1;
    for (const char *c = tensor_of(w, i)->subscript; *c != '\0'; c++) {
      if (tpu_index_size(w, *c) == 0)
        return tpu_json_fail(v, r, "the index %c has no size; every index must be in $.dims", *c);
      elements *= tpu_index_size(w, *c);
      if (i == w->inputs && !is_in_an_input(w, *c))
        return tpu_json_fail(v, r, "the output's index %c is in no input; it must be in one", *c);
    }
    if (elements > TPU_SPEC_MAX_ELEMENTS)
      return tpu_json_fail(v, r, "the tensor has %" PRIu64 " elements; at most %d are allowed",
                           elements, TPU_SPEC_MAX_ELEMENTS);
  }
  struct tpu_json dim = tpu_json_first(member(root, "dims"));
  for (uint32_t i = 0; i < w->indices; i++, dim = tpu_json_next(dim))
    if (!is_in_an_input(w, (char)w->index[i].letter)) /* nor in the output, then */
      return tpu_json_fail(dim, r, "no subscript uses this index; every dim must be used");
  return 1;
}

struct region {
  struct tpu_json at;
  const char *name;
  uint32_t buffer;
  struct tpu_region r;
};

static uint32_t collect(struct tpu_json root, const struct tpu_spec *s, const struct tpu_params *p,
                        struct region *out) {
  const struct tpu_workload *w = &s->workload;
  uint32_t n = 0;
  for (uint32_t i = 0; i < w->inputs; i++)
    out[n++] = (struct region){element(root, "inputs", i), s->input_name[i], w->input[i].buffer,
                               tpu_tensor_region(w, &w->input[i])};
  for (uint32_t i = 0; i < w->constants; i++)
    out[n++] = (struct region){element(root, "constants", i), s->constant_name[i],
                               w->constant[i].buffer, tpu_constant_region(p, &w->constant[i])};
  out[n++] = (struct region){member(root, "output"), s->output_name, w->output.buffer,
                             tpu_tensor_region(w, &w->output)};
  return n;
}

/* Do [a, a+n) and [b, b+m) share a place? Sums pass 32 bits. */
static int meets(uint32_t a, uint32_t n, uint32_t b, uint32_t m) {
  return (uint64_t)a < (uint64_t)b + m && (uint64_t)b < (uint64_t)a + n;
}

/* At the smallest T, where regions of T rows are smallest: what overlaps there does so always. */
static int check_regions(struct tpu_json root, const struct tpu_spec *s, struct tpu_report *r) {
  struct region regions[MAX_REGIONS];
  struct tpu_params p = tpu_params_default();
  p.t = TPU_MIN_T;
  const uint32_t n = collect(root, s, &p, regions);
  for (uint32_t i = 1; i < n; i++) {
    const struct region *b = &regions[i];
    for (uint32_t k = 0; k < i; k++) {
      const struct region *a = &regions[k];
      if (strcmp(a->name, b->name) == 0)
        return tpu_json_fail(member(b->at, "name"), r,
                             "is \"%s\", the name of another tensor or constant; names must differ",
                             b->name);
      if (a->buffer == b->buffer && meets(a->r.row, a->r.rows, b->r.row, b->r.rows) &&
          meets(a->r.col, a->r.cols, b->r.col, b->r.cols))
        return tpu_json_fail(b->at, r,
                             "%s at [%u, %u] of %s overlaps %s, %u x %u at [%u, %u]; regions of "
                             "one buffer must be apart",
                             b->name, b->r.row, b->r.col, tpu_buffer_names[b->buffer], a->name,
                             a->r.rows, a->r.cols, a->r.row, a->r.col);
    }
  }
  return 1;
}

int tpu_spec_validate(struct tpu_json root, const struct tpu_spec *s, struct tpu_report *r) {
  return check_einsum(root, s, r) && check_indices(root, &s->workload, r) &&
         check_regions(root, s, r);
}

static int check_origin(const struct tpu_spec *s, const struct tpu_params *p, const char *list,
                        uint32_t i, uint32_t col, struct tpu_report *r) {
  char index[16] = "";
  char shown[400];
  if (col % p->t == 0)
    return 1;
  if (strcmp(list, "output") != 0)
    (void)snprintf(index, sizeof index, "[%u]", i);
  return tpu_report_fail(r, TPU_ERR_RANGE,
                         "%s: $.%s%s.origin[1]: is %u, off a column block; must be a multiple of "
                         "T=%u",
                         tpu_shorten(s->path, 1, shown, sizeof shown), list, index, col, p->t);
}

int tpu_spec_check_at(const struct tpu_spec *spec, const struct tpu_params *p,
                      struct tpu_report *r) {
  const struct tpu_workload *w = &spec->workload;
  for (uint32_t i = 0; i < w->inputs; i++)
    if (!check_origin(spec, p, "inputs", i, w->input[i].col, r))
      return 0;
  for (uint32_t i = 0; i < w->constants; i++)
    if (!check_origin(spec, p, "constants", i, w->constant[i].col, r))
      return 0;
  return check_origin(spec, p, "output", 0, w->output.col, r);
}

int tpu_spec_standing(const struct tpu_spec *spec, const struct tpu_params *p,
                      struct tpu_standing_store *store, struct tpu_standing *out,
                      struct tpu_report *r) {
  *out = (struct tpu_standing){NULL, spec->known_gap, NULL};
  if (!tpu_spec_check_at(spec, p, r))
    return 0;
  if (!tpu_workload_fits(p, &spec->workload, &store->unfit))
    out->unfit = store->unfit.text;
  else if (!tpu_workload_satisfiable(p, &spec->workload, &store->unsatisfiable))
    out->unsatisfiable = store->unsatisfiable.text;
  return 1;
}
