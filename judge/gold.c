/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/gold.h"

#include <string.h>

/* One index: its size, and the step it makes in each input's dense values. */
struct axis {
  uint32_t size;
  uint32_t step[TPU_MAX_INPUTS];
};

/* A set of nested indices, the last one fastest, and where in the inputs they point now. */
struct nest {
  uint32_t axes;
  struct axis axis[TPU_MAX_INDICES];
  uint32_t at[TPU_MAX_INDICES];
  uint32_t offset[TPU_MAX_INPUTS];
};

static uint32_t step_of(const struct tpu_workload *w, const struct tpu_tensor *t, char letter) {
  uint32_t step = 1;
  for (size_t i = strlen(t->subscript); i-- > 0;) {
    if (t->subscript[i] == letter)
      return step;
    step *= tpu_index_size(w, t->subscript[i]);
  }
  return 0; /* the input does not move with this index */
}

static void add_axis(const struct tpu_workload *w, struct nest *n, char letter) {
  struct axis *a = &n->axis[n->axes++];
  a->size = tpu_index_size(w, letter);
  for (uint32_t i = 0; i < w->inputs; i++)
    a->step[i] = step_of(w, &w->input[i], letter);
}

/* Moves to the next combination; 0, and back at the first, after the last. */
static int advance(struct nest *n) {
  for (uint32_t k = n->axes; k-- > 0;) {
    const struct axis *a = &n->axis[k];
    const int carries = ++n->at[k] == a->size;
    for (uint32_t i = 0; i < TPU_MAX_INPUTS; i++)
      n->offset[i] += carries ? 0U - a->step[i] * (a->size - 1) : a->step[i];
    if (!carries)
      return 1;
    n->at[k] = 0;
  }
  return 0;
}

static int64_t sum(const struct tpu_workload *w, const struct tpu_operands *data,
                   const struct nest *outer, struct nest *inner) {
  int64_t total = 0;
  do {
    int64_t product = 1;
    for (uint32_t i = 0; i < w->inputs; i++)
      product *= data->input[i][outer->offset[i] + inner->offset[i]];
    total += product;
  } while (advance(inner));
  return total;
}

static int8_t narrow(int32_t value, int relu) {
  if (relu && value < 0)
    value = 0;
  return (int8_t)(value < INT8_MIN ? INT8_MIN : value > INT8_MAX ? INT8_MAX : value);
}

uint32_t tpu_gold(const struct tpu_workload *w, const struct tpu_operands *data, int8_t *out) {
  struct nest outer = {0};
  struct nest inner = {0};
  for (const char *c = w->output.subscript; *c != '\0'; c++)
    add_axis(w, &outer, *c);
  for (uint32_t i = 0; i < w->indices; i++)
    if (strchr(w->output.subscript, (int)w->index[i].letter) == NULL)
      add_axis(w, &inner, (char)w->index[i].letter);
  uint32_t wrapped = 0;
  do {
    const int64_t total = sum(w, data, &outer, &inner);
    wrapped += total < INT32_MIN || total > INT32_MAX;
    *out++ = narrow((int32_t)(uint32_t)(uint64_t)total, w->relu != 0);
  } while (advance(&outer));
  return wrapped;
}
