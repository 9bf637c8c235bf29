/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/spec.h"

#include "judge/spec_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int tpu_spec_file_name(const char *path, char *stem, char *out, size_t capacity) {
  const char *slash = strrchr(path, '/');
  const char *base = slash != NULL ? slash + 1 : path;
  const size_t length = strlen(base);
  if (length <= 5 || strcmp(base + length - 5, ".json") != 0 || length - 5 >= capacity)
    return 0;
  if (stem != NULL) {
    memcpy(stem, base, length - 5);
    stem[length - 5] = '\0';
  }
  const size_t digits = strspn(base, "0123456789");
  const size_t skip = digits > 0 && base[digits] == '_' ? digits + 1 : 0;
  if (out != NULL) {
    memcpy(out, base + skip, length - 5 - skip);
    out[length - 5 - skip] = '\0';
  }
  return 1;
}

static char *copy_text(const char *text) {
  const size_t bytes = strlen(text) + 1;
  char *copy = malloc(bytes);
  if (copy != NULL)
    memcpy(copy, text, bytes);
  return copy;
}

/* One line of lo characters or more, kept in *out from malloc. */
static int read_text(struct tpu_json v, size_t lo, char **out, struct tpu_report *r) {
  const char *text = NULL;
  if (!tpu_json_string(v, lo, TPU_SPEC_MAX_TEXT, &text, r))
    return 0;
  for (const char *c = text; *c != '\0'; c++)
    if ((unsigned char)*c < 0x20U)
      return tpu_json_fail(v, r, "holds a line break or control character; must be one line");
  if (strspn(text, " ") == strlen(text))
    return tpu_json_fail(v, r, "is blank; must be a sentence");
  *out = copy_text(text);
  return *out != NULL || tpu_json_fail(v, r, "out of memory");
}

