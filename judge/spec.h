/* SPDX-License-Identifier: Apache-2.0 */
/* Workload specs: JSON files that state a computation and where its bytes lie, and nothing about
 * how to perform it. docs/spec.schema.json has the form. */
#ifndef TPU_JUDGE_SPEC_H
#define TPU_JUDGE_SPEC_H

#include "isa/image.h"
#include "isa/workload.h"
#include "judge/report.h"
#include "judge/verdict.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  TPU_SPEC_NAME_BYTES = 32,        /* of a tensor or constant, terminator included */
  TPU_SPEC_EINSUM_BYTES = 32,      /* terminator included */
  TPU_SPEC_MAX_SIZE = 65535,       /* of a dim, a row count, an origin */
  TPU_SPEC_MAX_ELEMENTS = 1 << 24, /* of a tensor: sums then stay far inside int64 */
  TPU_SPEC_MIN_STRESSES = 16,      /* characters */
  TPU_SPEC_MAX_TEXT = 1000         /* characters of stresses and known_gap */
};

struct tpu_spec {
  struct tpu_workload workload;
  char *path;      /* as it was opened */
  char *stresses;  /* what this case tests that others do not */
  char *known_gap; /* NULL, or why no program satisfies it */
  char einsum[TPU_SPEC_EINSUM_BYTES];
  char input_name[TPU_MAX_INPUTS][TPU_SPEC_NAME_BYTES];
  char output_name[TPU_SPEC_NAME_BYTES];
  char constant_name[TPU_MAX_CONSTANTS][TPU_SPEC_NAME_BYTES];
  int8_t *constant_data[TPU_MAX_CONSTANTS]; /* rows*cols bytes for kind data, else NULL */
};

/* Reads and validates a spec as far as a spec can be judged without a configuration: form, keys,
 * types, ranges, einsum against subscripts and dims, shapes of constants, regions that overlap
 * at every T, origins that are on a column block at no T. On success the caller calls
 * tpu_spec_release; on failure 0, *out empty, and the line names file and JSON path. */
int tpu_spec_read(const char *path, struct tpu_spec *out, struct tpu_report *r);
void tpu_spec_release(struct tpu_spec *spec); /* an empty one is allowed */

/* Refuses a spec at a resolved configuration: an origin off a column block of T bytes. A spec that
 * is refused is bad input, one that does not fit is merely SKIPPED. */
int tpu_spec_check_at(const struct tpu_spec *spec, const struct tpu_params *p,
                      struct tpu_report *r);

/* tpu_spec_check_at, and what is known before anything runs: whether the spec fits, what its file
 * says, whether a program can express it. The texts live in *store and *spec. */
struct tpu_standing_store {
  struct tpu_error unfit, unsatisfiable;
};
int tpu_spec_standing(const struct tpu_spec *spec, const struct tpu_params *p,
                      struct tpu_standing_store *store, struct tpu_standing *out,
                      struct tpu_report *r);

/* The name that a file name implies, written to out: its stem without a leading number and '_'.
 * Returns 0 when the name has no ".json" or does not fit. stem and out may be NULL. */
int tpu_spec_file_name(const char *path, char *stem, char *out, size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
