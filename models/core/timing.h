// SPDX-License-Identifier: Apache-2.0
// The timing profile: every constant of the cycle model, with its range. Values, units and reasons
// stand in configs/timing/*.json; nothing here knows a program or a shape.
#ifndef TPU_MODELS_CORE_TIMING_H
#define TPU_MODELS_CORE_TIMING_H

#include <cstdint>

namespace tpu::core {

using cycle = std::int64_t;

// X(key, smallest, largest): the constants of a profile. Stages count from 0 at a pipeline's entry.
#define TPU_TIMING_CONSTANTS(X)                                                                    \
  X(start_cycles, 1, 1000)         /* start to the units running */                                \
  X(prefetch_beat_words, 1, 64)    /* instruction-memory words a prefetch step brings */           \
  X(dispatch_setup_cycles, 0, 100) /* prefetch end to the first fetch */                           \
  X(fetch_interval, 1, 100)        /* cycles per fetched instruction, loops included */            \
  X(load_setup_cycles, 0, 100)     /* dma_ld: around its operand burst */                          \
  X(load_stages, 1, 32)            /* dma_ld: row pipeline */                                      \
  X(load_put_stage, 0, 31)                                                                         \
  X(large_memory_rows, 1, 1 << 30) /* vector registers above which */                              \
  X(large_memory_cycles, 0, 16)    /* dma_ld sets up so much longer */                             \
  X(scratchpad_stages, 1, 32)                                                                      \
  X(scratchpad_get_stage, 0, 31)                                                                   \
  X(scratchpad_put_stage, 0, 31)                                                                   \
  X(vector_stages, 1, 32)                                                                          \
  X(vector_get_stage, 0, 31)                                                                       \
  X(vector_put_stage, 0, 31)                                                                       \
  X(pe_top_stages, 1, 32)    /* row 0: no partial sum from the north */                            \
  X(pe_stages, 1, 32)        /* rows below */                                                      \
  X(pe_forward_stage, 0, 31) /* the activation leaves for east and south */                        \
  X(pe_collect_stage, 0, 31) /* the bottom row takes the result word from the west */              \
  X(accumulator_stages, 1, 32)                                                                     \
  X(accumulator_get_stage, 0, 31)                                                                  \
  X(accumulator_put_stage, 0, 31)                                                                  \
  X(store_stages, 1, 32)                                                                           \
  X(store_interval, 1, 16) /* enabled cycles per row */                                            \
  X(store_get_stage, 0, 31)                                                                        \
  X(store_request_stage, 0, 31)                                                                    \
  X(store_window, 1, 256)            /* single-beat writes in flight */                            \
  X(store_round_trip, 1, 1000)       /* request to response of one write, ideal memory */          \
  X(finish_cycles, 1, 100)           /* last unit done to done seen */                             \
  X(stream_ram_bits, 1, 1 << 30)     /* width x depth above which a stream is a RAM */             \
  X(stream_latency, 1, 16)           /* put to get of a shift register */                          \
  X(stream_ram_cycles, 0, 16)        /* more, of a RAM */                                          \
  X(deadlock_detect_cycles, 1, 1000) /* last enabled cycle of any unit to the error */

struct timing_profile {
#define TPU_TIMING_FIELD(key, lo, hi) int key = 0;
  TPU_TIMING_CONSTANTS(TPU_TIMING_FIELD)
#undef TPU_TIMING_FIELD
};

} // namespace tpu::core
#endif
