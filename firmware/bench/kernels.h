/* SPDX-License-Identifier: Apache-2.0 */
/* Mixed integer code for measuring the core: compiled for the target and for the host, whose
 * checksum must be the same. */
#ifndef TPU_FIRMWARE_BENCH_KERNELS_H
#define TPU_FIRMWARE_BENCH_KERNELS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { BENCH_SIEVE = 16384, BENCH_TEXT = 4096, BENCH_EDGE = 24, BENCH_SORT = 1024 };

/* What the kernels work on; contents need no initialisation. */
struct bench_work {
  uint8_t composite[BENCH_SIEVE];
  uint8_t text[BENCH_TEXT];
  int32_t a[BENCH_EDGE][BENCH_EDGE], b[BENCH_EDGE][BENCH_EDGE], c[BENCH_EDGE][BENCH_EDGE];
  uint32_t keys[BENCH_SORT];
};

/* One round: primes by sieve (byte loads and stores), a CRC-32 bit by bit (shifts, branches), an
 * integer matrix product (word loads, multiplications), a heap sort (compares, scattered accesses),
 * greatest common divisors (divisions). Results of earlier rounds come in as seed; returns a
 * checksum over all results. About a million instructions of RV32IM. */
uint32_t bench_kernels_run(struct bench_work *w, uint32_t seed);

#ifdef __cplusplus
}
#endif
#endif
