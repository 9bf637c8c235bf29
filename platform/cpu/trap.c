/* SPDX-License-Identifier: Apache-2.0 */
/* Traps and interrupts of the machine-mode core. */
#include "platform/cpu/internal.h"

static int report(struct rv_core *core, uint32_t cause, uint32_t value) {
  const struct rv_report r = {.pc = core->pc,
                              .cause = cause,
                              .value = value,
                              .insn = rv_peek(core, core->pc),
                              .cycle = core->cycle};
  core->report = r;
  return 0;
}

int rv_trap(struct rv_core *core, uint32_t cause, uint32_t value) {
  const uint32_t base = core->mtvec & ~UINT32_C(3);
  const int interrupt = (cause & RV_CAUSE_INTERRUPT) != 0;
  /* A handler whose first instruction traps would be entered again with the same registers, for
   * ever: that is as unhandled as no handler. */
  if (base == 0 || (!interrupt && core->pc == base))
    return report(core, cause, value);
  core->mepc = core->pc;
  core->mcause = cause;
  core->mtval = value;
  core->mstatus = (core->mstatus & RV_MSTATUS_MIE) != 0 ? RV_MSTATUS_MPIE : 0;
  core->pc = base;
  if (interrupt && (core->mtvec & 1) != 0)
    core->pc += 4 * (cause & ~RV_CAUSE_INTERRUPT);
  return 1;
}

int rv_take_interrupt(struct rv_core *core) {
  const uint32_t pending = core->mip & core->mie;
  if ((core->mstatus & RV_MSTATUS_MIE) == 0 || pending == 0)
    return 1;
  const uint32_t external = UINT32_C(1) << RV_IRQ_EXTERNAL; /* outranks the timer */
  const uint32_t irq = (pending & external) != 0 ? RV_IRQ_EXTERNAL : RV_IRQ_TIMER;
  return rv_trap(core, RV_CAUSE_INTERRUPT | irq, 0);
}

void rv_mret(struct rv_core *core) {
  core->pc = core->mepc;
  core->mstatus = RV_MSTATUS_MPIE | ((core->mstatus & RV_MSTATUS_MPIE) != 0 ? RV_MSTATUS_MIE : 0);
}
