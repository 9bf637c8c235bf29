/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the core busy with the kernels, in memory that it reaches directly. See order.h. */
#include "firmware/arena.h"
#include "firmware/bench/kernels.h"
#include "firmware/bench/order.h"
#include "firmware/console.h"
#include "isa/error.h"
#include "platform/hw/memory_map.h"

int main(void) {
  struct bench_mips *order =
      (struct bench_mips *)TPU_PAYLOAD_BASE; /* NOLINT(performance-no-int-to-ptr) */
  if (order->magic != BENCH_MIPS_MAGIC || order->rounds == 0) {
    tpu_console_write("mips: nothing ordered at the payload's place: see order.h\n");
    return TPU_EXIT_SETUP;
  }
  struct tpu_arena arena = tpu_arena_whole();
  struct bench_work *work = tpu_arena_take(&arena, sizeof *work);
  if (work == NULL) {
    tpu_console_write("mips: no room for the kernels' data\n");
    return TPU_EXIT_SETUP;
  }
  uint32_t checksum = 0;
  for (uint32_t round = 0; round < order->rounds; ++round) {
    checksum = bench_kernels_run(work, checksum);
    ++order->done;
  }
  order->checksum = checksum;
  char line[80];
  struct tpu_text text = tpu_text_on(line, sizeof line);
  tpu_text_format(&text, "mips: %u rounds, checksum %u\n", order->done, checksum);
  tpu_console_write(line);
  return TPU_EXIT_PASS;
}
