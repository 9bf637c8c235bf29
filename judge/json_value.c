/* SPDX-License-Identifier: Apache-2.0 */
/* Typed access to the values of a document. */
#include "judge/json.h"

#include "judge/json_doc.h"
#include "judge/json_scan.h"
#include "judge/number.h"
#include "judge/suggest.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SHOWN = 48 };

enum tpu_json_type tpu_json_type(struct tpu_json v) {
  if (cJSON_IsObject(v.node))
    return TPU_JSON_OBJECT;
  if (cJSON_IsArray(v.node))
    return TPU_JSON_ARRAY;
  if (cJSON_IsString(v.node))
    return v.node->valuestring[0] == TPU_JSON_TAG_NUMBER ? TPU_JSON_NUMBER : TPU_JSON_STRING;
  return cJSON_IsBool(v.node) ? TPU_JSON_BOOL : TPU_JSON_NULL;
}

/* A scalar's literal or text, without its tag. */
static const char *content(struct tpu_json v) { return v.node->valuestring + 1; }

int tpu_json_fail(struct tpu_json v, struct tpu_report *r, const char *format, ...) {
  char path[256];
  char text[TPU_REPORT_BYTES];
  va_list args;
  va_start(args, format);
  (void)vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return tpu_report_fail(r, TPU_ERR_SYNTAX, "%s: %s: %s", v.doc->file,
                         tpu_json_path(v, path, sizeof path), text);
}

/* "is X; must be DUE". */
static int fail_type(struct tpu_json v, struct tpu_report *r, const char *due) {
  char shown[MAX_SHOWN];
  switch (tpu_json_type(v)) {
  case TPU_JSON_NUMBER:
    return tpu_json_fail(v, r, "is %s; must be %s", tpu_shorten(content(v), 0, shown, sizeof shown),
                         due);
  case TPU_JSON_STRING:
    return tpu_json_fail(v, r, "is the string \"%s\"; must be %s",
                         tpu_shorten(content(v), 0, shown, sizeof shown), due);
  case TPU_JSON_BOOL:
    return tpu_json_fail(v, r, "is %s; must be %s", cJSON_IsTrue(v.node) ? "true" : "false", due);
  case TPU_JSON_ARRAY:
    return tpu_json_fail(v, r, "is a list; must be %s", due);
  case TPU_JSON_OBJECT:
    return tpu_json_fail(v, r, "is an object; must be %s", due);
  case TPU_JSON_NULL:
    break;
  }
  return tpu_json_fail(v, r, "is null; must be %s", due);
}

struct tpu_json tpu_json_first(struct tpu_json v) {
  return (struct tpu_json){v.doc, v.node->child};
}

struct tpu_json tpu_json_next(struct tpu_json v) {
  return (struct tpu_json){v.doc, v.node->next};
}

const char *tpu_json_key(struct tpu_json member) { return member.node->string; }

int tpu_json_object(struct tpu_json v, const char *const *keys, size_t count,
                    struct tpu_report *r) {
  if (tpu_json_type(v) != TPU_JSON_OBJECT)
    return fail_type(v, r, "an object");
  for (const cJSON *m = v.node->child; keys != NULL && m != NULL; m = m->next) {
    size_t i = 0;
    while (i < count && strcmp(m->string, keys[i]) != 0)
      i++;
    if (i == count) {
      char allowed[512];
      return tpu_json_fail((struct tpu_json){v.doc, m}, r, "unknown key; %s",
                           tpu_allowed(m->string, keys, count, allowed, sizeof allowed));
    }
  }
  return 1;
}

int tpu_json_get(struct tpu_json object, const char *key, struct tpu_json *out) {
  const cJSON *m = object.node->child;
  while (m != NULL && strcmp(m->string, key) != 0)
    m = m->next;
  *out = (struct tpu_json){object.doc, m};
  return m != NULL;
}

int tpu_json_need(struct tpu_json object, const char *key, struct tpu_json *out,
                  struct tpu_report *r) {
  if (tpu_json_get(object, key, out))
    return 1;
  return tpu_json_fail(object, r, "the required key \"%s\" is missing", key);
}

int tpu_json_array(struct tpu_json v, size_t lo, size_t hi, size_t *count, struct tpu_report *r) {
  char due[80];
  if (lo == hi)
    (void)snprintf(due, sizeof due, "a list of %zu", lo);
  else
    (void)snprintf(due, sizeof due, "a list of %zu to %zu", lo, hi);
  if (tpu_json_type(v) != TPU_JSON_ARRAY)
    return fail_type(v, r, due);
  size_t n = 0;
  for (const cJSON *c = v.node->child; c != NULL; c = c->next)
    n++;
  if (n < lo || n > hi)
    return tpu_json_fail(v, r, "is a list of %zu; must be %s", n, due);
  if (count != NULL)
    *count = n;
  return 1;
}

