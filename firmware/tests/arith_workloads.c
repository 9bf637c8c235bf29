/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/tests/arith_workloads.h"

enum { RELU = 1, PAD_ZERO = 2, COLUMN_BLOCK = 4 };

struct shape {
  const char *form; /* inputs and output, each followed by a blank or the end */
  uint16_t b, m, k, n;
  unsigned flags;
};

static const struct shape shapes[] = {
    {"mk kn mn", 0, 4, 4, 4, 0},          {"mk kn mn", 0, 8, 8, 8, 0},
    {"mk kn mn", 0, 12, 12, 12, 0},       {"mk kn mn", 0, 16, 16, 8, 0},
    {"mk kn mn", 0, 16, 16, 16, 0},       {"mk kn mn", 0, 16, 16, 16, RELU},
    {"mk kn mn", 0, 16, 16, 4, 0},        {"mk kn mn", 0, 4, 4, 16, 0},
    {"mk kn mn", 0, 4, 16, 4, 0},         {"mk kn mn", 0, 6, 8, 8, 0},
    {"mk kn mn", 0, 2, 8, 4, 0},          {"mk kn mn", 0, 8, 8, 6, COLUMN_BLOCK},
    {"mk kn mn", 0, 8, 6, 8, PAD_ZERO},   {"mk kn mn", 0, 8, 6, 8, 0},
    {"bmk bkn bmn", 2, 4, 4, 4, 0},       {"mn mn", 0, 16, 0, 16, RELU},
    {"mk m", 0, 16, 16, 0, COLUMN_BLOCK}, {"mk kn mn", 0, 32, 32, 32, 0},
    {"mk kn mn", 0, 48, 48, 48, 0},       {"mk kn mn", 0, 64, 64, 64, 0},
    {"mk kn mn", 0, 64, 32, 64, 0},       {"mk kn mn", 0, 32, 64, 32, 0},
};

uint32_t arith_workload_count(void) { return sizeof shapes / sizeof shapes[0]; }

/* Copies one word of text and returns what follows its blank, NULL at the end. */
static const char *take_word(const char *text, char word[8]) {
  unsigned n = 0;
  while (n < 7 && text[n] != ' ' && text[n] != '\0') {
    word[n] = text[n];
    ++n;
  }
  word[n] = '\0';
  return text[n] == ' ' ? text + n + 1 : NULL;
}

static void add_index(struct tpu_workload *w, char letter, uint32_t size) {
  if (size != 0) {
    w->index[w->indices++] = (struct tpu_index){(uint32_t)letter, size};
  }
}

struct tpu_workload arith_workload(uint32_t i) {
  const struct shape *s = &shapes[i];
  struct tpu_workload w = {.name = "shape"};
  w.name[5] = (char)('a' + i);
  add_index(&w, 'b', s->b);
  add_index(&w, 'm', s->m);
  add_index(&w, 'k', s->k);
  add_index(&w, 'n', s->n);
  struct tpu_tensor tensor[3] = {{{0}, 0, 0, 0}, {{0}, 0, 0, 0}, {{0}, 0, 0, 0}};
  uint32_t tensors = 0;
  for (const char *text = s->form; text != NULL;) {
    text = take_word(text, tensor[tensors++].subscript);
  }
  w.inputs = tensors - 1;
  for (uint32_t k = 0; k < w.inputs; ++k) {
    w.input[k] = tensor[k];
    w.input[k].buffer = k == 0 ? TPU_BUFFER_A : TPU_BUFFER_B;
  }
  w.output = tensor[w.inputs];
  w.output.buffer = TPU_BUFFER_C;
  if (w.inputs == 1) {
    w.constants = 1;
    w.constant[0] = (struct tpu_constant){
        .kind = s->n != 0 ? TPU_CONST_IDENTITY : TPU_CONST_ONES_COLUMN, .buffer = TPU_BUFFER_B};
  }
  w.relu = (s->flags & RELU) != 0;
  w.pad_zero = (s->flags & PAD_ZERO) != 0;
  w.write_window = (s->flags & COLUMN_BLOCK) != 0 ? TPU_WINDOW_COLUMN_BLOCK : TPU_WINDOW_EXACT;
  return w;
}
