/* SPDX-License-Identifier: Apache-2.0 */
/* The bus: one table that the platform, the firmware's linker script and docs/memory-map.md
 * share. DRAM lies where QEMU's virt machine has it, so a bare-metal image runs on both. */
#ifndef TPU_HW_MEMORY_MAP_H
#define TPU_HW_MEMORY_MAP_H

/* X(identifier, base, size in bytes, name, sentence) */
#define TPU_MEMORY_MAP(X)                                                                          \
  X(FINISHER, 0x00100000, 0x1000, "finisher",                                                      \
    "write 0x5555 to pass, (code << 16) | 0x3333 to fail")                                         \
  X(TIMER, 0x02000000, 0x10000, "timer", "CLINT layout: mtimecmp at 0x4000, mtime at 0xbff8")      \
  X(CONSOLE, 0x10000000, 0x100, "console",                                                         \
    "write a byte to offset 0 to print it; offset 5 reads 0x60")                                   \
  X(ACCELERATOR, 0x20000000, 0x1000, "accelerator", "registers, see registers.md")                 \
  X(DRAM, 0x80000000, 0x01000000, "dram", "program image, stack, operand and result images")

/* As macros, so that linker script and assembly can use them too. */
#define TPU_FINISHER_BASE 0x00100000
#define TPU_TIMER_BASE 0x02000000
#define TPU_CONSOLE_BASE 0x10000000
#define TPU_ACCELERATOR_BASE 0x20000000
#define TPU_DRAM_BASE 0x80000000
#define TPU_DRAM_SIZE 0x01000000

/* Offsets inside the small devices. */
#define TPU_TIMER_MTIMECMP 0x4000
#define TPU_TIMER_MTIME 0xbff8
#define TPU_CONSOLE_DATA 0x0
#define TPU_CONSOLE_LINE_STATUS 0x5
#define TPU_FINISHER_PASS 0x5555
#define TPU_FINISHER_FAIL 0x3333

/* Where a payload (workload, operands, program) is placed: a fixed stretch at the end of DRAM. */
#define TPU_PAYLOAD_BASE 0x80800000
#define TPU_PAYLOAD_SIZE 0x00800000

#endif
