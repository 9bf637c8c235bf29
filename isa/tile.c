/* SPDX-License-Identifier: Apache-2.0 */
/* How a GEMM is cut into tiles, and the program of a tile. */
#include "isa/tile.h"

#include "isa/mapper_internal.h"

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }
static uint32_t most(uint32_t a, uint32_t b) { return a > b ? a : b; }
/* a / b rounded up; a >= 1. */
static uint32_t ceiling(uint32_t a, uint32_t b) { return (a - 1) / b + 1; }

uint32_t tpu_tile_mm_rows(uint32_t rows) { return most(rows, TPU_AR_RAW_DIST); }

uint32_t tpu_tile_rows(const struct tpu_tile_plan *plan, uint32_t row_tile) {
  return least(plan->rows, plan->m - row_tile * plan->rows);
}

uint32_t tpu_tile_blocks(const struct tpu_params *p, const struct tpu_tile_plan *plan,
                         uint32_t col_tile) {
  return least(plan->blocks, ceiling(plan->n, p->t) - col_tile * plan->blocks);
}

static struct tpu_strips strips(uint32_t rows, uint32_t count, uint32_t height) {
  return (struct tpu_strips){rows, count, least(count, height / rows)};
}

struct tpu_strips tpu_tile_strips_a(const struct tpu_tile_plan *plan, uint32_t rows) {
  return strips(tpu_tile_mm_rows(rows), plan->kt, plan->height);
}

struct tpu_strips tpu_tile_strips_b(const struct tpu_params *p, const struct tpu_tile_plan *plan,
                                    uint32_t blocks) {
  return strips(p->t, plan->kt * blocks, plan->height);
}

/* Image rows that so many strips fill when they use every column block. */
static uint32_t lowest(const struct tpu_params *p, uint32_t rows, uint32_t count) {
  return rows * ceiling(count, tpu_words_per_row(p));
}

/* One dma_ld for each column block of strips; the last one may be lower. */
static void load_strips(struct tpu_mapping *m, uint32_t buffer, const struct tpu_strips *s) {
  const uint32_t mode = tpu_map_mode(buffer, buffer == TPU_BUFFER_A);
  const uint32_t columns = s->count / s->stack;
  const uint32_t rest = s->count % s->stack;
  struct tpu_loop column = tpu_map_loop(m, columns);
  tpu_map_load(m, mode, tpu_at(0), tpu_plus(tpu_at(0), column, 1),
               tpu_plus(tpu_at(0), column, s->stack * s->rows), s->stack * s->rows);
  tpu_map_endloop(m);
  tpu_map_load(m, mode, tpu_at(0), tpu_at(columns), tpu_at(columns * s->stack * s->rows),
               rest * s->rows);
}

/* Column block after column block of C: the sum over all k-blocks, then its rows to C. */
static void compute(struct tpu_mapping *m, const struct tpu_strips *a, uint32_t blocks) {
  const uint32_t t = m->p->t;
  struct tpu_loop block = tpu_map_loop(m, blocks);
  struct tpu_addr weights = tpu_at(0);
  if (blocks > 1) /* the stride of a single one may pass what a term holds */
    weights = tpu_plus(weights, block, a->count * t);
  tpu_map_mm(m, tpu_at(0), tpu_at(0), 0, weights);
  for (uint32_t done = 1; done < a->count; done += TPU_MAX_ROWS) {
    struct tpu_loop kb = tpu_map_loop(m, least(a->count - done, TPU_MAX_ROWS));
    struct tpu_addr from = weights;
    from.base = done * t;
    tpu_map_mm(m, tpu_plus(tpu_at(done * a->rows), kb, a->rows), tpu_at(0), 1,
               tpu_plus(from, kb, t));
    tpu_map_endloop(m);
  }
  tpu_map_retire(m, tpu_at(0), tpu_at(0), tpu_plus(tpu_at(0), block, 1));
  tpu_map_endloop(m);
}

int tpu_tile_map(const struct tpu_params *p, const struct tpu_tile_plan *plan, uint32_t rows,
                 uint32_t blocks, struct tpu_program *out, struct tpu_counts *counts,
                 struct tpu_error *e) {
  static const struct tpu_workload no_epilogue = {.relu = 0};
  const struct tpu_strips a = tpu_tile_strips_a(plan, rows);
  const struct tpu_strips b = tpu_tile_strips_b(p, plan, blocks);
  struct tpu_mapping m = {
      .p = p, .w = &no_epilogue, .name = "tile", .x = {.m = rows}, .rows = a.rows, .times = 1};
  tpu_builder_begin(&m.b, out);
  load_strips(&m, TPU_BUFFER_A, &a);
  load_strips(&m, TPU_BUFFER_B, &b);
  compute(&m, &a, blocks);
  if (!tpu_builder_end(&m.b, e))
    return 0;
  m.counts.insns = out->count;
  m.counts.a_span = a.stack * a.rows;
  m.counts.b_span = b.stack * b.rows;
  *counts = m.counts;
  return tpu_counts_legal(p, counts, NULL, e);
}

