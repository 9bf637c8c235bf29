/* SPDX-License-Identifier: Apache-2.0 */
/* tpuvp rank: every mapping of a workload, judged, simulated and put in order; and where estimates
 * would have another. */
#include "isa/mapper.h"
#include "judge/estimate.h"
#include "judge/measured.h"
#include "judge/rank.h"
#include "platform/cli/commands.h"
#include "platform/cli/correctness.h"
#include "platform/cli/engine.h"
#include "platform/cli/output.h"
#include "platform/cli/setup.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { VARIANTS = TPU_MAP_VARIANT_COUNT };

struct variant {
  enum tpu_verdict verdict;
  char reason[1000];
  int counted; /* estimate is known */
};

struct ranking {
  const struct tpu_platform_config *config;
  const struct tpu_spec *spec;
  struct variant variant[VARIANTS];
  struct tpu_ranked entry[VARIANTS];
  size_t order[VARIANTS];
};

static const char *name_of(size_t v) { return tpu_map_variant_name((enum tpu_map_variant)v); }

/* One verdict on a variant: that of the judge, or that there is no such program. */
static int judge(struct ranking *x, size_t v, const struct tpu_correct_request *request,
                 struct tpu_program *program, struct tpu_report *r) {
  struct variant *out = &x->variant[v];
  struct tpu_error e = {.code = TPU_OK};
  struct tpu_correct_request asked = *request;
  struct tpu_standing_store store;
  struct tpu_standing standing;
  const char *reason = NULL;
  if (!tpu_spec_standing(x->spec, &x->config->params, &store, &standing, r)) {
    return 0;
  }
  if (!tpu_map_as(&x->config->params, &x->spec->workload, (enum tpu_map_variant)v, program, &e)) {
    out->verdict = tpu_verdict_settle(&standing, TPU_VERDICT_DECLINED, e.text, &reason);
    (void)snprintf(out->reason, sizeof out->reason, "%s", reason);
    return 1;
  }
  struct tpu_correct_case *c = malloc(sizeof *c);
  if (c == NULL) {
    return tpu_report_fail(r, TPU_ERR_CAPACITY, "out of memory");
  }
  asked.program = program;
  const int good = tpu_correct_judge(&asked, c, r);
  if (good) {
    out->verdict = c->settled;
    out->counted = c->counted;
    (void)snprintf(out->reason, sizeof out->reason, "%s", c->reason);
    x->entry[v].is_ranked = c->settled == TPU_VERDICT_EXACT;
    x->entry[v].cycles = c->run[0].cycles;
    x->entry[v].estimate = c->counted ? tpu_estimate(&c->counts) : 0;
  }
  free(c);
  return good;
}

static const char *agreement_word(enum tpu_agreement a) {
  return a == TPU_RANK_REVERSED ? "reversed" : "equal";
}

/* Calls back for each pair, the faster first, that the estimate has otherwise; returns how many
 * pairs there are to order. */
typedef void pair_use(void *context, size_t faster, size_t slower, enum tpu_agreement how);

static unsigned each_disagreement(const struct ranking *x, pair_use *use, void *context) {
  unsigned pairs = 0;
  for (size_t i = 0; i < VARIANTS; ++i) {
    for (size_t j = i + 1; j < VARIANTS; ++j) {
      const enum tpu_agreement how = tpu_rank_pair(&x->entry[x->order[i]], &x->entry[x->order[j]]);
      pairs += how != TPU_RANK_NOTHING;
      if (how == TPU_RANK_EQUAL || how == TPU_RANK_REVERSED) {
        use(context, x->order[i], x->order[j], how);
      }
    }
  }
  return pairs;
}

static void print_pair(void *context, size_t faster, size_t slower, enum tpu_agreement how) {
  const struct ranking *x = context;
  printf("  %s is faster than %s, %" PRIu64 " and %" PRIu64 " cycles; the estimate has them %s, "
         "%.0f and %.0f\n",
         name_of(faster), name_of(slower), x->entry[faster].cycles, x->entry[slower].cycles,
         agreement_word(how), x->entry[faster].estimate, x->entry[slower].estimate);
}

