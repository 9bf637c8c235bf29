/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/elf.h"

#include "platform/elf_format.h"

#include <string.h>

static const uint8_t magic[4] = {0x7f, 'E', 'L', 'F'};

/* Place, fault and remedy in one line. */
struct fault {
  const char *file;
  struct tpu_error *e;
};

/* "file: byte N: text" + 0xVALUE + rest; either part may be empty. */
static int fail(const struct fault *f, uint64_t offset, const char *text, uint32_t value,
                const char *allowed) {
  if (f->e == NULL)
    return 0;
  struct tpu_text t = tpu_text_on(f->e->text, sizeof f->e->text);
  tpu_text_format(&t, "%s: byte %U: %s ", f->file, offset, text);
  tpu_text_hex(&t, value, 0);
  tpu_text_format(&t, "; %s", allowed);
  f->e->code = TPU_ERR_SYNTAX;
  return 0;
}

int tpu_elf_is_elf(const uint8_t *data, size_t bytes) {
  return bytes >= sizeof magic && memcmp(data, magic, sizeof magic) == 0;
}

/* One fixed field of the header. */
struct expectation {
  uint32_t offset;
  uint32_t bytes;
  uint32_t value;
  const char *what;
  const char *allowed;
};

static const struct expectation expectations[] = {
    {ELF_CLASS, 1, ELFCLASS32, "class is", "allowed: 1 (32-bit)"},
    {ELF_DATA, 1, ELFDATA2LSB, "byte order is", "allowed: 1 (little endian)"},
    {ELF_IDENT_VERSION, 1, EV_CURRENT, "format version is", "allowed: 1"},
    {ELF_TYPE, 2, ET_EXEC, "type is", "allowed: 2 (statically linked executable)"},
    {ELF_MACHINE, 2, EM_RISCV, "machine is", "allowed: 0xf3 (RISC-V)"},
    {ELF_VERSION, 4, EV_CURRENT, "version is", "allowed: 1"},
    {ELF_PHENTSIZE, 2, PH_BYTES, "program header size is", "allowed: 0x20"},
};

static int check_header(const struct fault *f, const uint8_t *data, size_t bytes) {
  if (!tpu_elf_is_elf(data, bytes))
    return fail(f, 0, "no ELF magic in a file of size", (uint32_t)bytes,
                "an image begins with 7f 45 4c 46");
  if (bytes < ELF_HEADER_BYTES)
    return fail(f, bytes, "the header is cut off at", (uint32_t)bytes, "it has 0x34 bytes");
  for (size_t i = 0; i < sizeof expectations / sizeof expectations[0]; i++) {
    const struct expectation *x = &expectations[i];
    const uint8_t *p = data + x->offset;
    const uint32_t got = x->bytes == 1 ? *p : x->bytes == 2 ? elf_get16(p) : elf_get32(p);
    if (got != x->value)
      return fail(f, x->offset, x->what, got, x->allowed);
  }
  const uint32_t flags = elf_get32(data + ELF_FLAGS);
  if ((flags & (EF_RISCV_RVC | EF_RISCV_FLOAT_ABI | EF_RISCV_RVE)) != 0)
    return fail(f, ELF_FLAGS, "flags are", flags,
                "allowed: code for rv32im, ABI ilp32 (no compressed code, no floating point)");
  const uint64_t table = elf_get32(data + ELF_PHOFF);
  const uint32_t count = elf_get16(data + ELF_PHNUM);
  if (count == 0 || count > TPU_ELF_MAX_SEGMENTS)
    return fail(f, ELF_PHNUM, "number of program headers is", count, "allowed: 1 .. 0x20");
  if (table + (uint64_t)count * PH_BYTES > bytes)
    return fail(f, ELF_PHOFF, "program headers at", (uint32_t)table,
                "they must lie inside the file, which is too short");
  return 1;
}

static int in_regions(const struct tpu_elf_region *regions, size_t count, uint32_t address,
                      uint32_t bytes) {
  for (size_t i = 0; i < count; i++)
    if (address >= regions[i].base &&
        (uint64_t)address + bytes <= (uint64_t)regions[i].base + regions[i].size)
      return 1;
  return count == 0;
}

static int overlap(const struct tpu_elf_segment *a, const struct tpu_elf_segment *b) {
  return a->address < (uint64_t)b->address + b->memory_bytes &&
         b->address < (uint64_t)a->address + a->memory_bytes;
}

