/* SPDX-License-Identifier: Apache-2.0 */
/* Control and status registers: which exist, what a read gives and a write keeps. */
#include "platform/cpu/internal.h"

enum csr {
  CSR_MSTATUS = 0x300,
  CSR_MISA = 0x301,
  CSR_MIE = 0x304,
  CSR_MTVEC = 0x305,
  CSR_MSTATUSH = 0x310,
  CSR_MCOUNTINHIBIT = 0x320,
  CSR_MHPMEVENT3 = 0x323,
  CSR_MHPMEVENT31 = 0x33f,
  CSR_MSCRATCH = 0x340,
  CSR_MEPC = 0x341,
  CSR_MCAUSE = 0x342,
  CSR_MTVAL = 0x343,
  CSR_MIP = 0x344,
  CSR_MCYCLE = 0xb00,
  CSR_MINSTRET = 0xb02,
  CSR_MHPMCOUNTER3 = 0xb03,
  CSR_MHPMCOUNTER31 = 0xb1f,
  CSR_MCYCLEH = 0xb80,
  CSR_MINSTRETH = 0xb82,
  CSR_MHPMCOUNTER3H = 0xb83,
  CSR_MHPMCOUNTER31H = 0xb9f,
  CSR_CYCLE = 0xc00,
  CSR_TIME = 0xc01,
  CSR_INSTRET = 0xc02,
  CSR_HPMCOUNTER3 = 0xc03,
  CSR_HPMCOUNTER31 = 0xc1f,
  CSR_CYCLEH = 0xc80,
  CSR_TIMEH = 0xc81,
  CSR_INSTRETH = 0xc82,
  CSR_HPMCOUNTER3H = 0xc83,
  CSR_HPMCOUNTER31H = 0xc9f,
  CSR_MVENDORID = 0xf11,
  CSR_MARCHID = 0xf12,
  CSR_MIMPID = 0xf13,
  CSR_MHARTID = 0xf14,
  CSR_MCONFIGPTR = 0xf15
};

enum {
  INHIBIT_CYCLE = 1,
  INHIBIT_INSTRET = 4,
  MISA_RV32IM = 0x40001100, /* MXL 32 bits, I and M */
  MIE_BITS = 1 << RV_IRQ_TIMER | 1 << RV_IRQ_EXTERNAL | 1 << 3
};

static uint64_t mcycle(const struct rv_core *core) {
  return (core->mcountinhibit & INHIBIT_CYCLE) != 0 ? core->cycle_base
                                                    : core->cycle - core->cycle_base;
}

static uint64_t minstret(const struct rv_core *core) {
  return (core->mcountinhibit & INHIBIT_INSTRET) != 0 ? core->instret_base
                                                      : core->retired - core->instret_base;
}

static uint64_t real_time(const struct rv_core *core) {
  return core->host.time != NULL ? core->host.time(core->host.context, core->cycle) : core->cycle;
}

/* A written counter holds the value at the next instruction: this one does not count itself. */
static void set_mcycle(struct rv_core *core, uint64_t value) {
  core->cycle_base = (core->mcountinhibit & INHIBIT_CYCLE) != 0 ? value : core->cycle + 1 - value;
}

static void set_minstret(struct rv_core *core, uint64_t value) {
  core->instret_base =
      (core->mcountinhibit & INHIBIT_INSTRET) != 0 ? value : core->retired + 1 - value;
}

/* Starting or stopping a counter keeps its value; the change acts from the next instruction. */
static void set_mcountinhibit(struct rv_core *core, uint32_t value) {
  const uint64_t cycles = mcycle(core) + ((core->mcountinhibit & INHIBIT_CYCLE) != 0 ? 0 : 1);
  const uint64_t instructions =
      minstret(core) + ((core->mcountinhibit & INHIBIT_INSTRET) != 0 ? 0 : 1);
  core->mcountinhibit = value & (INHIBIT_CYCLE | INHIBIT_INSTRET);
  set_mcycle(core, cycles);
  set_minstret(core, instructions);
}

static uint64_t with_low(uint64_t old, uint32_t low) { return (old & ~UINT64_C(0xffffffff)) | low; }

static uint64_t with_high(uint64_t old, uint32_t high) {
  return (uint64_t)high << 32 | (old & UINT64_C(0xffffffff));
}

static int between(uint32_t number, enum csr low, enum csr high) {
  return number >= (uint32_t)low && number <= (uint32_t)high;
}

/* Counters and events that count nothing: they exist and read 0. */
static int is_zero_csr(uint32_t number) {
  return between(number, CSR_MHPMCOUNTER3, CSR_MHPMCOUNTER31) ||
         between(number, CSR_MHPMCOUNTER3H, CSR_MHPMCOUNTER31H) ||
         between(number, CSR_MHPMEVENT3, CSR_MHPMEVENT31) ||
         between(number, CSR_HPMCOUNTER3, CSR_HPMCOUNTER31) ||
         between(number, CSR_HPMCOUNTER3H, CSR_HPMCOUNTER31H);
}

