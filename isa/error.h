/* SPDX-License-Identifier: Apache-2.0 */
/* The error value of every fallible public function: nothing is printed, nothing is global. */
#ifndef TPU_ISA_ERROR_H
#define TPU_ISA_ERROR_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum tpu_error_code {
  TPU_OK = 0,
  TPU_ERR_RANGE,    /* a value lies outside what is allowed */
  TPU_ERR_SYNTAX,   /* text that cannot be read */
  TPU_ERR_CAPACITY, /* caller-given storage is too small */
  TPU_ERR_UNFIT,    /* a workload that this configuration cannot hold or express */
  TPU_ERR_USE,      /* an API called in the wrong state, e.g. a loop closed twice */
};

/* One line, no newline; the text names the key or place, the value, and what is allowed. */
struct tpu_error {
  enum tpu_error_code code;
  char text[248];
};

/* A bounded, always terminated text; appending past the end truncates and remembers it. */
struct tpu_text {
  char *buf;
  size_t capacity; /* bytes, terminator included */
  size_t length;
  int truncated;
};

struct tpu_text tpu_text_on(char *buf, size_t capacity);
void tpu_text_str(struct tpu_text *t, const char *s);
void tpu_text_u64(struct tpu_text *t, uint64_t v);
void tpu_text_i64(struct tpu_text *t, int64_t v);
void tpu_text_hex(struct tpu_text *t, uint64_t v, unsigned digits); /* "0x", zero-padded */
void tpu_text_pad(struct tpu_text *t, size_t column);               /* spaces up to column */

/* A small printf for the messages of this library: %s const char *, %u uint32_t, %d int32_t,
 * %U uint64_t, %D int64_t, %c int, %% a per cent sign; no widths. */
void tpu_text_format(struct tpu_text *t, const char *format, ...);

/* Fills *e and returns 0, so that `return tpu_fail(e, ...)` reads as the failure it is. */
int tpu_fail(struct tpu_error *e, enum tpu_error_code code, const char *format, ...);

#ifdef __cplusplus
}
#endif
#endif
