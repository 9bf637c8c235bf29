/* SPDX-License-Identifier: Apache-2.0 */
/* Workloads with operands and an expected output that owes nothing to the library: an int64 sum
 * over every index. */
#ifndef TPU_TEST_FIRMWARE_SUPPORT_H
#define TPU_TEST_FIRMWARE_SUPPORT_H

#include <string>
#include <vector>

#include "firmware/tests/arith_workloads.h"
#include "platform/image.h"

struct test_case {
  tpu_workload workload;
  std::vector<int8_t> input[2];
  std::vector<int8_t> expected;
  tpu_image_request request() const;
};

/* Workload number i of the shapes the firmware tests share, seeded operands -128..127. */
test_case make_case(uint32_t i, uint32_t seed);

tpu_params make_params(uint32_t t, uint32_t maxdim);

/* The request's payload; empty when it is refused, with the reason in *e. */
std::vector<uint64_t> build_payload(const tpu_image_request &request, tpu_error *e);

#endif
