/* SPDX-License-Identifier: Apache-2.0 */
/* The baseline mapping: one hand-chosen program per einsum form, the reference submission. */
#ifndef TPU_ISA_MAPPER_H
#define TPU_ISA_MAPPER_H

#include "isa/program.h"
#include "isa/workload.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Maps a workload that fits (tpu_workload_fits), satisfiable or not: an inexpressible pad or
 * window is the verdict's matter. Row counts above 127 are split. Returns 1; 0 names the limit
 * that is passed (image, instruction memory, the storage of out, a header count) and by how much,
 * or what the einsum has no mapping for. Uses about 1.5 KB of stack. out->count is 0 on failure. */
int tpu_map_baseline(const struct tpu_params *p, const struct tpu_workload *w,
                     struct tpu_program *out, struct tpu_error *e);

#ifdef __cplusplus
}
#endif
#endif
