/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/correct.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int tpu_correct_program(const struct tpu_params *p, const struct tpu_workload *w,
                        const int8_t *expected, const int8_t *prefill, const int8_t *image,
                        struct tpu_correctness *out) {
  struct tpu_comparison *c = &out->comparison;
  const uint32_t elements = tpu_tensor_elements(w, &w->output);
  if (tpu_image_compare(p, w, expected, prefill, image, c)) {
    out->verdict = TPU_VERDICT_EXACT;
    (void)snprintf(out->text, sizeof out->text,
                   "all %" PRIu32
                   " output bytes are right, nothing outside the write window changed",
                   elements);
    return 1;
  }
  out->verdict = c->wrong > 0 ? TPU_VERDICT_WRONG : TPU_VERDICT_CLOBBERED;
  if (c->wrong > 0)
    (void)snprintf(out->text, sizeof out->text,
                   "%" PRIu32 " of %" PRIu32 " output bytes wrong, %" PRIu32
                   " clobbered; first at C[%" PRIu32 "][%" PRIu32 "]: expected %" PRId32
                   ", got %" PRId32,
                   c->wrong, elements, c->clobbered, c->row, c->col, c->expected, c->got);
  else
    (void)snprintf(out->text, sizeof out->text,
                   "the output is right, but %" PRIu32
                   " byte(s) outside the write window changed; first at C[%" PRIu32 "][%" PRIu32
                   "]: held %" PRId32 ", holds %" PRId32,
                   c->clobbered, c->row, c->col, c->expected, c->got);
  return 0;
}

int tpu_correct_design(const struct tpu_params *p, const int8_t *interpreted, const int8_t *image,
                       struct tpu_correctness *out) {
  struct tpu_comparison *c = &out->comparison;
  const uint32_t bytes = p->maxdim * p->maxdim;
  *c = (struct tpu_comparison){0};
  for (uint32_t i = 0; i < bytes; i++) {
    if (interpreted[i] == image[i])
      continue;
    if (c->wrong++ == 0) {
      c->row = i / p->maxdim;
      c->col = i % p->maxdim;
      c->expected = (int32_t)interpreted[i];
      c->got = (int32_t)image[i];
    }
  }
  out->verdict = c->wrong == 0 ? TPU_VERDICT_EXACT : TPU_VERDICT_FAULT;
  if (c->wrong == 0)
    (void)snprintf(out->text, sizeof out->text,
                   "all %" PRIu32 " bytes of C are the reference interpreter's", bytes);
  else
    (void)snprintf(out->text, sizeof out->text,
                   "%" PRIu32 " of %" PRIu32
                   " bytes of C differ from the reference interpreter's; first at C[%" PRIu32
                   "][%" PRIu32 "]: expected %" PRId32 ", got %" PRId32,
                   c->wrong, bytes, c->row, c->col, c->expected, c->got);
  return c->wrong == 0;
}
