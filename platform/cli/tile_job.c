/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/cli/tile_job.h"

#include "judge/gold.h"
#include "judge/image_file.h"
#include "judge/operands.h"

#include <stdlib.h>
#include <string.h>

static int no_memory(struct tpu_report *r) {
  return tpu_report_fail(r, TPU_ERR_CAPACITY, "out of memory");
}

/* mk,kn->mn at the origins of the images. */
static struct tpu_workload gemm(uint32_t m, uint32_t k, uint32_t n) {
  return (struct tpu_workload){.name = "tile",
                               .indices = 3,
                               .index = {{'m', m}, {'k', k}, {'n', n}},
                               .inputs = 2,
                               .input = {{.subscript = "mk", .buffer = TPU_BUFFER_A},
                                         {.subscript = "kn", .buffer = TPU_BUFFER_B}},
                               .output = {.subscript = "mn", .buffer = TPU_BUFFER_C}};
}

/* Drawn as a spec's are, from the distribution whose sums do not all saturate; or as given. */
static int make_operands(struct tpu_tile_job *job, struct tpu_report *r) {
  const struct tpu_tile_request *q = &job->request;
  static const char *const sizes[2] = {"matrix A is M*K", "matrix B is K*N"};
  const struct tpu_blob blobs[2] = {job->at.a, job->at.b};
  const struct tpu_spec spec = {.workload = gemm(q->m, q->k, q->n)};
  struct tpu_operand_set drawn;
  if (!tpu_operands_draw(&spec, TPU_DISTRIBUTION_SMALL, q->seed, &drawn)) {
    return no_memory(r);
  }
  int good = 1;
  for (unsigned i = 0; good && i < 2; ++i) {
    int8_t *to = (int8_t *)job->payload + blobs[i].offset;
    memcpy(to, drawn.view.input[i], blobs[i].bytes);
    good = q->path[i] == NULL || tpu_bytes_read(q->path[i], sizes[i], blobs[i].bytes, to, r);
  }
  tpu_operands_release(&drawn);
  return good;
}

static int make_payload(struct tpu_tile_job *job, struct tpu_report *r) {
  const struct tpu_tile_request *q = &job->request;
  const uint32_t trailer = TPU_PAYLOAD_TRAILER;
  const struct tpu_workload w = gemm(q->m, q->k, q->n);
  job->payload = calloc(1, job->at.total_bytes);
  job->expected = malloc(job->at.c.bytes);
  if (job->payload == NULL || job->expected == NULL) {
    return no_memory(r);
  }
  memcpy(job->payload, &job->at, sizeof job->at);
  memcpy(job->payload + job->at.total_bytes - sizeof trailer, &trailer, sizeof trailer);
  if (!make_operands(job, r)) {
    return 0;
  }
  const struct tpu_operands operands = {.input = {(const int8_t *)job->payload + job->at.a.offset,
                                                  (const int8_t *)job->payload + job->at.b.offset}};
  (void)tpu_gold(&w, &operands, job->expected);
  for (uint32_t i = 0; i < job->at.c.bytes; ++i) {
    job->payload[job->at.c.offset + i] = (uint8_t)~job->expected[i];
  }
  return 1;
}

/* The layer spec looks at C alone: the tile, and nothing beside it. */
static int judge_program(const struct tpu_params *p, struct tpu_tile_program *tile,
                         struct tpu_report *r) {
  const struct tpu_workload w = gemm(tile->rows, p->t, tile->blocks * p->t);
  const struct tpu_legal_request request = {
      .params = p, .program = &tile->program, .header = tile->header, .workload = &w};
  return tpu_legal(&request, &tile->legality, r);
}

static int add_program(struct tpu_tile_job *job, uint32_t rows, uint32_t blocks,
                       struct tpu_report *r) {
  const struct tpu_params *p = &job->request.config->params;
  struct tpu_tile_program *tile = &job->program[job->programs];
  const uint32_t capacity = tpu_program_capacity(p);
  struct tpu_counts counts;
  struct tpu_error e = {.code = TPU_OK};
  tile->rows = rows;
  tile->blocks = blocks;
  tile->program = (struct tpu_program){malloc(capacity * sizeof(struct tpu_word)), capacity, 0};
  ++job->programs;
  if (tile->program.words == NULL) {
    return no_memory(r);
  }
  if (!tpu_tile_map(p, &job->plan, rows, blocks, &tile->program, &counts, &e)) {
    return tpu_report_fail(r, e.code, "the program of a tile: %s", e.text);
  }
  (void)tpu_header_pack(&counts, tile->header);
  return judge_program(p, tile, r);
}

/* Every tile, by shape. */
static int make_programs(struct tpu_tile_job *job, struct tpu_report *r) {
  const struct tpu_tile_plan *plan = &job->plan;
  for (uint32_t i = 0; i < plan->row_tiles; ++i) {
    for (uint32_t j = 0; j < plan->col_tiles; ++j) {
      const uint32_t rows = tpu_tile_rows(plan, i);
      const uint32_t blocks = tpu_tile_blocks(&job->request.config->params, plan, j);
      uint32_t k = 0;
      while (k < job->programs &&
             (job->program[k].rows != rows || job->program[k].blocks != blocks)) {
        ++k;
      }
      if (k == job->programs && !add_program(job, rows, blocks, r)) {
        return 0;
      }
      ++job->program[k].tiles;
    }
  }
  return 1;
}

int tpu_tile_prepare(struct tpu_tile_job *job, const struct tpu_tile_request *request,
                     struct tpu_report *r) {
  struct tpu_error e = {.code = TPU_OK};
  *job = (struct tpu_tile_job){.request = *request};
  if (!tpu_tile_cut(&request->config->params, request->m, request->k, request->n, &job->plan, &e) ||
      !tpu_tile_layout(request->m, request->k, request->n, &job->at, &e)) {
    return tpu_report_fail(r, e.code, "tile %u %u %u: %s", request->m, request->k, request->n,
                           e.text);
  }
  if (!make_programs(job, r) || !make_payload(job, r)) {
    tpu_tile_release(job);
    return 0;
  }
  return 1;
}

void tpu_tile_release(struct tpu_tile_job *job) {
  for (uint32_t i = 0; i < job->programs; ++i) {
    free(job->program[i].program.words);
    tpu_legality_release(&job->program[i].legality);
  }
  free(job->payload);
  free(job->expected);
  *job = (struct tpu_tile_job){.programs = 0};
}

uint64_t tpu_tile_macs(const struct tpu_tile_job *job) {
  const uint32_t t = job->request.config->params.t;
  uint64_t rows = 0;
  for (uint32_t i = 0; i < job->programs; ++i) {
    rows += (uint64_t)job->program[i].tiles * job->program[i].legality.counts.mm_rows;
  }
  return rows * t * t;
}

int tpu_tile_is_legal(const struct tpu_tile_job *job) {
  for (uint32_t i = 0; i < job->programs; ++i) {
    if (!job->program[i].legality.legal) {
      return 0;
    }
  }
  return 1;
}
