/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/kpn_network.h"

static uint32_t at(const struct kpn_network *n, enum kpn_array kind, uint32_t i, uint32_t j) {
  return n->first[kind] + (kind < KPN_WROW ? i : i * n->t + j);
}

static void offer(struct kpn_process *p, int is_put, uint32_t stream) {
  p->is_put = (uint8_t)is_put;
  p->stream = stream;
}

/* ---- sequencer ---- */

static void script(struct kpn_network *n, uint32_t stream, struct kpn_token token) {
  n->script[n->script_length].stream = stream;
  n->script[n->script_length++].token = token;
}

/* Every unit its counts: of two words where the header has two. */
static void script_header(struct kpn_network *n) {
  const struct tpu_counts *c = n->promised;
  script(n, KPN_C_DLD, (struct kpn_token){.rows = c->dma_ld});
  script(n, KPN_C_DLD, (struct kpn_token){.rows = c->a_span});
  script(n, KPN_C_SPM, (struct kpn_token){.rows = c->spm});
  script(n, KPN_C_SPM, (struct kpn_token){.rows = c->mm});
  script(n, KPN_C_VRU, (struct kpn_token){.rows = c->vru});
  script(n, KPN_C_ACC, (struct kpn_token){.rows = c->accu});
  script(n, KPN_C_DST, (struct kpn_token){.rows = c->dma_st});
}

static void script_issue(struct kpn_network *n, const struct tpu_issue *i) {
  struct kpn_token token = {.op = i->op, .rows = i->nr};
  switch (i->op) {
  case TPU_OP_DMA_LD:
    token.to_vr = (i->f[0] & TPU_DMA_DEST_VR) != 0;
    script(n, KPN_C_DLD, token);
    script(n, token.to_vr ? KPN_C_VRU : KPN_C_SPM, token);
    break;
  case TPU_OP_VLD:
    script(n, KPN_C_SPM, token);
    script(n, KPN_C_VRU, token);
    break;
  case TPU_OP_MM:
    script(n, KPN_C_SPM, (struct kpn_token){.op = i->op, .payload = i->nr, .rows = n->t + 1});
    script(n, KPN_C_VRU, token);
    script(n, KPN_C_ACC, token);
    break;
  case TPU_OP_VADD:
    token.rows *= 2;
    script(n, KPN_C_ACC, token);
    break;
  case TPU_OP_MVOUT:
    script(n, KPN_C_ACC, token);
    script(n, KPN_C_DST, token);
    break;
  default: /* vrelu */
    script(n, KPN_C_ACC, token);
    break;
  }
}

static void step_sequencer(struct kpn_network *n, struct kpn_process *p) {
  struct tpu_issue issue;
  ++p->step;
  if (p->step == n->script_length) {
    p->step = 0;
    n->script_length = 0;
    n->at_issue = tpu_walk_next(&n->walk, &issue);
    if (!n->at_issue) {
      p->ended = 1;
      return;
    }
    tpu_counts_add(&n->dispatched, n->params, &issue);
    script_issue(n, &issue);
  }
  offer(p, 1, n->script[p->step].stream);
}

/* ---- units with a command stream: a flat loop over the promised rows ---- */

static const struct {
  uint32_t commands;
  uint8_t header_words;
} unit_of[KPN_CELLS] = {[KPN_DMA_LD] = {KPN_C_DLD, 2},
                        [KPN_SPM] = {KPN_C_SPM, 2},
                        [KPN_VRU] = {KPN_C_VRU, 1},
                        [KPN_ACCU] = {KPN_C_ACC, 1},
                        [KPN_DMA_ST] = {KPN_C_DST, 1}};

