/* SPDX-License-Identifier: Apache-2.0 */
/* The instruction: two 64-bit words. Field positions, widths and operand names stand here and in
 * encoding.c only. */
#ifndef TPU_ISA_ENCODING_H
#define TPU_ISA_ENCODING_H

#include "isa/error.h"
#include "isa/params.h"

#ifdef __cplusplus
extern "C" {
#endif

enum tpu_op {
  TPU_OP_NOP = 0,
  TPU_OP_DMA_LD = 1,
  TPU_OP_RETIRED = 2,
  TPU_OP_VLD = 3,
  TPU_OP_MM = 4,
  TPU_OP_VADD = 5,
  TPU_OP_VRELU = 6,
  TPU_OP_MVOUT = 7,
  TPU_OP_LOOP = 8,
  TPU_OP_ENDLOOP = 9,
  TPU_OP_COUNT
};

enum { TPU_DMA_SOURCE_B = 1, TPU_DMA_DEST_VR = 2, TPU_DMA_MODES = 4 }; /* bits of dma_ld's f0 */

/* One encoded instruction. */
struct tpu_word {
  uint64_t w0, w1;
};

/* field[target - 1] += iv[level] * stride; target 0 = unused. */
struct tpu_term {
  uint8_t target;  /* 0..4 */
  uint8_t level;   /* 0..3 */
  uint16_t stride; /* 0..2047 */
};

struct tpu_insn {
  uint8_t op;
  uint8_t nr; /* rows, or the trip count of a loop; 0..127 */
  uint16_t f[4];
  struct tpu_term term[TPU_AGU_TERMS];
};

/* What an opcode is: drives assembler, disassembler, field checks and messages. */
struct tpu_op_info {
  const char *name;
  uint8_t fields;  /* operand fields used: f0 .. f(fields-1), the rest must be 0 */
  uint8_t has_nr;  /* rows or a trip count */
  uint8_t is_data; /* does work in a unit, may carry address terms */
  const char *field_name[4];
};

/* Never NULL: an unknown or retired opcode yields an entry whose name is NULL. */
const struct tpu_op_info *tpu_op_lookup(unsigned op);

/* Returns 1; 0 names the field, its value and the allowed range. What decode refuses, encode
 * refuses too. */
int tpu_encode(const struct tpu_insn *insn, struct tpu_word *out, struct tpu_error *e);

/* Never masks: a set spare or unused bit, an unused field that is not 0, a term target above 4 or
 * level above 3, a term on an instruction or field that has none is refused (enc.field_range), an
 * unknown or retired op (op.unknown) likewise.
 * *rule receives the enum tpu_rule of isa/rules.h. rule and e may be NULL. */
int tpu_decode(const struct tpu_word *w, struct tpu_insn *out, int *rule, struct tpu_error *e);

#ifdef __cplusplus
}
#endif
#endif
