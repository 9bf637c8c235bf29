/* SPDX-License-Identifier: Apache-2.0 */
/* The smallest image: proves start-up, cleared bss, initialised data, 64-bit arithmetic and
 * console, and ends with exit code 0, or 1 when one of them is broken. */
#include "firmware/console.h"
#include "firmware/csr.h"
#include "isa/error.h"

static uint32_t zeros[64];
static uint32_t answer = 6;

int main(void) {
  uint32_t sum = 0;
  for (unsigned i = 0; i < sizeof zeros / sizeof zeros[0]; ++i) {
    sum |= ((volatile uint32_t *)zeros)[i];
  }
  *(volatile uint32_t *)&answer *= 7;
  const uint64_t before = tpu_mcycle();
  const uint64_t wide = (uint64_t) * (volatile uint32_t *)&answer * UINT64_C(10000000000) / 7U;
  char line[96];
  struct tpu_text t = tpu_text_on(line, sizeof line);
  tpu_text_format(&t, "hello from the core: %u, %U\n", answer, wide);
  tpu_console_write(line);
  return sum == 0 && answer == 42 && wide == UINT64_C(60000000000) && tpu_mcycle() > before ? 0 : 1;
}
