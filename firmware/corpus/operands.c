/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/corpus/corpus.h"

static size_t image_bytes(const struct corpus_run *run) {
  return (size_t)run->device.params.maxdim * run->device.params.maxdim;
}

/* The image of a buffer before the run: as given, else laid out, else random. */
static void fill(const struct corpus_run *run, uint32_t buffer, int8_t *image) {
  const struct tpu_payload *p = run->payload;
  const struct tpu_params *params = &run->device.params;
  const int8_t *given = tpu_blob_data(p, p->image[buffer]);
  if (given != NULL) {
    __builtin_memcpy(image, given, image_bytes(run));
  } else if (buffer != TPU_BUFFER_C && p->has_workload != 0) {
    struct tpu_operands data = {0};
    for (uint32_t i = 0; i < TPU_MAX_INPUTS; ++i) {
      data.input[i] = tpu_blob_data(p, p->input[i]);
    }
    for (uint32_t i = 0; i < TPU_MAX_CONSTANTS; ++i) {
      data.constant[i] = tpu_blob_data(p, p->constant[i]);
    }
    tpu_image_operand(params, &p->workload, &data, buffer, p->seed[buffer], image);
  } else {
    tpu_image_prefill(params, p->seed[buffer], image);
  }
}

int corpus_lay_out(struct corpus_run *run) {
  for (uint32_t buffer = 0; buffer < 3; ++buffer) {
    run->image[buffer] = tpu_arena_take(&run->arena, image_bytes(run));
    if (run->image[buffer] == NULL) {
      tpu_fail(&run->why, TPU_ERR_CAPACITY, "no room in DRAM for three images of %u bytes",
               (uint32_t)image_bytes(run));
      return corpus_end(run, TPU_OUTCOME_SETUP);
    }
    run->result->address[buffer] = (uint32_t)(uintptr_t)run->image[buffer];
    fill(run, buffer, run->image[buffer]);
  }
  return 1;
}

/* All of C against the expected image: nothing says what may be written, so a byte is right or
 * wrong, never clobbered. */
static void compare_whole(const struct corpus_run *run, const int8_t *expected,
                          struct tpu_comparison *out) {
  const uint32_t maxdim = run->device.params.maxdim;
  const int8_t *got = run->image[TPU_BUFFER_C];
  *out = (struct tpu_comparison){0};
  for (uint32_t row = 0; row < maxdim; ++row) {
    for (uint32_t col = 0; col < maxdim; ++col) {
      const size_t at = (size_t)row * maxdim + col;
      if (got[at] == expected[at]) {
        continue;
      }
      if (out->wrong++ == 0) {
        out->row = row;
        out->col = col;
        out->expected = expected[at];
        out->got = got[at];
      }
    }
  }
}

void corpus_check(struct corpus_run *run) {
  const struct tpu_payload *p = run->payload;
  struct tpu_comparison *c = &run->result->comparison;
  const int8_t *whole = tpu_blob_data(p, p->expected_image);
  const int8_t *dense = tpu_blob_data(p, p->expected);
  if (whole != NULL) {
    compare_whole(run, whole, c);
  } else if (dense != NULL) {
    /* C's prefill is made again rather than kept: the accelerator cannot have touched it. */
    int8_t *prefill = tpu_arena_take(&run->arena, image_bytes(run));
    if (prefill == NULL) {
      tpu_fail(&run->why, TPU_ERR_CAPACITY, "no room in DRAM to compare C in");
      corpus_end(run, TPU_OUTCOME_SETUP);
      return;
    }
    fill(run, TPU_BUFFER_C, prefill);
    tpu_image_compare(&run->device.params, &p->workload, dense, prefill, run->image[TPU_BUFFER_C],
                      c);
  } else {
    corpus_end(run, TPU_OUTCOME_COMPLETED);
    return;
  }
  corpus_end(run, c->wrong != 0       ? TPU_OUTCOME_WRONG
                  : c->clobbered != 0 ? TPU_OUTCOME_CLOBBERED
                                      : TPU_OUTCOME_EXACT);
}
