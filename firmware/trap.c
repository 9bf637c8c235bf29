/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/trap.h"

#include "firmware/console.h"
#include "firmware/csr.h"
#include "isa/error.h"

static const uint32_t interrupt_bit = UINT32_C(1) << 31;

static const char *cause_name(uint32_t cause) {
  static const char *const names[] = {
      "instruction address misaligned",
      "instruction access fault",
      "illegal instruction",
      "breakpoint",
      "load address misaligned",
      "load access fault",
      "store address misaligned",
      "store access fault",
      NULL,
      NULL,
      NULL,
      "environment call from machine mode",
  };
  const char *name = cause < sizeof names / sizeof names[0] ? names[cause] : NULL;
  return name != NULL ? name : (cause & interrupt_bit) != 0 ? "unexpected interrupt" : "exception";
}

static _Noreturn void report(uint32_t cause, uint32_t pc, uint32_t tval) {
  TPU_CSR_WRITE(mtvec, 0); /* a fault in here must end in the platform's report, not recurse */
  char line[200];
  struct tpu_text t = tpu_text_on(line, sizeof line);
  tpu_text_format(&t, "trap: %s, cause ", cause_name(cause));
  tpu_text_hex(&t, cause, 8);
  tpu_text_str(&t, ", pc ");
  tpu_text_hex(&t, pc, 8);
  tpu_text_str(&t, ", tval ");
  tpu_text_hex(&t, tval, 8);
  tpu_text_str(&t, "\n");
  tpu_console_write(line);
  tpu_exit(TPU_EXIT_EXCEPTION);
}

void tpu_interrupt_attach(const struct tpu_interrupt *interrupt) {
  TPU_CSR_WRITE(mscratch, (uintptr_t)interrupt);
  TPU_CSR_SET(mie, TPU_MIE_MEIE);
  TPU_CSR_SET(mstatus, TPU_MSTATUS_MIE);
}

void tpu_interrupt_detach(void) {
  TPU_CSR_CLEAR(mstatus, TPU_MSTATUS_MIE);
  TPU_CSR_CLEAR(mie, TPU_MIE_MEIE);
  TPU_CSR_WRITE(mscratch, 0);
}

void tpu_trap(uint32_t cause, uint32_t pc, uint32_t tval, const struct tpu_interrupt *interrupt) {
  if (cause != (interrupt_bit | TPU_CAUSE_EXTERNAL) || interrupt == NULL) {
    report(cause, pc, tval);
  }
  interrupt->handle(interrupt->context);
}
