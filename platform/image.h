/* SPDX-License-Identifier: Apache-2.0 */
/* Payloads for the corpus application: put into DRAM beside it, or appended to it as one more
 * segment (tpu_elf_append_segment) at TPU_PAYLOAD_BASE, which makes a self-contained image without
 * any toolchain. */
#ifndef TPU_PLATFORM_IMAGE_H
#define TPU_PLATFORM_IMAGE_H

#include "firmware/payload.h"
#include "isa/program.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is to be run. Either a workload, or a program, or both; NULL and 0 = absent. */
struct tpu_image_request {
  /* Says how large whole images are and what a size of T means; only read where one is given. */
  const struct tpu_params *params;
  const struct tpu_workload *workload;
  struct tpu_operands operands; /* dense, of workload; for every buffer without a whole image */
  const int8_t *image[3];       /* whole A, B, C: MAXDIM * MAXDIM bytes each */
  const int8_t *expected;       /* dense output of workload, tpu_tensor_elements bytes */
  const int8_t *expected_image; /* all of C; takes precedence over expected */
  const struct tpu_program *program; /* absent: the core maps workload itself */
  const uint64_t *header;            /* TPU_HEADER_WORDS words; absent: counted on the core */
  uint32_t seed[3];                  /* pads of A and B, prefill of C (whole images have none) */
};

/* Bytes of the request's payload, to be known before it is built; 0 when it passes
 * TPU_PAYLOAD_SIZE - TPU_RESULT_SIZE. */
size_t tpu_payload_bytes(const struct tpu_image_request *request);

/* Builds the payload in buffer (8-byte aligned, capacity bytes) as it is to lie at
 * TPU_PAYLOAD_BASE. A request with whole images or data sized by T is tied to request->params; any
 * other payload runs on every configuration. Same request, same bytes. 1, or 0 with the reason:
 * too large, or a request that tpu_payload_check would refuse. */
int tpu_payload_build(const struct tpu_image_request *request, void *buffer, size_t capacity,
                      size_t *bytes, struct tpu_error *e);

/* Reads what the application left at TPU_RESULT_BASE: bytes of that page, copied into *out. 0
 * when there is no result (the run ended before the application reported). */
int tpu_result_read(const void *page, size_t bytes, struct tpu_result *out, struct tpu_error *e);

#ifdef __cplusplus
}
#endif
#endif