int tpu_json_i64(struct tpu_json v, int64_t lo, int64_t hi, int64_t *out, struct tpu_report *r) {
  int negative = 0;
  uint64_t magnitude = 0;
  if (tpu_json_type(v) == TPU_JSON_NUMBER &&
      tpu_number_decimal(content(v), strlen(content(v)), &negative, &magnitude) == TPU_NUMBER_OK) {
    const uint64_t limit = (uint64_t)INT64_MAX + (negative ? 1U : 0U);
    /* -(magnitude - 1) - 1 so that INT64_MIN is reached without overflow */
    const int fits = magnitude <= limit;
    const int64_t value = !fits ? 0 : negative ? -(int64_t)(magnitude - 1) - 1 : (int64_t)magnitude;
    if (fits && value >= lo && value <= hi) {
      *out = value;
      return 1;
    }
  }
  char due[120];
  (void)snprintf(due, sizeof due,
                 "an integer from %" PRId64 " to %" PRId64 ", without fraction or exponent", lo,
                 hi);
  return fail_type(v, r, due);
}

int tpu_json_u64(struct tpu_json v, uint64_t lo, uint64_t hi, uint64_t *out, struct tpu_report *r) {
  int negative = 0;
  uint64_t value = 0;
  if (tpu_json_type(v) == TPU_JSON_NUMBER &&
      tpu_number_decimal(content(v), strlen(content(v)), &negative, &value) == TPU_NUMBER_OK &&
      !negative && value >= lo && value <= hi) {
    *out = value;
    return 1;
  }
  char due[120];
  (void)snprintf(due, sizeof due,
                 "an integer from %" PRIu64 " to %" PRIu64 ", without fraction or exponent", lo,
                 hi);
  return fail_type(v, r, due);
}

int tpu_json_count(struct tpu_json v, uint64_t *out, struct tpu_report *r) {
  return tpu_json_u64(v, 0, INT64_MAX, out, r);
}

int tpu_json_u32(struct tpu_json v, uint32_t lo, uint32_t hi, uint32_t *out, struct tpu_report *r) {
  uint64_t value = 0;
  if (!tpu_json_u64(v, lo, hi, &value, r))
    return 0;
  *out = (uint32_t)value;
  return 1;
}

int tpu_json_number(struct tpu_json v, double lo, double hi, double *out, struct tpu_report *r) {
  if (tpu_json_type(v) == TPU_JSON_NUMBER) {
    const double value = strtod(content(v), NULL);
    if (value >= lo && value <= hi) {
      *out = value;
      return 1;
    }
  }
  char due[120];
  (void)snprintf(due, sizeof due, "a number from %g to %g", lo, hi);
  return fail_type(v, r, due);
}

int tpu_json_bool(struct tpu_json v, int *out, struct tpu_report *r) {
  if (tpu_json_type(v) != TPU_JSON_BOOL)
    return fail_type(v, r, "true or false");
  *out = cJSON_IsTrue(v.node);
  return 1;
}

static size_t code_points(const char *s) {
  size_t n = 0;
  for (; *s != '\0'; s++)
    n += ((unsigned char)*s & 0xc0U) != 0x80U;
  return n;
}

int tpu_json_string(struct tpu_json v, size_t lo, size_t hi, const char **out,
                    struct tpu_report *r) {
  char due[80];
  (void)snprintf(due, sizeof due, "a string of %zu to %zu characters", lo, hi);
  if (tpu_json_type(v) != TPU_JSON_STRING)
    return fail_type(v, r, due);
  const size_t n = code_points(content(v));
  if (n < lo || n > hi)
    return tpu_json_fail(v, r, "is a string of %zu characters; must be %s", n, due);
  *out = content(v);
  return 1;
}

int tpu_json_enum(struct tpu_json v, const char *const *names, size_t count, uint32_t *out,
                  struct tpu_report *r) {
  char due[256];
  size_t at = 0;
  for (size_t i = 0; i < count; i++) {
    if (tpu_json_type(v) == TPU_JSON_STRING && strcmp(content(v), names[i]) == 0) {
      *out = (uint32_t)i;
      return 1;
    }
    const char *joint = i == 0 ? "" : i + 1 == count ? " or " : ", ";
    if (at < sizeof due)
      at += (size_t)snprintf(due + at, sizeof due - at, "%s\"%s\"", joint, names[i]);
  }
  return fail_type(v, r, due);
}
