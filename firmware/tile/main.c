/* SPDX-License-Identifier: Apache-2.0 */
/* The tiling application: a GEMM beyond the images of the accelerator, one program a tile of C.
 * The packed images of one operand are kept and those of the other made one at a time, so that
 * every byte of A and B is packed once. */
#include "firmware/arena.h"
#include "firmware/console.h"
#include "firmware/csr.h"
#include "firmware/tile/payload.h"
#include "firmware/tpu_driver.h"

/* One run of the application; lives in main. */
struct tile_run {
  const struct tpu_tile_payload *payload;
  struct tpu_tile_result *result;
  struct tpu_arena arena;
  struct tpu_device device;
  const int8_t *a, *b; /* dense */
  int8_t *c;
  int8_t *kept; /* packed images of one operand, one after the other */
  int8_t *turn; /* the other's, one at a time */
  int8_t *tile; /* image C */
  struct tpu_error why;
  uint64_t since; /* cycle of the last lap */
};

static int end(struct tile_run *run, enum tpu_outcome outcome) {
  run->result->outcome = outcome;
  return 0;
}

/* Adds the cycles since the last lap to a part of the run. */
static void lap(struct tile_run *run, uint64_t *part) {
  const uint64_t now = tpu_mcycle();
  *part += now - run->since;
  run->since = now;
}

static void *take(struct tile_run *run, size_t bytes, const char *what) {
  void *taken = tpu_arena_take(&run->arena, bytes);
  if (taken == NULL) {
    tpu_fail(&run->why, TPU_ERR_CAPACITY, "no room in DRAM for %u bytes of %s", (uint32_t)bytes,
             what);
    end(run, TPU_OUTCOME_REFUSED);
  }
  return taken;
}

/* --- programs ----------------------------------------------------------------------------------*/

static int make_program(struct tile_run *run, uint32_t rows, uint32_t blocks) {
  struct tpu_tile_result *r = run->result;
  const struct tpu_params *params = &run->device.params;
  const uint32_t capacity = tpu_program_capacity(params);
  const size_t bytes = tpu_load_bytes(capacity);
  uint64_t *image = take(run, bytes, "a program");
  if (image == NULL) {
    return 0;
  }
  struct tpu_program program = {.words = (struct tpu_word *)(image + TPU_HEADER_WORDS),
                                .capacity = capacity};
  struct tpu_counts counts;
  uint64_t header[TPU_HEADER_WORDS];
  if (!tpu_tile_map(params, &r->plan, rows, blocks, &program, &counts, &run->why) ||
      !tpu_header_pack(&counts, header) ||
      !tpu_load(image, bytes, header, program.words, program.count, &run->why)) {
    return end(run, TPU_OUTCOME_REFUSED);
  }
  r->program[r->programs++] = (struct tpu_tile_ran){.rows = rows,
                                                    .blocks = blocks,
                                                    .address = (uint32_t)(uintptr_t)image,
                                                    .instructions = program.count,
                                                    .least = UINT64_MAX};
  return 1;
}

static struct tpu_tile_ran *find_program(struct tpu_tile_result *r, uint32_t rows,
                                         uint32_t blocks) {
  for (uint32_t i = 0; i < r->programs; ++i) {
    if (r->program[i].rows == rows && r->program[i].blocks == blocks) {
      return &r->program[i];
    }
  }
  return NULL;
}

/* The program of every shape of tile: the first and the last of each direction have them all. */
static int make_programs(struct tile_run *run) {
  struct tpu_tile_result *r = run->result;
  const struct tpu_tile_plan *plan = &r->plan;
  const uint32_t rows[2] = {tpu_tile_rows(plan, 0), tpu_tile_rows(plan, plan->row_tiles - 1)};
  const uint32_t blocks[2] = {tpu_tile_blocks(&run->device.params, plan, 0),
                              tpu_tile_blocks(&run->device.params, plan, plan->col_tiles - 1)};
  for (unsigned i = 0; i < TPU_TILE_MAX_PROGRAMS; ++i) {
    const uint32_t of_rows = rows[i % 2];
    const uint32_t of_blocks = blocks[i / 2];
    if (find_program(r, of_rows, of_blocks) == NULL && !make_program(run, of_rows, of_blocks)) {
      return 0;
    }
  }
  return 1;
}

