/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the core tell each other. Internal to platform/cpu. */
#ifndef TPU_PLATFORM_CPU_INTERNAL_H
#define TPU_PLATFORM_CPU_INTERNAL_H

#include "platform/cpu/decode.h"

enum {
  RV_MSTATUS_MIE = 0x8,
  RV_MSTATUS_MPIE = 0x80,
  RV_MSTATUS_MPP = 0x1800, /* always machine: there is no other mode */
  RV_PAGE_SHIFT = 12,
  RV_PAGE_INSNS = 1024
};

/* trap.c */

/* Enters the handler: pc, mepc, mcause, mtval, mstatus. Returns 1; 0 = nobody handles it, and
 * core->report says what it was. pc is the trapping instruction (of an interrupt: the next). */
int rv_trap(struct rv_core *core, uint32_t cause, uint32_t value);

/* Takes the most urgent enabled interrupt, if any. Returns as rv_trap; 1 also if there is none. */
int rv_take_interrupt(struct rv_core *core);

/* Back from a trap: pc, mstatus. */
void rv_mret(struct rv_core *core);

/* csr.c */

/* Executes a CSR instruction but for pc and counters. Returns 1; 0 = illegal instruction, nothing
 * changed. */
int rv_csr(struct rv_core *core, const struct rv_insn *insn);

/* The word a decoded CSR instruction came from: mtval of an illegal one. */
uint32_t rv_csr_word(const struct rv_insn *insn);

/* memory.c: all return 1, or 0 with *cause (misaligned before access fault). */
int rv_load(struct rv_core *core, uint32_t address, uint32_t bytes, uint32_t *value,
            uint32_t *cause);
int rv_store(struct rv_core *core, uint32_t address, uint32_t bytes, uint32_t value,
             uint32_t *cause);

/* The instruction at core->pc; decoded code of the window is kept. */
int rv_fetch(struct rv_core *core, struct rv_insn *insn, uint32_t *cause);

/* The word at an address, if it can be read without a side effect (in the window), else 0. */
uint32_t rv_peek(const struct rv_core *core, uint32_t address);

/* Forgets all decoded code. */
void rv_flush(struct rv_core *core);

#endif
