/* SPDX-License-Identifier: Apache-2.0 */
/* Emits and counts. What is particular to an einsum stands in mapper_forms.c. */
#include "isa/mapper.h"

#include "isa/mapper_internal.h"

static uint32_t chunk(uint32_t done, uint32_t all) {
  uint32_t left = all - done;
  return left < TPU_MAX_ROWS ? left : TPU_MAX_ROWS;
}

static struct tpu_addr shift(struct tpu_addr a, uint32_t offset) {
  a.base += offset;
  return a;
}

/* The counts that one kind of issue adds, once for every pass of the loops around it. */
static void count(struct tpu_mapping *m, enum tpu_op op, uint32_t mode, uint32_t rows) {
  struct tpu_counts one = {0};
  struct tpu_issue issue = {.op = (uint8_t)op, .nr = (uint8_t)rows, .f = {mode, 0, 0, 0}};
  tpu_counts_add(&one, m->p, &issue);
  m->counts.dma_ld += m->times * one.dma_ld;
  m->counts.spm += m->times * one.spm;
  m->counts.vru += m->times * one.vru;
  m->counts.mm += m->times * one.mm;
  m->counts.mm_rows += m->times * one.mm_rows;
  m->counts.accu += m->times * one.accu;
  m->counts.dma_st += m->times * one.dma_st;
}

struct tpu_loop tpu_map_loop(struct tpu_mapping *m, uint32_t trip) {
  struct tpu_loop loop = tpu_build_loop(&m->b, trip);
  if (m->b.error.code == TPU_OK) {
    m->trip[loop.level] = trip;
    m->times *= trip;
  }
  return loop;
}

void tpu_map_endloop(struct tpu_mapping *m) {
  tpu_build_endloop(&m->b);
  if (m->b.error.code == TPU_OK)
    m->times /= m->trip[m->b.depth];
}

uint32_t tpu_map_mode(uint32_t buffer, int to_vr) {
  return (buffer == TPU_BUFFER_B ? (uint32_t)TPU_DMA_SOURCE_B : 0U) |
         (to_vr ? (uint32_t)TPU_DMA_DEST_VR : 0U);
}

void tpu_map_load(struct tpu_mapping *m, uint32_t mode, struct tpu_addr row, struct tpu_addr col,
                  struct tpu_addr dest, uint32_t rows) {
  for (uint32_t done = 0; done < rows; done += TPU_MAX_ROWS) {
    tpu_build_dma_ld(&m->b, mode, shift(row, done), col, shift(dest, done), chunk(done, rows));
    count(m, TPU_OP_DMA_LD, mode, chunk(done, rows));
  }
}

void tpu_map_load_padded(struct tpu_mapping *m, uint32_t mode, uint32_t row, struct tpu_addr col,
                         struct tpu_addr dest, uint32_t rows) {
  uint32_t there = m->p->maxdim - row;
  uint32_t first = rows < there ? rows : there;
  tpu_map_load(m, mode, tpu_at(row), col, dest, first);
  tpu_map_load(m, mode, tpu_at(0), col, shift(dest, first), rows - first);
}

void tpu_map_repeat(struct tpu_mapping *m, const struct tpu_place *word, struct tpu_addr dest,
                    uint32_t rows) {
  struct tpu_loop each = tpu_map_loop(m, rows);
  tpu_map_load(m, tpu_map_mode(word->buffer, 0), tpu_at(word->row), tpu_at(word->block),
               tpu_plus(dest, each, 1), 1);
  tpu_map_endloop(m);
}

void tpu_map_copy(struct tpu_mapping *m, struct tpu_addr vr, struct tpu_addr spad, uint32_t rows) {
  for (uint32_t done = 0; done < rows; done += TPU_MAX_ROWS) {
    tpu_build_vld(&m->b, shift(vr, done), shift(spad, done), chunk(done, rows));
    count(m, TPU_OP_VLD, 0, chunk(done, rows));
  }
}

void tpu_map_mm(struct tpu_mapping *m, struct tpu_addr vr, struct tpu_addr ar, int accumulate,
                struct tpu_addr spad) {
  for (uint32_t done = 0; done < m->rows; done += TPU_MAX_ROWS) {
    tpu_build_mm(&m->b, shift(vr, done), shift(ar, done), accumulate, spad, chunk(done, m->rows));
    count(m, TPU_OP_MM, 0, chunk(done, m->rows));
  }
}

