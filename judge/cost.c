/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/cost.h"

/* Every stream is QD deep, but the weight queues. Widths are those of docs/timing.md. */
static uint64_t stream_bits(const struct tpu_params *p) {
  const uint64_t t = p->t;
  const uint64_t inner = t * (t - 1); /* neighbours in one direction of the array */
  const uint64_t queue = p->qd < TPU_WEIGHT_QD ? p->qd : TPU_WEIGHT_QD;
  const uint64_t width = 5 * 64          /* c_dld, c_spm, c_vru, c_acc, c_dst */
                         + 4 * 8 * t     /* dma2sp, dma2vr, sp2vr, ac2sp: packed words */
                         + t * 8 * t     /* wcol */
                         + inner * 8 * t /* wrow */
                         + t * 8 * t     /* acol */
                         + inner * 8     /* a_fwd */
                         + inner * 32    /* p_fwd */
                         + t * 32 * t;   /* cw */
  return width * p->qd + t * t * 32 * queue /* wq */;
}

struct tpu_cost tpu_cost_of(const struct tpu_params *p) {
  const uint64_t t = p->t;
  struct tpu_cost c = {.scratchpad = 8 * t * p->spad_rows,
                       .vector_registers = 8 * t * p->nvr,
                       .accumulators = 32 * t * p->nar,
                       .instruction_memory = 64 * (uint64_t)p->imem_size,
                       .streams = stream_bits(p),
                       .multipliers = t * t};
  c.bits = c.scratchpad + c.vector_registers + c.accumulators + c.instruction_memory + c.streams;
  c.cost = c.bits + TPU_COST_PER_MULTIPLIER * c.multipliers;
  return c;
}
