/* SPDX-License-Identifier: Apache-2.0 */
/* The error value of the judge: one line that names file, place, what is wrong and what is allowed,
 * with room for a path that struct tpu_error of the freestanding library does not have. */
#ifndef TPU_JUDGE_REPORT_H
#define TPU_JUDGE_REPORT_H

#include "isa/error.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TPU_REPORT_BYTES = 1024 };

/* text is one line of valid length without newline or control characters. */
struct tpu_report {
  enum tpu_error_code code;
  char text[TPU_REPORT_BYTES];
};

/* Fills *r by a printf format and returns 0. Control characters that came in with a name or a value
 * become '?', so that the text stays one line; text that does not fit ends in "...". */
int tpu_report_fail(struct tpu_report *r, enum tpu_error_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* "place: text of *e", code kept; returns 0. */
int tpu_report_wrap(struct tpu_report *r, const char *place, const struct tpu_error *e);

/* A text for quotation in a message: out receives s, or as much of its begin as capacity holds and
 * "...". With keep_end its end is kept in place of its begin, as suits file names. Multi-byte
 * characters are never cut. capacity >= 8. Returns out. */
const char *tpu_shorten(const char *s, int keep_end, char *out, size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
