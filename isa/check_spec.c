/* SPDX-License-Identifier: Apache-2.0 */
#include "isa/check.h"

static void describe(struct tpu_violation *v, int rule, uint32_t first, uint32_t rows) {
  v->rule = rule;
  v->mem = TPU_MEM_C;
  v->first = first;
  v->rows = rows;
}

static int within(uint32_t first, uint32_t count, uint32_t lo, uint32_t size) {
  return first >= lo && first + count <= lo + size;
}

/* Narrows the rows of an mvout to the first stretch of them that lies outside the window. */
static void stray_rows(const struct tpu_region *window, uint32_t *first, uint32_t *rows) {
  uint32_t end = *first + *rows;
  uint32_t past = window->row + window->rows;
  if (*first < window->row) {
    *rows = (end < window->row ? end : window->row) - *first;
  } else {
    *first = *first > past ? *first : past;
    *rows = end - *first;
  }
}

/* All bytes a mvout writes: nr rows of one column block. */
static int check_window(const struct tpu_params *p, const struct tpu_issue *i,
                        const struct tpu_region *window, struct tpu_violation *v) {
  uint32_t col = i->f[2] * p->t;
  int cols_ok = within(col, p->t, window->col, window->cols);
  if (cols_ok && within(i->f[1], i->nr, window->row, window->rows))
    return 1;
  uint32_t first = i->f[1];
  uint32_t rows = i->nr;
  if (cols_ok)
    stray_rows(window, &first, &rows);
  describe(v, TPU_RULE_WRITE_WINDOW, first, rows);
  v->index = (int32_t)i->index;
  v->op = i->op;
  v->depth = i->depth;
  for (unsigned k = 0; k < i->depth; ++k)
    v->iv[k] = i->iv[k];
  struct tpu_text t = tpu_text_on(v->detail, sizeof v->detail);
  tpu_text_format(
      &t,
      "writes C row(s) %u..%u, columns %u..%u; the write window is rows %u..%u, columns "
      "%u..%u",
      first, first + rows - 1, col, col + p->t - 1, window->row, window->row + window->rows - 1,
      window->col, window->col + window->cols - 1);
  return 0;
}

static int is_covered(const struct tpu_params *p, const uint8_t *covered, uint32_t row,
                      uint32_t block) {
  uint32_t word = row * tpu_words_per_row(p) + block;
  return (covered[word / 8] >> (word % 8)) & 1;
}

static void cover(const struct tpu_params *p, uint8_t *covered, const struct tpu_issue *i) {
  for (uint32_t r = 0; r < i->nr; ++r) {
    uint32_t word = (i->f[1] + r) * tpu_words_per_row(p) + i->f[2];
    covered[word / 8] = (uint8_t)(covered[word / 8] | (1U << (word % 8)));
  }
}

/* Every packed word that holds a byte of the output, block by block. */
static int check_complete(const struct tpu_params *p, const uint8_t *covered,
                          const struct tpu_region *output, struct tpu_violation *v) {
  uint32_t past = output->row + output->rows;
  for (uint32_t block = output->col / p->t; block * p->t < output->col + output->cols; ++block)
    for (uint32_t row = output->row; row < past; ++row) {
      if (is_covered(p, covered, row, block))
        continue;
      uint32_t end = row;
      while (end < past && !is_covered(p, covered, end, block))
        ++end;
      describe(v, TPU_RULE_OUTPUT_INCOMPLETE, row, end - row);
      struct tpu_text t = tpu_text_on(v->detail, sizeof v->detail);
      tpu_text_format(&t, "no mvout writes C row(s) %u..%u, columns %u..%u, which hold output", row,
                      end - 1, block * p->t, block * p->t + p->t - 1);
      return 0;
    }
  return 1;
}

int tpu_check_spec(const struct tpu_params *p, const struct tpu_code *code,
                   const struct tpu_workload *workload, uint8_t *covered, size_t covered_bytes,
                   struct tpu_violation *v) {
  *v = (struct tpu_violation){.rule = TPU_RULE_NONE, .index = -1};
  size_t needed = ((size_t)p->maxdim * tpu_words_per_row(p) + 7) / 8;
  if (covered_bytes < needed) {
    struct tpu_text t = tpu_text_on(v->detail, sizeof v->detail);
    tpu_text_format(&t, "the coverage map has %U bytes; allowed is %U or more",
                    (uint64_t)covered_bytes, (uint64_t)needed);
    return 0;
  }
  for (size_t k = 0; k < needed; ++k)
    covered[k] = 0;
  const struct tpu_region window = tpu_write_region(p, workload);
  const struct tpu_region output = tpu_tensor_region(workload, &workload->output);
  struct tpu_walk w;
  struct tpu_issue i;
  tpu_walk_begin(&w, code);
  while (tpu_walk_next(&w, &i)) {
    if (i.op != TPU_OP_MVOUT)
      continue;
    if (!check_window(p, &i, &window, v))
      return 0;
    cover(p, covered, &i);
  }
  return check_complete(p, covered, &output, v);
}
