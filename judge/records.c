/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/records.h"

#include "judge/causes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kinds[TPU_RECORD_KIND_COUNT] = {
#define KIND_NAME(id, name) name,
    TPU_RECORD_KINDS(KIND_NAME)
#undef KIND_NAME
};

const char *tpu_record_kind_name(enum tpu_record_kind kind) {
  return (unsigned)kind < TPU_RECORD_KIND_COUNT ? kinds[kind] : "?";
}

/* ---- members ---- */

static int need_count(struct tpu_json object, const char *key, uint64_t *out,
                      struct tpu_report *r) {
  struct tpu_json v;
  return tpu_json_need(object, key, &v, r) && tpu_json_count(v, out, r);
}

static int need_text(struct tpu_json object, const char *key, char *out, size_t capacity,
                     struct tpu_report *r) {
  struct tpu_json v;
  const char *text = NULL;
  if (!tpu_json_need(object, key, &v, r) || !tpu_json_string(v, 1, capacity - 1, &text, r))
    return 0;
  if (strlen(text) >= capacity)
    return tpu_json_fail(v, r, "is longer than %zu bytes", capacity - 1);
  (void)snprintf(out, capacity, "%s", text);
  return 1;
}

/* ---- the configuration of a document ---- */

static int text_of(struct tpu_json v, char *out, size_t capacity, struct tpu_report *r) {
  const char *text = "null";
  double number = 0;
  if (tpu_json_type(v) == TPU_JSON_NUMBER) {
    if (!tpu_json_number(v, -1e300, 1e300, &number, r))
      return 0;
    (void)snprintf(out, capacity, "%.15g", number);
    return 1;
  }
  if (tpu_json_type(v) != TPU_JSON_NULL && !tpu_json_string(v, 0, 4096, &text, r))
    return 0;
  (void)snprintf(out, capacity, "%s", text);
  return 1;
}

static int add_setting(struct tpu_json v, const char *section, struct tpu_records *out,
                       struct tpu_report *r) {
  if (out->settings == TPU_MAX_SETTINGS)
    return tpu_json_fail(v, r, "more than %d settings", TPU_MAX_SETTINGS);
  struct tpu_setting *s = &out->setting[out->settings++];
  (void)snprintf(s->key, sizeof s->key, "%s%s%s", section, section[0] != '\0' ? "." : "",
                 tpu_json_key(v));
  return text_of(v, s->value, sizeof s->value, r);
}

static int read_settings(struct tpu_json root, struct tpu_records *out, struct tpu_report *r) {
  struct tpu_json config;
  if (!tpu_json_need(root, "config", &config, r) || !tpu_json_object(config, NULL, 0, r))
    return 0;
  for (struct tpu_json s = tpu_json_first(config); s.node != NULL; s = tpu_json_next(s)) {
    if (tpu_json_type(s) != TPU_JSON_OBJECT) {
      if (!add_setting(s, "", out, r))
        return 0;
      continue;
    }
    for (struct tpu_json v = tpu_json_first(s); v.node != NULL; v = tpu_json_next(v))
      if (!add_setting(v, tpu_json_key(s), out, r))
        return 0;
  }
  return 1;
}

/* ---- the kinds ---- */

/* The next record, all zero. */
static struct tpu_record *grow(struct tpu_records *out, struct tpu_report *r) {
  if ((out->count & (out->count - 1)) == 0) { /* at powers of two */
    const size_t capacity = out->count == 0 ? 1 : out->count * 2;
    struct tpu_record *grown = realloc(out->record, capacity * sizeof *grown);
    if (grown == NULL) {
      (void)tpu_report_fail(r, TPU_ERR_CAPACITY, "out of memory");
      return NULL;
    }
    out->record = grown;
  }
  struct tpu_record *x = &out->record[out->count++];
  memset(x, 0, sizeof *x);
  return x;
}

static int read_common(struct tpu_json v, struct tpu_record *x, struct tpu_report *r) {
  return need_text(v, "verdict", x->verdict, sizeof x->verdict, r) &&
         tpu_causes_read(v, x->cause, r) && tpu_units_read(v, x->unit, r);
}

static int read_run(struct tpu_json root, struct tpu_records *out, struct tpu_report *r) {
  struct tpu_record *x = grow(out, r);
  struct tpu_json windows;
  if (x == NULL || !need_text(root, "name", x->name, sizeof x->name, r) ||
      !read_common(root, x, r) || !need_count(root, "cycles", &x->cycles, r) ||
      !tpu_json_need(root, "windows", &windows, r) || !tpu_json_object(windows, NULL, 0, r))
    return 0;
  x->has_end_to_end = 1;
  return need_count(windows, "end_to_end", &x->end_to_end, r) && read_settings(root, out, r);
}

static int read_corpus(struct tpu_json root, struct tpu_records *out, struct tpu_report *r) {
  struct tpu_json specs;
  if (!tpu_json_need(root, "specs", &specs, r) || !tpu_json_array(specs, 0, SIZE_MAX, NULL, r))
    return 0;
  for (struct tpu_json v = tpu_json_first(specs); v.node != NULL; v = tpu_json_next(v)) {
    struct tpu_record *x = grow(out, r);
    if (x == NULL || !tpu_json_object(v, NULL, 0, r) ||
        !need_text(v, "name", x->name, sizeof x->name, r) || !read_common(v, x, r) ||
        !need_count(v, "cycles", &x->cycles, r) || !need_count(v, "end_to_end", &x->end_to_end, r))
      return 0;
    x->has_end_to_end = 1;
  }
  return read_settings(root, out, r);
}

