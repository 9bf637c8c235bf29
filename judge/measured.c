/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/measured.h"

#include <string.h>

enum { MOST = 2, DMA_WORDS = 1 };

/* Every combination of a row was measured, with DMA_WORDS, the other sizes derived. A test holds
 * the table to test/data/rtl_calibration.json. */
static const struct {
  uint32_t t;
  uint32_t maxdim[MOST]; /* 0: no more */
  uint32_t qd[MOST];
} measured[] = {{4, {16, 64}, {8, 16}}, {8, {64}, {8}}};

enum { ROWS = sizeof measured / sizeof measured[0] };

static int has(const uint32_t list[MOST], uint32_t value) {
  for (unsigned i = 0; i < MOST && list[i] != 0; i++)
    if (list[i] == value)
      return 1;
  return 0;
}

static int accelerator_measured(const struct tpu_params *p) {
  struct tpu_params derived = {.t = p->t, .maxdim = p->maxdim, .qd = p->qd, .dma_words = DMA_WORDS};
  struct tpu_error e;
  for (unsigned i = 0; i < ROWS; i++)
    if (measured[i].t == p->t && has(measured[i].maxdim, p->maxdim) && has(measured[i].qd, p->qd))
      return tpu_params_resolve(&derived, &e) && memcmp(&derived, p, sizeof derived) == 0;
  return 0;
}

int tpu_extrapolated(const struct tpu_platform_config *c) {
  return !accelerator_measured(&c->params) || !tpu_memory_is_ideal(&c->memory);
}

const char *tpu_extrapolated_note(const struct tpu_platform_config *c) {
  return tpu_extrapolated(c) ? " (extrapolated: no program was measured on such a machine)" : "";
}

static void list(struct tpu_text *t, const char *key, const uint32_t value[MOST]) {
  for (unsigned i = 0; i < MOST && value[i] != 0; i++)
    tpu_text_format(t, "%s%u", i == 0 ? key : ",", value[i]);
}

const char *tpu_measured_text(char out[TPU_MEASURED_BYTES]) {
  struct tpu_text t = tpu_text_on(out, TPU_MEASURED_BYTES);
  for (unsigned i = 0; i < ROWS; i++) {
    tpu_text_format(&t, "%sT=%u with", i == 0 ? "" : "; ", measured[i].t);
    list(&t, " MAXDIM=", measured[i].maxdim);
    list(&t, " QD=", measured[i].qd);
  }
  tpu_text_format(&t, "; all with DMA_WORDS=%u, other sizes derived, an ideal memory",
                  (unsigned)DMA_WORDS);
  return out;
}
