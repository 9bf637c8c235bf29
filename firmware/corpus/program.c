/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/corpus/corpus.h"
#include "isa/header.h"
#include "isa/mapper.h"
#include "isa/rules.h"

static int out_of_room(struct corpus_run *run, const char *what, uint32_t count) {
  tpu_fail(&run->why, TPU_ERR_CAPACITY, "no room in DRAM for %s of %u instructions", what, count);
  return corpus_end(run, TPU_OUTCOME_REFUSED);
}

/* A header can be counted only from a program that decodes and whose loops nest. */
static int count_header(struct corpus_run *run, struct corpus_program *out) {
  const uint32_t n = out->program.count;
  struct tpu_code code = {.insn = tpu_arena_take(&run->arena, (size_t)n * sizeof(struct tpu_insn)),
                          .capacity = n};
  if (code.insn == NULL) {
    return out_of_room(run, "the decoded form", n);
  }
  int rule = TPU_RULE_NONE;
  uint32_t bad = 0;
  struct tpu_error e = {0};
  struct tpu_counts counts;
  if (!tpu_decode_program(&out->program, &code, &bad, &rule, &e) ||
      !tpu_check_loops(&code, &rule, &bad, &e) ||
      !tpu_counts_of(&run->device.params, &code, &counts, &rule, &bad, &e)) {
    tpu_fail(&run->why, e.code, "instruction %u breaks %s: %s", bad, tpu_rule_name(rule), e.text);
    return corpus_end(run, TPU_OUTCOME_REFUSED);
  }
  if (!tpu_header_pack(&counts, out->header)) {
    tpu_fail(&run->why, TPU_ERR_RANGE, "the program's work does not fit the header counts");
    return corpus_end(run, TPU_OUTCOME_REFUSED);
  }
  return 1;
}

static int take_room(struct corpus_run *run, struct corpus_program *out, uint32_t instructions) {
  out->bytes = tpu_load_bytes(instructions);
  out->image = tpu_arena_take(&run->arena, out->bytes);
  return out->image != NULL || out_of_room(run, "a program", instructions);
}

int corpus_make_program(struct corpus_run *run, struct corpus_program *out) {
  const struct tpu_payload *p = run->payload;
  struct tpu_program *program = &out->program;
  if (p->program.bytes == 0) {
    const uint32_t capacity = tpu_program_capacity(&run->device.params);
    if (!take_room(run, out, capacity)) {
      return 0;
    }
    *program = (struct tpu_program){
        .words = (struct tpu_word *)((uint64_t *)out->image + TPU_HEADER_WORDS),
        .capacity = capacity};
    if (!tpu_map_baseline(&run->device.params, &p->workload, program, &run->why)) {
      return corpus_end(run, TPU_OUTCOME_REFUSED);
    }
    return count_header(run, out);
  }
  const uint32_t count = p->program.bytes / (uint32_t)sizeof(struct tpu_word);
  if (!take_room(run, out, count)) {
    return 0;
  }
  /* Only ever read from here on. */
  *program =
      (struct tpu_program){.words = (struct tpu_word *)(uintptr_t)tpu_blob_data(p, p->program),
                           .capacity = count,
                           .count = count};
  const uint64_t *header = tpu_blob_data(p, p->header);
  if (header == NULL) {
    return count_header(run, out);
  }
  for (uint32_t i = 0; i < TPU_HEADER_WORDS; ++i) {
    out->header[i] = header[i];
  }
  return 1;
}
