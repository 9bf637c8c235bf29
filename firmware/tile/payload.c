/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/tile/payload.h"

/* Both sides must read the same bytes. */
_Static_assert(sizeof(struct tpu_tile_payload) == 6 * 4 + 3 * 8, "layout");
_Static_assert(sizeof(struct tpu_tile_plan) == 12 * 4 && sizeof(struct tpu_tile_ran) == 48,
               "layout");
_Static_assert(sizeof(struct tpu_tile_result) == 8 * 4 + 32 + 48 + 8 + 4 * 48 + 8 * 8 + 400,
               "layout");
_Static_assert(sizeof(struct tpu_tile_result) <= TPU_RESULT_SIZE, "result page");

/* The next multiple of the blobs' alignment. */
static uint64_t align(uint64_t bytes) {
  return (bytes + TPU_PAYLOAD_ALIGN - 1) / TPU_PAYLOAD_ALIGN * TPU_PAYLOAD_ALIGN;
}

int tpu_tile_layout(uint32_t m, uint32_t k, uint32_t n, struct tpu_tile_payload *out,
                    struct tpu_error *e) {
  const uint64_t bytes[3] = {(uint64_t)m * k, (uint64_t)k * n, (uint64_t)m * n};
  uint64_t at[3];
  uint64_t end = sizeof *out;
  for (unsigned i = 0; i < 3; ++i) {
    at[i] = align(end);
    end = at[i] + bytes[i];
  }
  end = align(end) + sizeof(uint32_t);
  const uint64_t room = TPU_PAYLOAD_SIZE - TPU_RESULT_SIZE;
  if (end > room) {
    return tpu_fail(
        e, TPU_ERR_CAPACITY,
        "M*K + K*N + M*N is %U bytes; allowed is at most %U: what the payload's stretch "
        "of DRAM holds",
        bytes[0] + bytes[1] + bytes[2], room - (end - bytes[0] - bytes[1] - bytes[2]));
  }
  *out = (struct tpu_tile_payload){.magic = TPU_TILE_MAGIC,
                                   .version = TPU_TILE_VERSION,
                                   .total_bytes = (uint32_t)end,
                                   .m = m,
                                   .k = k,
                                   .n = n,
                                   .a = {(uint32_t)at[0], (uint32_t)bytes[0]},
                                   .b = {(uint32_t)at[1], (uint32_t)bytes[1]},
                                   .c = {(uint32_t)at[2], (uint32_t)bytes[2]}};
  return 1;
}

int tpu_tile_payload_check(const void *payload, size_t available, struct tpu_error *e) {
  const struct tpu_tile_payload *p = payload;
  struct tpu_tile_payload due = {.magic = 0};
  if (available < sizeof *p || p->magic != TPU_TILE_MAGIC) {
    return tpu_fail(e, TPU_ERR_SYNTAX, "payload: none there");
  }
  if (p->version != TPU_TILE_VERSION) {
    return tpu_fail(e, TPU_ERR_SYNTAX, "payload: version %u, this application reads version %u",
                    p->version, (uint32_t)TPU_TILE_VERSION);
  }
  if (p->m == 0 || p->k == 0 || p->n == 0 || !tpu_tile_layout(p->m, p->k, p->n, &due, e)) {
    return tpu_fail(e, TPU_ERR_SYNTAX, "payload: %u x %u x %u is no size", p->m, p->k, p->n);
  }
  if (__builtin_memcmp(p, &due, sizeof due) != 0 || due.total_bytes > available) {
    return tpu_fail(e, TPU_ERR_SYNTAX, "payload: its offsets are not those of its sizes");
  }
  const uint32_t *words = payload;
  if (words[due.total_bytes / sizeof(uint32_t) - 1] != TPU_PAYLOAD_TRAILER) {
    return tpu_fail(e, TPU_ERR_SYNTAX, "payload: truncated, its trailer word is missing");
  }
  return 1;
}
