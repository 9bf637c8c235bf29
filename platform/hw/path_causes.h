/* SPDX-License-Identifier: Apache-2.0 */
/* What a cycle of a run's critical path can have gone to. */
#ifndef TPU_HW_PATH_CAUSES_H
#define TPU_HW_PATH_CAUSES_H

/* X(identifier, name, sentence) */
#define TPU_PATH_CAUSES(X)                                                                         \
  X(start_up, "start-up", "start to the units running, the header read included")                  \
  X(prefetch, "prefetch", "the program read into instruction memory, up to the first fetch")       \
  X(burst_setup, "burst set-up", "request of the operand burst and its drain, around its steps")   \
  X(burst_a, "burst A", "operand burst while A's rows are the longer part, or as long as B's")     \
  X(burst_b, "burst B", "operand burst while B's rows are the longer part")                        \
  X(operand_rows, "operand rows", "rows of dma_ld and vld on their way into vr or spad")           \
  X(dispatch, "dispatch", "fetches of the sequencer, and instructions on their way to a unit")     \
  X(weight_load, "weight load", "weights on their way from spad to the PEs of an mm")              \
  X(array_rows, "array rows", "rows of an mm through vr and the PEs to the accumulator")           \
  X(accumulator, "accumulator",                                                                    \
    "rows in accu: those of mm, vadd and vrelu, and mvout's to dma_st")                            \
  X(store, "store", "rows in dma_st up to their write")                                            \
  X(response_wait, "response wait", "a write for the oldest response, or the run for the last")    \
  X(finish, "finish", "the last event to done seen, or to the hang or fault seen")

enum tpu_path_cause {
#define TPU_PATH_CAUSE_ENUM(id, name, text) TPU_CAUSE_##id,
  TPU_PATH_CAUSES(TPU_PATH_CAUSE_ENUM)
#undef TPU_PATH_CAUSE_ENUM
      TPU_CAUSE_COUNT
};

#endif
