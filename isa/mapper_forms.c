/* SPDX-License-Identifier: Apache-2.0 */
/* The baseline of each einsum. Operands are resident: tile t of the activations lies in vr, of the
 * weights in spad, from row t*MAXDIM on; results lie in ar from row 0 on. */
#include "isa/mapper_internal.h"

/* How the weight rows past the end of the reduction are come by. */
enum pad { PAD_NONE, PAD_ANY, PAD_ZERO };

/* PAD_ZERO: a word known to be zero takes garbage lanes out of the sum. PAD_ANY: zero lanes of the
 * activations make the rows harmless, or nothing does and the workload is unsatisfiable. */
static enum pad pad_of(const struct tpu_mapping *m, struct tpu_place *zero) {
  uint32_t lanes = m->x.n < m->p->t ? m->x.n : m->p->t;
  if (m->x.k % m->p->t == 0)
    return PAD_NONE;
  return m->w->pad_zero == 0 && tpu_known_zero(m->p, m->w, lanes, zero) ? PAD_ZERO : PAD_ANY;
}

uint32_t tpu_map_block(const struct tpu_mapping *m, const struct tpu_tensor *t) {
  return t->col / m->p->t;
}

void tpu_map_activations(struct tpu_mapping *m, uint32_t rows) {
  const struct tpu_tensor *in = &m->w->input[0];
  struct tpu_loop kb = tpu_map_loop(m, m->x.kt);
  tpu_map_load_padded(m, tpu_map_mode(in->buffer, 1), in->row,
                      tpu_plus(tpu_at(tpu_map_block(m, in)), kb, 1),
                      tpu_plus(tpu_at(0), kb, m->p->maxdim), rows);
  tpu_map_endloop(m);
}

void tpu_map_weights(struct tpu_mapping *m, struct tpu_loop nb, struct tpu_addr spad) {
  const struct tpu_tensor *weights = &m->w->input[1];
  struct tpu_place zero = {0, 0, 0};
  enum pad pad = pad_of(m, &zero);
  uint32_t k_all = m->x.kt * m->p->t;
  tpu_map_load_padded(m, tpu_map_mode(weights->buffer, 0), weights->row,
                      tpu_plus(tpu_at(tpu_map_block(m, weights)), nb, 1), spad,
                      pad == PAD_ZERO ? m->x.k : k_all);
  if (pad == PAD_ZERO) {
    spad.base += m->x.k;
    tpu_map_repeat(m, &zero, spad, k_all - m->x.k);
  }
}

void tpu_map_tile(struct tpu_mapping *m, struct tpu_loop nb, struct tpu_addr vr,
                  struct tpu_addr weights, struct tpu_addr row) {
  uint32_t maxdim = m->p->maxdim;
  tpu_map_mm(m, vr, tpu_at(0), 0, weights);
  if (m->x.kt > 1) {
    struct tpu_loop kb = tpu_map_loop(m, m->x.kt - 1);
    vr.base += maxdim;
    weights.base += m->p->t;
    tpu_map_mm(m, tpu_plus(vr, kb, maxdim), tpu_at(0), 1, tpu_plus(weights, kb, m->p->t));
    tpu_map_endloop(m);
  }
  tpu_map_retire(m, tpu_at(0), row, tpu_plus(tpu_at(tpu_map_block(m, &m->w->output)), nb, 1));
}

void tpu_map_resident_weights(struct tpu_mapping *m) {
  struct tpu_loop nb = tpu_map_loop(m, m->x.nt);
  tpu_map_weights(m, nb, tpu_plus(tpu_at(0), nb, m->p->maxdim));
  tpu_map_endloop(m);
}

void tpu_map_tiles(struct tpu_mapping *m, struct tpu_addr row) {
  struct tpu_loop nb = tpu_map_loop(m, m->x.nt);
  tpu_map_tile(m, nb, tpu_at(0), tpu_plus(tpu_at(0), nb, m->p->maxdim), row);
  tpu_map_endloop(m);
}

void tpu_map_gemm(struct tpu_mapping *m) {
  tpu_map_activations(m, m->rows);
  tpu_map_resident_weights(m);
  tpu_map_tiles(m, tpu_at(m->w->output.row));
}

