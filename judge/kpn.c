/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/kpn.h"

#include "judge/kpn_network.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const unit_name[TPU_UNIT_COUNT] = {
#define UNIT_NAME(id, name) name,
    TPU_UNITS(UNIT_NAME)
#undef UNIT_NAME
};

/* The processes of a round: those that may go, and those to look at in the next. */
struct rounds {
  uint32_t *now, *next;
  uint32_t now_count, next_count;
};

static void look_at(struct rounds *q, uint32_t process) { q->next[q->next_count++] = process; }

static void wake(struct rounds *q, uint32_t *sleeper) {
  if (*sleeper == KPN_NOBODY)
    return;
  look_at(q, *sleeper);
  *sleeper = KPN_NOBODY;
}

/* Keeps those that may go against the state as it is; the others sleep until their stream changes.
 */
static void choose(struct kpn_network *n, struct rounds *q) {
  uint32_t able = 0;
  for (uint32_t k = 0; k < q->now_count; ++k) {
    const uint32_t who = q->now[k];
    const struct kpn_process *p = &n->process[who];
    struct kpn_stream *s = &n->stream[p->stream];
    if (p->is_put ? s->used < s->depth : s->used > 0)
      q->now[able++] = who;
    else if (p->is_put)
      s->putter = who;
    else
      s->getter = who;
  }
  q->now_count = able;
}

static void act(struct kpn_network *n, struct rounds *q, uint32_t who) {
  struct kpn_process *p = &n->process[who];
  const uint32_t at = p->stream;
  struct kpn_stream *s = &n->stream[at];
  const uint32_t depth = n->params->qd;
  struct kpn_token token;
  const struct kpn_token *taken = NULL;
  if (p->is_put) {
    if (at < KPN_COMMANDS)
      n->ring[at * depth + (n->head[at] + s->used) % depth] = n->script[p->step].token;
    ++s->used;
    wake(q, &s->getter);
  } else {
    if (at < KPN_COMMANDS) {
      token = n->ring[at * depth + n->head[at]];
      n->head[at] = (n->head[at] + 1) % depth;
      taken = &token;
    }
    --s->used;
    wake(q, &s->putter);
  }
  kpn_step(n, who, taken);
  if (!p->ended)
    look_at(q, who);
}

static void run(struct kpn_network *n, struct rounds *q, struct tpu_kpn *out) {
  for (uint32_t k = 0; k < n->processes; ++k) {
    kpn_begin(n, k);
    look_at(q, k);
  }
  for (;;) {
    uint32_t *spent = q->now;
    q->now = q->next;
    q->now_count = q->next_count;
    q->next = spent;
    q->next_count = 0;
    choose(n, q);
    if (q->now_count == 0)
      return;
    ++out->rounds;
    out->accesses += q->now_count;
    for (uint32_t k = 0; k < q->now_count; ++k)
      act(n, q, q->now[k]);
  }
}

/* ---- the account ---- */

/* Words that the loaders of an array take of one mm. */
static uint64_t words_of_mm(uint64_t t) { return t * (t + 3) / 2 + 2 * t * (t - 1); }

static void promise(const struct kpn_network *n, struct tpu_kpn *out) {
  const uint64_t t = n->t;
  const struct tpu_counts *const of[2] = {n->promised, &n->dispatched};
  for (unsigned k = 0; k < 2; ++k) {
    const struct tpu_counts *c = of[k];
    const uint64_t work[TPU_UNIT_COUNT] = {[TPU_UNIT_SEQUENCER] = tpu_total_fetches(n->walk.code),
                                           [TPU_UNIT_DMA_LD] = c->dma_ld,
                                           [TPU_UNIT_SPM] = c->spm,
                                           [TPU_UNIT_VRU] = c->vru,
                                           [TPU_UNIT_WLD] = c->mm * words_of_mm(t),
                                           [TPU_UNIT_PE] = c->mm_rows * t * t,
                                           [TPU_UNIT_ACCU] = c->accu,
                                           [TPU_UNIT_DMA_ST] = c->dma_st};
    for (unsigned u = 0; u < TPU_UNIT_COUNT; ++u)
      *(k == 0 ? &out->unit[u].promised : &out->unit[u].dispatched) = work[u];
  }
}

static enum tpu_unit unit_of(const struct kpn_network *n, uint32_t process) {
  static const enum tpu_unit single[KPN_CELLS] = {[KPN_SEQUENCER] = TPU_UNIT_SEQUENCER,
                                                  [KPN_DMA_LD] = TPU_UNIT_DMA_LD,
                                                  [KPN_SPM] = TPU_UNIT_SPM,
                                                  [KPN_VRU] = TPU_UNIT_VRU,
                                                  [KPN_ACCU] = TPU_UNIT_ACCU,
                                                  [KPN_DMA_ST] = TPU_UNIT_DMA_ST};
  if (process < KPN_CELLS)
    return single[process];
  return process < KPN_CELLS + n->t * n->t ? TPU_UNIT_WLD : TPU_UNIT_PE;
}

static const char *stream_name(const struct kpn_network *n, uint32_t stream) {
  static const char *const single[KPN_ARRAY] = {"c_dld",  "c_spm",  "c_vru", "c_acc", "c_dst",
                                                "dma2sp", "dma2vr", "sp2vr", "ac2sp"};
  static const char *const array[KPN_KINDS] = {"wcol", "acol",  "cw",   "wrow",
                                               "wq",   "a_fwd", "p_fwd"};
  if (stream < KPN_ARRAY)
    return single[stream];
  unsigned kind = KPN_KINDS - 1;
  while (stream < n->first[kind])
    --kind;
  return array[kind];
}

