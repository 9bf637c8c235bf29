/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/json_scan.h"

#include "judge/json.h"
#include "judge/utf8.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct scan {
  const char *file;
  const char *text;
  size_t length;
  size_t at;
  char *out;
  size_t out_length;
  unsigned depth;
  struct tpu_report *report;
};

static void emit(struct scan *s, char c) { s->out[s->out_length++] = c; }

static void emit_range(struct scan *s, size_t from) {
  memcpy(s->out + s->out_length, s->text + from, s->at - from);
  s->out_length += s->at - from;
}

/* The character here, or -1 at the end. */
static int peek(const struct scan *s) {
  return s->at < s->length ? (int)(unsigned char)s->text[s->at] : -1;
}

static int fail_at(struct scan *s, size_t at, const char *what) {
  size_t line = 1;
  size_t column = 1;
  for (size_t i = 0; i < at; i++) {
    column++;
    if (s->text[i] == '\n') {
      line++;
      column = 1;
    }
  }
  return tpu_report_fail(s->report, TPU_ERR_SYNTAX, "%s: byte %zu (line %zu, column %zu): %s",
                         s->file, at, line, column, what);
}

static int fail_found(struct scan *s, const char *due) {
  char what[160];
  const int c = peek(s);
  if (c < 0)
    (void)snprintf(what, sizeof what, "the text ends, but %s is due here", due);
  else if (c >= 0x20 && c < 0x7f)
    (void)snprintf(what, sizeof what, "found '%c', but %s is due here", c, due);
  else
    (void)snprintf(what, sizeof what, "found byte 0x%02x, but %s is due here", (unsigned)c, due);
  return fail_at(s, s->at, what);
}

static void skip_space(struct scan *s) {
  while (s->at < s->length && s->text[s->at] != '\0' && strchr(" \t\r\n", s->text[s->at]) != NULL)
    s->at++;
}

/* Four hexadecimal digits at offset, or -1. */
static long hex4(const struct scan *s, size_t offset) {
  long v = 0;
  for (size_t i = offset; i < offset + 4; i++) {
    const char *digits = "0123456789abcdef0123456789ABCDEF";
    const char *d = i < s->length && s->text[i] != '\0' ? strchr(digits, s->text[i]) : NULL;
    if (d == NULL)
      return -1;
    v = v * 16 + (d - digits) % 16;
  }
  return v;
}

/* At a backslash. */
static int scan_escape(struct scan *s) {
  const size_t start = s->at++;
  const int c = peek(s);
  if (c > 0 && strchr("\"\\/bfnrt", c) != NULL) {
    s->at++;
    return 1;
  }
  if (c != 'u')
    return fail_at(s, start, "unknown escape; allowed: \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX");
  const long unit = hex4(s, s->at + 1);
  if (unit < 0)
    return fail_at(s, start, "\\u needs four hexadecimal digits");
  if (unit == 0)
    return fail_at(s, start, "a string holds NUL (\\u0000), which is not allowed");
  s->at += 5;
  if (unit < 0xd800 || unit > 0xdfff)
    return 1;
  const int paired =
      unit < 0xdc00 && s->at + 1 < s->length && s->text[s->at] == '\\' && s->text[s->at + 1] == 'u';
  const long low = paired ? hex4(s, s->at + 2) : -1;
  if (low < 0xdc00 || low > 0xdfff)
    return fail_at(s, start, "a surrogate stands alone; a high and a low one are due together");
  s->at += 6;
  return 1;
}

static int scan_string(struct scan *s, int is_value) {
  const size_t start = s->at++;
  emit(s, '"');
  if (is_value)
    emit(s, TPU_JSON_TAG_STRING);
  const size_t body = s->at;
  for (;;) {
    const int c = peek(s);
    if (c < 0)
      return fail_at(s, start, "the text ends inside the string that begins here");
    if (c == '"')
      break;
    if (c < 0x20)
      return fail_at(s, s->at, "a control character in a string must be written as an escape");
    if (c == '\\') {
      if (!scan_escape(s))
        return 0;
    } else if (c < 0x80) {
      s->at++;
    } else {
      const size_t n = tpu_utf8_length(s->text + s->at, s->length - s->at);
      if (n == 0)
        return fail_at(s, s->at, "invalid UTF-8");
      s->at += n;
    }
  }
  emit_range(s, body);
  s->at++;
  emit(s, '"');
  return 1;
}

static int is_digit(int c) { return c >= '0' && c <= '9'; }