/* The sentence of a segment outside memory names what memory there is. */
static int fail_outside(const struct fault *f, uint32_t place, uint32_t address,
                        const struct tpu_elf_region *regions, size_t count) {
  char allowed[160];
  struct tpu_text t = tpu_text_on(allowed, sizeof allowed);
  tpu_text_str(&t, "allowed:");
  for (size_t i = 0; i < count; i++) {
    tpu_text_format(&t, "%s %s ", i == 0 ? "" : ",", regions[i].name);
    tpu_text_hex(&t, regions[i].base, 8);
    tpu_text_str(&t, " .. ");
    tpu_text_hex(&t, regions[i].base + (regions[i].size - 1), 8);
  }
  return fail(f, place, "segment outside memory, at", address, allowed);
}

static int check_segment(const struct fault *f, uint32_t place, const uint8_t *ph, size_t bytes,
                         const struct tpu_elf_segment *s) {
  const uint32_t align = elf_get32(ph + PH_ALIGN);
  if (s->file_bytes > s->memory_bytes)
    return fail(f, place + PH_FILESZ, "size in file is", s->file_bytes,
                "it must not be above the size in memory");
  if ((uint64_t)s->file_offset + s->file_bytes > bytes)
    return fail(f, place + PH_OFFSET, "segment data at", s->file_offset,
                "they must lie inside the file, which is too short");
  if ((uint64_t)s->address + s->memory_bytes > UINT64_C(1) << 32)
    return fail(f, place + PH_MEMSZ, "size in memory is", s->memory_bytes,
                "the segment must end at 0x100000000 or before");
  if ((align & (align - 1)) != 0 ||
      (align > 1 && (s->file_offset - elf_get32(ph + PH_VADDR)) % align != 0))
    return fail(f, place + PH_ALIGN, "alignment is", align,
                "allowed: a power of two to which offset and address are congruent");
  return 1;
}

static int read_segments(const struct fault *f, const uint8_t *data, size_t bytes,
                         const struct tpu_elf_region *regions, size_t region_count,
                         struct tpu_elf *out) {
  const uint32_t table = elf_get32(data + ELF_PHOFF);
  const uint32_t count = elf_get16(data + ELF_PHNUM);
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t place = table + i * PH_BYTES;
    const uint8_t *ph = data + place;
    const uint32_t type = elf_get32(ph + PH_TYPE);
    if (type == PT_DYNAMIC || type == PT_INTERP)
      return fail(f, place, "program header of type", type,
                  "dynamically linked images are not loaded: link statically");
    const struct tpu_elf_segment s = {.address = elf_get32(ph + PH_PADDR),
                                      .file_offset = elf_get32(ph + PH_OFFSET),
                                      .file_bytes = elf_get32(ph + PH_FILESZ),
                                      .memory_bytes = elf_get32(ph + PH_MEMSZ)};
    if (type != PT_LOAD || (s.memory_bytes == 0 && s.file_bytes == 0))
      continue;
    if (!check_segment(f, place, ph, bytes, &s))
      return 0;
    if (!in_regions(regions, region_count, s.address, s.memory_bytes))
      return fail_outside(f, place + PH_PADDR, s.address, regions, region_count);
    for (uint32_t k = 0; k < out->segments; k++)
      if (overlap(&s, &out->segment[k]))
        return fail(f, place + PH_PADDR, "segment overlaps another, at", s.address,
                    "segments must be disjoint");
    out->segment[out->segments++] = s;
  }
  return 1;
}

static int check_entry(const struct fault *f, const struct tpu_elf *elf) {
  if (elf->entry % 4 != 0)
    return fail(f, ELF_ENTRY, "entry point is", elf->entry, "it must be a multiple of 4");
  for (uint32_t i = 0; i < elf->segments; i++)
    if (elf->entry - elf->segment[i].address < elf->segment[i].memory_bytes)
      return 1;
  return fail(f, ELF_ENTRY, "entry point is", elf->entry, "it must lie inside a loaded segment");
}

int tpu_elf_parse(const char *name, const uint8_t *data, size_t bytes,
                  const struct tpu_elf_region *regions, size_t region_count, struct tpu_elf *out,
                  struct tpu_error *e) {
  const struct fault f = {name, e};
  memset(out, 0, sizeof *out);
  if (!check_header(&f, data, bytes))
    return 0;
  out->data = data;
  out->entry = elf_get32(data + ELF_ENTRY);
  return read_segments(&f, data, bytes, regions, region_count, out) && check_entry(&f, out);
}

int tpu_elf_load(const struct tpu_elf *elf, tpu_elf_put put, void *context) {
  for (uint32_t i = 0; i < elf->segments; i++) {
    const struct tpu_elf_segment *s = &elf->segment[i];
    if (s->file_bytes > 0 && !put(context, s->address, elf->data + s->file_offset, s->file_bytes))
      return 0;
    if (s->memory_bytes > s->file_bytes &&
        !put(context, s->address + s->file_bytes, NULL, s->memory_bytes - s->file_bytes))
      return 0;
  }
  return 1;
}
