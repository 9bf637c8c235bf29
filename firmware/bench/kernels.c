/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/bench/kernels.h"

#include "isa/random.h"

static uint32_t primes(uint8_t composite[BENCH_SIEVE]) {
  uint32_t found = 0;
  for (uint32_t i = 0; i < BENCH_SIEVE; ++i) {
    composite[i] = i < 2;
  }
  for (uint32_t i = 2; i < BENCH_SIEVE; ++i) {
    if (composite[i] != 0) {
      continue;
    }
    ++found;
    for (uint32_t j = i + i; j < BENCH_SIEVE; j += i) {
      composite[j] = 1;
    }
  }
  return found;
}

static uint32_t crc32(const uint8_t text[BENCH_TEXT]) {
  uint32_t crc = UINT32_MAX;
  for (uint32_t i = 0; i < BENCH_TEXT; ++i) {
    crc ^= text[i];
    for (unsigned bit = 0; bit < 8; ++bit) {
      crc = (crc & 1U) != 0 ? crc >> 1 ^ UINT32_C(0xedb88320) : crc >> 1;
    }
  }
  return ~crc;
}

static uint32_t product(struct bench_work *w) {
  uint32_t sum = 0;
  for (unsigned i = 0; i < BENCH_EDGE; ++i) {
    for (unsigned j = 0; j < BENCH_EDGE; ++j) {
      int32_t acc = 0;
      for (unsigned k = 0; k < BENCH_EDGE; ++k) {
        acc += w->a[i][k] * w->b[k][j];
      }
      w->c[i][j] = acc;
      sum = sum * 31U + (uint32_t)acc;
    }
  }
  return sum;
}

static void sift(uint32_t *keys, uint32_t root, uint32_t end) {
  const uint32_t value = keys[root];
  for (uint32_t child = 2 * root + 1; child < end; child = 2 * root + 1) {
    if (child + 1 < end && keys[child] < keys[child + 1]) {
      ++child;
    }
    if (keys[child] <= value) {
      break;
    }
    keys[root] = keys[child];
    root = child;
  }
  keys[root] = value;
}

static uint32_t sorted(uint32_t keys[BENCH_SORT]) {
  for (uint32_t i = BENCH_SORT / 2; i-- > 0;) {
    sift(keys, i, BENCH_SORT);
  }
  for (uint32_t end = BENCH_SORT; --end > 0;) {
    const uint32_t top = keys[0];
    keys[0] = keys[end];
    keys[end] = top;
    sift(keys, 0, end);
  }
  uint32_t sum = 0;
  for (uint32_t i = 0; i < BENCH_SORT; ++i) {
    sum = sum * 17U + keys[i];
  }
  return sum;
}

static uint32_t divisors(struct tpu_random *random) {
  uint32_t sum = 0;
  for (unsigned i = 0; i < 512; ++i) {
    uint32_t a = tpu_random_next(random);
    uint32_t b = tpu_random_next(random);
    while (b != 0) {
      const uint32_t rest = a % b;
      a = b;
      b = rest;
    }
    sum += a;
  }
  return sum;
}

uint32_t bench_kernels_run(struct bench_work *w, uint32_t seed) {
  struct tpu_random random = tpu_random_seeded(seed);
  for (uint32_t i = 0; i < BENCH_TEXT; ++i) {
    w->text[i] = (uint8_t)tpu_random_next(&random);
  }
  for (uint32_t i = 0; i < BENCH_SORT; ++i) {
    w->keys[i] = tpu_random_next(&random);
  }
  for (unsigned i = 0; i < BENCH_EDGE; ++i) {
    for (unsigned j = 0; j < BENCH_EDGE; ++j) { /* 12 bits each: no sum overflows */
      w->a[i][j] = (int32_t)(tpu_random_next(&random) >> 20) - 2048;
      w->b[i][j] = (int32_t)(tpu_random_next(&random) >> 20) - 2048;
    }
  }
  uint32_t sum = primes(w->composite);
  sum = sum * 33U + crc32(w->text);
  sum = sum * 33U + product(w);
  sum = sum * 33U + sorted(w->keys);
  return sum * 33U + divisors(&random);
}
