/* SPDX-License-Identifier: Apache-2.0 */
/* ELF loader: any bytes give an image or one line; every byte of every segment can be put, inside
 * memory; an image that was accepted can be given one more segment. */
#include "platform/elf.h"
#include "platform/hw/memory_map.h"
#include "test/fuzz/fuzz.h"

static int put(void *context, uint32_t address, const uint8_t *source, uint32_t bytes) {
  uint64_t *total = context;
  FUZZ_ASSERT(address >= TPU_DRAM_BASE && bytes <= TPU_DRAM_SIZE &&
              address - TPU_DRAM_BASE <= TPU_DRAM_SIZE - bytes);
  uint8_t sum = 0;
  for (uint32_t i = 0; source != NULL && i < bytes; ++i) /* a sanitizer watches the reads */
    sum = (uint8_t)(sum + source[i]);
  *total += bytes + (sum & 0U);
  return 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const struct tpu_elf_region dram = {"dram", TPU_DRAM_BASE, TPU_DRAM_SIZE};
  static const uint8_t payload[] = {1, 2, 3, 4, 5, 6, 7, 8};
  struct tpu_error e = {.code = TPU_OK};
  struct tpu_elf elf;
  if (!tpu_elf_parse("input", data, size, &dram, 1, &elf, &e)) {
    FUZZ_ASSERT(e.code != TPU_OK && fuzz_one_line(e.text, sizeof e.text));
    return 0;
  }
  uint64_t total = 0;
  FUZZ_ASSERT(tpu_elf_load(&elf, put, &total));
  uint8_t *out = NULL;
  size_t out_bytes = 0;
  if (tpu_elf_append_segment("input", data, size, TPU_PAYLOAD_BASE, payload, sizeof payload, &out,
                             &out_bytes, &e)) {
    struct tpu_elf again;
    FUZZ_ASSERT(tpu_elf_parse("output", out, out_bytes, &dram, 1, &again, &e));
    FUZZ_ASSERT(again.entry == elf.entry && again.segments == elf.segments + 1);
    free(out);
  } else {
    FUZZ_ASSERT(fuzz_one_line(e.text, sizeof e.text));
  }
  return 0;
}