/* Returns 0 if there is no such register. */
static int read_csr(const struct rv_core *core, uint32_t number, uint32_t *value) {
  *value = 0;
  switch (number) {
  case CSR_MSTATUS:
    *value = core->mstatus | RV_MSTATUS_MPP;
    return 1;
  case CSR_MISA:
    *value = MISA_RV32IM;
    return 1;
  case CSR_MIE:
    *value = core->mie;
    return 1;
  case CSR_MTVEC:
    *value = core->mtvec;
    return 1;
  case CSR_MCOUNTINHIBIT:
    *value = core->mcountinhibit;
    return 1;
  case CSR_MSCRATCH:
    *value = core->mscratch;
    return 1;
  case CSR_MEPC:
    *value = core->mepc;
    return 1;
  case CSR_MCAUSE:
    *value = core->mcause;
    return 1;
  case CSR_MTVAL:
    *value = core->mtval;
    return 1;
  case CSR_MIP:
    *value = core->mip;
    return 1;
  case CSR_MCYCLE:
  case CSR_CYCLE:
    *value = (uint32_t)mcycle(core);
    return 1;
  case CSR_MCYCLEH:
  case CSR_CYCLEH:
    *value = (uint32_t)(mcycle(core) >> 32);
    return 1;
  case CSR_MINSTRET:
  case CSR_INSTRET:
    *value = (uint32_t)minstret(core);
    return 1;
  case CSR_MINSTRETH:
  case CSR_INSTRETH:
    *value = (uint32_t)(minstret(core) >> 32);
    return 1;
  case CSR_TIME:
    *value = (uint32_t)real_time(core);
    return 1;
  case CSR_TIMEH:
    *value = (uint32_t)(real_time(core) >> 32);
    return 1;
  case CSR_MHARTID:
    *value = core->config.hart_id;
    return 1;
  case CSR_MSTATUSH:
  case CSR_MVENDORID:
  case CSR_MARCHID:
  case CSR_MIMPID:
  case CSR_MCONFIGPTR:
    return 1;
  default:
    return is_zero_csr(number);
  }
}

/* Of a register that exists and may be written; read-only fields ignore what is written. */
static void write_csr(struct rv_core *core, uint32_t number, uint32_t value) {
  switch (number) {
  case CSR_MSTATUS:
    core->mstatus = value & (RV_MSTATUS_MIE | RV_MSTATUS_MPIE);
    break;
  case CSR_MIE:
    core->mie = value & MIE_BITS;
    break;
  case CSR_MTVEC:
    core->mtvec = value & ~UINT32_C(2); /* modes direct and vectored */
    break;
  case CSR_MCOUNTINHIBIT:
    set_mcountinhibit(core, value);
    break;
  case CSR_MSCRATCH:
    core->mscratch = value;
    break;
  case CSR_MEPC:
    core->mepc = value & ~UINT32_C(3);
    break;
  case CSR_MCAUSE:
    core->mcause = value;
    break;
  case CSR_MTVAL:
    core->mtval = value;
    break;
  case CSR_MCYCLE:
    set_mcycle(core, with_low(mcycle(core), value));
    break;
  case CSR_MCYCLEH:
    set_mcycle(core, with_high(mcycle(core), value));
    break;
  case CSR_MINSTRET:
    set_minstret(core, with_low(minstret(core), value));
    break;
  case CSR_MINSTRETH:
    set_minstret(core, with_high(minstret(core), value));
    break;
  default: /* misa, mip and the counters that count nothing keep what they read */
    break;
  }
}

int rv_csr(struct rv_core *core, const struct rv_insn *insn) {
  const uint32_t number = (uint32_t)insn->imm;
  const int immediate = insn->op >= RV_OP_CSRRWI;
  const uint32_t operand = immediate ? insn->rs1 : core->x[insn->rs1];
  const int swaps = insn->op == RV_OP_CSRRW || insn->op == RV_OP_CSRRWI;
  const int sets = insn->op == RV_OP_CSRRS || insn->op == RV_OP_CSRRSI;
  const int writes = swaps || insn->rs1 != 0;
  const int read_only = number >> 10 == 3;
  uint32_t old;
  if (!read_csr(core, number, &old) || (writes && read_only))
    return 0;
  if (writes)
    write_csr(core, number, swaps ? operand : sets ? (old | operand) : (old & ~operand));
  core->x[insn->rd] = old;
  return 1;
}

uint32_t rv_csr_word(const struct rv_insn *insn) {
  const uint32_t form = (uint32_t)insn->op - RV_OP_CSRRW + 1; /* register forms 1..3 */
  const uint32_t funct3 = form <= 3 ? form : form + 1;        /* immediate forms 5..7 */
  const uint32_t rd = insn->rd == RV_SINK ? 0 : insn->rd;
  return (uint32_t)insn->imm << 20 | (uint32_t)insn->rs1 << 15 | funct3 << 12 | rd << 7 | 0x73;
}
