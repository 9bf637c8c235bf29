/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/console.h"

#include "firmware/csr.h"
#include "firmware/mmio.h"
#include "platform/hw/memory_map.h"

enum { LINE_STATUS_ROOM = 0x20 }; /* transmit holding register empty */

void tpu_console_write(const char *text) {
  for (; *text != '\0'; ++text) {
    while ((tpu_mmio_read8(TPU_CONSOLE_BASE + TPU_CONSOLE_LINE_STATUS) & LINE_STATUS_ROOM) == 0) {
    }
    tpu_mmio_write8(TPU_CONSOLE_BASE + TPU_CONSOLE_DATA, (uint8_t)*text);
  }
}

_Noreturn void tpu_exit(int code) {
  tpu_fence();
  const uint32_t low = (uint32_t)code & 0xffff; /* all that the finisher holds */
  const uint32_t told = low != 0 ? low : 0xffff;
  tpu_mmio_write(TPU_FINISHER_BASE,
                 code == 0 ? TPU_FINISHER_PASS : (told << 16) | TPU_FINISHER_FAIL);
  for (;;) {
    tpu_wfi();
  }
}