static int read_name(struct tpu_json root, struct tpu_spec *s, struct tpu_report *r) {
  char implied[64];
  struct tpu_json v;
  const char *name = NULL;
  if (!tpu_json_need(root, "name", &v, r) ||
      !tpu_json_string(v, 1, sizeof s->workload.name - 1, &name, r))
    return 0;
  if (strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") != strlen(name))
    return tpu_json_fail(v, r, "is \"%s\"; must be letters a to z, digits and '_'", name);
  if (!tpu_spec_file_name(s->path, NULL, implied, sizeof implied) || strcmp(name, implied) != 0)
    return tpu_json_fail(v, r,
                         "is \"%s\"; must be the file's name without number and \".json\", as in "
                         "07_%s.json",
                         name, name);
  (void)snprintf(s->workload.name, sizeof s->workload.name, "%s", name);
  return 1;
}

static int read_einsum(struct tpu_json root, struct tpu_spec *s, struct tpu_report *r) {
  struct tpu_json v;
  const char *text = NULL;
  if (!tpu_json_need(root, "einsum", &v, r) ||
      !tpu_json_string(v, 1, TPU_SPEC_EINSUM_BYTES - 1, &text, r))
    return 0;
  if (strspn(text, "abcdefghijklmnopqrstuvwxyz,->") != strlen(text))
    return tpu_json_fail(v, r, "is \"%s\"; must be subscripts as in mk,kn->mn", text);
  (void)snprintf(s->einsum, sizeof s->einsum, "%s", text);
  return 1;
}

static int read_dims(struct tpu_json root, struct tpu_spec *s, struct tpu_report *r) {
  struct tpu_workload *w = &s->workload;
  struct tpu_json dims;
  if (!tpu_json_need(root, "dims", &dims, r) || !tpu_json_object(dims, NULL, 0, r))
    return 0;
  struct tpu_json v = tpu_json_first(dims);
  for (; v.node != NULL; v = tpu_json_next(v)) {
    const char *key = tpu_json_key(v);
    if (key[0] < 'a' || key[0] > 'z' || key[1] != '\0')
      return tpu_json_fail(v, r, "unknown key; a dim is one letter a to z");
    if (w->indices == TPU_MAX_INDICES)
      return tpu_json_fail(v, r, "is one dim too many; at most %d are allowed", TPU_MAX_INDICES);
    struct tpu_index *index = &w->index[w->indices++];
    index->letter = (uint32_t)key[0];
    if (!tpu_json_u32(v, 1, TPU_SPEC_MAX_SIZE, &index->size, r))
      return 0;
  }
  return w->indices > 0 || tpu_json_fail(dims, r, "is empty; must have a size for every index");
}

static int read_epilogue(struct tpu_json root, struct tpu_spec *s, struct tpu_report *r) {
  static const char *const steps[] = {"relu", "saturate"};
  enum { RELU, SATURATE };
  struct tpu_json list;
  size_t count = 0;
  uint32_t first = 0;
  uint32_t last = 0;
  if (!tpu_json_need(root, "epilogue", &list, r) || !tpu_json_array(list, 1, 2, &count, r))
    return 0;
  const struct tpu_json v = tpu_json_first(list);
  if (!tpu_json_enum(v, steps, 2, &first, r))
    return 0;
  last = first;
  if (count == 2 && !tpu_json_enum(tpu_json_next(v), steps, 2, &last, r))
    return 0;
  if (last != SATURATE || (count == 2 && first != RELU))
    return tpu_json_fail(list, r,
                         "must be [\"saturate\"] or [\"relu\", \"saturate\"]: the machine narrows "
                         "last, and once");
  s->workload.relu = count == 2;
  return 1;
}

static int read_rest(struct tpu_json root, struct tpu_spec *s, struct tpu_report *r) {
  static const char *const accumulators[] = {"int32"};
  static const char *const pads[] = {"arbitrary", "zero"};
  struct tpu_json v;
  uint32_t position = 0;
  if (!tpu_json_need(root, "accumulator", &v, r) ||
      !tpu_json_enum(v, accumulators, 1, &position, r) || !read_epilogue(root, s, r) ||
      !tpu_json_need(root, "operand_pad", &v, r) ||
      !tpu_json_enum(v, pads, 2, &s->workload.pad_zero, r))
    return 0;
  if (!tpu_json_get(root, "known_gap", &v) || tpu_json_type(v) == TPU_JSON_NULL)
    return 1;
  s->workload.known_gap = 1;
  if (tpu_json_type(v) != TPU_JSON_STRING)
    return tpu_json_fail(v, r, "must be null or a sentence");
  return read_text(v, 1, &s->known_gap, r);
}

static int read_spec(struct tpu_json root, struct tpu_spec *s, struct tpu_report *r) {
  static const char *const keys[] = {"name",     "stresses",    "einsum",   "dims",
                                     "inputs",   "constants",   "output",   "accumulator",
                                     "epilogue", "operand_pad", "known_gap"};
  struct tpu_json v;
  return tpu_json_object(root, keys, sizeof keys / sizeof keys[0], r) && read_name(root, s, r) &&
         tpu_json_need(root, "stresses", &v, r) &&
         read_text(v, TPU_SPEC_MIN_STRESSES, &s->stresses, r) && read_einsum(root, s, r) &&
         read_dims(root, s, r) && tpu_spec_read_inputs(root, s, r) &&
         tpu_spec_read_output(root, s, r) && tpu_spec_read_constants(root, s, r) &&
         read_rest(root, s, r) && tpu_spec_validate(root, s, r);
}

int tpu_spec_read(const char *path, struct tpu_spec *out, struct tpu_report *r) {
  memset(out, 0, sizeof *out);
  struct tpu_json_doc *doc = tpu_json_open(path, r);
  if (doc == NULL)
    return 0;
  out->path = copy_text(path);
  const int ok = out->path != NULL
                     ? read_spec(tpu_json_root(doc), out, r)
                     : tpu_report_fail(r, TPU_ERR_CAPACITY, "%s: out of memory", path);
  tpu_json_close(doc);
  if (!ok)
    tpu_spec_release(out);
  return ok;
}

void tpu_spec_release(struct tpu_spec *spec) {
  for (uint32_t i = 0; i < TPU_MAX_CONSTANTS; i++)
    free(spec->constant_data[i]);
  free(spec->path);
  free(spec->stresses);
  free(spec->known_gap);
  memset(spec, 0, sizeof *spec);
}
