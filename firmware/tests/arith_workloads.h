/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TPU_FIRMWARE_TESTS_ARITH_WORKLOADS_H
#define TPU_FIRMWARE_TESTS_ARITH_WORKLOADS_H

#include "isa/workload.h"

#ifdef __cplusplus
extern "C" {
#endif

uint32_t arith_workload_count(void);

/* Workload number i, at the origin; the four einsum forms, both pads, both windows. */
struct tpu_workload arith_workload(uint32_t i);

#ifdef __cplusplus
}
#endif
#endif