/* The access of a row; 0 when it has none. */
static int offer_row(const struct kpn_network *n, uint32_t k, struct kpn_process *p) {
  switch (k) {
  case KPN_DMA_LD:
    offer(p, 1, p->now.to_vr ? KPN_DMA2VR : KPN_DMA2SP);
    return 1;
  case KPN_SPM:
    if (p->now.op == TPU_OP_DMA_LD)
      offer(p, 0, KPN_DMA2SP);
    else
      offer(p, 1, p->now.op == TPU_OP_VLD ? KPN_SP2VR : at(n, KPN_WCOL, 0, 0));
    return 1;
  case KPN_VRU:
    if (p->now.op == TPU_OP_MM)
      offer(p, 1, at(n, KPN_ACOL, 0, 0));
    else
      offer(p, 0, p->now.op == TPU_OP_VLD ? KPN_SP2VR : KPN_DMA2VR);
    return 1;
  case KPN_ACCU:
    if (p->now.op == TPU_OP_MM)
      offer(p, 0, at(n, KPN_CW, n->t - 1, 0));
    else if (p->now.op == TPU_OP_MVOUT)
      offer(p, 1, KPN_AC2SP);
    else
      return 0;
    return 1;
  default:
    offer(p, 0, KPN_AC2SP);
    return 1;
  }
}

static void row_done(struct kpn_process *p, uint32_t rows) {
  p->rows -= rows;
  p->left -= rows;
  p->done += rows;
}

/* The next row, or the next instruction, or the end. */
static void next_row(const struct kpn_network *n, uint32_t k, struct kpn_process *p) {
  if (p->left != 0 && p->rows != 0 && !offer_row(n, k, p))
    row_done(p, p->rows < p->left ? p->rows : p->left);
  if (p->left == 0)
    p->ended = 1;
  else if (p->rows == 0)
    offer(p, 0, unit_of[k].commands);
}

enum { STEP_ROWS = 16 }; /* the steps before are header words */

static void step_unit(struct kpn_network *n, uint32_t k, struct kpn_process *p,
                      const struct kpn_token *token) {
  if (p->step < unit_of[k].header_words) {
    if (p->step++ == 0)
      p->left = token->rows;
    if (p->step < unit_of[k].header_words)
      return; /* the same stream again */
    if (k == KPN_SPM) {
      offer(p, 1, at(n, KPN_WCOL, 0, 0));
      return;
    }
    p->step = STEP_ROWS;
  } else if (p->step != STEP_ROWS) { /* spm has sent the array its counts */
    p->step = STEP_ROWS;
  } else if (token != NULL) {
    p->now = *token;
    p->rows = token->rows;
  } else {
    if (k == KPN_SPM && p->now.op == TPU_OP_MM && p->rows == p->now.rows)
      n->mm_rows[n->mms++] = p->now.payload; /* the word that went down was the mm's header */
    row_done(p, 1);
  }
  next_row(n, k, p);
}

/* ---- wld and pe ---- */

enum { WLD_GET, WLD_SOUTH, WLD_EAST, WLD_QUEUE, WLD_STEPS };
enum { WORD_COUNTS, WORD_HEADER, WORD_KEPT }; /* those after go south */

/* Counts and header go both ways, the weight that is kept (its row's) east, later ones south. */
static int wld_does(const struct kpn_network *n, const struct kpn_process *p, unsigned step) {
  const uint32_t last = p->j == 0 ? n->t + 1U - p->i : 2;
  switch (step) {
  case WLD_SOUTH:
    return p->j == 0 && p->i + 1U < n->t && p->word != WORD_KEPT;
  case WLD_EAST:
    return p->j + 1U < n->t && p->word <= WORD_KEPT;
  case WLD_QUEUE:
    return p->word == WORD_COUNTS || p->word == last;
  default:
    return 1;
  }
}

static void offer_wld(const struct kpn_network *n, struct kpn_process *p) {
  switch (p->step) {
  case WLD_GET:
    offer(p, 0, p->j == 0 ? at(n, KPN_WCOL, p->i, 0) : at(n, KPN_WROW, p->i, p->j - 1U));
    break;
  case WLD_SOUTH:
    offer(p, 1, at(n, KPN_WCOL, p->i + 1U, 0));
    break;
  case WLD_EAST:
    offer(p, 1, at(n, KPN_WROW, p->i, p->j));
    break;
  default:
    offer(p, 1, at(n, KPN_WQ, p->i, p->j));
    break;
  }
}

