/* SPDX-License-Identifier: Apache-2.0 */
#include "isa/walk.h"

#include "isa/rules.h"

static int reject(int *rule, uint32_t *bad, int value, uint32_t index) {
  if (rule != NULL)
    *rule = value;
  if (bad != NULL)
    *bad = index;
  return 0;
}

/* Opening and closing only. */
static int check_nesting(const struct tpu_code *code, int *rule, uint32_t *bad,
                         struct tpu_error *e) {
  uint32_t open[TPU_LOOP_DEPTH] = {0};
  uint32_t depth = 0;
  for (uint32_t i = 0; i < code->count; ++i) {
    if (code->insn[i].op == TPU_OP_LOOP) {
      if (depth == TPU_LOOP_DEPTH) {
        tpu_fail(e, TPU_ERR_RANGE, "opens loop %u of a nest; allowed is %u deep", depth + 1U,
                 (uint32_t)TPU_LOOP_DEPTH);
        return reject(rule, bad, TPU_RULE_LOOP_DEPTH, i);
      }
      open[depth++] = i;
    } else if (code->insn[i].op == TPU_OP_ENDLOOP) {
      if (depth == 0) {
        tpu_fail(e, TPU_ERR_RANGE, "endloop closes no loop: none is open here");
        return reject(rule, bad, TPU_RULE_LOOP_UNBALANCED, i);
      }
      --depth;
    }
  }
  if (depth == 0)
    return 1;
  tpu_fail(e, TPU_ERR_RANGE, "the loop opened here is not closed: the program ends first");
  return reject(rule, bad, TPU_RULE_LOOP_UNCLOSED, open[depth - 1]);
}

static int check_terms(const struct tpu_insn *insn, uint32_t depth, struct tpu_error *e) {
  for (uint32_t k = 0; k < TPU_AGU_TERMS; ++k) {
    const struct tpu_term *t = &insn->term[k];
    if (t->target != 0 && t->level >= depth)
      return tpu_fail(e, TPU_ERR_RANGE,
                      "term %u names the loop of level %u while %u loop(s) are open", k,
                      (uint32_t)t->level, depth);
  }
  return 1;
}

int tpu_check_loops(const struct tpu_code *code, int *rule, uint32_t *bad, struct tpu_error *e) {
  if (!check_nesting(code, rule, bad, e))
    return 0;
  uint32_t depth = 0;
  for (uint32_t i = 0; i < code->count; ++i) {
    const struct tpu_insn *insn = &code->insn[i];
    if (insn->op == TPU_OP_LOOP) {
      if (insn->nr == 0) {
        tpu_fail(e, TPU_ERR_RANGE, "the trip count is 0; allowed is 1..%u", (uint32_t)TPU_MAX_ROWS);
        return reject(rule, bad, TPU_RULE_LOOP_TRIP, i);
      }
      ++depth;
    } else if (insn->op == TPU_OP_ENDLOOP) {
      --depth;
    } else if (!check_terms(insn, depth, e)) {
      return reject(rule, bad, TPU_RULE_LOOP_STALE_IV, i);
    }
  }
  return 1;
}

/* The test comes after the body: a trip count of 0 runs once. */
static uint32_t passes(uint32_t trip) { return trip != 0 ? trip : 1; }

/* Fetches from `pc` up to `end`, every loop in between run to its end; the induction registers
 * that those loops leave behind go to iv[level ...]. The stretch must be balanced. */
static uint64_t fetches_between(const struct tpu_code *code, uint32_t pc, uint32_t end,
                                uint32_t level, uint32_t *iv) {
  uint64_t outer[TPU_LOOP_DEPTH];
  uint32_t trip[TPU_LOOP_DEPTH];
  uint32_t depth = 0;
  uint64_t times = 1;
  uint64_t sum = 0;
  for (; pc < end; ++pc) {
    const struct tpu_insn *insn = &code->insn[pc];
    sum += times;
    if (insn->op == TPU_OP_LOOP && level + depth < TPU_LOOP_DEPTH) {
      outer[depth] = times;
      trip[depth] = passes(insn->nr);
      times *= trip[depth++];
    } else if (insn->op == TPU_OP_ENDLOOP && depth != 0) {
      times = outer[--depth];
      if (iv != NULL)
        iv[level + depth] = trip[depth];
    }
  }
  return sum;
}

uint64_t tpu_total_fetches(const struct tpu_code *code) {
  return fetches_between(code, 0, code->count, 0, NULL);
}

/* The instruction after the loop at pc when nothing in it is a data instruction, else 0. */
static uint32_t end_of_empty_loop(const struct tpu_code *code, uint32_t pc) {
  uint32_t depth = 0;
  for (; pc < code->count; ++pc) {
    uint8_t op = code->insn[pc].op;
    if (op == TPU_OP_LOOP)
      ++depth;
    else if (op == TPU_OP_ENDLOOP && --depth == 0)
      return pc + 1;
    else if (tpu_op_lookup(op)->is_data != 0)
      return 0;
  }
  return 0;
}

