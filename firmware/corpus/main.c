/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/console.h"
#include "firmware/corpus/corpus.h"
#include "firmware/csr.h"

int corpus_end(struct corpus_run *run, enum tpu_outcome outcome) {
  run->result->outcome = outcome;
  return 0;
}

static void read_counters(struct corpus_run *run) {
  for (unsigned u = 0; u < TPU_UNIT_COUNT; ++u) {
    for (unsigned c = 0; c < TPU_COUNTER_COUNT; ++c) {
      run->result->counter[u][c] =
          tpu_read_counter(&run->device, (enum tpu_unit)u, (enum tpu_counter)c);
    }
  }
}

/* The driver's window: what a caller pays whose operands lie in DRAM, from asking what the machine
 * is to having read its counters. */
static int drive(struct corpus_run *run) {
  struct tpu_result *r = run->result;
  struct corpus_program program;
  const uint64_t begin = tpu_mcycle();
  if (!tpu_probe(&run->device, TPU_ACCELERATOR_BASE, &run->why)) {
    return corpus_end(run, TPU_OUTCOME_SETUP);
  }
  const uint64_t probed = tpu_mcycle();
  if (!corpus_make_program(run, &program)) {
    return 0;
  }
  const uint64_t mapped = tpu_mcycle();
  if (!tpu_load(program.image, program.bytes, program.header, program.program.words,
                program.program.count, &run->why)) {
    return corpus_end(run, TPU_OUTCOME_REFUSED);
  }
  const uint64_t loaded = tpu_mcycle();
  const struct tpu_job job = {program.image, run->image[0], run->image[1], run->image[2]};
  if (!tpu_start(&run->device, &job, &run->why)) {
    return corpus_end(run, TPU_OUTCOME_SETUP);
  }
  tpu_wait(&run->device, &run->completion);
  const uint64_t waited = tpu_mcycle();
  read_counters(run);
  r->end_to_end = tpu_mcycle() - begin;
  r->map = mapped - probed;
  r->load = loaded - mapped;
  r->wait = waited - loaded;
  r->accelerator = run->completion.cycles;
  r->hw_status = run->completion.status;
  r->hw_error = run->completion.error;
  r->hw_error_info = run->completion.error_info;
  r->address_program = (uint32_t)(uintptr_t)program.image;
  r->instructions = program.program.count;
  return 1;
}

/* Errors of the hardware, and a header that promised other work than was done: completed or not,
 * such a run is none. */
static int completed(struct corpus_run *run) {
  const struct tpu_result *r = run->result;
  if (r->hw_error != TPU_HW_ERROR_NONE) {
    struct tpu_text t = tpu_text_on(run->why.text, sizeof run->why.text);
    tpu_text_format(&t, "hardware error %u %s (%s), info ", r->hw_error,
                    tpu_hw_error_name(r->hw_error), tpu_hw_error_text(r->hw_error));
    tpu_text_hex(&t, r->hw_error_info, 8);
    return corpus_end(run, r->hw_error == TPU_HW_ERROR_DEADLOCK ? TPU_OUTCOME_DEADLOCK
                                                                : TPU_OUTCOME_ERROR);
  }
  static const char *const units[] = {
#define UNIT_NAME(id, name) name,
      TPU_UNITS(UNIT_NAME)
#undef UNIT_NAME
  };
  for (unsigned u = 0; u < TPU_UNIT_COUNT; ++u) {
    const uint64_t promised = r->counter[u][TPU_COUNTER_PROMISED];
    const uint64_t done = r->counter[u][TPU_COUNTER_DONE];
    if (promised != done) {
      tpu_fail(&run->why, TPU_ERR_USE, "%s was promised %U and did %U", units[u], promised, done);
      return corpus_end(run, TPU_OUTCOME_ERROR);
    }
  }
  return 1;
}

static int prepare(struct corpus_run *run) {
  const struct tpu_payload *p = run->payload;
  if (!tpu_payload_check(p, TPU_PAYLOAD_SIZE - TPU_RESULT_SIZE, &run->why)) {
    run->payload = NULL;
    return corpus_end(run, TPU_OUTCOME_SETUP);
  }
  if (!tpu_probe(&run->device, TPU_ACCELERATOR_BASE, &run->why)) {
    return corpus_end(run, TPU_OUTCOME_SETUP);
  }
  const struct tpu_params *params = &run->device.params;
  run->result->params = *params;
  if ((p->t != 0 && p->t != params->t) || (p->maxdim != 0 && p->maxdim != params->maxdim)) {
    tpu_fail(&run->why, TPU_ERR_UNFIT,
             "the payload holds whole images for T=%u MAXDIM=%u, the machine has T=%u MAXDIM=%u",
             p->t, p->maxdim, params->t, params->maxdim);
    return corpus_end(run, TPU_OUTCOME_SETUP);
  }
  if (p->has_workload != 0) {
    if (!tpu_workload_fits(params, &p->workload, &run->why)) {
      return corpus_end(run, TPU_OUTCOME_SKIPPED);
    }
    run->result->satisfiable =
        tpu_workload_satisfiable(params, &p->workload, &run->unsatisfiable) != 0;
  }
  return corpus_lay_out(run);
}

int main(void) {
  struct tpu_result *result =
      (struct tpu_result *)TPU_RESULT_BASE; /* NOLINT(performance-no-int-to-ptr) */
  *result = (struct tpu_result){
      .version = TPU_PAYLOAD_VERSION, .bytes = sizeof *result, .satisfiable = 1};
  struct corpus_run run = {
      .payload =
          (const struct tpu_payload *)TPU_PAYLOAD_BASE, /* NOLINT(performance-no-int-to-ptr) */
      .result = result,
      .arena = tpu_arena_whole(),
  };
  if (prepare(&run) && drive(&run) && completed(&run)) {
    corpus_check(&run);
  }
  return corpus_report(&run);
}