/* Fewer column blocks until the program of a full tile fits; the most that do. */
static int fit_program(const struct tpu_params *p, struct tpu_tile_plan *plan,
                       struct tpu_error *e) {
  struct tpu_word storage[TPU_MAP_STORAGE];
  struct tpu_counts counts;
  for (;;) {
    struct tpu_program program = {storage, TPU_MAP_STORAGE, 0};
    plan->height = most(lowest(p, tpu_tile_mm_rows(plan->rows), plan->kt),
                        lowest(p, p->t, plan->kt * plan->blocks));
    if (tpu_tile_map(p, plan, plan->rows, plan->blocks, &program, &counts, e))
      return 1;
    if (plan->blocks == 1)
      return 0;
    --plan->blocks;
  }
}

/* What holds the strips of full tiles and those of the last one, which may stand higher; whole
 * words of 32 bits, so that the next image can follow: base addresses are multiples of them. */
static uint32_t image_bytes(const struct tpu_params *p, struct tpu_strips full,
                            struct tpu_strips last) {
  const uint32_t word = sizeof(uint32_t);
  return ceiling(most(full.stack * full.rows, last.stack * last.rows) * p->maxdim, word) * word;
}

static int check_sizes(const struct tpu_params *p, uint32_t m, uint32_t k, uint32_t n,
                       struct tpu_error *e) {
  const struct {
    const char *name;
    uint32_t value;
  } sizes[] = {{"M", m}, {"K", k}, {"N", n}};
  const uint32_t k_max = tpu_operand_rows(p); /* words of an image: T x T tiles of k fill it */
  for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; ++i)
    if (sizes[i].value < 1 || sizes[i].value > TPU_TILE_MAX_SIZE)
      return tpu_fail(e, TPU_ERR_RANGE, "%s is %u; allowed is 1..%u", sizes[i].name, sizes[i].value,
                      (uint32_t)TPU_TILE_MAX_SIZE);
  if (ceiling(k, p->t) > k_max / p->t)
    return tpu_fail(
        e, TPU_ERR_UNFIT,
        "K is %u; allowed is 1..%u at T=%u MAXDIM=%u: all of K of one %u x %u tile must "
        "fit the operand images of MAXDIM*MAXDIM bytes, since mvout saturates and no "
        "sum can be left half done",
        k, k_max / p->t * p->t, p->t, p->maxdim, p->t, p->t);
  return 1;
}

int tpu_tile_cut(const struct tpu_params *p, uint32_t m, uint32_t k, uint32_t n,
                 struct tpu_tile_plan *out, struct tpu_error *e) {
  if (!check_sizes(p, m, k, n, e))
    return 0;
  const uint32_t kt = ceiling(k, p->t);
  const uint32_t nt = ceiling(n, p->t);
  const uint32_t wpr = tpu_words_per_row(p);
  struct tpu_tile_plan plan = {.m = m, .k = k, .n = n, .kt = kt};
  /* No more rows than one mm takes: more instructions might not fit. */
  plan.rows = least(m, least(p->maxdim / ceiling(kt, wpr), TPU_MAX_ROWS));
  plan.blocks = least(least(nt, wpr), wpr * (p->maxdim / p->t) / kt);
  if (!fit_program(p, &plan, e))
    return 0;
  plan.row_tiles = ceiling(m, plan.rows);
  plan.col_tiles = ceiling(nt, plan.blocks);
  const uint32_t last_rows = tpu_tile_rows(&plan, plan.row_tiles - 1);
  const uint32_t last_blocks = tpu_tile_blocks(p, &plan, plan.col_tiles - 1);
  plan.a_bytes =
      image_bytes(p, tpu_tile_strips_a(&plan, plan.rows), tpu_tile_strips_a(&plan, last_rows));
  plan.b_bytes = image_bytes(p, tpu_tile_strips_b(p, &plan, plan.blocks),
                             tpu_tile_strips_b(p, &plan, last_blocks));
  plan.keep_b = (uint64_t)plan.col_tiles * plan.b_bytes < (uint64_t)plan.row_tiles * plan.a_bytes;
  *out = plan;
  return 1;
}