/* --- tiles -------------------------------------------------------------------------------------*/

static void pack(struct tile_run *run, int of_b, uint32_t tile, int8_t *image) {
  const struct tpu_params *params = &run->device.params;
  const struct tpu_tile_plan *plan = &run->result->plan;
  if (of_b) {
    tpu_tile_pack_b(params, plan, run->b, tile, image);
    lap(run, &run->result->pack_b);
  } else {
    tpu_tile_pack_a(params, plan, run->a, tile, image);
    lap(run, &run->result->pack_a);
  }
}

/* What became of a run, and its cycles. */
static int collect(struct tile_run *run, struct tpu_tile_ran *program,
                   const struct tpu_completion *completion) {
  struct tpu_tile_result *r = run->result;
  if (completion->error != TPU_HW_ERROR_NONE) {
    r->hw_error = completion->error;
    r->hw_error_info = completion->error_info;
    tpu_fail(&run->why, TPU_ERR_USE, "hardware error %u %s (%s) in the tile at row %u column %u",
             completion->error, tpu_hw_error_name(completion->error),
             tpu_hw_error_text(completion->error), r->row_tile * r->plan.rows,
             r->col_tile * r->plan.blocks * run->device.params.t);
    return end(run, completion->error == TPU_HW_ERROR_DEADLOCK ? TPU_OUTCOME_DEADLOCK
                                                               : TPU_OUTCOME_ERROR);
  }
  ++program->runs;
  program->cycles += completion->cycles;
  program->least = completion->cycles < program->least ? completion->cycles : program->least;
  program->most = completion->cycles > program->most ? completion->cycles : program->most;
  r->macs += tpu_read_counter(&run->device, TPU_UNIT_PE, TPU_COUNTER_DONE);
  return 1;
}

static int compute(struct tile_run *run, const int8_t *a, const int8_t *b) {
  struct tpu_tile_result *r = run->result;
  const struct tpu_params *params = &run->device.params;
  struct tpu_tile_ran *program = find_program(r, tpu_tile_rows(&r->plan, r->row_tile),
                                              tpu_tile_blocks(params, &r->plan, r->col_tile));
  const struct tpu_job job = {(const void *)(uintptr_t)program->address, a, b, run->tile};
  struct tpu_completion completion;
  lap(run, &(uint64_t){0});
  if (!tpu_start(&run->device, &job, &run->why)) {
    return end(run, TPU_OUTCOME_SETUP);
  }
  lap(run, &r->start);
  tpu_wait(&run->device, &completion);
  lap(run, &r->wait);
  if (!collect(run, program, &completion)) {
    return 0;
  }
  lap(run, &(uint64_t){0});
  tpu_tile_unpack(params, &r->plan, run->tile, r->row_tile, r->col_tile, run->c);
  lap(run, &r->unpack);
  return 1;
}

static int compute_all(struct tile_run *run) {
  struct tpu_tile_result *r = run->result;
  const struct tpu_tile_plan *plan = &r->plan;
  const int keep_b = plan->keep_b != 0;
  const uint32_t kept_tiles = keep_b ? plan->col_tiles : plan->row_tiles;
  const uint32_t turns = keep_b ? plan->row_tiles : plan->col_tiles;
  const uint32_t kept_bytes = keep_b ? plan->b_bytes : plan->a_bytes;
  for (uint32_t i = 0; i < kept_tiles; ++i) {
    pack(run, keep_b, i, run->kept + (size_t)i * kept_bytes);
  }
  for (uint32_t turn = 0; turn < turns; ++turn) {
    pack(run, !keep_b, turn, run->turn);
    for (uint32_t i = 0; i < kept_tiles; ++i) {
      const int8_t *kept = run->kept + (size_t)i * kept_bytes;
      r->row_tile = keep_b ? turn : i;
      r->col_tile = keep_b ? i : turn;
      if (!compute(run, keep_b ? run->turn : kept, keep_b ? kept : run->turn)) {
        return 0;
      }
    }
  }
  return 1;
}

