/* SPDX-License-Identifier: Apache-2.0 */
/* A GEMM by tiles, made ready on the host: operands, the programs it takes and whether they are
 * legal, what must come out; and its verdict. */
#ifndef TPU_PLATFORM_CLI_TILE_JOB_H
#define TPU_PLATFORM_CLI_TILE_JOB_H

#include "firmware/tile/payload.h"
#include "judge/config.h"
#include "judge/legal.h"
#include "judge/verdict.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tpu_tile_request {
  const struct tpu_platform_config *config; /* resolved; borrowed */
  uint32_t m, k, n;
  const char *path[2]; /* raw matrices A, B in place of drawn ones, or NULL */
  uint32_t seed;
};

/* The program of one shape of tile, as mapped and judged on the host. */
struct tpu_tile_program {
  uint32_t rows, blocks; /* a block is T columns of C */
  uint32_t tiles;        /* of this shape */
  struct tpu_program program;
  uint64_t header[TPU_HEADER_WORDS];
  struct tpu_legality legality; /* its counts are the checker's own */
};

struct tpu_tile_job {
  struct tpu_tile_request request;
  struct tpu_tile_plan plan;
  uint32_t programs;
  struct tpu_tile_program program[TPU_TILE_MAX_PROGRAMS];
  /* As it is to lie at TPU_PAYLOAD_BASE; C in it differs from what must come out in every byte. */
  uint8_t *payload;
  struct tpu_tile_payload at; /* its head: where A, B and C lie in it */
  int8_t *expected;           /* C, m x n bytes */
};

/* Returns 1 with *job filled, to be released; 0 for sizes that do not fit, naming the limit, other
 * bad input, or lack of memory. */
int tpu_tile_prepare(struct tpu_tile_job *job, const struct tpu_tile_request *request,
                     struct tpu_report *r);
void tpu_tile_release(struct tpu_tile_job *job);

/* Products that the array has to make, padding included. */
uint64_t tpu_tile_macs(const struct tpu_tile_job *job);

/* What a run left behind. */
struct tpu_tile_outcome {
  const char *abnormal; /* why the run ended otherwise than by the application, or NULL */
  const struct tpu_tile_result *result; /* the application's report; NULL with abnormal */
  const uint8_t *payload;               /* after the run, at.total_bytes */
  /* Header and words of each of the result's programs as they lie in DRAM; NULL: outside it. */
  const void *program[TPU_TILE_MAX_PROGRAMS];
  const char *hang; /* the deadlock in a sentence, or NULL */
};

struct tpu_tile_verdict {
  enum tpu_verdict verdict;
  int compared;
  struct tpu_comparison comparison; /* row and column are those of C */
  uint32_t saturated;               /* expected bytes at -128 or 127 */
  char reason[700];                 /* "" for EXACT */
};

/* The application's report, its programs and every byte of the payload against what the host made.
 * outcome NULL: nothing was run, for a program is illegal. */
void tpu_tile_judge(const struct tpu_tile_job *job, const struct tpu_tile_outcome *outcome,
                    struct tpu_tile_verdict *v);

/* Is every program legal? 0: nothing is to be run. */
int tpu_tile_is_legal(const struct tpu_tile_job *job);

#ifdef __cplusplus
}
#endif
#endif
