/* SPDX-License-Identifier: Apache-2.0 */
/* An image of one's own: C = A * B on one tile, from nothing but the driver and the program
 * builder. Runs on every configuration; the shapes come from the probed parameters. */
#include "firmware/arena.h"
#include "firmware/console.h"
#include "firmware/tpu_driver.h"
#include "isa/header.h"
#include "isa/program.h"

static int complain(const struct tpu_error *e) {
  tpu_console_write("minimal: ");
  tpu_console_write(e->text);
  tpu_console_write("\n");
  return 1;
}

/* One T x T tile: load both operands, multiply, store. */
static int build(struct tpu_program *program, uint32_t t, struct tpu_error *e) {
  struct tpu_builder b;
  tpu_builder_begin(&b, program);
  tpu_build_dma_ld(&b, TPU_DMA_DEST_VR, tpu_at(0), tpu_at(0), tpu_at(0), t);
  tpu_build_dma_ld(&b, TPU_DMA_SOURCE_B, tpu_at(0), tpu_at(0), tpu_at(0), t);
  tpu_build_mm(&b, tpu_at(0), tpu_at(0), 0, tpu_at(0), t);
  tpu_build_mvout(&b, tpu_at(0), tpu_at(0), tpu_at(0), t);
  return tpu_builder_end(&b, e);
}

static int count(const struct tpu_params *p, const struct tpu_program *program,
                 uint64_t header[TPU_HEADER_WORDS], struct tpu_error *e) {
  struct tpu_insn insn[4];
  struct tpu_code code = {.insn = insn, .capacity = 4};
  struct tpu_counts counts;
  return tpu_decode_program(program, &code, NULL, NULL, e) &&
         tpu_counts_of(p, &code, &counts, NULL, NULL, e) && tpu_header_pack(&counts, header);
}

int main(void) {
  struct tpu_device device;
  struct tpu_error e = {0};
  if (!tpu_probe(&device, TPU_ACCELERATOR_BASE, &e)) {
    return complain(&e);
  }
  const uint32_t t = device.params.t;
  const uint32_t maxdim = device.params.maxdim;
  struct tpu_arena arena = tpu_arena_whole();
  int8_t *a = tpu_arena_take(&arena, (size_t)maxdim * maxdim);
  int8_t *b = tpu_arena_take(&arena, (size_t)maxdim * maxdim);
  int8_t *c = tpu_arena_take(&arena, (size_t)maxdim * maxdim);
  if (a == NULL || b == NULL || c == NULL) {
    tpu_fail(&e, TPU_ERR_CAPACITY, "no room for three images");
    return complain(&e);
  }
  for (uint32_t row = 0; row < t; ++row) {
    for (uint32_t col = 0; col < t; ++col) {
      a[row * maxdim + col] = (int8_t)(row + 1);
      b[row * maxdim + col] = (int8_t)(row == col ? 1 : 0); /* so that C must equal A */
      c[row * maxdim + col] = 0;
    }
  }
  struct tpu_word words[4];
  struct tpu_program program = {.words = words, .capacity = 4};
  uint64_t header[TPU_HEADER_WORDS];
  uint64_t image[TPU_HEADER_WORDS + 2 * 4];
  struct tpu_completion done;
  if (!build(&program, t, &e) || !count(&device.params, &program, header, &e) ||
      !tpu_load(image, sizeof image, header, program.words, program.count, &e) ||
      !tpu_start(&device, &(struct tpu_job){.program = image, .a = a, .b = b, .c = c}, &e)) {
    return complain(&e);
  }
  tpu_wait(&device, &done);
  uint32_t wrong = 0;
  for (uint32_t row = 0; row < t; ++row) {
    for (uint32_t col = 0; col < t; ++col) {
      wrong += c[row * maxdim + col] != a[row * maxdim + col];
    }
  }
  char line[200];
  struct tpu_text text = tpu_text_on(line, sizeof line);
  tpu_text_format(&text, "minimal: %s, %u bytes wrong, %U accelerator cycles\n",
                  tpu_hw_error_name(done.error), wrong, done.cycles);
  tpu_console_write(line);
  return done.error == TPU_HW_ERROR_NONE && wrong == 0 ? 0 : 1;
}
