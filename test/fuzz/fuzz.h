/* SPDX-License-Identifier: Apache-2.0 */
/* What the fuzz targets share. */
#ifndef TPU_TEST_FUZZ_FUZZ_H
#define TPU_TEST_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A property that must hold for every input; checked in release builds too. */
#define FUZZ_ASSERT(condition)                                                                     \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition);               \
      abort();                                                                                     \
    }                                                                                              \
  } while (0)

/* One line: not empty, terminated inside its storage, no control character. */
static inline int fuzz_one_line(const char *text, size_t capacity) {
  const size_t length = strnlen(text, capacity);
  if (length == 0 || length == capacity)
    return 0;
  for (size_t i = 0; i < length; ++i)
    if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f)
      return 0;
  return 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