static void count_pair(void *context, size_t faster, size_t slower, enum tpu_agreement how) {
  (void)faster;
  (void)slower;
  (void)how;
  ++*(unsigned *)context;
}

static void print_variant(const struct ranking *x, size_t v) {
  const struct tpu_ranked *e = &x->entry[v];
  const struct variant *variant = &x->variant[v];
  if (e->is_ranked) {
    printf("%4u  %-15s %-13s %8" PRIu64 " %9.0f %4u  %s\n", e->rank, name_of(v),
           tpu_verdict_name(variant->verdict), e->cycles, e->estimate, e->estimate_rank,
           tpu_map_variant_sentence((enum tpu_map_variant)v));
  } else {
    char estimate[24] = "-";
    if (variant->counted) {
      (void)snprintf(estimate, sizeof estimate, "%.0f", e->estimate);
    }
    printf("%4s  %-15s %-13s %8s %9s %4s  %s\n    %s\n", "-", name_of(v),
           tpu_verdict_name(variant->verdict), "-", estimate, "-",
           tpu_map_variant_sentence((enum tpu_map_variant)v), variant->reason);
  }
}

static void print_text(struct ranking *x) {
  const struct tpu_params *p = &x->config->params;
  unsigned wrong = 0;
  printf("rank %s on T=%u MAXDIM=%u QD=%u DMA_WORDS=%u%s\n\n%4s  %-15s %-13s %8s %9s %4s\n",
         x->spec->workload.name, p->t, p->maxdim, p->qd, p->dma_words,
         tpu_extrapolated_note(x->config), "rank", "variant", "verdict", "cycles", "estimate",
         "its");
  for (size_t i = 0; i < VARIANTS; ++i) {
    print_variant(x, x->order[i]);
  }
  const unsigned pairs = each_disagreement(x, count_pair, &wrong);
  printf("\nrank: by simulated cycles; its: rank by estimate%s; what hangs is not ranked\n"
         "of %u pair%s the estimate has %u in another order, or equal%s\n",
         tpu_estimate_note(p), pairs, pairs == 1 ? "" : "s", wrong, wrong != 0 ? ":" : "");
  (void)each_disagreement(x, print_pair, x);
}

static void put_variant(const struct ranking *x, size_t v, struct tpu_json_writer *w) {
  const struct tpu_ranked *e = &x->entry[v];
  const struct variant *variant = &x->variant[v];
  tpu_json_begin_object(w, NULL);
  tpu_json_put_string(w, "name", name_of(v));
  tpu_json_put_string(w, "purpose", tpu_map_variant_sentence((enum tpu_map_variant)v));
  tpu_json_put_string(w, "verdict", tpu_verdict_name(variant->verdict));
  tpu_json_put_text_or_null(w, "reason", variant->reason);
  tpu_json_put_u64_or_null(w, "rank", e->rank != 0, e->rank);
  tpu_json_put_u64_or_null(w, "cycles", e->is_ranked, e->cycles);
  tpu_json_put_double_or_null(w, "estimate", variant->counted, e->estimate);
  tpu_json_put_u64_or_null(w, "estimate_rank", e->estimate_rank != 0, e->estimate_rank);
  tpu_json_end(w);
}

static void put_pair(void *context, size_t faster, size_t slower, enum tpu_agreement how) {
  struct tpu_json_writer *w = context;
  tpu_json_begin_object(w, NULL);
  tpu_json_put_string(w, "faster", name_of(faster));
  tpu_json_put_string(w, "slower", name_of(slower));
  tpu_json_put_string(w, "estimate", agreement_word(how));
  tpu_json_end(w);
}

