/* SPDX-License-Identifier: Apache-2.0 */
#include "isa/random.h"

struct tpu_random tpu_random_seeded(uint32_t seed) {
  /* A multiplicative scramble, so that seeds 1, 2, 3 do not start alike; 0 would stick. */
  uint32_t x = (seed ^ 0x9e3779b9U) * 0x85ebca6bU;
  x ^= x >> 13;
  x *= 0xc2b2ae35U;
  x ^= x >> 16;
  return (struct tpu_random){x != 0 ? x : 0x1234567U};
}

int32_t tpu_random_range(struct tpu_random *r, int32_t lo, int32_t hi) {
  uint32_t span = (uint32_t)hi - (uint32_t)lo + 1U;
  uint32_t x = tpu_random_next(r);
  return (int32_t)((uint32_t)lo + (span == 0 ? x : (uint32_t)(((uint64_t)x * span) >> 32)));
}
