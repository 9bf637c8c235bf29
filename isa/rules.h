/* SPDX-License-Identifier: Apache-2.0 */
/* The 23 contracts a program is held to, by layer, in the order a program fails them. */
#ifndef TPU_ISA_RULES_H
#define TPU_ISA_RULES_H

#ifdef __cplusplus
extern "C" {
#endif

/* X(identifier, layer, name) */
#define TPU_RULES(X)                                                                               \
  X(AR_RAW_DISTANCE, ISA, "ar.raw_distance")                                                       \
  X(WRITE_BEFORE_READ, ISA, "mem.write_before_read")                                               \
  X(OUT_OF_RANGE, ISA, "mem.out_of_range")                                                         \
  X(DRAM_OPERAND, ISA, "dram.operand_range")                                                       \
  X(DRAM_RESULT, ISA, "dram.result_range")                                                         \
  X(FIELD_RANGE, ISA, "enc.field_range")                                                           \
  X(ZERO_ROWS, ISA, "enc.zero_rows")                                                               \
  X(LOOP_DEPTH, ISA, "loop.depth")                                                                 \
  X(LOOP_TRIP, ISA, "loop.trip")                                                                   \
  X(LOOP_UNBALANCED, ISA, "loop.unbalanced")                                                       \
  X(LOOP_UNCLOSED, ISA, "loop.unclosed")                                                           \
  X(LOOP_STALE_IV, ISA, "loop.stale_iv")                                                           \
  X(OP_UNKNOWN, ISA, "op.unknown")                                                                 \
  X(MM_ACC_FIELD, ISA, "op.mm_acc_field")                                                          \
  X(DMA_LD_FIELD, ISA, "op.dma_ld_field")                                                          \
  X(PROG_EMPTY, ISA, "prog.empty")                                                                 \
  X(IMEM_OVERFLOW, ENCODING, "imem.overflow")                                                      \
  X(COUNT_OVERFLOW, ENCODING, "hdr.count_overflow")                                                \
  X(ARRAY_OVERFLOW, ENCODING, "hdr.array_overflow")                                                \
  X(DMA_SPAN, ENCODING, "dma.span")                                                                \
  X(KPN_PROTOCOL, PROTOCOL, "kpn.protocol")                                                        \
  X(WRITE_WINDOW, SPEC, "spec.write_window")                                                       \
  X(OUTPUT_INCOMPLETE, SPEC, "spec.output_incomplete")

enum tpu_layer { TPU_LAYER_ISA, TPU_LAYER_ENCODING, TPU_LAYER_PROTOCOL, TPU_LAYER_SPEC };

enum tpu_rule {
  TPU_RULE_NONE = -1,
#define TPU_RULE_ENUM(id, layer, name) TPU_RULE_##id,
  TPU_RULES(TPU_RULE_ENUM)
#undef TPU_RULE_ENUM
      TPU_RULE_COUNT
};

const char *tpu_rule_name(int rule);          /* "?" for a value outside the table */
enum tpu_layer tpu_rule_layer(int rule);      /* the first layer for a value outside it */
const char *tpu_layer_name(enum tpu_layer l); /* "isa", "encoding", "protocol", "spec" */

#ifdef __cplusplus
}
#endif
#endif