static int scan_digits(struct scan *s, const char *due) {
  if (!is_digit(peek(s)))
    return fail_found(s, due);
  while (is_digit(peek(s)))
    s->at++;
  return 1;
}

static int scan_number(struct scan *s) {
  const size_t start = s->at;
  if (peek(s) == '-')
    s->at++;
  if (peek(s) == '0') {
    s->at++;
    if (is_digit(peek(s)))
      return fail_at(s, start, "a number has leading zeros, which is not allowed");
  } else if (!scan_digits(s, "a digit")) {
    return 0;
  }
  if (peek(s) == '.') {
    s->at++;
    if (!scan_digits(s, "a digit after the point"))
      return 0;
  }
  if (peek(s) == 'e' || peek(s) == 'E') {
    s->at++;
    if (peek(s) == '+' || peek(s) == '-')
      s->at++;
    if (!scan_digits(s, "a digit of the exponent"))
      return 0;
  }
  emit(s, '"');
  emit(s, TPU_JSON_TAG_NUMBER);
  const size_t literal = s->out_length;
  emit_range(s, start);
  s->out[s->out_length] = '\0'; /* for strtod; overwritten next */
  if (!isfinite(strtod(s->out + literal, NULL)))
    return fail_at(s, start, "a number is not finite: its magnitude passes 1.8e308");
  emit(s, '"');
  return 1;
}

static int scan_word(struct scan *s, const char *word) {
  const size_t n = strlen(word);
  const size_t start = s->at;
  if (s->length - s->at < n || memcmp(s->text + s->at, word, n) != 0)
    return fail_found(s, "a value (object, list, string, number, true, false or null)");
  s->at += n;
  emit_range(s, start);
  return 1;
}

static int scan_value(struct scan *s);

/* One element of a container that ends in close; for an object the key comes first. */
static int scan_element(struct scan *s, int is_object) {
  if (is_object) {
    if (peek(s) != '"')
      return fail_found(s, "a key in double quotes");
    if (!scan_string(s, 0))
      return 0;
    skip_space(s);
    if (peek(s) != ':')
      return fail_found(s, "':'");
    s->at++;
    emit(s, ':');
    skip_space(s);
  }
  return scan_value(s);
}

static int scan_container(struct scan *s, char open, char close) {
  if (s->depth == TPU_JSON_MAX_DEPTH) {
    char what[80];
    (void)snprintf(what, sizeof what, "nested deeper than the %d levels allowed",
                   TPU_JSON_MAX_DEPTH);
    return fail_at(s, s->at, what);
  }
  s->depth++;
  s->at++;
  emit(s, open);
  skip_space(s);
  if (peek(s) != close) {
    for (;;) {
      if (!scan_element(s, open == '{'))
        return 0;
      skip_space(s);
      if (peek(s) != ',')
        break;
      s->at++;
      emit(s, ',');
      skip_space(s);
    }
    if (peek(s) != close)
      return fail_found(s, close == '}' ? "',' or '}'" : "',' or ']'");
  }
  s->at++;
  emit(s, close);
  s->depth--;
  return 1;
}

static int scan_value(struct scan *s) {
  const int c = peek(s);
  switch (c) {
  case '{':
    return scan_container(s, '{', '}');
  case '[':
    return scan_container(s, '[', ']');
  case '"':
    return scan_string(s, 1);
  case 't':
    return scan_word(s, "true");
  case 'f':
    return scan_word(s, "false");
  default:
    if (c == '-' || is_digit(c))
      return scan_number(s);
    return scan_word(s, "null");
  }
}

static int scan_document(struct scan *s) {
  skip_space(s);
  if (s->at == s->length)
    return tpu_report_fail(s->report, TPU_ERR_SYNTAX,
                           "%s: byte %zu: the text is empty, but a JSON document is due", s->file,
                           s->at);
  if (!scan_value(s))
    return 0;
  skip_space(s);
  if (s->at != s->length)
    return fail_found(s, "the end of the document");
  return 1;
}

char *tpu_json_scan(const char *file, const char *text, size_t length, struct tpu_report *r) {
  /* A number grows by three characters and takes at least two with its separator. */
  struct scan s = {
      .file = file, .text = text, .length = length, .out = malloc(3 * length + 8), .report = r};
  if (s.out == NULL) {
    (void)tpu_report_fail(r, TPU_ERR_CAPACITY, "%s: out of memory", file);
    return NULL;
  }
  if (!scan_document(&s)) {
    free(s.out);
    return NULL;
  }
  emit(&s, '\0');
  return s.out;
}
