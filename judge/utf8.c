/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/utf8.h"

#include <stdlib.h>
#include <string.h>

/* Bounds of the second byte by the first: overlong forms, surrogates and code points above
 * U+10FFFF begin with bytes of their own. */
static int second_is_valid(unsigned first, unsigned second) {
  const unsigned low = first == 0xe0 ? 0xa0U : first == 0xf0 ? 0x90U : 0x80U;
  const unsigned high = first == 0xed ? 0x9fU : first == 0xf4 ? 0x8fU : 0xbfU;
  return second >= low && second <= high;
}

size_t tpu_utf8_length(const char *s, size_t room) {
  const unsigned first = (unsigned char)s[0];
  if (first < 0x80)
    return 1;
  size_t n = 0;
  if (first >= 0xc2 && first <= 0xdf)
    n = 2;
  else if (first >= 0xe0 && first <= 0xef)
    n = 3;
  else if (first >= 0xf0 && first <= 0xf4)
    n = 4;
  if (n == 0 || n > room || !second_is_valid(first, (unsigned char)s[1]))
    return 0;
  for (size_t i = 2; i < n; i++)
    if (((unsigned char)s[i] & 0xc0U) != 0x80U)
      return 0;
  return n;
}

char *tpu_utf8_clean(const char *s) {
  static const char replacement[] = "\xef\xbf\xbd";
  const size_t length = strlen(s);
  char *out = malloc(3 * length + 1);
  if (out == NULL)
    return NULL;
  size_t to = 0;
  for (size_t from = 0; from < length;) {
    const size_t n = tpu_utf8_length(s + from, length - from);
    if (n == 0) {
      memcpy(out + to, replacement, 3);
      to += 3;
      from++;
    } else {
      memcpy(out + to, s + from, n);
      to += n;
      from += n;
    }
  }
  out[to] = '\0';
  return out;
}
