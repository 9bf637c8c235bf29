/* SPDX-License-Identifier: Apache-2.0 */
/* The accelerator's driver. The order of calls: tpu_probe once; then for every run tpu_load,
 * tpu_start, tpu_wait, and the counters as long as no other run has started.
 *
 *   struct tpu_device device;
 *   tpu_probe(&device, TPU_ACCELERATOR_BASE, &error);
 *   ... lay A, B, C out with device.params.maxdim bytes a row, encode a program ...
 *   tpu_load(image, sizeof image, header, program.words, program.count, &error);
 *   tpu_start(&device, &(struct tpu_job){.program = image, .a = a, .b = b, .c = c}, &error);
 *   tpu_wait(&device, &completion);
 *
 * Functions returning int return 1, or 0 with the sentence in *e. See examples/minimal.c. */
#ifndef TPU_FIRMWARE_TPU_DRIVER_H
#define TPU_FIRMWARE_TPU_DRIVER_H

#include "firmware/trap.h"
#include "isa/encoding.h"
#include "isa/params.h"
#include "platform/hw/memory_map.h"
#include "platform/hw/registers.h"

/* One accelerator. Must stay where it is from tpu_start to the return of tpu_wait. */
struct tpu_device {
  uintptr_t base; /* bus address of its registers */
  struct tpu_params params;
  struct tpu_interrupt interrupt;
  volatile uint32_t interrupts; /* taken so far */
};

/* Addresses of one run; program 8-byte aligned, the images 4-byte aligned. */
struct tpu_job {
  const void *program; /* as tpu_load wrote it */
  const int8_t *a, *b; /* MAXDIM * MAXDIM bytes each, row-major */
  int8_t *c;
};

/* How a run ended. */
struct tpu_completion {
  uint32_t status;     /* the STATUS register */
  uint32_t error;      /* enum tpu_hw_error; TPU_HW_ERROR_NONE when the run completed */
  uint32_t error_info; /* ERROR_INFO: instruction number or bus address, by error code */
  uint64_t cycles;     /* accelerator cycles from start to done or to the error */
};

/* Finds out whether this driver's accelerator is at base and reads its configuration. Fails on a
 * foreign ID, another major register map version, or a configuration outside the rules. */
int tpu_probe(struct tpu_device *d, uintptr_t base, struct tpu_error *e);

/* Bytes of a program in DRAM: header, then two 64-bit words an instruction. */
size_t tpu_load_bytes(uint32_t instructions);

/* Writes a program as the accelerator fetches it. image: 8-byte aligned, at least
 * tpu_load_bytes(count) bytes, else refused; words may already lie in place (at image + 64) and
 * are not copied then. Whether header and program agree, and fit the instruction memory, is the
 * hardware's to judge. */
int tpu_load(void *image, size_t bytes, const uint64_t header[TPU_HEADER_WORDS],
             const struct tpu_word *words, uint32_t count, struct tpu_error *e);

/* Programs the base addresses and starts. Fails only when a run is going on: a start that the
 * hardware refuses is a completion with its error code. */
int tpu_start(struct tpu_device *d, const struct tpu_job *job, struct tpu_error *e);

/* Sleeps until the run is done or in error; the core runs nothing but the interrupt handler. */
void tpu_wait(struct tpu_device *d, struct tpu_completion *out);

/* The counter of a unit (enum tpu_unit, enum tpu_counter), and the cycle counter; never torn. */
uint64_t tpu_read_counter(const struct tpu_device *d, enum tpu_unit unit, enum tpu_counter counter);
uint64_t tpu_read_cycles(const struct tpu_device *d);

/* The name and the sentence of an error code; "UNKNOWN" and a sentence saying so for others. */
const char *tpu_hw_error_name(uint32_t code);
const char *tpu_hw_error_text(uint32_t code);

#endif
