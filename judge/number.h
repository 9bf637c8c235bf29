/* SPDX-License-Identifier: Apache-2.0 */
/* Integers in text, strictly: one spelling for each value, 64 bits exact. */
#ifndef TPU_JUDGE_NUMBER_H
#define TPU_JUDGE_NUMBER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum tpu_number {
  TPU_NUMBER_OK,
  TPU_NUMBER_MALFORMED, /* not a decimal integer as written: 04, +4, 4.0, 4e0, "" */
  TPU_NUMBER_OVERFLOW   /* an integer, but its magnitude passes 2^64-1 */
};

/* Reads text[0 .. length) as -?(0|[1-9][0-9]*). *negative may be NULL, then a sign is malformed. */
enum tpu_number tpu_number_decimal(const char *text, size_t length, int *negative,
                                   uint64_t *magnitude);

/* Reads a zero-terminated "0x" and 1 to 16 hexadecimal digits of either case; 1 or 0. */
int tpu_number_hex(const char *text, uint64_t *value);

#ifdef __cplusplus
}
#endif
#endif
