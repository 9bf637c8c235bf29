/* SPDX-License-Identifier: Apache-2.0 */
/* Seeded pseudo-random numbers, the same on host and target: xorshift32 (Marsaglia 2003). */
#ifndef TPU_ISA_RANDOM_H
#define TPU_ISA_RANDOM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tpu_random {
  uint32_t state; /* never 0 */
};

/* Any seed, 0 included; nearby seeds give unrelated sequences. */
struct tpu_random tpu_random_seeded(uint32_t seed);
/* In line: whole images are filled with it, on the core too. */
static inline uint32_t tpu_random_next(struct tpu_random *r) {
  uint32_t x = r->state;
  x ^= x << 13;
  x ^= x >> 17;
  x ^= x << 5;
  return r->state = x;
}
/* Uniform in lo..hi, both included. */
int32_t tpu_random_range(struct tpu_random *r, int32_t lo, int32_t hi);

#ifdef __cplusplus
}
#endif
#endif