/* The first that still waits, in words; "" when all have ended. */
static void describe_wait(const struct kpn_network *n, char *out, size_t capacity) {
  out[0] = '\0';
  for (uint32_t k = 0; k < n->processes; ++k) {
    const struct kpn_process *p = &n->process[k];
    if (p->ended)
      continue;
    (void)snprintf(out, capacity, "; in the end %s waits to %s %s", unit_name[unit_of(n, k)],
                   p->is_put ? "put into" : "get from", stream_name(n, p->stream));
    return;
  }
}

/* Who is at fault: who was promised other work than it is dispatched, or else did not do it. */
static void blame(const struct kpn_network *n, struct tpu_kpn *out) {
  char wait[80];
  describe_wait(n, wait, sizeof wait);
  for (unsigned differs = 0; differs < 2; ++differs)
    for (unsigned u = 0; u < TPU_UNIT_COUNT; ++u) {
      const struct tpu_kpn_work *w = &out->unit[u];
      if (w->promised == (differs == 0 ? w->dispatched : w->done))
        continue;
      out->culprit = (enum tpu_unit)u;
      (void)snprintf(out->text, sizeof out->text,
                     "%s is promised %" PRIu64 " %s, the program dispatches %" PRIu64
                     " and %" PRIu64 " are done%s",
                     unit_name[u], w->promised, u == TPU_UNIT_SEQUENCER ? "fetches" : "steps",
                     w->dispatched, w->done, wait);
      return;
    }
  (void)snprintf(out->text, sizeof out->text,
                 "every unit did what it was promised, but tokens are left in the streams%s", wait);
}

static void account(struct kpn_network *n, struct tpu_kpn *out) {
  struct tpu_issue issue;
  /* A dispatch that waits is not a fetch done. */
  const struct kpn_process *sequencer = &n->process[KPN_SEQUENCER];
  out->unit[TPU_UNIT_SEQUENCER].done =
      n->walk.fetches - (uint64_t)(!sequencer->ended && n->at_issue);
  while (!sequencer->ended && tpu_walk_next(&n->walk, &issue))
    tpu_counts_add(&n->dispatched, n->params, &issue);
  promise(n, out);
  out->agrees = 1;
  for (uint32_t k = 0; k < n->processes; ++k) {
    const struct kpn_process *p = &n->process[k];
    if (k != KPN_SEQUENCER)
      out->unit[unit_of(n, k)].done += p->done;
    out->waiting += !p->ended;
  }
  for (unsigned u = 0; u < TPU_UNIT_COUNT; ++u) {
    const struct tpu_kpn_work *w = &out->unit[u];
    out->agrees &= w->promised == w->dispatched && w->promised == w->done;
  }
  for (uint32_t k = 0; k < n->streams; ++k)
    out->agrees &= n->stream[k].used == 0;
  out->agrees &= out->waiting == 0;
  if (!out->agrees)
    blame(n, out);
}

/* ---- storage ---- */

static void lay_out(struct kpn_network *n) {
  n->streams = KPN_ARRAY;
  for (unsigned kind = 0; kind < KPN_KINDS; ++kind) {
    n->first[kind] = n->streams;
    n->streams += kind < KPN_WROW ? n->t : n->t * n->t;
  }
  n->processes = KPN_CELLS + 2 * n->t * n->t;
}

static void empty_streams(struct kpn_network *n) {
  const uint32_t qd = n->params->qd;
  for (uint32_t k = 0; k < n->streams; ++k) {
    const int is_queue = k >= n->first[KPN_WQ] && k < n->first[KPN_WQ + 1];
    n->stream[k] = (struct kpn_stream){0, is_queue && qd > TPU_WEIGHT_QD ? TPU_WEIGHT_QD : qd,
                                       KPN_NOBODY, KPN_NOBODY};
  }
}

int tpu_kpn_run(const struct tpu_params *p, const struct tpu_code *code,
                const struct tpu_counts *promised, struct tpu_kpn *out, struct tpu_report *r) {
  struct kpn_network n = {.params = p, .promised = promised, .t = p->t};
  *out = (struct tpu_kpn){.agrees = 0};
  lay_out(&n);
  n.stream = malloc(n.streams * sizeof *n.stream);
  n.process = malloc(n.processes * sizeof *n.process);
  n.ring = malloc(KPN_COMMANDS * (size_t)p->qd * sizeof *n.ring);
  n.mm_rows = malloc(TPU_MAX_COUNT + 1U);
  uint32_t *queues = malloc(2 * (size_t)n.processes * sizeof *queues);
  const int good = n.stream != NULL && n.process != NULL && n.ring != NULL && n.mm_rows != NULL &&
                   queues != NULL;
  if (good) {
    struct rounds q = {queues, queues + n.processes, 0, 0};
    empty_streams(&n);
    tpu_walk_begin(&n.walk, code);
    run(&n, &q, out);
    account(&n, out);
  } else {
    (void)tpu_report_fail(r, TPU_ERR_CAPACITY, "out of memory");
  }
  free(queues);
  free(n.mm_rows);
  free(n.ring);
  free(n.process);
  free(n.stream);
  return good;
}
