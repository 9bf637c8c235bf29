/* SPDX-License-Identifier: Apache-2.0 */
/* The hot loop. Everything that the common path needs lies in locals; whatever leaves it (bus,
 * traps, CSRs) stores them back first and reloads them after. */
#include "platform/cpu/arithmetic.h"
#include "platform/cpu/internal.h"

#include <string.h>

/* The locals of rv_run that mirror the core. */
struct hot {
  uint8_t *host;
  uint32_t base;                    /* the window's */
  uint32_t data_bytes;              /* of the window, for loads and stores */
  uint32_t load_extra, store_extra; /* and what it adds to an access, cycles */
  const struct rv_insn *page;       /* decoded code from address page_base on, page_bytes of it */
  uint32_t page_base, page_bytes;
  uint64_t until; /* 0 once the host asked for the end of the run */
};

static void reload(const struct rv_core *core, struct hot *h) {
  h->host = core->window.host;
  h->base = core->window.base;
  h->data_bytes = core->window.code_only ? 0 : core->window.bytes;
  h->load_extra = core->window.load_extra;
  h->store_extra = core->window.store_extra;
  h->page_bytes = 0;
  if (core->request != RV_REQUEST_NONE)
    h->until = 0;
}

/* Points h at the decoded page of pc, if there is one. */
static void find_page(const struct rv_core *core, struct hot *h, uint32_t pc) {
  const uint32_t offset = pc - h->base;
  h->page_bytes = 0;
  if (offset >= core->window.bytes || core->pages[offset >> RV_PAGE_SHIFT] == NULL)
    return;
  const uint32_t start = offset & ~((UINT32_C(1) << RV_PAGE_SHIFT) - 1);
  const uint32_t left = core->window.bytes - start;
  h->page = core->pages[offset >> RV_PAGE_SHIFT];
  h->page_base = h->base + start;
  h->page_bytes = left < UINT32_C(1) << RV_PAGE_SHIFT ? left : UINT32_C(1) << RV_PAGE_SHIFT;
}

/* A store into the window: decoded code there is forgotten. */
static void touch(struct rv_core *core, uint32_t offset) {
  struct rv_insn *page = core->pages[offset >> RV_PAGE_SHIFT];
  if (page != NULL)
    page[offset / 4 % RV_PAGE_INSNS].op = RV_OP_NONE;
}

static enum rv_stop why_stopped(struct rv_core *core) {
  const enum rv_request request = core->request;
  core->request = RV_REQUEST_NONE;
  return request == RV_REQUEST_STOP ? RV_STOP_HOST : RV_STOP_CYCLE;
}

/* Writes back what a call outside the loop may look at, and takes over what it changed. */
#define LEAVE()                                                                                    \
  do {                                                                                             \
    core->pc = pc;                                                                                 \
    core->cycle = cycle;                                                                           \
    core->retired = retired;                                                                       \
  } while (0)
#define REENTER()                                                                                  \
  do {                                                                                             \
    cycle = core->cycle;                                                                           \
    reload(core, &h);                                                                              \
  } while (0)

#define RS1 x[insn.rs1]
#define RS2 x[insn.rs2]
#define IMM ((uint32_t)insn.imm)

#define LOAD(size, type, extend)                                                                   \
  {                                                                                                \
    const uint32_t address = RS1 + IMM;                                                            \
    const uint32_t offset = address - h.base;                                                      \
    if (offset < h.data_bytes && address % (size) == 0) {                                          \
      type loaded;                                                                                 \
      memcpy(&loaded, h.host + offset, sizeof loaded);                                             \
      x[insn.rd] = extend(loaded);                                                                 \
      cycle += h.load_extra;                                                                       \
    } else {                                                                                       \
      uint32_t loaded;                                                                             \
      LEAVE();                                                                                     \
      const int done = rv_load(core, address, (size), &loaded, &cause);                            \
      REENTER();                                                                                   \
      if (!done) {                                                                                 \
        value = address;                                                                           \
        goto trap;                                                                                 \
      }                                                                                            \
      x[insn.rd] = extend(loaded);                                                                 \
    }                                                                                              \
    cycle += load_cycles - 1;                                                                      \
    break;                                                                                         \
  }

