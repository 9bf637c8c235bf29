/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/arena.h"

extern uint8_t __arena_start[]; /* NOLINT(bugprone-reserved-identifier): linker symbols */
extern uint8_t __arena_end[];   /* NOLINT(bugprone-reserved-identifier) */

struct tpu_arena tpu_arena_whole(void) {
  return (struct tpu_arena){__arena_start, __arena_end};
}

void *tpu_arena_take(struct tpu_arena *arena, size_t bytes) {
  const size_t alignment = 64;
  const size_t room = (size_t)(arena->end - arena->next);
  if (bytes > room - room % alignment) {
    return NULL;
  }
  void *taken = arena->next;
  arena->next += (bytes + alignment - 1) / alignment * alignment;
  return taken;
}