static int print_json(const struct ranking *x, struct tpu_report *r) {
  struct tpu_json_writer *w = tpu_document_new(r);
  if (w == NULL) {
    return 0;
  }
  tpu_json_begin_object(w, NULL);
  tpu_json_put_string(w, "name", x->spec->workload.name);
  tpu_json_begin_array(w, "variants");
  for (size_t i = 0; i < VARIANTS; ++i) {
    put_variant(x, x->order[i], w);
  }
  tpu_json_end(w);
  tpu_json_begin_array(w, "disagreements");
  const unsigned pairs = each_disagreement(x, put_pair, w);
  tpu_json_end(w);
  tpu_json_put_u64(w, "pairs", pairs);
  tpu_json_put_bool(w, "extrapolated", tpu_extrapolated(x->config));
  tpu_config_put(x->config, "config", w);
  tpu_json_end(w);
  return tpu_print_json(w, r);
}

/* A variant that has no program for the workload, and one that hangs, are findings. What computes
 * something else, breaks a contract, or nothing to rank where there should be, is a failure. */
static int fails(const struct ranking *x) {
  int ranked = 0;
  int due = 0;
  for (size_t v = 0; v < VARIANTS; ++v) {
    const enum tpu_verdict verdict = x->variant[v].verdict;
    ranked |= x->entry[v].is_ranked;
    due |= tpu_verdict_fails(verdict);
    if (tpu_verdict_fails(verdict) && verdict != TPU_VERDICT_DECLINED &&
        verdict != TPU_VERDICT_DEADLOCK) {
      return 1;
    }
  }
  return due && !ranked;
}

static int rank_opened(struct ranking *x, const struct tpu_correct_request *request, int json,
                       struct tpu_report *r) {
  const uint32_t capacity = tpu_program_capacity(&x->config->params);
  struct tpu_program program = {malloc((capacity + 1) * sizeof *program.words), capacity, 0};
  int good = program.words != NULL || tpu_report_fail(r, TPU_ERR_CAPACITY, "out of memory");
  for (size_t v = 0; good && v < VARIANTS; ++v) {
    good = judge(x, v, request, &program, r);
  }
  free(program.words);
  if (!good) {
    return TPU_EXIT_USAGE;
  }
  tpu_rank(x->entry, VARIANTS, x->order);
  if (!json) {
    print_text(x);
  } else if (!print_json(x, r)) {
    return TPU_EXIT_USAGE;
  }
  return fails(x) ? TPU_EXIT_VERDICT : TPU_EXIT_OK;
}

static int rank_spec(const struct tpu_args *args, const struct tpu_platform_config *config,
                     const char *timing, const struct tpu_spec *spec, struct tpu_report *r) {
  struct tpu_engine engine;
  struct tpu_reference reference;
  struct ranking x = {.config = config, .spec = spec};
  if (!tpu_engine_open(timing, &engine, r)) {
    return TPU_EXIT_USAGE;
  }
  int code = TPU_EXIT_USAGE;
  if (tpu_reference_open(&config->params, 1, &reference, r)) {
    const struct tpu_correct_request request = {.config = config,
                                                .spec = spec,
                                                .seed = 1,
                                                .engine = &engine,
                                                .reference = &reference,
                                                .turns = 1};
    code = rank_opened(&x, &request, tpu_args_have(args, TPU_OPTION_JSON), r);
    tpu_reference_close(&reference);
  }
  tpu_engine_close(&engine);
  return code;
}

int tpu_command_rank(const struct tpu_args *args, struct tpu_report *r) {
  struct tpu_platform_config config;
  char timing[TPU_PATH_SIZE];
  struct tpu_spec spec;
  if (args->operands == 0) {
    (void)tpu_report_fail(r, TPU_ERR_SYNTAX, "'rank' needs a SPEC: tpuvp rank SPEC");
    return TPU_EXIT_USAGE;
  }
  if (!tpu_setup_ideal(args, "rank", &config, timing, r) ||
      !tpu_setup_spec(args, args->operand[0], &spec, r)) {
    return TPU_EXIT_USAGE;
  }
  const int code = rank_spec(args, &config, timing, &spec, r);
  tpu_spec_release(&spec);
  return code;
}
