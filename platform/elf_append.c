/* SPDX-License-Identifier: Apache-2.0 */
/* Adds a segment to an image without a toolchain. */
#include "platform/elf.h"

#include "platform/elf_format.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE = 0x1000 }; /* file offset and address agree modulo this, as loaders like it */

struct layout {
  uint64_t table;   /* new program headers */
  uint64_t payload; /* file offset */
  uint64_t end;
};

static struct layout place(size_t bytes, uint32_t headers, uint32_t address,
                           uint32_t payload_bytes) {
  struct layout l;
  l.table = ((uint64_t)bytes + 3) & ~UINT64_C(3);
  const uint64_t after = l.table + (uint64_t)headers * PH_BYTES;
  l.payload = after + ((address - (uint32_t)after) & (PAGE - 1));
  l.end = l.payload + payload_bytes;
  return l;
}

/* Loadable segments are sorted by virtual address: the place of a new one among the old. */
static uint32_t slot_of(const uint8_t *headers, uint32_t count, uint32_t address) {
  for (uint32_t i = 0; i < count; i++) {
    const uint8_t *ph = headers + (size_t)i * PH_BYTES;
    if (elf_get32(ph + PH_TYPE) == PT_LOAD && elf_get32(ph + PH_VADDR) > address)
      return i;
  }
  return count;
}

static int refuse(struct tpu_error *e, const char *name, const char *why, uint32_t address,
                  uint32_t bytes) {
  return tpu_fail(e, TPU_ERR_RANGE, "%s: a segment of %u bytes at address %u %s", name, bytes,
                  address, why);
}

static int check(const char *name, const uint8_t *data, const struct tpu_elf *elf, uint32_t address,
                 uint32_t payload_bytes, struct tpu_error *e) {
  const uint64_t end = (uint64_t)address + payload_bytes;
  if (payload_bytes == 0 || end > UINT64_C(1) << 32)
    return refuse(e, name, "is empty or ends above 2^32", address, payload_bytes);
  for (uint32_t i = 0; i < elf->segments; i++) {
    const struct tpu_elf_segment *s = &elf->segment[i];
    if (s->address < end && address < (uint64_t)s->address + s->memory_bytes)
      return refuse(e, name, "overlaps a segment of the image", address, payload_bytes);
  }
  const uint32_t count = elf_get16(data + ELF_PHNUM);
  const uint8_t *headers = data + elf_get32(data + ELF_PHOFF);
  for (uint32_t i = 0; i < count; i++)
    if (elf_get32(headers + (size_t)i * PH_BYTES) == PT_PHDR)
      return refuse(e, name, "cannot be added: the image maps its own program headers (PT_PHDR)",
                    address, payload_bytes);
  if (count >= TPU_ELF_MAX_SEGMENTS)
    return refuse(e, name, "is one too many: an image has at most 32 program headers", address,
                  payload_bytes);
  return 1;
}

int tpu_elf_append_segment(const char *name, const uint8_t *data, size_t bytes, uint32_t address,
                           const uint8_t *payload, uint32_t payload_bytes, uint8_t **out,
                           size_t *out_bytes, struct tpu_error *e) {
  struct tpu_elf elf;
  *out = NULL;
  *out_bytes = 0;
  if (!tpu_elf_parse(name, data, bytes, NULL, 0, &elf, e) ||
      !check(name, data, &elf, address, payload_bytes, e))
    return 0;
  const uint32_t count = elf_get16(data + ELF_PHNUM);
  const struct layout l = place(bytes, count + 1, address, payload_bytes);
  if (l.end > UINT32_MAX)
    return refuse(e, name, "makes the file too large", address, payload_bytes);
  uint8_t *copy = calloc((size_t)l.end, 1);
  if (copy == NULL)
    return tpu_fail(e, TPU_ERR_CAPACITY, "%s: out of memory", name);

  const uint8_t *headers = data + elf_get32(data + ELF_PHOFF);
  const uint32_t slot = slot_of(headers, count, address);
  uint8_t *table = copy + l.table;
  uint8_t *ph = table + (size_t)slot * PH_BYTES;
  memcpy(copy, data, bytes);
  memcpy(table, headers, (size_t)slot * PH_BYTES);
  memcpy(ph + PH_BYTES, headers + (size_t)slot * PH_BYTES, (size_t)(count - slot) * PH_BYTES);
  elf_put32(ph + PH_TYPE, PT_LOAD);
  elf_put32(ph + PH_OFFSET, (uint32_t)l.payload);
  elf_put32(ph + PH_VADDR, address);
  elf_put32(ph + PH_PADDR, address);
  elf_put32(ph + PH_FILESZ, payload_bytes);
  elf_put32(ph + PH_MEMSZ, payload_bytes);
  elf_put32(ph + PH_FLAGS, PF_R);
  elf_put32(ph + PH_ALIGN, PAGE);
  memcpy(copy + l.payload, payload, payload_bytes);
  elf_put32(copy + ELF_PHOFF, (uint32_t)l.table);
  elf_put16(copy + ELF_PHNUM, count + 1);
  *out = copy;
  *out_bytes = (size_t)l.end;
  return 1;
}
