/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/cli/job.h"

#include "isa/mapper.h"
#include "isa/random.h"
#include "judge/gold.h"
#include "judge/image_file.h"
#include "judge/reference.h"
#include "judge/violation.h"
#include "platform/image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int no_memory(struct tpu_report *r) {
  return tpu_report_fail(r, TPU_ERR_CAPACITY, "out of memory");
}

static size_t image_bytes(const struct tpu_params *p) { return (size_t)p->maxdim * p->maxdim; }

/* Workload and program, or whichever is there, before operands are looked at: does it fit? */
static int look_at_spec(struct tpu_job *job, struct tpu_report *r) {
  const struct tpu_spec *spec = job->request.spec;
  (void)snprintf(job->name, sizeof job->name, "%s", spec->workload.name);
  if (!tpu_spec_standing(spec, &job->request.config->params, &job->standing_store, &job->standing,
                         r)) {
    return 0;
  }
  if (job->standing.unfit != NULL) {
    job->verdict = TPU_VERDICT_SKIPPED;
    (void)snprintf(job->reason, sizeof job->reason, "%s", job->standing.unfit);
  }
  return 1;
}

/* Images as the spec or, without one, the seed says; then those that were given. */
static int make_images(struct tpu_job *job, struct tpu_report *r) {
  const struct tpu_params *p = &job->request.config->params;
  const struct tpu_spec *spec = job->request.spec;
  if (spec != NULL &&
      !tpu_operands_draw(spec, job->request.distribution, job->request.seed, &job->operands)) {
    return no_memory(r);
  }
  int replaced = 0;
  for (uint32_t i = 0; i < 3; ++i) {
    job->image[i] = malloc(image_bytes(p));
    if (job->image[i] == NULL) {
      return no_memory(r);
    }
    if (job->request.image_path[i] != NULL) {
      if (!tpu_image_read(job->request.image_path[i], p, job->image[i], r)) {
        return 0;
      }
      replaced |= i != TPU_BUFFER_C;
    } else if (spec != NULL && i != TPU_BUFFER_C) {
      tpu_image_operand(p, &spec->workload, &job->operands.view, i, job->seeds[i], job->image[i]);
    } else {
      tpu_image_prefill(p, job->seeds[i], job->image[i]);
    }
  }
  if (spec != NULL && replaced) { /* the operands are what the images hold */
    const int8_t *const images[2] = {job->image[0], job->image[1]};
    tpu_operands_release(&job->operands);
    if (!tpu_operands_from_images(spec, p, images, &job->operands)) {
      return no_memory(r);
    }
  }
  return 1;
}

static int compute_expected(struct tpu_job *job, struct tpu_report *r) {
  const struct tpu_workload *w = &job->request.spec->workload;
  job->expected = malloc(tpu_tensor_elements(w, &w->output));
  if (job->expected == NULL) {
    return no_memory(r);
  }
  (void)tpu_gold(w, &job->operands.view, job->expected);
  return 1;
}

/* The words to run: the submission's, else the baseline's. */
static int make_program(struct tpu_job *job, struct tpu_report *r) {
  const struct tpu_params *p = &job->request.config->params;
  const struct tpu_program *given = job->request.program;
  const struct tpu_no_program *none = job->request.none;
  const uint32_t capacity = given != NULL ? given->count : tpu_program_capacity(p);
  job->program.words = malloc((capacity + 1) * sizeof *job->program.words);
  job->code.insn = malloc((capacity + 1) * sizeof *job->code.insn);
  job->program.capacity = job->code.capacity = capacity;
  if (job->program.words == NULL || job->code.insn == NULL) {
    return no_memory(r);
  }
  if (none != NULL) {
    job->verdict = none->verdict;
    (void)snprintf(job->reason, sizeof job->reason, "%s", none->reason);
    return 1;
  }
  if (given != NULL) {
    memcpy(job->program.words, given->words, given->count * sizeof *given->words);
    job->program.count = given->count;
    return 1;
  }
  struct tpu_error e = {.code = TPU_OK};
  if (!tpu_map_baseline(p, &job->request.spec->workload, &job->program, &e)) {
    job->verdict = TPU_VERDICT_DECLINED;
    (void)snprintf(job->reason, sizeof job->reason, "%s", e.text);
  }
  return 1;
}

/* Contracts of the machine; for a submission also those of the spec. A baseline's window is judged
 * by what its run leaves in C. */
static int check_contracts(struct tpu_job *job, struct tpu_report *r) {
  const struct tpu_params *p = &job->request.config->params;
  struct tpu_check_work *work = malloc(sizeof *work);
  const size_t covered_bytes = (image_bytes(p) / p->t + 7) / 8;
  uint8_t *covered = malloc(covered_bytes);
  int good = work != NULL && covered != NULL;
  if (!good) {
    (void)no_memory(r);
  } else {
    job->counted =
        tpu_check_program(p, &job->program, &job->code, work, &job->counts, &job->violation);
    job->illegal = !job->counted;
    if (job->counted && job->request.spec != NULL && job->request.program != NULL) {
      job->illegal = !tpu_check_spec(p, &job->code, &job->request.spec->workload, covered,
                                     covered_bytes, &job->violation);
    }
    if (job->illegal) {
      (void)tpu_violation_text(&job->violation, job->reason, sizeof job->reason);
      job->verdict = job->request.unchecked ? TPU_VERDICT_NOT_RUN : TPU_VERDICT_ILLEGAL;
    }
  }
  free(covered);
  free(work);
  return good;
}

