/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/cpu/decode.h"

static uint32_t bits(uint32_t word, unsigned low, unsigned count) {
  return (word >> low) & ((UINT32_C(1) << count) - 1);
}

static int32_t sign_extend(uint32_t value, unsigned width) {
  const uint32_t sign = UINT32_C(1) << (width - 1);
  return (int32_t)((value ^ sign) - sign);
}

static int32_t imm_i(uint32_t word) { return sign_extend(bits(word, 20, 12), 12); }

static int32_t imm_s(uint32_t word) {
  return sign_extend(bits(word, 25, 7) << 5 | bits(word, 7, 5), 12);
}

static int32_t imm_b(uint32_t word) {
  return sign_extend(bits(word, 31, 1) << 12 | bits(word, 7, 1) << 11 | bits(word, 25, 6) << 5 |
                         bits(word, 8, 4) << 1,
                     13);
}

static int32_t imm_j(uint32_t word) {
  return sign_extend(bits(word, 31, 1) << 20 | bits(word, 12, 8) << 12 | bits(word, 20, 1) << 11 |
                         bits(word, 21, 10) << 1,
                     21);
}

static enum rv_op pick(const uint8_t table[8], uint32_t funct3) {
  return (enum rv_op)table[funct3];
}

#define ILL RV_OP_ILLEGAL
static const uint8_t branch_ops[8] = {RV_OP_BEQ, RV_OP_BNE, ILL,        ILL,
                                      RV_OP_BLT, RV_OP_BGE, RV_OP_BLTU, RV_OP_BGEU};
static const uint8_t load_ops[8] = {RV_OP_LB,  RV_OP_LH,  RV_OP_LW, ILL,
                                    RV_OP_LBU, RV_OP_LHU, ILL,      ILL};
static const uint8_t store_ops[8] = {RV_OP_SB, RV_OP_SH, RV_OP_SW, ILL, ILL, ILL, ILL, ILL};
static const uint8_t imm_ops[8] = {RV_OP_ADDI, ILL, RV_OP_SLTI, RV_OP_SLTIU,
                                   RV_OP_XORI, ILL, RV_OP_ORI,  RV_OP_ANDI};
static const uint8_t reg_ops[8] = {RV_OP_ADD, RV_OP_SLL, RV_OP_SLT, RV_OP_SLTU,
                                   RV_OP_XOR, RV_OP_SRL, RV_OP_OR,  RV_OP_AND};
static const uint8_t mul_ops[8] = {RV_OP_MUL, RV_OP_MULH, RV_OP_MULHSU, RV_OP_MULHU,
                                   RV_OP_DIV, RV_OP_DIVU, RV_OP_REM,    RV_OP_REMU};
static const uint8_t csr_ops[8] = {ILL, RV_OP_CSRRW,  RV_OP_CSRRS,  RV_OP_CSRRC,
                                   ILL, RV_OP_CSRRWI, RV_OP_CSRRSI, RV_OP_CSRRCI};
#undef ILL

static enum rv_op shift_op(uint32_t funct3, uint32_t funct7) {
  if (funct3 == 1)
    return funct7 == 0x00 ? RV_OP_SLLI : RV_OP_ILLEGAL;
  return funct7 == 0x00 ? RV_OP_SRLI : funct7 == 0x20 ? RV_OP_SRAI : RV_OP_ILLEGAL;
}

static enum rv_op register_op(uint32_t funct3, uint32_t funct7) {
  if (funct7 == 0x00)
    return pick(reg_ops, funct3);
  if (funct7 == 0x01)
    return pick(mul_ops, funct3);
  if (funct7 == 0x20)
    return funct3 == 0 ? RV_OP_SUB : funct3 == 5 ? RV_OP_SRA : RV_OP_ILLEGAL;
  return RV_OP_ILLEGAL;
}

static enum rv_op system_op(uint32_t word) {
  switch (word) {
  case 0x00000073:
    return RV_OP_ECALL;
  case 0x00100073:
    return RV_OP_EBREAK;
  case 0x30200073:
    return RV_OP_MRET;
  case 0x10500073:
    return RV_OP_WFI;
  default:
    return pick(csr_ops, bits(word, 12, 3));
  }
}

/* The operation and its immediate; registers lie at fixed places. */
static enum rv_op operation(uint32_t word, int32_t *imm) {
  const uint32_t funct3 = bits(word, 12, 3);
  switch (bits(word, 0, 7)) {
  case 0x37:
    *imm = (int32_t)(word & UINT32_C(0xfffff000));
    return RV_OP_LUI;
  case 0x17:
    *imm = (int32_t)(word & UINT32_C(0xfffff000));
    return RV_OP_AUIPC;
  case 0x6f:
    *imm = imm_j(word);
    return RV_OP_JAL;
  case 0x67:
    *imm = imm_i(word);
    return funct3 == 0 ? RV_OP_JALR : RV_OP_ILLEGAL;
  case 0x63:
    *imm = imm_b(word);
    return pick(branch_ops, funct3);
  case 0x03:
    *imm = imm_i(word);
    return pick(load_ops, funct3);
  case 0x23:
    *imm = imm_s(word);
    return pick(store_ops, funct3);
  case 0x13:
    if (funct3 == 1 || funct3 == 5) {
      *imm = (int32_t)bits(word, 20, 5);
      return shift_op(funct3, bits(word, 25, 7));
    }
    *imm = imm_i(word);
    return pick(imm_ops, funct3);
  case 0x33:
    return register_op(funct3, bits(word, 25, 7));
  case 0x0f: /* unused fields of a fence are to be ignored */
    return funct3 == 0 ? RV_OP_FENCE : funct3 == 1 ? RV_OP_FENCE_I : RV_OP_ILLEGAL;
  case 0x73:
    *imm = (int32_t)bits(word, 20, 12);
    return system_op(word);
  default:
    return RV_OP_ILLEGAL;
  }
}

struct rv_insn rv_decode(uint32_t word) {
  int32_t imm = 0;
  const enum rv_op op = operation(word, &imm);
  const uint32_t rd = bits(word, 7, 5);
  const struct rv_insn insn = {.op = (uint8_t)op,
                               .rd = (uint8_t)(rd == 0 ? RV_SINK : rd),
                               .rs1 = (uint8_t)bits(word, 15, 5),
                               .rs2 = (uint8_t)bits(word, 20, 5),
                               .imm = op == RV_OP_ILLEGAL ? (int32_t)word : imm};
  return insn;
}
