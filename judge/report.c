/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/report.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int is_continuation(char c) { return ((unsigned char)c & 0xc0U) == 0x80U; }

const char *tpu_shorten(const char *s, int keep_end, char *out, size_t capacity) {
  const size_t length = strlen(s);
  if (length < capacity) {
    memcpy(out, s, length + 1);
    return out;
  }
  if (keep_end) {
    size_t from = length - (capacity - 4);
    while (is_continuation(s[from]))
      from++;
    (void)snprintf(out, capacity, "...%s", s + from);
    return out;
  }
  size_t keep = capacity - 4;
  while (keep > 0 && is_continuation(s[keep]))
    keep--;
  memcpy(out, s, keep);
  memcpy(out + keep, "...", 4);
  return out;
}

int tpu_report_fail(struct tpu_report *r, enum tpu_error_code code, const char *format, ...) {
  char text[2 * TPU_REPORT_BYTES];
  va_list args;
  va_start(args, format);
  (void)vsnprintf(text, sizeof text, format, args);
  va_end(args);
  for (char *c = text; *c != '\0'; c++)
    if ((unsigned char)*c < 0x20U || *c == 0x7f)
      *c = '?';
  r->code = code;
  (void)tpu_shorten(text, 0, r->text, sizeof r->text);
  return 0;
}

int tpu_report_wrap(struct tpu_report *r, const char *place, const struct tpu_error *e) {
  return tpu_report_fail(r, e->code, "%s: %s", place, e->text);
}
