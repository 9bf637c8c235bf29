/* SPDX-License-Identifier: Apache-2.0 */
/* The free stretch of DRAM between an image and its stack, handed out from the bottom; sizes come
 * from the configuration registers, so nothing of that size can be static. Never cleared. */
#ifndef TPU_FIRMWARE_ARENA_H
#define TPU_FIRMWARE_ARENA_H

#include <stddef.h>
#include <stdint.h>

struct tpu_arena {
  uint8_t *next;
  uint8_t *end;
};

/* The whole stretch, by the linker script. Two arenas of one image would overlap. */
struct tpu_arena tpu_arena_whole(void);

/* bytes, aligned to 64; NULL when they do not fit. */
void *tpu_arena_take(struct tpu_arena *arena, size_t bytes);

#endif
