/* SPDX-License-Identifier: Apache-2.0 */
/* Starts one GEMM many times: what the accelerator does between start and interrupt dominates, the
 * core sleeps meanwhile, and the mapping is made once. See order.h. */
#include "firmware/arena.h"
#include "firmware/bench/order.h"
#include "firmware/console.h"
#include "firmware/tpu_driver.h"
#include "isa/header.h"
#include "isa/mapper.h"
#include "isa/random.h"

/* Everything a start needs. */
struct prepared {
  struct tpu_device device;
  int8_t *image[3];
  void *program;
};

static int complain(const struct tpu_error *e) {
  tpu_console_write("repeat: ");
  tpu_console_write(e->text);
  tpu_console_write("\n");
  return TPU_EXIT_SETUP;
}

static struct tpu_workload gemm(uint32_t edge) {
  return (struct tpu_workload){
      .name = "repeat",
      .indices = 3,
      .index = {{'m', edge}, {'k', edge}, {'n', edge}},
      .inputs = 2,
      .input = {{.subscript = "mk", .buffer = TPU_BUFFER_A},
                {.subscript = "kn", .buffer = TPU_BUFFER_B}},
      .output = {.subscript = "mn", .buffer = TPU_BUFFER_C},
  };
}

/* Values so small that few sums saturate: a wrong product must show. C starts as garbage. */
static int lay_out(struct prepared *p, struct tpu_arena *arena, struct tpu_error *e) {
  const size_t bytes = (size_t)p->device.params.maxdim * p->device.params.maxdim;
  struct tpu_random random = tpu_random_seeded(1);
  for (unsigned buffer = 0; buffer < 3; ++buffer) {
    p->image[buffer] = tpu_arena_take(arena, bytes);
    if (p->image[buffer] == NULL) {
      return tpu_fail(e, TPU_ERR_CAPACITY, "no room for three images");
    }
    for (size_t i = 0; i < bytes; ++i) {
      p->image[buffer][i] = (int8_t)((int32_t)(tpu_random_next(&random) >> 29) - 4);
    }
  }
  return 1;
}

static int map(struct prepared *p, uint32_t edge, struct tpu_arena *arena, struct tpu_error *e) {
  const struct tpu_params *params = &p->device.params;
  const struct tpu_workload w = gemm(edge);
  const uint32_t capacity = tpu_program_capacity(params);
  p->program = tpu_arena_take(arena, tpu_load_bytes(capacity));
  struct tpu_code code = {.insn = tpu_arena_take(arena, (size_t)capacity * sizeof(struct tpu_insn)),
                          .capacity = capacity};
  if (p->program == NULL || code.insn == NULL) {
    return tpu_fail(e, TPU_ERR_CAPACITY, "no room for a program of %u instructions", capacity);
  }
  struct tpu_program program = {.words =
                                    (struct tpu_word *)((uint64_t *)p->program + TPU_HEADER_WORDS),
                                .capacity = capacity};
  struct tpu_counts counts;
  uint64_t header[TPU_HEADER_WORDS];
  if (!tpu_workload_fits(params, &w, e) || !tpu_workload_satisfiable(params, &w, e) ||
      !tpu_map_baseline(params, &w, &program, e) ||
      !tpu_decode_program(&program, &code, NULL, NULL, e) ||
      !tpu_counts_of(params, &code, &counts, NULL, NULL, e)) {
    return 0;
  }
  if (!tpu_header_pack(&counts, header)) {
    return tpu_fail(e, TPU_ERR_RANGE, "the program's work does not fit the header counts");
  }
  return tpu_load(p->program, tpu_load_bytes(program.count), header, program.words, program.count,
                  e);
}

int main(void) {
  struct bench_repeat *order =
      (struct bench_repeat *)TPU_PAYLOAD_BASE; /* NOLINT(performance-no-int-to-ptr) */
  struct prepared p = {0};
  struct tpu_error e = {0};
  struct tpu_arena arena = tpu_arena_whole();
  if (order->magic != BENCH_REPEAT_MAGIC || order->starts == 0) {
    tpu_fail(&e, TPU_ERR_USE, "nothing ordered at the payload's place: see order.h");
    return complain(&e);
  }
  if (!tpu_probe(&p.device, TPU_ACCELERATOR_BASE, &e) || !lay_out(&p, &arena, &e) ||
      !map(&p, order->edge, &arena, &e)) {
    return complain(&e);
  }
  const struct tpu_job job = {p.program, p.image[0], p.image[1], p.image[2]};
  struct tpu_completion run = {0};
  for (uint32_t i = 0; i < order->starts && run.error == TPU_HW_ERROR_NONE; ++i) {
    if (!tpu_start(&p.device, &job, &e)) {
      return complain(&e);
    }
    tpu_wait(&p.device, &run);
    order->cycles += run.cycles;
    order->done += run.error == TPU_HW_ERROR_NONE;
  }
  for (unsigned buffer = 0; buffer < 3; ++buffer) {
    order->address[buffer] = (uint32_t)(uintptr_t)p.image[buffer];
  }
  order->hw_error = run.error;
  char line[120];
  struct tpu_text text = tpu_text_on(line, sizeof line);
  tpu_text_format(&text, "repeat: %s, %u of %u runs, %U accelerator cycles\n",
                  tpu_hw_error_name(run.error), order->done, order->starts, order->cycles);
  tpu_console_write(line);
  return run.error == TPU_HW_ERROR_NONE ? TPU_EXIT_PASS : TPU_EXIT_VERDICT;
}
