/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/operands.h"

#include "isa/random.h"

#include <stdlib.h>
#include <string.h>

const char *tpu_distribution_name(enum tpu_distribution d) {
  static const char *const names[TPU_DISTRIBUTION_COUNT] = {
#define TPU_DISTRIBUTION_NAME(id, name, text) name,
      TPU_DISTRIBUTIONS(TPU_DISTRIBUTION_NAME)
#undef TPU_DISTRIBUTION_NAME
  };
  const unsigned i = (unsigned)d;
  return i < TPU_DISTRIBUTION_COUNT ? names[i] : "?";
}

static int8_t draw_corner(struct tpu_random *random) {
  static const int8_t corners[] = {-128, -128, -128, -128, -127, -1, 0, 1, 126, 127, 127, 127, 127};
  return corners[tpu_random_range(random, 0, (int32_t)sizeof corners - 1)];
}

static int8_t draw(struct tpu_random *random, enum tpu_distribution d) {
  switch (d) {
  case TPU_DISTRIBUTION_SMALL:
    return (int8_t)tpu_random_range(random, -4, 4);
  case TPU_DISTRIBUTION_MID:
    return (int8_t)tpu_random_range(random, -16, 16);
  case TPU_DISTRIBUTION_CORNER:
    return draw_corner(random);
  case TPU_DISTRIBUTION_FULL:
  case TPU_DISTRIBUTION_COUNT:
    break;
  }
  return (int8_t)tpu_random_range(random, INT8_MIN, INT8_MAX);
}

/* Both extremes at two places, as far as there are two. */
static void force_extremes(struct tpu_random *random, int8_t *values, uint32_t count) {
  const uint32_t first = (uint32_t)tpu_random_range(random, 0, (int32_t)count - 1);
  const int minimum_first = tpu_random_range(random, 0, 1);
  values[first] = minimum_first ? INT8_MIN : INT8_MAX;
  if (count > 1) {
    const uint32_t apart = (uint32_t)tpu_random_range(random, 1, (int32_t)count - 1);
    values[(first + apart) % count] = minimum_first ? INT8_MAX : INT8_MIN;
  }
}

static int allocate(const struct tpu_spec *spec, struct tpu_operand_set *out) {
  memset(out, 0, sizeof *out);
  for (uint32_t i = 0; i < spec->workload.constants; i++)
    out->view.constant[i] = spec->constant_data[i];
  for (uint32_t i = 0; i < spec->workload.inputs; i++) {
    out->owned[i] = malloc(tpu_tensor_elements(&spec->workload, &spec->workload.input[i]));
    out->view.input[i] = out->owned[i];
    if (out->owned[i] == NULL) {
      tpu_operands_release(out);
      return 0;
    }
  }
  return 1;
}

int tpu_operands_draw(const struct tpu_spec *spec, enum tpu_distribution d, uint32_t seed,
                      struct tpu_operand_set *out) {
  const struct tpu_workload *w = &spec->workload;
  if (!allocate(spec, out))
    return 0;
  for (uint32_t i = 0; i < w->inputs; i++) {
    const uint32_t stream = (uint32_t)d * TPU_MAX_INPUTS + i + 1;
    struct tpu_random random = tpu_random_seeded(seed ^ stream * 0x9e3779b9U);
    const uint32_t count = tpu_tensor_elements(w, &w->input[i]);
    for (uint32_t k = 0; k < count; k++)
      out->owned[i][k] = draw(&random, d);
    if (d == TPU_DISTRIBUTION_FULL)
      force_extremes(&random, out->owned[i], count);
  }
  return 1;
}

int tpu_operands_from_images(const struct tpu_spec *spec, const struct tpu_params *p,
                             const int8_t *const images[2], struct tpu_operand_set *out) {
  const struct tpu_workload *w = &spec->workload;
  if (!allocate(spec, out))
    return 0;
  for (uint32_t i = 0; i < w->inputs; i++) {
    const struct tpu_region r = tpu_tensor_region(w, &w->input[i]);
    const int8_t *image = images[w->input[i].buffer];
    for (uint32_t row = 0; row < r.rows; row++)
      memcpy(out->owned[i] + (size_t)row * r.cols,
             image + (size_t)(r.row + row) * p->maxdim + r.col, r.cols);
  }
  return 1;
}

void tpu_operands_release(struct tpu_operand_set *set) {
  for (uint32_t i = 0; i < TPU_MAX_INPUTS; i++)
    free(set->owned[i]);
  memset(set, 0, sizeof *set);
}
