/* SPDX-License-Identifier: Apache-2.0 */
/* Operand images as the host or the firmware lays them out, and the comparison of what came back.
 * One statement for both, so that the same seed gives the same bytes on either side. */
#ifndef TPU_ISA_IMAGE_H
#define TPU_ISA_IMAGE_H

#include "isa/workload.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Dense operand values: input[i] has tpu_tensor_elements bytes, row-major in subscript order;
 * constant[i] rows*cols bytes for kind data, else NULL. */
struct tpu_operands {
  const int8_t *input[TPU_MAX_INPUTS];
  const int8_t *constant[TPU_MAX_CONSTANTS];
};

/* Fills image A or B (MAXDIM*MAXDIM): the declared tensors and constants, and around them what
 * operand_pad says: 0, or non-zero garbage drawn from seed. */
void tpu_image_operand(const struct tpu_params *p, const struct tpu_workload *w,
                       const struct tpu_operands *data, uint32_t buffer, uint32_t seed,
                       int8_t *image);

/* Fills image C with random bytes from seed: a clobber cannot hide behind a zero. */
void tpu_image_prefill(const struct tpu_params *p, uint32_t seed, int8_t *image);

struct tpu_comparison {
  uint32_t wrong;     /* output bytes that differ from what is expected */
  uint32_t clobbered; /* bytes outside the write window that lost their prefill */
  uint32_t row, col;  /* the first wrong byte, else the first clobbered one, in image C */
  int32_t expected, got;
};

/* Compares C with the dense expected output and, outside the write window, with prefill (the
 * image of tpu_image_prefill, or the caller's own C). Returns 1 when exact. */
int tpu_image_compare(const struct tpu_params *p, const struct tpu_workload *w,
                      const int8_t *expected, const int8_t *prefill, const int8_t *image,
                      struct tpu_comparison *out);

#ifdef __cplusplus
}
#endif
#endif