/* One k and one n tile, all batches resident under one another. */
static void batched_resident(struct tpu_mapping *m) {
  const struct tpu_tensor *weights = &m->w->input[1];
  const struct tpu_tensor *out = &m->w->output;
  const struct tpu_extent *x = &m->x;
  tpu_map_activations(m, x->batch * x->m + (m->rows - x->m));
  struct tpu_loop nb = tpu_map_loop(m, 1);
  tpu_map_load_padded(m, tpu_map_mode(weights->buffer, 0), weights->row,
                      tpu_plus(tpu_at(tpu_map_block(m, weights)), nb, 1),
                      tpu_plus(tpu_at(0), nb, m->p->maxdim), x->batch * x->k + (m->p->t - x->k));
  tpu_map_endloop(m);
  for (uint32_t done = 0; done < x->batch; done += TPU_MAX_ROWS) {
    uint32_t left = x->batch - done;
    struct tpu_loop b = tpu_map_loop(m, left < TPU_MAX_ROWS ? left : TPU_MAX_ROWS);
    struct tpu_addr rows = tpu_plus(tpu_at(done * x->m), b, x->m);
    tpu_map_mm(m, rows, rows, 0, tpu_plus(tpu_at(done * x->k), b, x->k));
    tpu_map_retire(m, rows, tpu_plus(tpu_at(out->row + done * x->m), b, x->m),
                   tpu_at(tpu_map_block(m, out)));
    tpu_map_endloop(m);
  }
}

/* Activation rows of one batch into vr row dest on of each tile. No loop for a single tile: many
 * batches of one tile are repeated in pieces of 127, and instruction memory is short. */
static void load_turn(struct tpu_mapping *m, struct tpu_addr row, uint32_t dest, uint32_t rows) {
  const struct tpu_tensor *in = &m->w->input[0];
  struct tpu_addr col = tpu_at(tpu_map_block(m, in));
  struct tpu_addr vr = tpu_at(dest);
  if (m->x.kt > 1) {
    struct tpu_loop kb = tpu_map_loop(m, m->x.kt);
    col = tpu_plus(col, kb, 1);
    vr = tpu_plus(vr, kb, m->p->maxdim);
  }
  tpu_map_load(m, tpu_map_mode(in->buffer, 1), row, col, vr, rows);
  if (m->x.kt > 1)
    tpu_map_endloop(m);
}

/* Rows that no batch brings: those that keep a short mm long enough, and the weight rows past the
 * end of the reduction. The batches leave them alone, so once is enough. */
static void load_standing_rows(struct tpu_mapping *m) {
  const struct tpu_tensor *weights = &m->w->input[1];
  struct tpu_place zero = {0, 0, 0};
  enum pad pad = pad_of(m, &zero);
  uint32_t pad_rows = m->x.kt * m->p->t - m->x.k;
  if (m->rows > m->x.m)
    load_turn(m, tpu_at(0), m->x.m, m->rows - m->x.m);
  if (pad == PAD_ZERO)
    tpu_map_repeat(m, &zero, tpu_at(m->x.k), pad_rows);
  else if (pad == PAD_ANY)
    tpu_map_load(m, tpu_map_mode(weights->buffer, 0), tpu_at(0), tpu_at(tpu_map_block(m, weights)),
                 tpu_at(m->x.k), pad_rows);
}

/* Several tiles: a batch's operands are brought in its turn, its weights a tile of columns at a
 * time. */
static void batched_in_turn(struct tpu_mapping *m) {
  const struct tpu_tensor *in = &m->w->input[0];
  const struct tpu_tensor *weights = &m->w->input[1];
  const struct tpu_extent *x = &m->x;
  load_standing_rows(m);
  for (uint32_t done = 0; done < x->batch; done += TPU_MAX_ROWS) {
    uint32_t left = x->batch - done;
    struct tpu_loop b = tpu_map_loop(m, left < TPU_MAX_ROWS ? left : TPU_MAX_ROWS);
    load_turn(m, tpu_plus(tpu_at(in->row + done * x->m), b, x->m), 0, x->m);
    struct tpu_loop nb = tpu_map_loop(m, x->nt);
    tpu_map_load(m, tpu_map_mode(weights->buffer, 0),
                 tpu_plus(tpu_at(weights->row + done * x->k), b, x->k),
                 tpu_plus(tpu_at(tpu_map_block(m, weights)), nb, 1), tpu_at(0), x->k);
    tpu_map_tile(m, nb, tpu_at(0), tpu_at(0),
                 tpu_plus(tpu_at(m->w->output.row + done * x->m), b, x->m));
    tpu_map_endloop(m);
    tpu_map_endloop(m);
  }
}

