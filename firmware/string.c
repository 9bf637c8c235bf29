/* SPDX-License-Identifier: Apache-2.0 */
/* The two functions a compiler calls on its own, by words: picolibc's small ones go by bytes. */
#include <stddef.h>
#include <stdint.h>

/* Without this the compiler makes the loops below calls of the functions they are in. */
#pragma GCC optimize("no-tree-loop-distribute-patterns")

typedef uint32_t __attribute__((may_alias)) aliasing_word;

void *memset(void *to, int value, size_t bytes);
void *memcpy(void *restrict to, const void *restrict from, size_t bytes);

void *memset(void *to, int value, size_t bytes) {
  uint8_t *p = to;
  const uint32_t word = (uint8_t)value * 0x01010101U;
  for (; bytes != 0 && (uintptr_t)p % sizeof word != 0; --bytes) {
    *p++ = (uint8_t)value;
  }
  for (; bytes >= sizeof word; bytes -= sizeof word, p += sizeof word) {
    *(aliasing_word *)(void *)p = word;
  }
  for (; bytes != 0; --bytes) {
    *p++ = (uint8_t)value;
  }
  return to;
}

void *memcpy(void *restrict to, const void *restrict from, size_t bytes) {
  uint8_t *p = to;
  const uint8_t *q = from;
  if (((uintptr_t)p | (uintptr_t)q) % sizeof(uint32_t) == 0) {
    for (; bytes >= sizeof(uint32_t); bytes -= sizeof(uint32_t)) {
      *(aliasing_word *)(void *)p = *(const aliasing_word *)(const void *)q;
      p += sizeof(uint32_t);
      q += sizeof(uint32_t);
    }
  }
  for (; bytes != 0; --bytes) {
    *p++ = *q++;
  }
  return to;
}
