/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/spec_read.h"

#include <stdio.h>
#include <string.h>

const char *const tpu_buffer_names[3] = {"A", "B", "C"};

/* A name is a word, so that messages and reports can quote it bare. */
int tpu_spec_read_name(struct tpu_json object, char out[TPU_SPEC_NAME_BYTES],
                       struct tpu_report *r) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
  static const char others[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  struct tpu_json v;
  const char *name = NULL;
  if (!tpu_json_need(object, "name", &v, r) ||
      !tpu_json_string(v, 1, TPU_SPEC_NAME_BYTES - 1, &name, r))
    return 0;
  if (strchr(letters, name[0]) == NULL || strspn(name, others) != strlen(name))
    return tpu_json_fail(v, r, "is \"%s\"; must be a word of letters, digits and '_'", name);
  (void)snprintf(out, TPU_SPEC_NAME_BYTES, "%s", name);
  return 1;
}

int tpu_spec_read_buffer(struct tpu_json object, int is_output, uint32_t *out,
                         struct tpu_report *r) {
  struct tpu_json v;
  if (!tpu_json_need(object, "buffer", &v, r))
    return 0;
  if (!is_output)
    return tpu_json_enum(v, tpu_buffer_names, 2, out, r);
  *out = TPU_BUFFER_C;
  uint32_t position = 0;
  return tpu_json_enum(v, &tpu_buffer_names[TPU_BUFFER_C], 1, &position, r);
}

static int divides_at_some_t(uint32_t col) {
  for (uint32_t t = TPU_MIN_T; t <= TPU_MAX_T; t++)
    if (col % t == 0)
      return 1;
  return 0;
}

int tpu_spec_read_origin(struct tpu_json object, uint32_t *row, uint32_t *col,
                         struct tpu_report *r) {
  struct tpu_json v;
  if (!tpu_json_need(object, "origin", &v, r) || !tpu_json_array(v, 2, 2, NULL, r))
    return 0;
  const struct tpu_json first = tpu_json_first(v);
  const struct tpu_json second = tpu_json_next(first);
  if (!tpu_json_u32(first, 0, TPU_SPEC_MAX_SIZE, row, r) ||
      !tpu_json_u32(second, 0, TPU_SPEC_MAX_SIZE, col, r))
    return 0;
  if (!divides_at_some_t(*col))
    return tpu_json_fail(second, r,
                         "is %u, off a column block; must be a multiple of T, and no T from %d to "
                         "%d divides it",
                         *col, TPU_MIN_T, TPU_MAX_T);
  return 1;
}

int tpu_spec_read_dtype(struct tpu_json object, int required, struct tpu_report *r) {
  static const char *const dtypes[] = {"int8"};
  struct tpu_json v;
  uint32_t dtype = 0;
  if (!tpu_json_get(object, "dtype", &v))
    return !required || tpu_json_need(object, "dtype", &v, r);
  return tpu_json_enum(v, dtypes, 1, &dtype, r);
}

static int read_subscript(struct tpu_json object, struct tpu_tensor *t, struct tpu_report *r) {
  struct tpu_json v;
  const char *text = NULL;
  if (!tpu_json_need(object, "subscript", &v, r) || !tpu_json_string(v, 1, TPU_MAX_RANK, &text, r))
    return 0;
  for (const char *c = text; *c != '\0'; c++) {
    if (*c < 'a' || *c > 'z')
      return tpu_json_fail(v, r, "is \"%s\"; must be 1 to %d letters a to z", text, TPU_MAX_RANK);
    if (strchr(c + 1, *c) != NULL)
      return tpu_json_fail(v, r, "is \"%s\" and repeats the index %c; each is allowed once", text,
                           *c);
  }
  (void)snprintf(t->subscript, sizeof t->subscript, "%s", text);
  return 1;
}

static int read_tensor(struct tpu_json v, int is_output, char name[TPU_SPEC_NAME_BYTES],
                       struct tpu_tensor *t, struct tpu_report *r) {
  static const char *const keys[] = {"name",   "subscript", "dtype",
                                     "buffer", "origin",    "write_window"};
  const size_t count = sizeof keys / sizeof keys[0] - (is_output ? 0U : 1U);
  return tpu_json_object(v, keys, count, r) && tpu_spec_read_name(v, name, r) &&
         read_subscript(v, t, r) && tpu_spec_read_dtype(v, 1, r) &&
         tpu_spec_read_buffer(v, is_output, &t->buffer, r) &&
         tpu_spec_read_origin(v, &t->row, &t->col, r);
}

int tpu_spec_read_inputs(struct tpu_json root, struct tpu_spec *s, struct tpu_report *r) {
  struct tpu_json list;
  size_t count = 0;
  if (!tpu_json_need(root, "inputs", &list, r) ||
      !tpu_json_array(list, 1, TPU_MAX_INPUTS, &count, r))
    return 0;
  struct tpu_json v = tpu_json_first(list);
  for (uint32_t i = 0; i < count; i++, v = tpu_json_next(v))
    if (!read_tensor(v, 0, s->input_name[i], &s->workload.input[i], r))
      return 0;
  s->workload.inputs = (uint32_t)count;
  return 1;
}

int tpu_spec_read_output(struct tpu_json root, struct tpu_spec *s, struct tpu_report *r) {
  static const char *const windows[] = {"exact", "column_block"}; /* by enum tpu_window */
  struct tpu_json output;
  struct tpu_json v;
  if (!tpu_json_need(root, "output", &output, r) ||
      !read_tensor(output, 1, s->output_name, &s->workload.output, r))
    return 0;
  s->workload.write_window = TPU_WINDOW_EXACT;
  return !tpu_json_get(output, "write_window", &v) ||
         tpu_json_enum(v, windows, 2, &s->workload.write_window, r);
}
