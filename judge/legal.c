/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/legal.h"

#include <stdlib.h>

const char *tpu_layer_state_name(enum tpu_layer_state s) {
  switch (s) {
  case TPU_LAYER_HOLDS:
    return "holds";
  case TPU_LAYER_BROKEN:
    return "broken";
  case TPU_LAYER_PARTLY:
    return "holds so far";
  case TPU_LAYER_NOT_REACHED:
    return "not reached";
  case TPU_LAYER_NOT_ASKED:
    return "not asked";
  }
  return "?";
}

/* A violation of the program as a whole. */
static struct tpu_text violate(struct tpu_violation *v, int rule) {
  *v = (struct tpu_violation){.rule = rule, .index = -1};
  return tpu_text_on(v->detail, sizeof v->detail);
}

/* Layer encoding of a header that came with a program (imem.overflow, hdr.count_overflow,
 * hdr.array_overflow, dma.span). 1 with the counts it states, or 0 with *v. */
static int check_header(const struct tpu_params *p, const uint64_t header[TPU_HEADER_WORDS],
                        struct tpu_counts *stated, struct tpu_violation *v) {
  int rule = TPU_RULE_NONE;
  struct tpu_error e;
  (void)tpu_header_unpack(header, stated); /* a top bit that is set shows in the count */
  if (tpu_counts_legal(p, stated, &rule, &e))
    return 1;
  struct tpu_text t = violate(v, rule);
  tpu_text_format(&t, "in the header given with the program, %s", e.text);
  return 0;
}

/* What the network does not see: the program's length and the spans of the operand bursts. */
static int same_extent(const struct tpu_counts *stated, const struct tpu_counts *counts,
                       struct tpu_violation *v) {
  const struct {
    const char *what;
    uint32_t stated, due;
  } pairs[] = {{"instructions", stated->insns, counts->insns},
               {"rows of A in the operand burst", stated->a_span, counts->a_span},
               {"rows of B in the operand burst", stated->b_span, counts->b_span}};
  for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; ++k) {
    if (pairs[k].stated == pairs[k].due)
      continue;
    struct tpu_text t = violate(v, TPU_RULE_KPN_PROTOCOL);
    tpu_text_format(&t, "the header given with the program states %u %s; the program has %u",
                    pairs[k].stated, pairs[k].what, pairs[k].due);
    return 0;
  }
  return 1;
}

/* Layer protocol: the network of judge/kpn.h under the promises of the header, which is stated, or
 * with NULL that of the program's own counts. A program that passed layers isa and encoding breaks
 * it only with a header that disagrees. *legal receives 1, or 0 with *v; the function returns 0 for
 * want of memory only. */
static int check_protocol(const struct tpu_params *p, const struct tpu_code *code,
                          const struct tpu_counts *counts, const uint64_t *header,
                          struct tpu_kpn *network, int *legal, struct tpu_violation *v,
                          struct tpu_report *r) {
  struct tpu_counts stated = *counts;
  const int clean = header == NULL || tpu_header_unpack(header, &stated);
  if (!tpu_kpn_run(p, code, &stated, network, r))
    return 0;
  *legal = 0;
  if (!network->agrees) {
    struct tpu_text t = violate(v, TPU_RULE_KPN_PROTOCOL);
    tpu_text_str(&t, network->text);
  } else if (!clean) {
    struct tpu_text t = violate(v, TPU_RULE_KPN_PROTOCOL);
    tpu_text_str(&t, "the header given with the program has bits set that belong to no count");
  } else {
    *legal = same_extent(&stated, counts, v);
  }
  return 1;
}

/* Layers isa and encoding; the work of a check is too large for the stack. */
static int judge_machine(const struct tpu_legal_request *q, struct tpu_legality *out,
                         struct tpu_report *r) {
  const uint32_t capacity = q->program->count;
  struct tpu_check_work *work = malloc(sizeof *work);
  out->code.insn = malloc((capacity + 1) * sizeof *out->code.insn);
  out->code.capacity = capacity;
  const int good = work != NULL && out->code.insn != NULL;
  if (!good)
    (void)tpu_report_fail(r, TPU_ERR_CAPACITY, "out of memory");
  else
    out->counted =
        tpu_check_program(q->params, q->program, &out->code, work, &out->counts, &out->violation);
  free(work);
  return good;
}

static int judge_spec(const struct tpu_legal_request *q, struct tpu_legality *out,
                      struct tpu_report *r) {
  const size_t bytes = ((size_t)q->params->maxdim * tpu_words_per_row(q->params) + 7) / 8;
  uint8_t *covered = malloc(bytes);
  if (covered == NULL)
    return tpu_report_fail(r, TPU_ERR_CAPACITY, "out of memory");
  out->legal = tpu_check_spec(q->params, &out->code, q->workload, covered, bytes, &out->violation);
  free(covered);
  return 1;
}

static int judge(const struct tpu_legal_request *q, struct tpu_legality *out,
                 struct tpu_report *r) {
  struct tpu_counts stated;
  if (!judge_machine(q, out, r))
    return 0;
  if (!out->counted ||
      (q->header != NULL && !check_header(q->params, q->header, &stated, &out->violation)))
    return 1;
  if (!check_protocol(q->params, &out->code, &out->counts, q->header, &out->network, &out->legal,
                      &out->violation, r))
    return 0;
  out->networked = 1;
  return !out->legal || q->workload == NULL || judge_spec(q, out, r);
}

static void set_layers(const struct tpu_legal_request *q, struct tpu_legality *out) {
  const int broken = out->legal ? TPU_LAYER_COUNT : (int)tpu_rule_layer(out->violation.rule);
  for (int k = 0; k < TPU_LAYER_COUNT; ++k)
    out->layer[k] = k < broken    ? TPU_LAYER_HOLDS
                    : k == broken ? TPU_LAYER_BROKEN
                                  : TPU_LAYER_NOT_REACHED;
  if (broken == TPU_LAYER_ENCODING && out->violation.index >= 0)
    out->layer[TPU_LAYER_ISA] = TPU_LAYER_PARTLY;
  if (q->workload == NULL)
    out->layer[TPU_LAYER_SPEC] = TPU_LAYER_NOT_ASKED;
}

int tpu_legal(const struct tpu_legal_request *request, struct tpu_legality *out,
              struct tpu_report *r) {
  *out = (struct tpu_legality){.violation = {.rule = TPU_RULE_NONE, .index = -1}};
  if (!judge(request, out, r)) {
    tpu_legality_release(out);
    return 0;
  }
  if (out->legal)
    out->violation = (struct tpu_violation){.rule = TPU_RULE_NONE, .index = -1};
  set_layers(request, out);
  return 1;
}

void tpu_legality_release(struct tpu_legality *legality) {
  free(legality->code.insn);
  legality->code = (struct tpu_code){NULL, 0, 0};
}
