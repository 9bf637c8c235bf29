/* SPDX-License-Identifier: Apache-2.0 */
/* What a configuration of the accelerator costs on the chip, counted, not synthesised: bits that it
 * stores, and multipliers. It ranks configurations; it is no area. */
#ifndef TPU_JUDGE_COST_H
#define TPU_JUDGE_COST_H

#include "isa/params.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One int8 multiplier counts as so many bits: those of its partial products, 8 x 8. */
#define TPU_COST_PER_MULTIPLIER 64

#define TPU_COST_FORMULA                                                                           \
  "cost = bits + 64 * T*T multipliers; bits = 8*T*SPAD_ROWS scratchpad + 8*T*NVR vector "          \
  "registers "                                                                                     \
  "+ 32*T*NAR accumulators + 64*IMEM_SIZE instruction memory + streams, each width * depth"

/* Bits, but for the multipliers. */
struct tpu_cost {
  uint64_t scratchpad;
  uint64_t vector_registers;
  uint64_t accumulators;
  uint64_t instruction_memory;
  uint64_t streams;
  uint64_t bits; /* all of the above */
  uint64_t multipliers;
  uint64_t cost;
};

/* p: resolved. */
struct tpu_cost tpu_cost_of(const struct tpu_params *p);

#ifdef __cplusplus
}
#endif
#endif
