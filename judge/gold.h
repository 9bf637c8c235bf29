/* SPDX-License-Identifier: Apache-2.0 */
/* What a workload's output must be: the einsum in int64, then the accumulator's width, then the
 * epilogue, then the narrowing to int8. */
#ifndef TPU_JUDGE_GOLD_H
#define TPU_JUDGE_GOLD_H

#include "isa/image.h"
#include "isa/workload.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Fills out, tpu_tensor_elements(&w->output) bytes, row-major in the order of the output's
 * subscript. Any einsum over 1 or 2 inputs of 1 to 4 indices each without repetition: indices that
 * the output lacks are summed over.
 *
 * Sums are exact in int64 and then taken modulo 2^32 into int32, since the accumulator is int32 and
 * the machine wraps. Returns how many sums did wrap: 0 for every workload that the machine maps,
 * whose reductions are far shorter than the 131072 terms it takes. Time: the product of all dims.
 */
uint32_t tpu_gold(const struct tpu_workload *w, const struct tpu_operands *data, int8_t *out);

#ifdef __cplusplus
}
#endif
#endif