#define STORE(size, type)                                                                          \
  {                                                                                                \
    const uint32_t address = RS1 + IMM;                                                            \
    const uint32_t offset = address - h.base;                                                      \
    if (offset < h.data_bytes && address % (size) == 0) {                                          \
      const type stored = (type)RS2;                                                               \
      memcpy(h.host + offset, &stored, sizeof stored);                                             \
      touch(core, offset);                                                                         \
      cycle += h.store_extra;                                                                      \
    } else {                                                                                       \
      LEAVE();                                                                                     \
      const int done = rv_store(core, address, (size), (type)RS2, &cause);                         \
      REENTER();                                                                                   \
      if (!done) {                                                                                 \
        value = address;                                                                           \
        goto trap;                                                                                 \
      }                                                                                            \
    }                                                                                              \
    break;                                                                                         \
  }

#define BRANCH(condition)                                                                          \
  if (condition) {                                                                                 \
    next = pc + IMM;                                                                               \
    goto jump;                                                                                     \
  }                                                                                                \
  break

enum rv_stop rv_run(struct rv_core *core, uint64_t until) {
  if (core->sleeping && !rv_irq_pending(core))
    return RV_STOP_SLEEP;
  core->sleeping = 0;
  if (!rv_take_interrupt(core))
    return RV_STOP_UNHANDLED;

  uint32_t *const x = core->x;
  const uint32_t load_cycles = core->config.load_cycles;
  const uint32_t mul_extra = core->config.mul_cycles - 1;
  const uint32_t div_extra = core->config.div_cycles - 1;
  uint32_t pc = core->pc;
  uint64_t cycle = core->cycle;
  uint64_t retired = core->retired;
  struct hot h = {.until = until};
  reload(core, &h);