void tpu_map_batched(struct tpu_mapping *m) {
  const struct tpu_extent *x = &m->x;
  struct tpu_place zero;
  int one_tile = x->kt == 1 && x->nt == 1;
  /* The rows that pad the last batch may not find room in the smallest memories. */
  int room = x->batch * x->m + (m->rows - x->m) <= m->p->nvr &&
             x->batch * x->m + (m->rows - x->m) <= m->p->nar &&
             x->batch * x->k + (m->p->t - x->k) <= m->p->spad_rows;
  if (one_tile && room && pad_of(m, &zero) != PAD_ZERO)
    batched_resident(m);
  else
    batched_in_turn(m);
}

/* T weight rows at spad 0 on from a run of known rows, the rest by the pad rule. */
static void load_known_rows(struct tpu_mapping *m, const struct tpu_place *place, uint32_t rows) {
  uint32_t t = m->p->t;
  uint32_t mode = tpu_map_mode(place->buffer, 0);
  struct tpu_place zero = {0, 0, 0};
  tpu_map_load(m, mode, tpu_at(place->row), tpu_at(place->block), tpu_at(0), rows < t ? rows : t);
  if (rows >= t)
    return;
  if (pad_of(m, &zero) == PAD_ZERO)
    tpu_map_repeat(m, &zero, tpu_at(rows), t - rows);
  else
    tpu_map_load(m, mode, tpu_at(0), tpu_at(place->block), tpu_at(rows), t - rows);
}

int tpu_map_pointwise(struct tpu_mapping *m, struct tpu_error *e) {
  const struct tpu_tensor *out = &m->w->output;
  uint32_t lanes = m->x.n < m->p->t ? m->x.n : m->p->t;
  struct tpu_place place;
  uint32_t rows = 0;
  if (!tpu_known_identity(m->p, m->w, lanes, &place, &rows))
    return tpu_fail(e, TPU_ERR_UNFIT,
                    "%s->%s needs a declared identity of at least %u x %u; none is there",
                    m->w->input[0].subscript, out->subscript, lanes, lanes);
  tpu_map_activations(m, m->rows);
  load_known_rows(m, &place, rows);
  struct tpu_loop nb = tpu_map_loop(m, m->x.nt);
  tpu_map_mm(m, tpu_plus(tpu_at(0), nb, m->p->maxdim), tpu_at(0), 0, tpu_at(0));
  tpu_map_retire(m, tpu_at(0), tpu_at(out->row), tpu_plus(tpu_at(tpu_map_block(m, out)), nb, 1));
  tpu_map_endloop(m);
  return 1;
}

/* Full tiles share T rows of ones at spad 0. A partial last tile whose garbage lanes a zero word
 * can take out has its own weights at spad T, or at 0 when it is the only one. */
int tpu_map_row_reduce(struct tpu_mapping *m, struct tpu_error *e) {
  const struct tpu_tensor *out = &m->w->output;
  uint32_t t = m->p->t;
  uint32_t maxdim = m->p->maxdim;
  struct tpu_place one;
  struct tpu_place zero = {0, 0, 0};
  uint32_t rows = 0;
  if (!tpu_known_one(m->p, m->w, &one, &rows))
    return tpu_fail(e, TPU_ERR_UNFIT,
                    "%s->%s needs a declared column of ones; no ones_column or identity is there",
                    m->w->input[0].subscript, out->subscript);
  int own_last = pad_of(m, &zero) == PAD_ZERO;
  uint32_t shared = own_last ? m->x.kt - 1 : m->x.kt;
  uint32_t last = shared != 0 ? t : 0;
  tpu_map_activations(m, m->rows);
  uint32_t ones = own_last ? last + m->x.k % t : t;
  if (rows >= ones)
    tpu_map_load(m, tpu_map_mode(one.buffer, 0), tpu_at(one.row), tpu_at(one.block), tpu_at(0),
                 ones);
  else
    tpu_map_repeat(m, &one, tpu_at(0), ones);
  if (own_last)
    tpu_map_repeat(m, &zero, tpu_at(ones), last + t - ones);
  tpu_map_mm(m, tpu_at(0), tpu_at(0), 0, tpu_at(0));
  if (shared > 1) {
    struct tpu_loop kb = tpu_map_loop(m, shared - 1);
    tpu_map_mm(m, tpu_plus(tpu_at(maxdim), kb, maxdim), tpu_at(0), 1, tpu_at(0));
    tpu_map_endloop(m);
  }
  if (own_last && shared != 0)
    tpu_map_mm(m, tpu_at((m->x.kt - 1) * maxdim), tpu_at(0), 1, tpu_at(last));
  tpu_map_retire(m, tpu_at(0), tpu_at(out->row), tpu_at(tpu_map_block(m, out)));
  return 1;
}
