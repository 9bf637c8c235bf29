/* SPDX-License-Identifier: Apache-2.0 */
/* A GEMM in other orders than the baseline's. Each computes the same sums in the same order over
 * the reduction; what differs is when operands are loaded, how often, and by which way. */
#include "isa/mapper.h"
#include "isa/mapper_internal.h"

/* The weights come later into the same scratchpad rows. */
static int via_spad(struct tpu_mapping *m, struct tpu_error *e) {
  (void)e;
  const struct tpu_tensor *in = &m->w->input[0];
  struct tpu_loop kb = tpu_map_loop(m, m->x.kt);
  struct tpu_addr rows = tpu_plus(tpu_at(0), kb, m->p->maxdim);
  tpu_map_load_padded(m, tpu_map_mode(in->buffer, 0), in->row,
                      tpu_plus(tpu_at(tpu_map_block(m, in)), kb, 1), rows, m->rows);
  tpu_map_copy(m, rows, rows, m->rows);
  tpu_map_endloop(m);
  tpu_map_resident_weights(m);
  tpu_map_tiles(m, tpu_at(m->w->output.row));
  return 1;
}

/* The fewest rows, T at least, that M comes in equal blocks of; M when there are none. */
static uint32_t block_rows(const struct tpu_mapping *m) {
  uint32_t rows = m->p->t;
  while (rows < m->x.m && m->x.m % rows != 0)
    ++rows;
  return rows < m->x.m ? rows : m->x.m;
}

/* From here on the rows of an output tile are a block's. Returns how many blocks: at most MAXDIM/T,
 * which a loop counts. */
static uint32_t split_rows(struct tpu_mapping *m) {
  uint32_t rows = block_rows(m);
  uint32_t blocks = m->x.m / rows;
  if (blocks > 1)
    m->rows = m->x.m = rows;
  return blocks;
}

static int row_blocks(struct tpu_mapping *m, struct tpu_error *e) {
  const struct tpu_tensor *in = &m->w->input[0];
  uint32_t blocks = split_rows(m);
  if (blocks == 1)
    return tpu_fail(e, TPU_ERR_UNFIT,
                    "the %s needs M to be two or more equal blocks of T=%u rows or more; %u is not",
                    m->name, m->p->t, m->x.m);
  tpu_map_resident_weights(m);
  struct tpu_loop mb = tpu_map_loop(m, blocks);
  struct tpu_loop kb = tpu_map_loop(m, m->x.kt);
  tpu_map_load(m, tpu_map_mode(in->buffer, 1), tpu_plus(tpu_at(in->row), mb, m->rows),
               tpu_plus(tpu_at(tpu_map_block(m, in)), kb, 1), tpu_plus(tpu_at(0), kb, m->p->maxdim),
               m->rows);
  tpu_map_endloop(m);
  tpu_map_tiles(m, tpu_plus(tpu_at(m->w->output.row), mb, m->rows));
  tpu_map_endloop(m);
  return 1;
}

/* With a single block of rows every tile is loaded once, but not before its turn. */
static int reload_weights(struct tpu_mapping *m, struct tpu_error *e) {
  (void)e;
  struct tpu_addr vr = tpu_at(0);
  struct tpu_addr row = tpu_at(m->w->output.row);
  uint32_t blocks = split_rows(m);
  tpu_map_activations(m, blocks > 1 ? blocks * m->rows : m->rows);
  if (blocks > 1) {
    struct tpu_loop mb = tpu_map_loop(m, blocks);
    vr = tpu_plus(vr, mb, m->rows);
    row = tpu_plus(row, mb, m->rows);
  }
  struct tpu_loop nb = tpu_map_loop(m, m->x.nt);
  tpu_map_weights(m, nb, tpu_at(0));
  tpu_map_tile(m, nb, vr, tpu_at(0), row);
  tpu_map_endloop(m);
  if (blocks > 1)
    tpu_map_endloop(m);
  return 1;
}

/* A T x T block of weights into spad rows. */
static void load_block(struct tpu_mapping *m, struct tpu_addr row, struct tpu_addr col,
                       struct tpu_addr spad) {
  const struct tpu_tensor *weights = &m->w->input[1];
  row.base += weights->row;
  col.base += tpu_map_block(m, weights);
  tpu_map_load(m, tpu_map_mode(weights->buffer, 0), row, col, spad, m->p->t);
}

