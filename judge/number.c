/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/number.h"

#include <string.h>

enum tpu_number tpu_number_decimal(const char *text, size_t length, int *negative,
                                   uint64_t *magnitude) {
  size_t at = 0;
  const int sign = negative != NULL && length > 0 && text[0] == '-';
  if (sign)
    at = 1;
  if (at == length || (text[at] == '0' && at + 1 < length))
    return TPU_NUMBER_MALFORMED;
  uint64_t value = 0;
  int overflow = 0;
  for (; at < length; at++) {
    if (text[at] < '0' || text[at] > '9')
      return TPU_NUMBER_MALFORMED;
    const uint64_t digit = (uint64_t)(text[at] - '0');
    if (value > (UINT64_MAX - digit) / 10)
      overflow = 1;
    else
      value = value * 10 + digit;
  }
  if (overflow)
    return TPU_NUMBER_OVERFLOW;
  if (negative != NULL)
    *negative = sign && value != 0;
  *magnitude = value;
  return TPU_NUMBER_OK;
}

int tpu_number_hex(const char *text, uint64_t *value) {
  const size_t length = strlen(text);
  if (length < 3 || length > 18 || text[0] != '0' || text[1] != 'x')
    return 0;
  uint64_t v = 0;
  for (const char *c = text + 2; *c != '\0'; c++) {
    unsigned digit = 0;
    if (*c >= '0' && *c <= '9')
      digit = (unsigned)(*c - '0');
    else if (*c >= 'a' && *c <= 'f')
      digit = (unsigned)(*c - 'a') + 10U;
    else if (*c >= 'A' && *c <= 'F')
      digit = (unsigned)(*c - 'A') + 10U;
    else
      return 0;
    v = v << 4 | digit;
  }
  *value = v;
  return 1;
}
