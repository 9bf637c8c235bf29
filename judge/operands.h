/* SPDX-License-Identifier: Apache-2.0 */
/* Operand values for a spec: drawn from a seeded distribution, or taken from given images. */
#ifndef TPU_JUDGE_OPERANDS_H
#define TPU_JUDGE_OPERANDS_H

#include "judge/spec.h"

#ifdef __cplusplus
extern "C" {
#endif

/* X(identifier, name, sentence) */
#define TPU_DISTRIBUTIONS(X)                                                                       \
  X(SMALL, "small", "uniform in -4..4: sums that mostly do not saturate")                          \
  X(MID, "mid", "uniform in -16..16")                                                              \
  X(FULL, "full", "uniform in -128..127, both extremes forced into every input")                   \
  X(CORNER, "corner", "-128, -127, -1, 0, 1, 126, 127, the extremes four times as often")

enum tpu_distribution {
#define TPU_DISTRIBUTION_ENUM(id, name, text) TPU_DISTRIBUTION_##id,
  TPU_DISTRIBUTIONS(TPU_DISTRIBUTION_ENUM)
#undef TPU_DISTRIBUTION_ENUM
      TPU_DISTRIBUTION_COUNT
};

const char *tpu_distribution_name(enum tpu_distribution d); /* "?" outside the table */

/* Dense values; view points to storage owned here and to the constants of the spec, which must
 * outlive it. */
struct tpu_operand_set {
  struct tpu_operands view;
  int8_t *owned[TPU_MAX_INPUTS];
};

/* Draws every input. The same spec, distribution and seed give the same bytes; inputs and
 * distributions have unrelated sequences. An input of one element gets one extreme of full by
 * the draw. Returns 1, or 0 when memory lacks, *out empty. */
int tpu_operands_draw(const struct tpu_spec *spec, enum tpu_distribution d, uint32_t seed,
                      struct tpu_operand_set *out);

/* Takes the inputs from images of MAXDIM*MAXDIM bytes, indexed by enum tpu_buffer (A, B), which
 * must be there for every buffer that an input lies in. The spec must fit. */
int tpu_operands_from_images(const struct tpu_spec *spec, const struct tpu_params *p,
                             const int8_t *const images[2], struct tpu_operand_set *out);

void tpu_operands_release(struct tpu_operand_set *set);

#ifdef __cplusplus
}
#endif
#endif