void tpu_map_retire(struct tpu_mapping *m, struct tpu_addr ar, struct tpu_addr row,
                    struct tpu_addr col) {
  /* relu over all rows of the mm, so that the mvout keeps its distance at few rows too. */
  for (uint32_t done = 0; m->w->relu != 0 && done < m->rows; done += TPU_MAX_ROWS) {
    tpu_build_vrelu(&m->b, shift(ar, done), shift(ar, done), chunk(done, m->rows));
    count(m, TPU_OP_VRELU, 0, chunk(done, m->rows));
  }
  for (uint32_t done = 0; done < m->x.m; done += TPU_MAX_ROWS) {
    tpu_build_mvout(&m->b, shift(ar, done), shift(row, done), col, chunk(done, m->x.m));
    count(m, TPU_OP_MVOUT, 0, chunk(done, m->x.m));
  }
}

static int check_counts(const struct tpu_mapping *m, struct tpu_error *e) {
  const struct tpu_counts *c = &m->counts;
  const struct {
    const char *name;
    uint32_t value;
  } counts[] = {{"dma_ld", c->dma_ld},   {"spm", c->spm},   {"vru", c->vru},      {"mm", c->mm},
                {"mm_rows", c->mm_rows}, {"accu", c->accu}, {"dma_st", c->dma_st}};
  unsigned worst = 0;
  for (unsigned i = 1; i < sizeof counts / sizeof counts[0]; ++i)
    if (counts[i].value > counts[worst].value)
      worst = i;
  if (counts[worst].value <= TPU_MAX_COUNT)
    return 1;
  return tpu_fail(e, TPU_ERR_UNFIT,
                  "the %s's header count %s would be %u, %u above the %u it holds", m->name,
                  counts[worst].name, counts[worst].value, counts[worst].value - TPU_MAX_COUNT,
                  (uint32_t)TPU_MAX_COUNT);
}

static int check_size(const struct tpu_mapping *m, const struct tpu_program *out, uint32_t needed,
                      struct tpu_error *e) {
  uint32_t capacity = tpu_program_capacity(m->p);
  if (needed > capacity)
    return tpu_fail(e, TPU_ERR_UNFIT,
                    "the %s has %u instructions, %u more than the %u that IMEM_SIZE=%u leaves room "
                    "for",
                    m->name, needed, needed - capacity, capacity, m->p->imem_size);
  if (needed > out->capacity)
    return tpu_fail(e, TPU_ERR_CAPACITY,
                    "the %s has %u instructions, %u more than the caller's storage of %u", m->name,
                    needed, needed - out->capacity, out->capacity);
  return 1;
}

static int map_form(struct tpu_mapping *m, struct tpu_error *e) {
  const struct tpu_workload *w = m->w;
  switch (tpu_workload_form(w)) {
  case TPU_FORM_GEMM:
    tpu_map_gemm(m);
    return 1;
  case TPU_FORM_BATCHED_GEMM:
    tpu_map_batched(m);
    return 1;
  case TPU_FORM_POINTWISE:
    return tpu_map_pointwise(m, e);
  case TPU_FORM_ROW_REDUCE:
    return tpu_map_row_reduce(m, e);
  case TPU_FORM_OTHER:
    break;
  }
  return tpu_fail(e, TPU_ERR_UNFIT,
                  "the einsum %s%s%s->%s has no mapping; mapped are mk,kn->mn, mn->mn, mk->m and "
                  "bmk,bkn->bmn",
                  w->input[0].subscript, w->inputs > 1 ? "," : "",
                  w->inputs > 1 ? w->input[1].subscript : "", w->output.subscript);
}

int tpu_map_baseline(const struct tpu_params *p, const struct tpu_workload *w,
                     struct tpu_program *out, struct tpu_error *e) {
  return tpu_map_with(p, w, "baseline", map_form, out, e);
}

int tpu_map_with(const struct tpu_params *p, const struct tpu_workload *w, const char *name,
                 tpu_map_emit *emit, struct tpu_program *out, struct tpu_error *e) {
  /* Built beside the caller's storage, so that a program too long can say by how much. */
  struct tpu_word storage[TPU_MAP_STORAGE];
  struct tpu_program program = {storage, TPU_MAP_STORAGE, 0};
  struct tpu_mapping m = {.p = p, .w = w, .name = name, .x = tpu_workload_extent(p, w), .times = 1};
  m.rows = m.x.m < TPU_AR_RAW_DIST ? (uint32_t)TPU_AR_RAW_DIST : m.x.m;
  out->count = 0;
  if (!tpu_workload_fits(p, w, e))
    return 0;
  tpu_builder_begin(&m.b, &program);
  if (!emit(&m, e) || !tpu_builder_end(&m.b, e) || !check_size(&m, out, program.count, e) ||
      !check_counts(&m, e))
    return 0;
  for (uint32_t i = 0; i < program.count; ++i)
    out->words[i] = storage[i];
  out->count = program.count;
  return 1;
}
