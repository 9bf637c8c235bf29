/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/reference.h"

#include <stdlib.h>
#include <string.h>

int tpu_reference_open(const struct tpu_params *p, uint32_t seed, struct tpu_reference *out,
                       struct tpu_report *r) {
  *out = (struct tpu_reference){.params = *p};
  out->state.spad = malloc((size_t)p->spad_rows * p->t);
  out->state.vr = malloc((size_t)p->nvr * p->t);
  out->state.ar = malloc((size_t)p->nar * p->t * sizeof *out->state.ar);
  out->c = malloc((size_t)p->maxdim * p->maxdim);
  if (out->state.spad == NULL || out->state.vr == NULL || out->state.ar == NULL || out->c == NULL) {
    tpu_reference_close(out);
    return tpu_report_fail(r, TPU_ERR_CAPACITY, "out of memory");
  }
  tpu_state_scramble(p, &out->state, seed);
  return 1;
}

void tpu_reference_close(struct tpu_reference *reference) {
  free(reference->c);
  free(reference->state.ar);
  free(reference->state.vr);
  free(reference->state.spad);
  *reference = (struct tpu_reference){.c = NULL};
}

int tpu_reference_run(struct tpu_reference *reference, const struct tpu_code *code,
                      const int8_t *const image[3], struct tpu_error *e) {
  const struct tpu_params *p = &reference->params;
  memcpy(reference->c, image[2], (size_t)p->maxdim * p->maxdim);
  return tpu_interpret(p, code, &reference->state, image[0], image[1], reference->c, e);
}
