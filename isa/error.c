/* SPDX-License-Identifier: Apache-2.0 */
#include "isa/error.h"

#include <stdarg.h>

struct tpu_text tpu_text_on(char *buf, size_t capacity) {
  if (capacity != 0)
    buf[0] = '\0';
  return (struct tpu_text){.buf = buf, .capacity = capacity, .length = 0, .truncated = 0};
}

static void put(struct tpu_text *t, char c) {
  if (t->length + 1 >= t->capacity) {
    t->truncated = 1;
    return;
  }
  t->buf[t->length++] = c;
  t->buf[t->length] = '\0';
}

void tpu_text_str(struct tpu_text *t, const char *s) {
  for (; *s != '\0'; ++s)
    put(t, *s);
}

void tpu_text_u64(struct tpu_text *t, uint64_t v) {
  char digit[20]; /* 2^64 - 1 has twenty */
  size_t n = 0;
  do {
    digit[n++] = (char)('0' + (int)(v % 10));
    v /= 10;
  } while (v != 0);
  while (n != 0)
    put(t, digit[--n]);
}

void tpu_text_i64(struct tpu_text *t, int64_t v) {
  if (v < 0)
    put(t, '-');
  tpu_text_u64(t, v < 0 ? 0 - (uint64_t)v : (uint64_t)v);
}

void tpu_text_hex(struct tpu_text *t, uint64_t v, unsigned digits) {
  unsigned n = 1;
  while (n < 16 && (v >> (4 * n)) != 0)
    ++n;
  if (n < digits)
    n = digits;
  tpu_text_str(t, "0x");
  while (n != 0) {
    --n;
    put(t, n < 16 ? "0123456789abcdef"[(v >> (4 * n)) & 15U] : '0');
  }
}

void tpu_text_pad(struct tpu_text *t, size_t column) {
  size_t start = t->length;
  while (start != 0 && t->buf[start - 1] != '\n')
    --start;
  while (t->length - start < column && t->truncated == 0)
    put(t, ' ');
}

static void format_list(struct tpu_text *t, const char *format, va_list *list) {
  for (const char *f = format; *f != '\0'; ++f) {
    if (*f != '%' || f[1] == '\0') {
      put(t, *f);
      continue;
    }
    switch (*++f) {
    case 's': {
      const char *s = va_arg(*list, const char *);
      tpu_text_str(t, s != NULL ? s : "(null)");
      break;
    }
    case 'u':
      tpu_text_u64(t, va_arg(*list, uint32_t));
      break;
    case 'd':
      tpu_text_i64(t, va_arg(*list, int32_t));
      break;
    case 'U':
      tpu_text_u64(t, va_arg(*list, uint64_t));
      break;
    case 'D':
      tpu_text_i64(t, va_arg(*list, int64_t));
      break;
    case 'c':
      put(t, (char)va_arg(*list, int));
      break;
    default: /* %% and, visibly, a conversion that does not exist */
      if (*f != '%')
        put(t, '%');
      put(t, *f);
      break;
    }
  }
}

void tpu_text_format(struct tpu_text *t, const char *format, ...) {
  va_list list;
  va_start(list, format);
  format_list(t, format, &list);
  va_end(list);
}

/* Marks a cut sentence with dots, at the border of a UTF-8 character. */
static void mark_truncated(struct tpu_text *t) {
  size_t end = t->capacity > 4 ? t->capacity - 4 : 0;
  if (end > t->length)
    end = t->length;
  while (end != 0 && ((unsigned char)t->buf[end] & 0xc0U) == 0x80U)
    --end;
  t->length = end;
  tpu_text_str(t, "...");
}

int tpu_fail(struct tpu_error *e, enum tpu_error_code code, const char *format, ...) {
  if (e == NULL)
    return 0;
  struct tpu_text t = tpu_text_on(e->text, sizeof e->text);
  va_list list;
  va_start(list, format);
  format_list(&t, format, &list);
  va_end(list);
  if (t.truncated != 0)
    mark_truncated(&t);
  /* One line whatever the input put into it: control characters become '?'. */
  for (size_t i = 0; i < t.length; ++i)
    if ((unsigned char)t.buf[i] < 0x20 || t.buf[i] == 0x7f)
      t.buf[i] = '?';
  e->code = code;
  return 0;
}
