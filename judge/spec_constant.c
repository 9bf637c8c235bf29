/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/spec_read.h"

#include <stdlib.h>
#include <string.h>

/* rows or cols: a number, or "T", which is 0 in the workload. */
static int read_size(struct tpu_json object, const char *key, uint32_t *out, struct tpu_report *r) {
  static const char *const symbol[] = {"T"};
  struct tpu_json v;
  uint32_t position = 0;
  if (!tpu_json_need(object, key, &v, r))
    return 0;
  if (tpu_json_type(v) == TPU_JSON_NUMBER)
    return tpu_json_u32(v, 1, TPU_SPEC_MAX_SIZE, out, r);
  *out = 0;
  if (tpu_json_type(v) == TPU_JSON_STRING)
    return tpu_json_enum(v, symbol, 1, &position, r);
  return tpu_json_u32(v, 1, TPU_SPEC_MAX_SIZE, out, r); /* reports the type */
}

static int read_row(struct tpu_json v, uint32_t cols, int8_t *out, struct tpu_report *r) {
  if (!tpu_json_array(v, cols, cols, NULL, r))
    return 0;
  struct tpu_json element = tpu_json_first(v);
  for (uint32_t i = 0; i < cols; i++, element = tpu_json_next(element)) {
    int64_t value = 0;
    if (!tpu_json_i64(element, INT8_MIN, INT8_MAX, &value, r))
      return 0;
    out[i] = (int8_t)value;
  }
  return 1;
}

/* Only data carries values, and data has a shape of its own, not of T. */
static int read_data(struct tpu_json object, const struct tpu_constant *c, int8_t **out,
                     struct tpu_report *r) {
  struct tpu_json v;
  if (c->kind != TPU_CONST_DATA) {
    if (tpu_json_get(object, "data", &v))
      return tpu_json_fail(v, r, "is allowed only with kind \"data\"");
    return 1;
  }
  if (!tpu_json_need(object, "data", &v, r))
    return 0;
  if (c->rows == 0 || c->cols == 0)
    return tpu_json_fail(object, r,
                         "kind \"data\" needs rows and cols as numbers; \"T\" is allowed with "
                         "\"identity\" and \"ones_column\"");
  if (!tpu_json_array(v, c->rows, c->rows, NULL, r))
    return 0;
  if ((uint64_t)c->rows * c->cols > TPU_SPEC_MAX_ELEMENTS)
    return tpu_json_fail(object, r, "has more than %d elements", TPU_SPEC_MAX_ELEMENTS);
  *out = malloc((size_t)c->rows * c->cols);
  if (*out == NULL)
    return tpu_json_fail(v, r, "out of memory");
  struct tpu_json row = tpu_json_first(v);
  for (uint32_t i = 0; i < c->rows; i++, row = tpu_json_next(row))
    if (!read_row(row, c->cols, *out + (size_t)i * c->cols, r))
      return 0;
  return 1;
}

static int read_constant(struct tpu_json v, struct tpu_spec *s, uint32_t i, struct tpu_report *r) {
  static const char *const keys[] = {"name",   "kind",   "rows",  "cols",
                                     "buffer", "origin", "dtype", "data"};
  static const char *const kinds[] = {"identity", "ones_column", "data"}; /* by the enum */
  struct tpu_constant *c = &s->workload.constant[i];
  struct tpu_json kind;
  if (!tpu_json_object(v, keys, sizeof keys / sizeof keys[0], r) ||
      !tpu_spec_read_name(v, s->constant_name[i], r) || !tpu_json_need(v, "kind", &kind, r) ||
      !tpu_json_enum(kind, kinds, 3, &c->kind, r) || !read_size(v, "rows", &c->rows, r) ||
      !read_size(v, "cols", &c->cols, r) || !tpu_spec_read_dtype(v, 0, r) ||
      !tpu_spec_read_buffer(v, 0, &c->buffer, r) || !tpu_spec_read_origin(v, &c->row, &c->col, r))
    return 0;
  if (c->kind == TPU_CONST_IDENTITY && c->rows != c->cols)
    return tpu_json_fail(v, r, "an identity is square: rows and cols must be equal");
  return read_data(v, c, &s->constant_data[i], r);
}

int tpu_spec_read_constants(struct tpu_json root, struct tpu_spec *s, struct tpu_report *r) {
  struct tpu_json list;
  size_t count = 0;
  s->workload.constants = 0;
  if (!tpu_json_get(root, "constants", &list))
    return 1;
  if (!tpu_json_array(list, 0, TPU_MAX_CONSTANTS, &count, r))
    return 0;
  struct tpu_json v = tpu_json_first(list);
  for (uint32_t i = 0; i < count; i++, v = tpu_json_next(v))
    if (!read_constant(v, s, i, r))
      return 0;
  s->workload.constants = (uint32_t)count;
  return 1;
}
