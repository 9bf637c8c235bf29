/* SPDX-License-Identifier: Apache-2.0 */
/* ELF32 little endian, as far as we use it: field offsets and values. Internal to platform/elf*. */
#ifndef TPU_PLATFORM_ELF_FORMAT_H
#define TPU_PLATFORM_ELF_FORMAT_H

#include <stdint.h>

enum {
  /* the file header */
  ELF_CLASS = 4,
  ELF_DATA = 5,
  ELF_IDENT_VERSION = 6,
  ELF_TYPE = 16,
  ELF_MACHINE = 18,
  ELF_VERSION = 20,
  ELF_ENTRY = 24,
  ELF_PHOFF = 28,
  ELF_FLAGS = 36,
  ELF_PHENTSIZE = 42,
  ELF_PHNUM = 44,
  ELF_HEADER_BYTES = 52,
  /* a program header */
  PH_TYPE = 0,
  PH_OFFSET = 4,
  PH_VADDR = 8,
  PH_PADDR = 12,
  PH_FILESZ = 16,
  PH_MEMSZ = 20,
  PH_FLAGS = 24,
  PH_ALIGN = 28,
  PH_BYTES = 32,
  /* values */
  ELFCLASS32 = 1,
  ELFDATA2LSB = 1,
  EV_CURRENT = 1,
  ET_EXEC = 2,
  EM_RISCV = 243,
  EF_RISCV_RVC = 1,
  EF_RISCV_FLOAT_ABI = 6,
  EF_RISCV_RVE = 8,
  PT_LOAD = 1,
  PT_DYNAMIC = 2,
  PT_INTERP = 3,
  PT_PHDR = 6,
  PF_R = 4
};

static inline uint32_t elf_get16(const uint8_t *p) { return (uint32_t)p[0] | (uint32_t)p[1] << 8; }

static inline uint32_t elf_get32(const uint8_t *p) { return elf_get16(p) | elf_get16(p + 2) << 16; }

static inline void elf_put16(uint8_t *p, uint32_t v) {
  p[0] = (uint8_t)v;
  p[1] = (uint8_t)(v >> 8);
}

static inline void elf_put32(uint8_t *p, uint32_t v) {
  elf_put16(p, v);
  elf_put16(p + 2, v >> 16);
}

#endif
