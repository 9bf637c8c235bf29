/* SPDX-License-Identifier: Apache-2.0 */
/* The accelerator's register map: one table that model, firmware and docs/registers.md share. */
#ifndef TPU_HW_REGISTERS_H
#define TPU_HW_REGISTERS_H

#include "platform/hw/counters.h"

#include <stdint.h>

/* X(name, byte offset, access, sentence); access is RO, RW, W1 (write 1 acts, reads 0) or W1C. */
#define TPU_REGISTERS(X)                                                                           \
  X(ID, 0x000, RO, "0x55505454, the letters TTPU: this accelerator")                               \
  X(VERSION, 0x004, RO, "register map version, major in bits 31-16, minor in 15-0")                \
  X(T, 0x008, RO, "lanes of a packed word; the array is T x T")                                    \
  X(MAXDIM, 0x00c, RO, "edge of the images A, B, C in bytes")                                      \
  X(QD, 0x010, RO, "depth of every stream in tokens")                                              \
  X(DMA_WORDS, 0x014, RO, "packed words an operand-burst step moves")                              \
  X(SPAD_ROWS, 0x018, RO, "scratchpad rows")                                                       \
  X(NVR, 0x01c, RO, "operand vector registers")                                                    \
  X(NAR, 0x020, RO, "accumulator registers")                                                       \
  X(IMEM_SIZE, 0x024, RO, "instruction memory in 64-bit words, header included")                   \
  X(CONTROL, 0x030, W1, "bit 0: start; ignored bits read 0, other bits set are refused")           \
  X(STATUS, 0x034, RO, "bit 0 busy, bit 1 done, bit 2 error; error code in bits 15-8")             \
  X(IRQ_ENABLE, 0x038, RW, "bit 0: raise the interrupt when done or in error")                     \
  X(IRQ_STATUS, 0x03c, W1C, "bit 0: pending; write 1 to clear")                                    \
  X(BASE_PROGRAM, 0x040, RW, "bus address of header and program, 8-byte aligned")                  \
  X(BASE_A, 0x044, RW, "bus address of image A, 4-byte aligned")                                   \
  X(BASE_B, 0x048, RW, "bus address of image B, 4-byte aligned")                                   \
  X(BASE_C, 0x04c, RW, "bus address of image C, 4-byte aligned")                                   \
  X(CYCLES_LO, 0x050, RO, "cycles from start to done, low word; counts while busy")                \
  X(CYCLES_HI, 0x054, RO, "cycles from start to done, high word")                                  \
  X(ERROR_INFO, 0x058, RO, "instruction number or bus address that the error code concerns")

enum tpu_register {
#define TPU_REG_ENUM(name, offset, access, text) TPU_REG_##name = (offset),
  TPU_REGISTERS(TPU_REG_ENUM)
#undef TPU_REG_ENUM
  /* unit u, counter c: TPU_REG_COUNTERS + u * TPU_REG_UNIT_STRIDE + c * 8 (+ 4: high word) */
  TPU_REG_COUNTERS = 0x100,
  TPU_REG_UNIT_STRIDE = 0x40,
  TPU_REG_SPACE = 0x1000
};

#define TPU_REG_ID_VALUE UINT32_C(0x55505454)
#define TPU_REG_VERSION_VALUE UINT32_C(0x00010000)

enum {
  TPU_CONTROL_START = 1,
  TPU_STATUS_BUSY = 1,
  TPU_STATUS_DONE = 2,
  TPU_STATUS_ERROR = 4,
  TPU_STATUS_CODE_SHIFT = 8,
  TPU_IRQ_DONE = 1
};

/* X(identifier, code, sentence): the error codes of STATUS. */
#define TPU_HW_ERRORS(X)                                                                           \
  X(NONE, 0, "no error")                                                                           \
  X(BAD_BASE, 1, "a base address is null or misaligned")                                           \
  X(BAD_COUNT, 2, "the static count is 0 or above what instruction memory holds")                  \
  X(BAD_HEADER, 3, "a header count has its top bit set, or an unused header bit is set")           \
  X(BAD_PROGRAM, 4, "an instruction does not decode, or the loops do not nest")                    \
  X(BAD_ADDRESS, 5, "a dispatched instruction names rows outside a memory or image, or no rows")   \
  X(BUS, 6, "a bus transfer failed")                                                               \
  X(DEADLOCK, 7, "all units wait on each other")

enum tpu_hw_error {
#define TPU_HW_ERROR_ENUM(id, code, text) TPU_HW_ERROR_##id = (code),
  TPU_HW_ERRORS(TPU_HW_ERROR_ENUM)
#undef TPU_HW_ERROR_ENUM
};

#endif
