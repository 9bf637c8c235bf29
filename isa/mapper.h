/* SPDX-License-Identifier: Apache-2.0 */
/* The baseline mapping: one hand-chosen program per einsum form, the reference submission. And
 * variants of a GEMM: the same work in other orders, to compare. */
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

/* X(identifier, name, sentence, emission, of mapper_variants.c): mappings of mk,kn->mn */
#define TPU_MAP_VARIANTS(X)                                                                        \
  X(BASELINE, "baseline", "all activations and weights loaded first, then tile after tile", NULL)  \
  X(VIA_SPAD, "via_spad", "as the baseline, but activations pass through the scratchpad: vld",     \
    via_spad)                                                                                      \
  X(ROW_BLOCKS, "row_blocks", "weights resident; output rows in blocks, activations per block",    \
    row_blocks)                                                                                    \
  X(RELOAD, "reload_weights", "activations resident; weights loaded anew for every output tile",   \
    reload_weights)                                                                                \
  X(JUST_IN_TIME, "just_in_time", "each operand block loaded just before its first use",           \
    just_in_time)

enum tpu_map_variant {
#define TPU_MAP_VARIANT_ENUM(id, name, text, emit) TPU_MAP_##id,
  TPU_MAP_VARIANTS(TPU_MAP_VARIANT_ENUM)
#undef TPU_MAP_VARIANT_ENUM
      TPU_MAP_VARIANT_COUNT
};

const char *tpu_map_variant_name(enum tpu_map_variant v);     /* "?" outside the table */
const char *tpu_map_variant_sentence(enum tpu_map_variant v); /* "" outside the table */

/* As tpu_map_baseline, which TPU_MAP_BASELINE is. The others map mk,kn->mn only, and 0 may also say
 * why there is nothing to do otherwise: rows that do not come in equal blocks, say. */
int tpu_map_as(const struct tpu_params *p, const struct tpu_workload *w,
               enum tpu_map_variant variant, struct tpu_program *out, struct tpu_error *e);

#ifdef __cplusplus
}
#endif
#endif
