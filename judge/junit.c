/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/junit.h"

#include "judge/image_file.h"
#include "judge/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tpu_junit {
  char *suite; /* escaped */
  char *cases; /* their elements, zero-terminated */
  size_t length, capacity;
  unsigned tests, failures, errors, skipped;
  int broken; /* memory lacked */
};

static void put(struct tpu_junit *j, const char *s, size_t n) {
  if (!j->broken && j->length + n + 1 > j->capacity) {
    const size_t capacity = 2 * (j->length + n) + 1024;
    char *grown = realloc(j->cases, capacity);
    j->broken = grown == NULL;
    if (grown != NULL) {
      j->cases = grown;
      j->capacity = capacity;
    }
  }
  if (j->broken)
    return;
  memcpy(j->cases + j->length, s, n);
  j->length += n;
  j->cases[j->length] = '\0';
}

static void put_text(struct tpu_junit *j, const char *s) { put(j, s, strlen(s)); }

/* What stands for a character of text or of a quoted attribute; NULL: itself. */
static const char *escape_of(char c) {
  switch (c) {
  case '&':
    return "&amp;";
  case '<':
    return "&lt;";
  case '>':
    return "&gt;";
  case '"':
    return "&quot;";
  case '\n':
    return "&#10;";
  case '\t':
    return "&#9;";
  default:
    return (unsigned char)c < 0x20U ? "\xef\xbf\xbd" : NULL;
  }
}

static void put_escaped(struct tpu_junit *j, const char *s) {
  char *clean = tpu_utf8_clean(s);
  j->broken |= clean == NULL;
  for (const char *c = clean; c != NULL && *c != '\0'; c++) {
    const char *e = escape_of(*c);
    if (strncmp(c, "\xef\xbf\xbe", 3) == 0 || strncmp(c, "\xef\xbf\xbf", 3) == 0) {
      e = "\xef\xbf\xbd";
      c += 2;
    }
    if (e != NULL)
      put_text(j, e);
    else
      put(j, c, 1);
  }
  free(clean);
}

static void put_attribute(struct tpu_junit *j, const char *name, const char *value) {
  put_text(j, " ");
  put_text(j, name);
  put_text(j, "=\"");
  put_escaped(j, value);
  put_text(j, "\"");
}

struct tpu_junit *tpu_junit_new(const char *suite) {
  struct tpu_junit *j = calloc(1, sizeof *j);
  if (j == NULL)
    return NULL;
  put_escaped(j, suite);
  j->suite = j->cases;
  j->cases = NULL;
  j->length = j->capacity = 0;
  put_text(j, "");
  if (j->broken || j->suite == NULL) {
    tpu_junit_free(j);
    return NULL;
  }
  return j;
}

void tpu_junit_free(struct tpu_junit *junit) {
  if (junit == NULL)
    return;
  free(junit->suite);
  free(junit->cases);
  free(junit);
}

static void begin_case(struct tpu_junit *junit, const char *name) {
  junit->tests++;
  put_text(junit, "  <testcase classname=\"");
  put_text(junit, junit->suite);
  put_text(junit, "\"");
  put_attribute(junit, "name", name);
}

/* type may be NULL. */
static void put_result(struct tpu_junit *junit, const char *element, const char *type,
                       const char *message, const char *details) {
  put_text(junit, ">\n    <");
  put_text(junit, element);
  put_attribute(junit, "message", message);
  if (type != NULL)
    put_attribute(junit, "type", type);
  put_text(junit, ">");
  put_escaped(junit, details);
  put_text(junit, "</");
  put_text(junit, element);
  put_text(junit, ">\n  </testcase>\n");
}

void tpu_junit_fail(struct tpu_junit *junit, const char *name, const char *type,
                    const char *message) {
  junit->failures++;
  begin_case(junit, name);
  put_result(junit, "failure", type, message, "");
}

void tpu_junit_add(struct tpu_junit *junit, const char *name, enum tpu_verdict verdict,
                   const char *reason, const char *details) {
  const char *why = reason != NULL ? reason : "";
  const char *word = tpu_verdict_name(verdict);
  const int is_error = verdict == TPU_VERDICT_FAULT || verdict == TPU_VERDICT_NOT_RUN;
  begin_case(junit, name);
  if (verdict == TPU_VERDICT_EXACT) {
    put_text(junit, "/>\n");
    return;
  }
  const size_t capacity = strlen(why) + strlen(word) + 3;
  char *message = malloc(capacity);
  junit->broken |= message == NULL;
  if (message == NULL)
    return;
  (void)snprintf(message, capacity, "%s%s%s", word, why[0] != '\0' ? ": " : "", why);
  if (!tpu_verdict_fails(verdict)) {
    junit->skipped++;
    put_result(junit, "skipped", NULL, message, details != NULL ? details : "");
  } else {
    *(is_error ? &junit->errors : &junit->failures) += 1;
    put_result(junit, is_error ? "error" : "failure", word, message,
               details != NULL ? details : "");
  }
  free(message);
}

char *tpu_junit_text(const struct tpu_junit *junit) {
  static const char form[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                             "<testsuite name=\"%s\" tests=\"%u\" failures=\"%u\" errors=\"%u\" "
                             "skipped=\"%u\">\n%s</testsuite>\n";
  if (junit->broken)
    return NULL;
  const size_t capacity = sizeof form + strlen(junit->suite) + junit->length + 64;
  char *text = malloc(capacity);
  if (text != NULL)
    (void)snprintf(text, capacity, form, junit->suite, junit->tests, junit->failures, junit->errors,
                   junit->skipped, junit->cases);
  return text;
}

int tpu_junit_write(const struct tpu_junit *junit, const char *path, struct tpu_report *r) {
  char *text = tpu_junit_text(junit);
  if (text == NULL)
    return tpu_report_fail(r, TPU_ERR_CAPACITY, "%s: out of memory", path);
  const int good = tpu_file_write(path, text, strlen(text), r);
  free(text);
  return good;
}
