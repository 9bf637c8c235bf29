/* SPDX-License-Identifier: Apache-2.0 */
/* Device register access by bus address. */
#ifndef TPU_FIRMWARE_MMIO_H
#define TPU_FIRMWARE_MMIO_H

#include <stdint.h>

static inline uint32_t tpu_mmio_read(uintptr_t address) {
  return *(volatile const uint32_t *)address; /* NOLINT(performance-no-int-to-ptr) */
}

static inline void tpu_mmio_write(uintptr_t address, uint32_t value) {
  *(volatile uint32_t *)address = value; /* NOLINT(performance-no-int-to-ptr) */
}

static inline uint8_t tpu_mmio_read8(uintptr_t address) {
  return *(volatile const uint8_t *)address; /* NOLINT(performance-no-int-to-ptr) */
}

static inline void tpu_mmio_write8(uintptr_t address, uint8_t value) {
  *(volatile uint8_t *)address = value; /* NOLINT(performance-no-int-to-ptr) */
}

#endif
