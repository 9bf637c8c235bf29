/* SPDX-License-Identifier: Apache-2.0 */
/* The target side of the differential test of the core: needs no accelerator, so QEMU's virt
 * machine runs it too. */
#include "firmware/tests/arith_report.h"

#include "firmware/arena.h"
#include "firmware/console.h"

static void put_console(void *context, const char *line) {
  (void)context;
  tpu_console_write(line);
}

int main(void) {
  struct tpu_arena arena = tpu_arena_whole();
  void *scratch = tpu_arena_take(&arena, arith_scratch_bytes());
  if (scratch == NULL) {
    tpu_console_write("arith: no room\n");
    return TPU_EXIT_SETUP;
  }
  const struct arith_sink sink = {put_console, NULL};
  return arith_report(scratch, &sink) > 0 ? TPU_EXIT_PASS : TPU_EXIT_VERDICT;
}
