/* SPDX-License-Identifier: Apache-2.0 */
/* The counters of a run, each with its name and its sentence: the one table that registers, JSON,
 * CSV, text and docs/counters.md share. */
#ifndef TPU_HW_COUNTERS_H
#define TPU_HW_COUNTERS_H

/* X(identifier, name): the units, in data-path order; wld and pe are summed over instances. */
#define TPU_UNITS(X)                                                                               \
  X(SEQUENCER, "sequencer")                                                                        \
  X(DMA_LD, "dma_ld")                                                                              \
  X(SPM, "spm")                                                                                    \
  X(VRU, "vru")                                                                                    \
  X(WLD, "wld")                                                                                    \
  X(PE, "pe")                                                                                      \
  X(ACCU, "accu")                                                                                  \
  X(DMA_ST, "dma_st")

/* X(identifier, name, sentence): the counters of a unit, 64 bits each. Busy, starved, blocked and
 * idle add up to the cycles of the run. */
#define TPU_COUNTERS(X)                                                                            \
  X(PROMISED, promised, "work the header promises: rows or words; fetches for the sequencer")      \
  X(DONE, done, "work done")                                                                       \
  X(BUSY, busy, "cycles in which the unit moved, burst and fetch included")                        \
  X(STARVED, starved, "cycles in which it waited for a token that was not there")                  \
  X(BLOCKED, blocked, "cycles in which it waited for room in a stream or for a store response")    \
  X(IDLE, idle, "cycles before its start and after its last")

/* X(identifier, name, sentence): what a unit's starved and blocked cycles were spent on; of the
 * array's streams all of a kind. The last two are no streams. They add up to the counter. */
#define TPU_WAITS(X)                                                                               \
  X(C_DLD, c_dld, "instructions from the sequencer to dma_ld")                                     \
  X(C_SPM, c_spm, "instructions from the sequencer to spm")                                        \
  X(C_VRU, c_vru, "instructions from the sequencer to vru")                                        \
  X(C_ACC, c_acc, "instructions from the sequencer to accu")                                       \
  X(C_DST, c_dst, "instructions from the sequencer to dma_st")                                     \
  X(DMA2SP, dma2sp, "operand rows from dma_ld to spm")                                             \
  X(DMA2VR, dma2vr, "operand rows from dma_ld to vru")                                             \
  X(SP2VR, sp2vr, "rows from spm to vru")                                                          \
  X(WCOL, wcol, "row counts and weight rows from spm down the first column of wld")                \
  X(WROW, wrow, "row counts and weight rows from wld to wld, eastwards")                           \
  X(WQ, wq, "weights from a wld to its PE")                                                        \
  X(ACOL, acol, "activation rows from vru down the first column of PEs")                           \
  X(A_FWD, a_fwd, "activations from PE to PE, eastwards")                                          \
  X(P_FWD, p_fwd, "partial sums from PE to PE, southwards")                                        \
  X(CW, cw, "result rows along the last row of PEs and on to accu")                                \
  X(AC2SP, ac2sp, "retired rows from accu to dma_st")                                              \
  X(HEADER, header, "no stream: the header's words, from a memory that is not ideal")              \
  X(RESPONSE, response, "no stream: a write's response, before a further write or after the last")

enum tpu_unit {
#define TPU_UNIT_ENUM(id, name) TPU_UNIT_##id,
  TPU_UNITS(TPU_UNIT_ENUM)
#undef TPU_UNIT_ENUM
      TPU_UNIT_COUNT
};

enum tpu_counter {
#define TPU_COUNTER_ENUM(id, name, text) TPU_COUNTER_##id,
  TPU_COUNTERS(TPU_COUNTER_ENUM)
#undef TPU_COUNTER_ENUM
      TPU_COUNTER_COUNT
};

enum tpu_wait {
#define TPU_WAIT_ENUM(id, name, text) TPU_WAIT_##id,
  TPU_WAITS(TPU_WAIT_ENUM)
#undef TPU_WAIT_ENUM
      TPU_WAIT_COUNT
};

#endif
