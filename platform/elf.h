/* SPDX-License-Identifier: Apache-2.0 */
/* Statically linked RV32 ELF images: checking, loading, and adding a segment to one. */
#ifndef TPU_PLATFORM_ELF_H
#define TPU_PLATFORM_ELF_H

#include "isa/error.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TPU_ELF_MAX_SEGMENTS = 32 };

/* Memory a segment may be loaded into. */
struct tpu_elf_region {
  const char *name;
  uint32_t base;
  uint32_t size; /* bytes */
};

/* A PT_LOAD segment that occupies memory. */
struct tpu_elf_segment {
  uint32_t address; /* physical */
  uint32_t file_offset;
  uint32_t file_bytes;   /* taken from the file */
  uint32_t memory_bytes; /* >= file_bytes; the rest is zeros */
};

struct tpu_elf {
  const uint8_t *data; /* the file, borrowed */
  uint32_t entry;
  uint32_t segments;
  struct tpu_elf_segment segment[TPU_ELF_MAX_SEGMENTS];
};

/* Do these bytes begin like an ELF file? */
int tpu_elf_is_elf(const uint8_t *data, size_t bytes);

/* Checks everything that loading relies on: header, machine and ABI (no compressed code, no
 * floating-point ABI, not RV32E), program headers and segments inside the file, every segment
 * inside one of the regions (none given: anywhere), no overlap, a 4-byte aligned entry inside a
 * segment. name is the file's, for messages. Returns 1; 0 with one line: file, byte offset, what
 * is wrong, what is allowed. */
int tpu_elf_parse(const char *name, const uint8_t *data, size_t bytes,
                  const struct tpu_elf_region *regions, size_t region_count, struct tpu_elf *out,
                  struct tpu_error *e);

/* Receives bytes for an address; source NULL means that many zeros. Returns 1, or 0 to stop. */
typedef int (*tpu_elf_put)(void *context, uint32_t address, const uint8_t *source, uint32_t bytes);

/* Puts every segment, in file order. Returns 1, or 0 as soon as put does. */
int tpu_elf_load(const struct tpu_elf *elf, tpu_elf_put put, void *context);

/* A copy of an image with one more loadable, read-only segment: payload, at address. The program
 * header table and the payload go to the end of the file. *out is from malloc, the caller frees
 * it. Returns 1; 0 when the image is refused (as by tpu_elf_parse), the segment overlaps one that
 * is there, is empty or passes 2^32, or the file would not fit 2^32 bytes; or memory lacks. */
int tpu_elf_append_segment(const char *name, const uint8_t *data, size_t bytes, uint32_t address,
                           const uint8_t *payload, uint32_t payload_bytes, uint8_t **out,
                           size_t *out_bytes, struct tpu_error *e);

#ifdef __cplusplus
}
#endif
#endif
