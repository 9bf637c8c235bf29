/* SPDX-License-Identifier: Apache-2.0 */
/* Traps. start.S points mtvec at tpu_trap_entry. mscratch holds the address of the application's
 * struct tpu_interrupt, 0 = none, so that no state is global. Whatever nobody handles is printed
 * (cause, pc, tval) and ends the run with TPU_EXIT_EXCEPTION. */
#ifndef TPU_FIRMWARE_TRAP_H
#define TPU_FIRMWARE_TRAP_H

#include <stdint.h>

/* What to call on a machine external interrupt; handle must quieten the device. */
struct tpu_interrupt {
  void (*handle)(void *context);
  void *context;
};

/* Installs *interrupt, which must outlive its use, and lets external interrupts in. */
void tpu_interrupt_attach(const struct tpu_interrupt *interrupt);

/* Shuts external interrupts out again and forgets the handler. */
void tpu_interrupt_detach(void);

/* Called by tpu_trap_entry, with interrupts off. */
void tpu_trap(uint32_t cause, uint32_t pc, uint32_t tval, const struct tpu_interrupt *interrupt);

#endif