  while (cycle < h.until) {
    uint32_t cause, value;
    uint32_t next = pc + 4;
    struct rv_insn insn;
    if (pc - h.page_base >= h.page_bytes)
      find_page(core, &h, pc);
    insn.op = RV_OP_NONE;
    if (pc - h.page_base < h.page_bytes && pc % 4 == 0)
      insn = h.page[(pc - h.page_base) / 4];
  decoded:
    switch (insn.op) {
    case RV_OP_NONE: {
      LEAVE();
      const int done = rv_fetch(core, &insn, &cause);
      REENTER();
      if (!done) {
        value = pc;
        goto trap;
      }
      goto decoded;
    }
    case RV_OP_LUI:
      x[insn.rd] = IMM;
      break;
    case RV_OP_AUIPC:
      x[insn.rd] = pc + IMM;
      break;
    case RV_OP_JAL:
      next = pc + IMM;
      if (next % 4 == 0)
        x[insn.rd] = pc + 4;
      goto jump;
    case RV_OP_JALR:
      next = (RS1 + IMM) & ~UINT32_C(1);
      if (next % 4 == 0)
        x[insn.rd] = pc + 4;
      goto jump;
    case RV_OP_BEQ:
      BRANCH(RS1 == RS2);
    case RV_OP_BNE:
      BRANCH(RS1 != RS2);
    case RV_OP_BLT:
      BRANCH((int32_t)RS1 < (int32_t)RS2);
    case RV_OP_BGE:
      BRANCH((int32_t)RS1 >= (int32_t)RS2);
    case RV_OP_BLTU:
      BRANCH(RS1 < RS2);
    case RV_OP_BGEU:
      BRANCH(RS1 >= RS2);
    case RV_OP_LB:
      LOAD(1, uint8_t, extend8)
    case RV_OP_LH:
      LOAD(2, uint16_t, extend16)
    case RV_OP_LW:
      LOAD(4, uint32_t, (uint32_t))
    case RV_OP_LBU:
      LOAD(1, uint8_t, (uint8_t))
    case RV_OP_LHU:
      LOAD(2, uint16_t, (uint16_t))
    case RV_OP_SB:
      STORE(1, uint8_t)
    case RV_OP_SH:
      STORE(2, uint16_t)
    case RV_OP_SW:
      STORE(4, uint32_t)
    case RV_OP_ADDI:
      x[insn.rd] = RS1 + IMM;
      break;
    case RV_OP_SLTI:
      x[insn.rd] = (int32_t)RS1 < insn.imm;
      break;
    case RV_OP_SLTIU:
      x[insn.rd] = RS1 < IMM;
      break;
    case RV_OP_XORI:
      x[insn.rd] = RS1 ^ IMM;
      break;
    case RV_OP_ORI:
      x[insn.rd] = RS1 | IMM;
      break;
    case RV_OP_ANDI:
      x[insn.rd] = RS1 & IMM;
      break;
    case RV_OP_SLLI:
      x[insn.rd] = RS1 << IMM;
      break;
    case RV_OP_SRLI:
      x[insn.rd] = RS1 >> IMM;
      break;
    case RV_OP_SRAI:
      x[insn.rd] = shift_right_signed(RS1, IMM);
      break;
    case RV_OP_ADD:
      x[insn.rd] = RS1 + RS2;
      break;
    case RV_OP_SUB:
      x[insn.rd] = RS1 - RS2;
      break;
    case RV_OP_SLL:
      x[insn.rd] = RS1 << (RS2 & 31);
      break;
    case RV_OP_SLT:
      x[insn.rd] = (int32_t)RS1 < (int32_t)RS2;
      break;
    case RV_OP_SLTU:
      x[insn.rd] = RS1 < RS2;
      break;
    case RV_OP_XOR:
      x[insn.rd] = RS1 ^ RS2;
      break;
    case RV_OP_SRL:
      x[insn.rd] = RS1 >> (RS2 & 31);
      break;
    case RV_OP_SRA:
      x[insn.rd] = shift_right_signed(RS1, RS2);
      break;
    case RV_OP_OR:
      x[insn.rd] = RS1 | RS2;
      break;
    case RV_OP_AND:
      x[insn.rd] = RS1 & RS2;
      break;
    case RV_OP_MUL:
      x[insn.rd] = RS1 * RS2;
      cycle += mul_extra;
      break;
    case RV_OP_MULH:
      x[insn.rd] = high_signed(RS1, RS2);
      cycle += mul_extra;
      break;
    case RV_OP_MULHSU:
      x[insn.rd] = high_mixed(RS1, RS2);
      cycle += mul_extra;
      break;
    case RV_OP_MULHU:
      x[insn.rd] = high_unsigned(RS1, RS2);
      cycle += mul_extra;
      break;
    case RV_OP_DIV:
      x[insn.rd] = divide(RS1, RS2);
      cycle += div_extra;
      break;
    case RV_OP_DIVU:
      x[insn.rd] = RS2 == 0 ? UINT32_MAX : RS1 / RS2;
      cycle += div_extra;
      break;
    case RV_OP_REM:
      x[insn.rd] = remainder_of(RS1, RS2);
      cycle += div_extra;
      break;
    case RV_OP_REMU:
      x[insn.rd] = RS2 == 0 ? RS1 : RS1 % RS2;
      cycle += div_extra;
      break;
    case RV_OP_FENCE: /* one core, accesses in program order: nothing to wait for */
      break;
    case RV_OP_FENCE_I: /* code written by others than this core is seen from here on */
      rv_flush(core);
      h.page_bytes = 0;
      break;
    case RV_OP_ECALL:
      cause = RV_CAUSE_ECALL;
      value = 0;
      goto trap;
    case RV_OP_EBREAK:
      cause = RV_CAUSE_BREAKPOINT;
      value = pc;
      goto trap;
    case RV_OP_WFI:
      pc = next;
      cycle++;
      retired++;
      LEAVE();
      if (rv_irq_pending(core))
        goto boundary;
      core->sleeping = 1;
      return why_stopped(core) == RV_STOP_HOST ? RV_STOP_HOST : RV_STOP_SLEEP;
    case RV_OP_MRET:
      rv_mret(core);
      pc = core->pc;
      cycle++;
      retired++;
      goto boundary;
    case RV_OP_CSRRW:
    case RV_OP_CSRRS:
    case RV_OP_CSRRC:
    case RV_OP_CSRRWI:
    case RV_OP_CSRRSI:
    case RV_OP_CSRRCI:
      LEAVE();
      if (!rv_csr(core, &insn)) {
        cause = RV_CAUSE_ILLEGAL;
        value = rv_csr_word(&insn);
        goto trap;
      }
      pc = next;
      cycle++;
      retired++;
      goto boundary;
    default: /* RV_OP_ILLEGAL */
      cause = RV_CAUSE_ILLEGAL;
      value = IMM;
      goto trap;
    }
    pc = next;
    cycle++;
    retired++;
    continue;

  jump:
    if (next % 4 == 0) {
      pc = next;
      cycle++;
      retired++;
      continue;
    }
    cause = RV_CAUSE_FETCH_MISALIGNED;
    value = next;

  trap: /* the instruction takes its cycle but does not retire */
    LEAVE();
    if (!rv_trap(core, cause, value)) {
      why_stopped(core);
      return RV_STOP_UNHANDLED;
    }
    pc = core->pc;
    cycle++;
    continue;

  boundary: /* what is enabled may have changed; levels are the host's to renew at the bound */
    if (cycle >= h.until)
      break;
    LEAVE();
    if (!rv_take_interrupt(core)) {
      why_stopped(core);
      return RV_STOP_UNHANDLED;
    }
    pc = core->pc;
  }
  LEAVE();
  return why_stopped(core);
}
