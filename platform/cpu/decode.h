/* SPDX-License-Identifier: Apache-2.0 */
/* The instructions the core knows, and the decoder that names them. Internal to platform/cpu. */
#ifndef TPU_PLATFORM_CPU_DECODE_H
#define TPU_PLATFORM_CPU_DECODE_H

#include "platform/cpu/core.h"

enum rv_op {
  RV_OP_NONE, /* not decoded yet */
  RV_OP_ILLEGAL,
  RV_OP_LUI, /* imm: the value */
  RV_OP_AUIPC,
  RV_OP_JAL,
  RV_OP_JALR,
  RV_OP_BEQ,
  RV_OP_BNE,
  RV_OP_BLT,
  RV_OP_BGE,
  RV_OP_BLTU,
  RV_OP_BGEU,
  RV_OP_LB,
  RV_OP_LH,
  RV_OP_LW,
  RV_OP_LBU,
  RV_OP_LHU,
  RV_OP_SB,
  RV_OP_SH,
  RV_OP_SW,
  RV_OP_ADDI,
  RV_OP_SLTI,
  RV_OP_SLTIU,
  RV_OP_XORI,
  RV_OP_ORI,
  RV_OP_ANDI,
  RV_OP_SLLI, /* imm: the shift amount */
  RV_OP_SRLI,
  RV_OP_SRAI,
  RV_OP_ADD,
  RV_OP_SUB,
  RV_OP_SLL,
  RV_OP_SLT,
  RV_OP_SLTU,
  RV_OP_XOR,
  RV_OP_SRL,
  RV_OP_SRA,
  RV_OP_OR,
  RV_OP_AND,
  RV_OP_MUL,
  RV_OP_MULH,
  RV_OP_MULHSU,
  RV_OP_MULHU,
  RV_OP_DIV,
  RV_OP_DIVU,
  RV_OP_REM,
  RV_OP_REMU,
  RV_OP_FENCE,
  RV_OP_FENCE_I,
  RV_OP_ECALL,
  RV_OP_EBREAK,
  RV_OP_MRET,
  RV_OP_WFI,
  RV_OP_CSRRW, /* imm: the CSR number; rs1: register or, for the ...I forms, the value */
  RV_OP_CSRRS,
  RV_OP_CSRRC,
  RV_OP_CSRRWI,
  RV_OP_CSRRSI,
  RV_OP_CSRRCI,
  RV_OP_COUNT
};

/* Never RV_OP_NONE. imm of RV_OP_ILLEGAL is the word itself. */
struct rv_insn rv_decode(uint32_t word);

#endif