static int make_room(struct tile_run *run) {
  const struct tpu_params *params = &run->device.params;
  const struct tpu_tile_plan *plan = &run->result->plan;
  const size_t kept = plan->keep_b != 0 ? (size_t)plan->col_tiles * plan->b_bytes
                                        : (size_t)plan->row_tiles * plan->a_bytes;
  run->kept = take(run, kept, "packed operands");
  run->turn = take(run, plan->keep_b != 0 ? plan->a_bytes : plan->b_bytes, "a packed operand");
  run->tile = take(run, (size_t)plan->rows * params->maxdim, "a tile of C");
  return run->kept != NULL && run->turn != NULL && run->tile != NULL;
}

static int drive(struct tile_run *run) {
  const struct tpu_tile_payload *p = run->payload;
  struct tpu_tile_result *r = run->result;
  if (!tpu_probe(&run->device, TPU_ACCELERATOR_BASE, &run->why)) {
    return end(run, TPU_OUTCOME_SETUP);
  }
  r->params = run->device.params;
  if (!tpu_tile_cut(&run->device.params, p->m, p->k, p->n, &r->plan, &run->why)) {
    return end(run, TPU_OUTCOME_REFUSED);
  }
  if (!make_room(run) || !make_programs(run)) {
    return 0;
  }
  lap(run, &r->map);
  return compute_all(run) && (end(run, TPU_OUTCOME_COMPLETED), 1);
}

static int report(struct tile_run *run) {
  struct tpu_tile_result *r = run->result;
  struct tpu_text t = tpu_text_on(r->line, sizeof r->line);
  uint64_t cycles = 0;
  uint32_t runs = 0;
  for (uint32_t i = 0; i < r->programs; ++i) {
    cycles += r->program[i].cycles;
    runs += r->program[i].runs;
  }
  if (r->outcome == TPU_OUTCOME_SETUP) {
    tpu_text_format(&t, "tpu_tile: %s", tpu_outcome_name(r->outcome));
  } else { /* what C must be, only the host knows: no word of it here */
    tpu_text_format(&t, "tile %u x %u x %u: %s", run->payload->m, run->payload->k, run->payload->n,
                    r->outcome == TPU_OUTCOME_COMPLETED ? "completed"
                                                        : tpu_outcome_name(r->outcome));
  }
  if (run->why.text[0] != '\0') {
    tpu_text_format(&t, ", %s", run->why.text);
  }
  if (r->end_to_end != 0) {
    tpu_text_format(&t, ", %u tiles, accelerator %U cycles, end to end %U cycles", runs, cycles,
                    r->end_to_end);
  }
  tpu_console_write(r->line);
  tpu_console_write("\n");
  tpu_fence(); /* the magic says that all the rest stands */
  r->magic = TPU_TILE_RESULT_MAGIC;
  return r->outcome == TPU_OUTCOME_COMPLETED ? TPU_EXIT_PASS
         : r->outcome == TPU_OUTCOME_SETUP   ? TPU_EXIT_SETUP
                                             : TPU_EXIT_VERDICT;
}

int main(void) {
  uint8_t *base = (uint8_t *)TPU_PAYLOAD_BASE; /* NOLINT(performance-no-int-to-ptr) */
  struct tpu_tile_result *result =
      (struct tpu_tile_result *)TPU_RESULT_BASE; /* NOLINT(performance-no-int-to-ptr) */
  *result = (struct tpu_tile_result){.version = TPU_TILE_VERSION, .bytes = sizeof *result};
  struct tile_run run = {.payload = (const struct tpu_tile_payload *)base,
                         .result = result,
                         .arena = tpu_arena_whole()};
  if (!tpu_tile_payload_check(base, TPU_PAYLOAD_SIZE - TPU_RESULT_SIZE, &run.why)) {
    end(&run, TPU_OUTCOME_SETUP);
    return report(&run);
  }
  run.a = (const int8_t *)base + run.payload->a.offset;
  run.b = (const int8_t *)base + run.payload->b.offset;
  run.c = (int8_t *)base + run.payload->c.offset;
  const uint64_t begin = tpu_mcycle();
  run.since = begin;
  drive(&run);
  result->end_to_end = tpu_mcycle() - begin;
  return report(&run);
}