static void step_wld(const struct kpn_network *n, struct kpn_process *p) {
  if (p->step == WLD_GET && p->word != WORD_COUNTS)
    ++p->done;
  do {
    if (++p->step == WLD_STEPS) {
      const uint32_t last = p->j == 0 ? n->t + 1U - p->i : 2;
      p->step = WLD_GET;
      if (p->word == WORD_COUNTS)
        p->left = n->promised->mm; /* what the word said */
      else if (p->word == last)
        --p->left;
      p->word = p->word == WORD_COUNTS || p->word == last ? WORD_HEADER : p->word + 1;
      p->ended = p->word == WORD_HEADER && p->left == 0;
    }
  } while (!wld_does(n, p, p->step));
  offer_wld(n, p);
}

enum {
  PE_COUNTS,
  PE_WEIGHT,
  PE_ACTIVATION,
  PE_NORTH,
  PE_WEST,
  PE_ACOL,
  PE_EAST,
  PE_SOUTH,
  PE_RESULT
};

static int pe_does(const struct kpn_network *n, const struct kpn_process *p, unsigned step) {
  const int bottom = p->i + 1U == n->t;
  switch (step) {
  case PE_NORTH:
    return p->i > 0;
  case PE_WEST:
    return bottom && p->j > 0;
  case PE_ACOL:
    return p->j == 0 && !bottom;
  case PE_EAST:
    return p->j + 1U < n->t;
  case PE_SOUTH:
    return !bottom;
  case PE_RESULT:
    return bottom;
  default:
    return 1;
  }
}

static void offer_pe(const struct kpn_network *n, struct kpn_process *p) {
  const uint32_t i = p->i;
  const uint32_t j = p->j;
  switch (p->step) {
  case PE_ACTIVATION:
    offer(p, 0, j == 0 ? at(n, KPN_ACOL, i, 0) : at(n, KPN_A_FWD, i, j - 1));
    break;
  case PE_NORTH:
    offer(p, 0, at(n, KPN_P_FWD, i - 1, j));
    break;
  case PE_WEST:
    offer(p, 0, at(n, KPN_CW, j - 1, 0));
    break;
  case PE_ACOL:
    offer(p, 1, at(n, KPN_ACOL, i + 1, 0));
    break;
  case PE_EAST:
    offer(p, 1, at(n, KPN_A_FWD, i, j));
    break;
  case PE_SOUTH:
    offer(p, 1, at(n, KPN_P_FWD, i, j));
    break;
  case PE_RESULT:
    offer(p, 1, at(n, KPN_CW, j, 0));
    break;
  default:
    offer(p, 0, at(n, KPN_WQ, i, j));
    break;
  }
}

static void step_pe(const struct kpn_network *n, struct kpn_process *p) {
  if (p->step == PE_COUNTS) {
    p->left = n->promised->mm_rows; /* what the word said */
    p->step = PE_WEIGHT;
    p->ended = p->left == 0;
  } else {
    if (p->step == PE_WEIGHT)
      p->rows = n->mm_rows[p->mms++];
    do {
      if (p->step++ == PE_RESULT) {
        row_done(p, 1);
        p->step = p->rows == 0 ? PE_WEIGHT : PE_ACTIVATION;
        p->ended = p->left == 0;
      }
    } while (!pe_does(n, p, p->step));
  }
  offer_pe(n, p);
}

/* ---- */

void kpn_begin(struct kpn_network *n, uint32_t k) {
  struct kpn_process *p = &n->process[k];
  *p = (struct kpn_process){.ended = 0};
  if (k == KPN_SEQUENCER) {
    script_header(n);
    offer(p, 1, n->script[0].stream);
  } else if (k < KPN_CELLS) {
    offer(p, 0, unit_of[k].commands);
  } else {
    const uint32_t cells = n->t * n->t;
    const uint32_t cell = (k - KPN_CELLS) % cells;
    p->i = (uint16_t)(cell / n->t);
    p->j = (uint16_t)(cell % n->t);
    if (k < KPN_CELLS + cells)
      offer_wld(n, p);
    else
      offer_pe(n, p);
  }
}

void kpn_step(struct kpn_network *n, uint32_t k, const struct kpn_token *token) {
  struct kpn_process *p = &n->process[k];
  if (k == KPN_SEQUENCER)
    step_sequencer(n, p);
  else if (k < KPN_CELLS)
    step_unit(n, k, p, token);
  else if (k < KPN_CELLS + n->t * n->t)
    step_wld(n, p);
  else
    step_pe(n, p);
}
