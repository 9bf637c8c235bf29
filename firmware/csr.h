/* SPDX-License-Identifier: Apache-2.0 */
/* Control and status registers of the core, machine mode. */
#ifndef TPU_FIRMWARE_CSR_H
#define TPU_FIRMWARE_CSR_H

#include <stdint.h>

#define TPU_CSR_READ(name)                                                                         \
  __extension__({                                                                                  \
    uint32_t value_;                                                                               \
    __asm__ volatile("csrr %0, " #name : "=r"(value_)::"memory");                                  \
    value_;                                                                                        \
  })
#define TPU_CSR_WRITE(name, value)                                                                 \
  __asm__ volatile("csrw " #name ", %0" ::"r"((uint32_t)(value)) : "memory")
#define TPU_CSR_SET(name, bits)                                                                    \
  __asm__ volatile("csrs " #name ", %0" ::"r"((uint32_t)(bits)) : "memory")
#define TPU_CSR_CLEAR(name, bits)                                                                  \
  __asm__ volatile("csrc " #name ", %0" ::"r"((uint32_t)(bits)) : "memory")

enum {
  TPU_MSTATUS_MIE = 1 << 3,
  TPU_MIE_MEIE = 1 << 11, /* machine external interrupt */
  TPU_CAUSE_EXTERNAL = 11 /* its mcause, beside the interrupt bit */
};

/* Cycles since reset. High, low, high again: the low word may wrap between two reads. */
static inline uint64_t tpu_mcycle(void) {
  uint32_t high;
  uint32_t low;
  do {
    high = TPU_CSR_READ(mcycleh);
    low = TPU_CSR_READ(mcycle);
  } while (high != TPU_CSR_READ(mcycleh));
  return ((uint64_t)high << 32) | low;
}

/* Sleeps until an enabled interrupt is pending, whether or not it may be taken. */
static inline void tpu_wfi(void) { __asm__ volatile("wfi" ::: "memory"); }

/* Orders memory accesses before device accesses and the reverse. */
static inline void tpu_fence(void) { __asm__ volatile("fence iorw, iorw" ::: "memory"); }

#endif