/* An unchecked program may still be countable: then it can be started with an honest header. */
static void count_unchecked(struct tpu_job *job) {
  const struct tpu_params *p = &job->request.config->params;
  if (job->program.count == 0 || !tpu_decode_program(&job->program, &job->code, NULL, NULL, NULL)) {
    return;
  }
  int rule = TPU_RULE_NONE;
  if (!tpu_check_loops(&job->code, &rule, NULL, NULL) && rule != TPU_RULE_LOOP_TRIP &&
      rule != TPU_RULE_LOOP_STALE_IV) {
    return;
  }
  uint32_t bad = 0;
  struct tpu_error e = {.code = TPU_OK};
  rule = TPU_RULE_NONE;
  job->counted = tpu_counts_of(p, &job->code, &job->counts, &rule, &bad, &e) &&
                 tpu_counts_fit(&job->counts, &rule, &e);
  if (!job->counted) { /* not what it breaks first, but what keeps it from being started */
    (void)snprintf(job->reason, sizeof job->reason, "[%s / %s] %s",
                   tpu_layer_name(tpu_rule_layer(rule)), tpu_rule_name(rule), e.text);
  }
}

/* Without a spec the meaning of the program on these images is what must come out. */
static int interpret(struct tpu_job *job, struct tpu_report *r) {
  const int8_t *const images[3] = {job->image[0], job->image[1], job->image[2]};
  struct tpu_reference reference;
  struct tpu_error e = {.code = TPU_OK};
  if (!tpu_reference_open(&job->request.config->params, ~job->request.seed, &reference, r)) {
    return 0;
  }
  if (tpu_reference_run(&reference, &job->code, images, &e)) {
    job->interpreted = reference.c;
    reference.c = NULL;
  }
  tpu_reference_close(&reference);
  return 1;
}

static int prepare(struct tpu_job *job, struct tpu_report *r) {
  if (job->request.spec != NULL && !look_at_spec(job, r)) {
    return 0;
  }
  if (job->verdict != TPU_VERDICT_NOT_RUN) {
    return 1;
  }
  if (!make_images(job, r) || (job->request.spec != NULL && !compute_expected(job, r)) ||
      !make_program(job, r)) {
    return 0;
  }
  if (job->verdict != TPU_VERDICT_NOT_RUN) {
    return 1;
  }
  if (!check_contracts(job, r)) {
    return 0;
  }
  if (job->verdict != TPU_VERDICT_NOT_RUN) {
    return 1;
  }
  if (!job->counted) {
    count_unchecked(job);
    if (!job->counted) { /* no header can promise its work: nothing can be started */
      char broken[sizeof job->reason];
      memcpy(broken, job->reason, sizeof broken);
      (void)snprintf(job->reason, sizeof job->reason, "not run: no header can start it: %.460s",
                     broken);
      job->verdict = TPU_VERDICT_ILLEGAL;
      return 1;
    }
  }
  return job->request.spec != NULL || interpret(job, r);
}

int tpu_job_prepare(struct tpu_job *job, const struct tpu_job_request *request,
                    struct tpu_report *r) {
  *job = (struct tpu_job){.request = *request, .name = "program", .verdict = TPU_VERDICT_NOT_RUN};
  struct tpu_random random = tpu_random_seeded(request->seed);
  for (int i = 0; i < 3; ++i) {
    job->seeds[i] = tpu_random_next(&random);
  }
  if (!prepare(job, r)) {
    tpu_job_release(job);
    return 0;
  }
  return 1;
}

void tpu_job_release(struct tpu_job *job) {
  tpu_operands_release(&job->operands);
  for (int i = 0; i < 3; ++i) {
    free(job->image[i]);
  }
  free(job->expected);
  free(job->interpreted);
  free(job->program.words);
  free(job->code.insn);
  *job = (struct tpu_job){.verdict = TPU_VERDICT_NOT_RUN};
}

int tpu_job_payload(const struct tpu_job *job, uint8_t **payload, size_t *bytes,
                    struct tpu_report *r) {
  struct tpu_error e = {.code = TPU_OK};
  uint64_t header[TPU_HEADER_WORDS];
  struct tpu_image_request image = {.params = &job->request.config->params,
                                    .operands = job->operands.view,
                                    .seed = {job->seeds[0], job->seeds[1], job->seeds[2]}};
  if (job->request.spec != NULL) {
    image.workload = &job->request.spec->workload;
    image.expected = job->expected;
  } else {
    image.expected_image = job->interpreted;
  }
  for (int i = 0; i < 3; ++i) {
    if (job->request.spec == NULL || job->request.image_path[i] != NULL) {
      image.image[i] = job->image[i];
    }
  }
  if (job->request.program != NULL) {
    image.program = &job->program;
    if (!tpu_header_pack(&job->counts, header)) {
      return tpu_report_fail(r, TPU_ERR_RANGE, "%s: its work does not fit a header", job->name);
    }
    image.header = header;
  }
  const size_t capacity = tpu_payload_bytes(&image);
  *payload = malloc(capacity + 1);
  if (*payload == NULL) {
    return no_memory(r);
  }
  if (!tpu_payload_build(&image, *payload, capacity, bytes, &e)) {
    free(*payload);
    *payload = NULL;
    return tpu_report_wrap(r, job->name, &e);
  }
  return 1;
}