void tpu_walk_begin(struct tpu_walk *w, const struct tpu_code *code) {
  w->code = code;
  w->pc = w->depth = 0;
  w->fetches = 0;
  w->stretches = w->due = 0; /* the others are written before they are read */
  for (unsigned k = 0; k < TPU_LOOP_DEPTH; ++k)
    w->iv[k] = 0;
}

static void open_loop(struct tpu_walk *w, uint32_t trip) {
  w->frame[w->depth].start = w->pc + 1;
  w->frame[w->depth].trip = trip;
  w->iv[w->depth++] = 0;
  ++w->pc;
  ++w->fetches;
}

static void close_loop(struct tpu_walk *w) {
  uint32_t level = w->depth - 1;
  ++w->fetches;
  if (++w->iv[level] < w->frame[level].trip) {
    w->pc = w->frame[level].start;
  } else {
    w->depth = level;
    ++w->pc;
  }
}

static void resolve(struct tpu_walk *w, const struct tpu_insn *insn, struct tpu_issue *out) {
  *out = (struct tpu_issue){
      .index = w->pc, .op = insn->op, .nr = insn->nr, .depth = (uint8_t)w->depth};
  for (unsigned k = 0; k < TPU_LOOP_DEPTH; ++k)
    out->iv[k] = w->iv[k];
  for (unsigned k = 0; k < 4; ++k)
    out->f[k] = insn->f[k];
  for (unsigned k = 0; k < TPU_AGU_TERMS; ++k) {
    const struct tpu_term *t = &insn->term[k];
    if (t->target != 0)
      out->f[t->target - 1] += w->iv[t->level] * t->stride;
  }
}

/* The stretch that begins at w->pc, with a nop or a loop. */
static struct tpu_stretch measure(const struct tpu_walk *w) {
  struct tpu_stretch s = {.from = w->pc, .to = w->pc};
  for (unsigned k = 0; k < TPU_LOOP_DEPTH; ++k)
    s.iv[k] = UINT32_MAX;
  while (s.to < w->code->count) {
    const uint8_t op = w->code->insn[s.to].op;
    if (op == TPU_OP_ENDLOOP || tpu_op_lookup(op)->is_data != 0)
      break;
    uint32_t end = s.to + 1;
    if (op == TPU_OP_LOOP) {
      end = w->depth < TPU_LOOP_DEPTH ? end_of_empty_loop(w->code, s.to) : 0;
      s.opens = end == 0;
      if (s.opens)
        break;
    }
    s.fetches += fetches_between(w->code, s.to, end, w->depth, s.iv);
    s.to = end;
  }
  return s;
}

/* Stretches come in the order of the passes: the one behind the last is the first to look at. */
static const struct tpu_stretch *find_stretch(struct tpu_walk *w) {
  const uint32_t kept = w->stretches < TPU_WALK_STRETCHES ? w->stretches : TPU_WALK_STRETCHES;
  uint32_t at = w->due;
  for (uint32_t k = 0; k < kept; ++k, ++at) {
    at = at < kept ? at : 0;
    if (w->stretch[at].from == w->pc) {
      w->due = at + 1;
      return &w->stretch[at];
    }
  }
  at = w->stretches++ % TPU_WALK_STRETCHES;
  w->stretch[at] = measure(w);
  w->due = at + 1;
  return &w->stretch[at];
}

static void pass_over(struct tpu_walk *w, const struct tpu_stretch *s) {
  w->fetches += s->fetches;
  w->pc = s->to;
  for (unsigned k = 0; k < TPU_LOOP_DEPTH; ++k)
    if (s->iv[k] != UINT32_MAX)
      w->iv[k] = s->iv[k];
}

int tpu_walk_next(struct tpu_walk *w, struct tpu_issue *out) {
  while (w->pc < w->code->count) {
    const struct tpu_insn *insn = &w->code->insn[w->pc];
    if (insn->op == TPU_OP_ENDLOOP) {
      if (w->depth == 0)
        return 0;
      close_loop(w);
    } else if (tpu_op_lookup(insn->op)->is_data != 0) {
      resolve(w, insn, out);
      ++w->pc;
      ++w->fetches;
      return 1;
    } else {
      const struct tpu_stretch *s = find_stretch(w);
      pass_over(w, s);
      if (!s->opens)
        continue;
      if (w->depth == TPU_LOOP_DEPTH)
        return 0; /* no frame for it: tpu_check_loops was not heeded */
      open_loop(w, w->code->insn[w->pc].nr);
    }
  }
  return 0;
}
