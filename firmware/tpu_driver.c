/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/tpu_driver.h"

#include "firmware/csr.h"
#include "firmware/mmio.h"

static uint32_t read_register(const struct tpu_device *d, uint32_t offset) {
  return tpu_mmio_read(d->base + offset);
}

static void write_register(const struct tpu_device *d, uint32_t offset, uint32_t value) {
  tpu_mmio_write(d->base + offset, value);
}

/* High, low, high again: the low word may carry between two reads of a running counter. */
static uint64_t read_wide(const struct tpu_device *d, uint32_t offset) {
  uint32_t high;
  uint32_t low;
  do {
    high = read_register(d, offset + 4);
    low = read_register(d, offset);
  } while (high != read_register(d, offset + 4));
  return ((uint64_t)high << 32) | low;
}

/* The sentence, then a value in hexadecimal. */
static int fail_with(struct tpu_error *e, const char *sentence, uint32_t value) {
  struct tpu_text t = tpu_text_on(e->text, sizeof e->text);
  e->code = TPU_ERR_USE;
  tpu_text_str(&t, sentence);
  tpu_text_str(&t, " ");
  tpu_text_hex(&t, value, 8);
  return 0;
}

int tpu_probe(struct tpu_device *d, uintptr_t base, struct tpu_error *e) {
  *d = (struct tpu_device){.base = base};
  const uint32_t id = read_register(d, TPU_REG_ID);
  if (id != TPU_REG_ID_VALUE) {
    return fail_with(e, "no accelerator: its ID register should hold 0x55505454 and reads", id);
  }
  const uint32_t version = read_register(d, TPU_REG_VERSION);
  if (version >> 16 != TPU_REG_VERSION_VALUE >> 16) {
    return fail_with(e, "this driver knows major version 1 of the register map, not", version);
  }
  const struct tpu_params read = {
      .t = read_register(d, TPU_REG_T),
      .maxdim = read_register(d, TPU_REG_MAXDIM),
      .qd = read_register(d, TPU_REG_QD),
      .dma_words = read_register(d, TPU_REG_DMA_WORDS),
      .spad_rows = read_register(d, TPU_REG_SPAD_ROWS),
      .nvr = read_register(d, TPU_REG_NVR),
      .nar = read_register(d, TPU_REG_NAR),
      .imem_size = read_register(d, TPU_REG_IMEM_SIZE),
  };
  if (read.spad_rows == 0 || read.nvr == 0 || read.nar == 0 || read.imem_size == 0) {
    return tpu_fail(e, TPU_ERR_RANGE, "a memory size register reads 0");
  }
  d->params = read;
  return tpu_params_resolve(&d->params, e);
}

size_t tpu_load_bytes(uint32_t instructions) {
  return TPU_HEADER_WORDS * sizeof(uint64_t) + (size_t)instructions * sizeof(struct tpu_word);
}

int tpu_load(void *image, size_t bytes, const uint64_t header[TPU_HEADER_WORDS],
             const struct tpu_word *words, uint32_t count, struct tpu_error *e) {
  if ((uintptr_t)image % sizeof(uint64_t) != 0) {
    return fail_with(e, "the program address must be 8-byte aligned", (uint32_t)(uintptr_t)image);
  }
  if (bytes < tpu_load_bytes(count)) {
    return tpu_fail(e, TPU_ERR_CAPACITY, "%u instructions need %u bytes, %u are given", count,
                    (uint32_t)tpu_load_bytes(count), (uint32_t)bytes);
  }
  uint64_t *to = image;
  for (uint32_t i = 0; i < TPU_HEADER_WORDS; ++i) {
    to[i] = header[i];
  }
  struct tpu_word *body = (struct tpu_word *)(to + TPU_HEADER_WORDS);
  if (body != words) {
    for (uint32_t i = 0; i < count; ++i) {
      body[i] = words[i];
    }
  }
  return 1;
}

static void acknowledge(void *context) {
  struct tpu_device *d = context;
  write_register(d, TPU_REG_IRQ_STATUS, TPU_IRQ_DONE);
  d->interrupts = d->interrupts + 1;
}

int tpu_start(struct tpu_device *d, const struct tpu_job *job, struct tpu_error *e) {
  if ((read_register(d, TPU_REG_STATUS) & TPU_STATUS_BUSY) != 0) {
    return tpu_fail(e, TPU_ERR_USE, "the accelerator is busy");
  }
  write_register(d, TPU_REG_BASE_PROGRAM, (uint32_t)(uintptr_t)job->program);
  write_register(d, TPU_REG_BASE_A, (uint32_t)(uintptr_t)job->a);
  write_register(d, TPU_REG_BASE_B, (uint32_t)(uintptr_t)job->b);
  write_register(d, TPU_REG_BASE_C, (uint32_t)(uintptr_t)job->c);
  write_register(d, TPU_REG_IRQ_STATUS, TPU_IRQ_DONE);
  write_register(d, TPU_REG_IRQ_ENABLE, TPU_IRQ_DONE);
  d->interrupt = (struct tpu_interrupt){acknowledge, d};
  tpu_interrupt_attach(&d->interrupt);
  tpu_fence(); /* operands and program reach DRAM before the start does */
  write_register(d, TPU_REG_CONTROL, TPU_CONTROL_START);
  return 1;
}

void tpu_wait(struct tpu_device *d, struct tpu_completion *out) {
  /* With interrupts shut, nothing can happen between the look at STATUS and the sleep: an
   * interrupt that comes in between stays pending and wfi returns at once. It is taken where the
   * interrupts are let in again. */
  for (;;) {
    TPU_CSR_CLEAR(mstatus, TPU_MSTATUS_MIE);
    out->status = read_register(d, TPU_REG_STATUS);
    if ((out->status & TPU_STATUS_BUSY) == 0) {
      break;
    }
    tpu_wfi();
    TPU_CSR_SET(mstatus, TPU_MSTATUS_MIE);
  }
  write_register(d, TPU_REG_IRQ_ENABLE, 0);
  write_register(d, TPU_REG_IRQ_STATUS, TPU_IRQ_DONE);
  tpu_interrupt_detach();
  tpu_fence(); /* C is read after this */
  out->error = (out->status & TPU_STATUS_ERROR) != 0
                   ? (out->status >> TPU_STATUS_CODE_SHIFT) & 0xffU
                   : (uint32_t)TPU_HW_ERROR_NONE;
  out->error_info = read_register(d, TPU_REG_ERROR_INFO);
  out->cycles = tpu_read_cycles(d);
}

uint64_t tpu_read_counter(const struct tpu_device *d, enum tpu_unit unit,
                          enum tpu_counter counter) {
  return read_wide(d, TPU_REG_COUNTERS + (uint32_t)unit * TPU_REG_UNIT_STRIDE +
                          (uint32_t)counter * (uint32_t)sizeof(uint64_t));
}

uint64_t tpu_read_cycles(const struct tpu_device *d) { return read_wide(d, TPU_REG_CYCLES_LO); }

const char *tpu_hw_error_name(uint32_t code) {
  switch (code) {
#define TPU_NAME(id, number, text)                                                                 \
  case number:                                                                                     \
    return #id;
    TPU_HW_ERRORS(TPU_NAME)
#undef TPU_NAME
  default:
    return "UNKNOWN";
  }
}

const char *tpu_hw_error_text(uint32_t code) {
  switch (code) {
#define TPU_TEXT(id, number, text)                                                                 \
  case number:                                                                                     \
    return text;
    TPU_HW_ERRORS(TPU_TEXT)
#undef TPU_TEXT
  default:
    return "an error code this driver does not know";
  }
}
