/* SPDX-License-Identifier: Apache-2.0 */
// RV32IM_Zicsr encodings, written from the manual's formats and independent of the decoder.
#ifndef TPU_TEST_CPU_ENCODE_H
#define TPU_TEST_CPU_ENCODE_H

#include <cstdint>

namespace rv {

using word = std::uint32_t;

constexpr word r_type(word funct7, word rs2, word rs1, word funct3, word rd, word opcode) {
  return funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}
constexpr word i_type(std::int32_t imm, word rs1, word funct3, word rd, word opcode) {
  return (static_cast<word>(imm) & 0xfff) << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}
constexpr word s_type(std::int32_t imm, word rs2, word rs1, word funct3, word opcode) {
  const word i = static_cast<word>(imm);
  return (i >> 5 & 0x7f) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | (i & 0x1f) << 7 | opcode;
}
constexpr word b_type(std::int32_t imm, word rs2, word rs1, word funct3) {
  const word i = static_cast<word>(imm);
  return (i >> 12 & 1) << 31 | (i >> 5 & 0x3f) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 |
         (i >> 1 & 0xf) << 8 | (i >> 11 & 1) << 7 | 0x63;
}

constexpr word lui(word rd, word value) { return (value & 0xfffff000) | rd << 7 | 0x37; }
constexpr word auipc(word rd, word value) { return (value & 0xfffff000) | rd << 7 | 0x17; }
constexpr word jal(word rd, std::int32_t imm) {
  const word i = static_cast<word>(imm);
  return (i >> 20 & 1) << 31 | (i >> 1 & 0x3ff) << 21 | (i >> 11 & 1) << 20 |
         (i >> 12 & 0xff) << 12 | rd << 7 | 0x6f;
}
constexpr word jalr(word rd, word rs1, std::int32_t imm) { return i_type(imm, rs1, 0, rd, 0x67); }

enum branch_kind : word { beq = 0, bne = 1, blt = 4, bge = 5, bltu = 6, bgeu = 7 };
constexpr word branch(word kind, word rs1, word rs2, std::int32_t imm) {
  return b_type(imm, rs2, rs1, kind);
}

enum load_kind : word { lb = 0, lh = 1, lw = 2, lbu = 4, lhu = 5 };
constexpr word load(word kind, word rd, word rs1, std::int32_t imm) {
  return i_type(imm, rs1, kind, rd, 0x03);
}

enum store_kind : word { sb = 0, sh = 1, sw = 2 };
constexpr word store(word kind, word rs2, word rs1, std::int32_t imm) {
  return s_type(imm, rs2, rs1, kind, 0x23);
}

// funct3 in bits 2-0, funct7 above: one number names an operation on registers.
enum op_kind : word {
  add = 0,
  sub = 0x20 << 3,
  sll = 1,
  slt = 2,
  sltu = 3,
  xor_ = 4,
  srl = 5,
  sra = 0x20 << 3 | 5,
  or_ = 6,
  and_ = 7,
  mul = 1 << 3,
  mulh = 1 << 3 | 1,
  mulhsu = 1 << 3 | 2,
  mulhu = 1 << 3 | 3,
  div_ = 1 << 3 | 4,
  divu = 1 << 3 | 5,
  rem = 1 << 3 | 6,
  remu = 1 << 3 | 7
};
constexpr word op(word kind, word rd, word rs1, word rs2) {
  return r_type(kind >> 3, rs2, rs1, kind & 7, rd, 0x33);
}

// The immediate forms of add, slt, sltu, xor, or, and.
constexpr word op_imm(word kind, word rd, word rs1, std::int32_t imm) {
  return i_type(imm, rs1, kind & 7, rd, 0x13);
}
// The immediate forms of sll, srl, sra.
constexpr word shift_imm(word kind, word rd, word rs1, word amount) {
  return r_type(kind >> 3, amount, rs1, kind & 7, rd, 0x13);
}
constexpr word addi(word rd, word rs1, std::int32_t imm) { return op_imm(add, rd, rs1, imm); }
constexpr word nop() { return addi(0, 0, 0); }

enum csr_kind : word { csrrw = 1, csrrs = 2, csrrc = 3, csrrwi = 5, csrrsi = 6, csrrci = 7 };
constexpr word csr(word kind, word rd, word number, word rs1) {
  return number << 20 | rs1 << 15 | kind << 12 | rd << 7 | 0x73;
}

constexpr word ecall = 0x00000073;
constexpr word ebreak = 0x00100073;
constexpr word mret = 0x30200073;
constexpr word wfi = 0x10500073;
constexpr word fence = 0x0ff0000f;
constexpr word fence_i = 0x0000100f;

// lui + addi that together load any constant; the addi may be a nop but is always there.
constexpr word li_high(word rd, word value) { return lui(rd, value + 0x800); }
constexpr word li_low(word rd, word value) {
  return addi(rd, rd, static_cast<std::int32_t>((value & 0xfff) ^ 0x800) - 0x800);
}

enum csr_number : word {
  mstatus = 0x300,
  misa = 0x301,
  mie = 0x304,
  mtvec = 0x305,
  mcountinhibit = 0x320,
  mscratch = 0x340,
  mepc = 0x341,
  mcause = 0x342,
  mtval = 0x343,
  mip = 0x344,
  mcycle = 0xb00,
  minstret = 0xb02,
  mcycleh = 0xb80,
  minstreth = 0xb82,
  cycle = 0xc00,
  time_ = 0xc01,
  instret = 0xc02,
  mhartid = 0xf14
};

} // namespace rv
#endif
