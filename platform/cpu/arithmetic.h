/* SPDX-License-Identifier: Apache-2.0 */
/* What an RV32IM instruction computes where C leaves it undefined or says it differently. */
#ifndef TPU_PLATFORM_CPU_ARITHMETIC_H
#define TPU_PLATFORM_CPU_ARITHMETIC_H

#include <stdint.h>

/* Division never traps: the results for 0 and for the one overflow are defined. */
static inline uint32_t divide(uint32_t a, uint32_t b) {
  if (b == 0)
    return UINT32_MAX;
  if (a == UINT32_C(0x80000000) && b == UINT32_MAX)
    return a;
  return (uint32_t)((int32_t)a / (int32_t)b);
}

static inline uint32_t remainder_of(uint32_t a, uint32_t b) {
  if (b == 0)
    return a;
  if (a == UINT32_C(0x80000000) && b == UINT32_MAX)
    return 0;
  return (uint32_t)((int32_t)a % (int32_t)b);
}

static inline uint32_t high_signed(uint32_t a, uint32_t b) {
  return (uint32_t)((uint64_t)((int64_t)(int32_t)a * (int64_t)(int32_t)b) >> 32);
}

static inline uint32_t high_mixed(uint32_t a, uint32_t b) {
  return (uint32_t)((uint64_t)((int64_t)(int32_t)a * (int64_t)b) >> 32);
}

static inline uint32_t high_unsigned(uint32_t a, uint32_t b) {
  return (uint32_t)(((uint64_t)a * b) >> 32);
}

static inline uint32_t shift_right_signed(uint32_t a, uint32_t by) {
  return (uint32_t)((int32_t)a >> (by & 31));
}

static inline uint32_t extend8(uint32_t v) { return (uint32_t)(int32_t)(int8_t)(uint8_t)v; }
static inline uint32_t extend16(uint32_t v) { return (uint32_t)(int32_t)(int16_t)(uint16_t)v; }

#endif