/* "T=4 QD=8 gemm_4x4x4", and the mapping unless it is the baseline. */
static int name_point(struct tpu_json line, struct tpu_record *x, struct tpu_report *r) {
  char spec[256];
  char variant[256];
  struct tpu_json set;
  struct tpu_text t = tpu_text_on(x->name, sizeof x->name);
  if (!need_text(line, "spec", spec, sizeof spec, r) ||
      !need_text(line, "variant", variant, sizeof variant, r) ||
      !tpu_json_need(line, "set", &set, r) || !tpu_json_object(set, NULL, 0, r))
    return 0;
  for (struct tpu_json v = tpu_json_first(set); v.node != NULL; v = tpu_json_next(v)) {
    char value[64];
    if (!text_of(v, value, sizeof value, r))
      return 0;
    tpu_text_format(&t, "%s=%s ", tpu_json_key(v), value);
  }
  tpu_text_str(&t, spec);
  if (strcmp(variant, "baseline") != 0)
    tpu_text_format(&t, " %s", variant);
  return 1;
}

static int read_line(struct tpu_json line, struct tpu_records *out, struct tpu_report *r) {
  struct tpu_record *x = grow(out, r);
  struct tpu_json cycles;
  return x != NULL && tpu_json_object(line, NULL, 0, r) && name_point(line, x, r) &&
         read_common(line, x, r) && tpu_json_need(line, "cycles", &cycles, r) &&
         (tpu_json_type(cycles) == TPU_JSON_NULL || tpu_json_count(cycles, &x->cycles, r));
}

static int read_lines(const char *name, const char *text, size_t length, struct tpu_records *out,
                      struct tpu_report *r) {
  size_t number = 0;
  for (size_t at = 0; at < length;) {
    const char *end = memchr(text + at, '\n', length - at);
    const size_t size = end != NULL ? (size_t)(end - (text + at)) : length - at;
    char place[4200];
    (void)snprintf(place, sizeof place, "%s: line %zu", name, ++number);
    struct tpu_json_doc *doc = tpu_json_parse(place, text + at, size, r);
    if (doc == NULL)
      return 0;
    const int good = read_line(tpu_json_root(doc), out, r);
    tpu_json_close(doc);
    if (!good)
      return 0;
    at += size + 1;
  }
  return 1;
}

/* ---- the file ---- */

static int has(struct tpu_json object, const char *key) {
  struct tpu_json v;
  return tpu_json_get(object, key, &v);
}

/* A line of a sweep by itself is a whole document. */
static int begins_with_point(const char *text, size_t length) {
  struct tpu_report ignored;
  const char *end = memchr(text, '\n', length);
  struct tpu_json_doc *doc =
      tpu_json_parse("", text, end != NULL ? (size_t)(end - text) : length, &ignored);
  if (doc == NULL)
    return 0;
  const struct tpu_json root = tpu_json_root(doc);
  const int is_point =
      tpu_json_type(root) == TPU_JSON_OBJECT && has(root, "set") && has(root, "spec");
  tpu_json_close(doc);
  return is_point;
}

static int read_document(const char *name, const char *text, size_t length, struct tpu_records *out,
                         struct tpu_report *r) {
  struct tpu_json_doc *doc = tpu_json_parse(name, text, length, r);
  if (doc == NULL)
    return 0;
  const struct tpu_json root = tpu_json_root(doc);
  const int object = tpu_json_type(root) == TPU_JSON_OBJECT;
  int good = 0;
  if (object && has(root, "windows")) {
    out->kind = TPU_RECORD_RUN;
    good = read_run(root, out, r);
  } else if (object && has(root, "specs") && has(root, "summary")) {
    out->kind = TPU_RECORD_CORPUS;
    good = read_corpus(root, out, r);
  } else {
    good = tpu_report_fail(r, TPU_ERR_SYNTAX,
                           "%s: is no run, corpus or sweep: allowed is what run --json or corpus "
                           "--json prints, and results.jsonl of a sweep",
                           name);
  }
  tpu_json_close(doc);
  return good;
}

static int compare_names(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int check_names(const char *file, const struct tpu_records *x, struct tpu_report *r) {
  const char **name = malloc((x->count + 1) * sizeof *name);
  if (name == NULL)
    return tpu_report_fail(r, TPU_ERR_CAPACITY, "out of memory");
  for (size_t i = 0; i < x->count; i++)
    name[i] = x->record[i].name;
  qsort(name, x->count, sizeof *name, compare_names);
  int good = 1;
  for (size_t i = 1; good && i < x->count; i++)
    good =
        strcmp(name[i - 1], name[i]) != 0 ||
        tpu_report_fail(r, TPU_ERR_SYNTAX, "%s: %s is there twice; allowed is once", file, name[i]);
  free(name);
  return good;
}

int tpu_records_parse(const char *name, const char *text, size_t length, struct tpu_records *out,
                      struct tpu_report *r) {
  *out = (struct tpu_records){.count = 0};
  int good = 0;
  if (begins_with_point(text, length)) {
    out->kind = TPU_RECORD_SWEEP;
    good = read_lines(name, text, length, out, r);
  } else {
    good = read_document(name, text, length, out, r);
  }
  if (good && check_names(name, out, r))
    return 1;
  tpu_records_release(out);
  return 0;
}

void tpu_records_release(struct tpu_records *records) {
  free(records->record);
  *records = (struct tpu_records){.count = 0};
}
