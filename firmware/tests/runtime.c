/* SPDX-License-Identifier: Apache-2.0 */
/* The run-time's own promises: memset and memcpy at every alignment, the arena, and that an
 * interrupt changes no register. Needs an accelerator that can be started, as the interrupt's
 * source. Prints what is broken; exit code 0 when nothing is. */
#include "firmware/arena.h"
#include "firmware/console.h"
#include "firmware/csr.h"
#include "firmware/tpu_driver.h"

void *memset(void *to, int value, size_t bytes);
void *memcpy(void *restrict to, const void *restrict from, size_t bytes);

enum { AREA = 48, MAX_BYTES = 20, MAX_ALIGN = 5 };

static int broken(const char *what) {
  tpu_console_write("runtime: ");
  tpu_console_write(what);
  tpu_console_write("\n");
  return 1;
}

static uint8_t source_byte(unsigned i) { return (uint8_t)(0x80U + 7U * i); }

/* Does area hold what(i) in [at, at + bytes) and 0x5a elsewhere? */
static int holds(const uint8_t *area, unsigned at, unsigned bytes, unsigned from, int copied) {
  for (unsigned i = 0; i < AREA; ++i) {
    const int inside = i >= at && i < at + bytes;
    const uint8_t want = inside ? (copied ? source_byte(i - at + from) : 0xc3) : 0x5a;
    if (((volatile const uint8_t *)area)[i] != want) {
      return 0;
    }
  }
  return 1;
}

static int check_memory(void) {
  uint8_t source[AREA];
  uint8_t area[AREA];
  for (unsigned i = 0; i < AREA; ++i) {
    source[i] = source_byte(i);
  }
  for (unsigned bytes = 0; bytes <= MAX_BYTES; ++bytes) {
    for (unsigned at = 0; at < MAX_ALIGN; ++at) {
      for (unsigned from = 0; from < MAX_ALIGN; ++from) {
        for (unsigned i = 0; i < AREA; ++i) {
          ((volatile uint8_t *)area)[i] = 0x5a;
        }
        if (memcpy(area + at, source + from, bytes) != area + at ||
            !holds(area, at, bytes, from, 1)) {
          return broken("memcpy");
        }
      }
      for (unsigned i = 0; i < AREA; ++i) {
        ((volatile uint8_t *)area)[i] = 0x5a;
      }
      if (memset(area + at, 0x1c3, bytes) != area + at || !holds(area, at, bytes, 0, 0)) {
        return broken("memset");
      }
    }
  }
  return 0;
}

static int check_arena(void) {
  struct tpu_arena arena = tpu_arena_whole();
  const size_t whole = (size_t)(arena.end - arena.next);
  uint8_t *a = tpu_arena_take(&arena, 1);
  uint8_t *b = tpu_arena_take(&arena, 65);
  uint8_t *c = tpu_arena_take(&arena, 0);
  if (a == NULL || (uintptr_t)a % 64 != 0 || b != a + 64 || c != b + 128) {
    return broken("arena alignment");
  }
  if (tpu_arena_take(&arena, whole) != NULL || tpu_arena_take(&arena, SIZE_MAX) != NULL ||
      tpu_arena_take(&arena, whole - 192) == NULL || tpu_arena_take(&arena, 1) != NULL) {
    return broken("arena limits");
  }
  return 0;
}

/* Fills every register an interrupted function may count on, spins until the interrupt has been
 * taken, and returns how many of them changed. */
static uint32_t registers_changed(volatile const uint32_t *interrupts) {
  uint32_t changed;
  __asm__ volatile("li ra, 0x101\n li t1, 0x102\n li t2, 0x103\n li t3, 0x104\n li t4, 0x105\n"
                   "li t5, 0x106\n li t6, 0x107\n li a0, 0x108\n li a1, 0x109\n li a2, 0x10a\n"
                   "li a3, 0x10b\n li a4, 0x10c\n li a5, 0x10d\n li a6, 0x10e\n li a7, 0x10f\n"
                   "mv s2, %1\n"
                   "1: lw t0, 0(s2)\n beqz t0, 1b\n"
                   "li s3, 0\n"
#define COMPARE(name, value) "addi s4, " #name ", -" #value "\n snez s4, s4\n add s3, s3, s4\n"
                   COMPARE(ra, 0x101) COMPARE(t1, 0x102) COMPARE(t2, 0x103) COMPARE(t3, 0x104)
                       COMPARE(t4, 0x105) COMPARE(t5, 0x106) COMPARE(t6, 0x107) COMPARE(a0, 0x108)
                           COMPARE(a1, 0x109) COMPARE(a2, 0x10a) COMPARE(a3, 0x10b)
                               COMPARE(a4, 0x10c) COMPARE(a5, 0x10d) COMPARE(a6, 0x10e)
                                   COMPARE(a7, 0x10f)
#undef COMPARE
                                       "mv %0, s3\n"
                   : "=&r"(changed)
                   : "r"(interrupts)
                   : "memory", "ra", "t0", "t1", "t2", "t3", "t4", "t5", "t6", "a0", "a1", "a2",
                     "a3", "a4", "a5", "a6", "a7", "s2", "s3", "s4");
  return changed;
}

static int check_interrupt(void) {
  struct tpu_device device;
  struct tpu_error e;
  struct tpu_completion done;
  if (!tpu_probe(&device, TPU_ACCELERATOR_BASE, &e)) {
    return broken(e.text);
  }
  /* Null bases: the hardware refuses the start, and says so by interrupt. */
  if (!tpu_start(&device, &(struct tpu_job){0}, &e)) {
    return broken(e.text);
  }
  if (registers_changed(&device.interrupts) != 0) {
    return broken("an interrupt changed a register");
  }
  tpu_wait(&device, &done);
  if (device.interrupts != 1 || done.error != TPU_HW_ERROR_BAD_BASE) {
    return broken("a refused start must interrupt once and end with BAD_BASE");
  }
  return 0;
}

int main(void) {
  const int bad = check_memory() + check_arena() + check_interrupt();
  tpu_console_write(bad == 0 ? "runtime: sound\n" : "runtime: broken\n");
  return bad == 0 ? TPU_EXIT_PASS : TPU_EXIT_VERDICT;
}