static void load_first_use(struct tpu_mapping *m, struct tpu_addr col, struct tpu_addr vr) {
  const struct tpu_tensor *in = &m->w->input[0];
  col.base += tpu_map_block(m, in);
  tpu_map_load_padded(m, tpu_map_mode(in->buffer, 1), in->row, col, vr, m->rows);
}

/* Column tile col of the output. A block of activations is first used by the first of them, and
 * stays; one of weights is used once. */
static void tile_just_in_time(struct tpu_mapping *m, struct tpu_addr col, int first) {
  uint32_t t = m->p->t;
  uint32_t maxdim = m->p->maxdim;
  if (first)
    load_first_use(m, tpu_at(0), tpu_at(0));
  load_block(m, tpu_at(0), col, tpu_at(0));
  tpu_map_mm(m, tpu_at(0), tpu_at(0), 0, tpu_at(0));
  if (m->x.kt > 1) {
    struct tpu_loop kb = tpu_map_loop(m, m->x.kt - 1);
    struct tpu_addr vr = tpu_plus(tpu_at(maxdim), kb, maxdim);
    struct tpu_addr spad = tpu_plus(tpu_at(t), kb, t);
    if (first)
      load_first_use(m, tpu_plus(tpu_at(1), kb, 1), vr);
    load_block(m, spad, col, spad);
    tpu_map_mm(m, vr, tpu_at(0), 1, spad);
    tpu_map_endloop(m);
  }
  col.base += tpu_map_block(m, &m->w->output);
  tpu_map_retire(m, tpu_at(0), tpu_at(m->w->output.row), col);
}

static int just_in_time(struct tpu_mapping *m, struct tpu_error *e) {
  uint32_t last = m->w->input[1].row + m->x.kt * m->p->t;
  if (last > m->p->maxdim)
    return tpu_fail(e, TPU_ERR_UNFIT,
                    "the %s loads whole blocks of weights, up to row %u of "
                    "an image of %u",
                    m->name, last, m->p->maxdim);
  if (m->x.k % m->p->t != 0 && m->w->pad_zero == 0)
    return tpu_fail(e, TPU_ERR_UNFIT,
                    "the %s loads whole blocks of weights; K=%u is no "
                    "multiple of T=%u, and the pad is arbitrary",
                    m->name, m->x.k, m->p->t);
  tile_just_in_time(m, tpu_at(0), 1);
  if (m->x.nt > 1) {
    struct tpu_loop nb = tpu_map_loop(m, m->x.nt - 1);
    tile_just_in_time(m, tpu_plus(tpu_at(1), nb, 1), 0);
    tpu_map_endloop(m);
  }
  return 1;
}

struct variant_info {
  const char *name;
  const char *sentence;
  const char *title; /* in messages */
  tpu_map_emit *emit;
};

static const struct variant_info *info(enum tpu_map_variant v) {
  static const struct variant_info table[TPU_MAP_VARIANT_COUNT + 1] = {
#define TPU_MAP_VARIANT_ROW(id, name, text, emit) {name, text, "variant " name, emit},
      TPU_MAP_VARIANTS(TPU_MAP_VARIANT_ROW)
#undef TPU_MAP_VARIANT_ROW
          {"?", "", "?", NULL},
  };
  unsigned i = (unsigned)v;
  return &table[i < TPU_MAP_VARIANT_COUNT ? i : TPU_MAP_VARIANT_COUNT];
}

const char *tpu_map_variant_name(enum tpu_map_variant v) { return info(v)->name; }

const char *tpu_map_variant_sentence(enum tpu_map_variant v) { return info(v)->sentence; }

int tpu_map_as(const struct tpu_params *p, const struct tpu_workload *w,
               enum tpu_map_variant variant, struct tpu_program *out, struct tpu_error *e) {
  if (info(variant)->emit == NULL)
    return tpu_map_baseline(p, w, out, e);
  out->count = 0;
  if (tpu_workload_form(w) != TPU_FORM_GEMM)
    return tpu_fail(e, TPU_ERR_UNFIT, "the %s maps mk,kn->mn only; the einsum is %s%s%s->%s",
                    info(variant)->title, w->input[0].subscript, w->inputs > 1 ? "," : "",
                    w->inputs > 1 ? w->input[1].subscript : "", w->output.subscript);
  return tpu_map_with(p, w, info(variant)->title, info(variant)->emit, out, e);
}
