/* SPDX-License-Identifier: Apache-2.0 */
/* What a sweep is of: the configurations of a product, the workloads, the mapping. */
#ifndef TPU_PLATFORM_CLI_SWEEP_PLAN_H
#define TPU_PLATFORM_CLI_SWEEP_PLAN_H

#include "isa/mapper.h"
#include "judge/axes.h"
#include "platform/cli/setup.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tpu_sweep_plan {
  struct tpu_axes axes;
  struct tpu_platform_config base; /* of the file; not resolved */
  char config_path[TPU_PATH_SIZE]; /* absolute, as are the next two */
  char timing_path[TPU_PATH_SIZE]; /* of its profile */
  char corpus_path[TPU_PATH_SIZE]; /* directory */
  char glob[256];                  /* of --spec, "*" without */
  struct tpu_corpus corpus;        /* the specs that match */
  const char **spec;               /* their names */
  enum tpu_map_variant variant;
  struct tpu_platform_config *config; /* by configuration, resolved; of the legal */
  uint8_t *legal;                     /* by configuration */
  size_t legal_count;                 /* at least 1 */
};

/* Returns 1, *out to be released; 0 for bad input: no key to sweep, nothing legal in the product,
 * no spec that matches, a mapping or a part that does not exist among it. */
int tpu_sweep_plan_read(const struct tpu_args *args, struct tpu_sweep_plan *out,
                        struct tpu_report *r);
void tpu_sweep_plan_release(struct tpu_sweep_plan *plan);

/* Why a configuration is not legal: the report's text. Returns 0. */
int tpu_sweep_plan_refusal(const struct tpu_sweep_plan *plan, size_t configuration,
                           struct tpu_report *r);

const char *tpu_sweep_plan_variant(const struct tpu_sweep_plan *plan);

/* The configurations of --part, "1,4-7" counted from 1, in part[0 .. *count), from malloc;
 * ascending and each once, or an error. */
int tpu_sweep_part_read(const struct tpu_sweep_plan *plan, const char *text, size_t **part,
                        size_t *count, struct tpu_report *r);

/* Needs a process of its own: SystemC elaborates once in each. */
int tpu_sweep_is_alone(const struct tpu_sweep_plan *plan, size_t configuration);

#ifdef __cplusplus
}
#endif
#endif
