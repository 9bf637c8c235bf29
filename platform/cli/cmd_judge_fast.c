/* SPDX-License-Identifier: Apache-2.0 */
/* tpuvp judge fast: work, estimate and the cheap gate; with --simulate the cycles of a run, with
 * --measured those of the RTL; and on which tier that puts a submission. */
#include "judge/estimate.h"
#include "judge/measured.h"
#include "judge/speed.h"
#include "judge/tally.h"
#include "platform/cli/commands.h"
#include "platform/cli/correctness.h"
#include "platform/cli/engine.h"
#include "platform/cli/output.h"
#include "platform/cli/submissions.h"

#include <inttypes.h>
#include <stdio.h>

/* One submission, judged. */
struct fast_case {
  struct tpu_correct_case correct; /* its verdict and counts; runs are timed with --simulate */
  double estimate;                 /* cycles; when counted */
  double reference;                /* the baseline's estimate; 0: there is no baseline */
  int gated, slow;                 /* a submission held against it; the gate does not pass it */
  int simulated;                   /* was run: outcome and cycles */
  enum tpu_engine_outcome outcome;
  uint64_t cycles;                           /* of the run */
  const struct tpu_measured_point *measured; /* the same words on the RTL, or NULL */
  enum tpu_tier tier;
  char extra[480]; /* what the table or the gate says against it, or "" */
};

/* The whole command. */
struct fast {
  const struct tpu_platform_config *config;
  uint32_t seed;
  struct tpu_submissions submissions;
  struct tpu_engine engine;
  struct tpu_calibration measured;
  int simulates, has_measured;
  unsigned matched, confirmed; /* by a point of the table */
  struct tpu_tally tally;
  unsigned slow;   /* that the gate does not pass */
  unsigned failed; /* for whatever reason: they are the exit code */
};

/* The estimate of the baseline, and the measured point of the words that are judged. Without a
 * submission it is the baseline that was judged. 0 for lack of memory. */
static int look_at_words(const struct fast *f, const struct tpu_spec *spec, struct fast_case *x,
                         struct tpu_report *r) {
  const struct tpu_program *given = tpu_submitted_program(&f->submissions.submitted);
  const int counted = x->correct.counted;
  if (given == NULL && counted) {
    x->reference = tpu_estimate(&x->correct.counts);
  }
  if (given != NULL && counted && f->has_measured) {
    x->measured = tpu_measured_find(&f->measured, &f->config->params, given);
  }
  if (given == NULL && (!counted || !f->has_measured)) {
    return 1;
  }
  const struct tpu_job_request request = {.config = f->config, .spec = spec, .seed = f->seed};
  struct tpu_job baseline;
  if (!tpu_job_prepare(&baseline, &request, r)) {
    return 0;
  }
  if (given != NULL && baseline.counted) {
    x->reference = tpu_estimate(&baseline.counts);
  } else if (given == NULL) {
    x->measured = tpu_measured_find(&f->measured, &f->config->params, &baseline.program);
  }
  tpu_job_release(&baseline);
  return 1;
}

static void look_at_run(struct fast_case *x) {
  const struct tpu_anchor_run *first = &x->correct.run[0];
  x->simulated = x->correct.runs != 0;
  x->outcome = first->outcome;
  x->cycles = first->cycles;
}

static int completed(const struct fast_case *x) {
  return x->simulated && x->outcome == TPU_ENGINE_COMPLETED;
}

/* A measured hang is one, whatever the simulation says. */
static void look_at_measurement(struct fast_case *x) {
  if (x->measured == NULL || x->measured->completes) {
    return;
  }
  (void)snprintf(x->extra, sizeof x->extra, "the RTL was measured to hang: point %s",
                 x->measured->id);
  if (x->correct.settled == TPU_VERDICT_EXACT) {
    x->correct.settled = TPU_VERDICT_DEADLOCK;
    (void)snprintf(x->correct.reason, sizeof x->correct.reason, "%s", x->extra);
    x->extra[0] = '\0';
  }
}

static int hangs(const struct fast_case *x) {
  return (x->simulated && x->outcome == TPU_ENGINE_DEADLOCK) ||
         (x->measured != NULL && !x->measured->completes);
}

static void conclude(struct fast_case *x, int submitted) {
  const struct tpu_correct_case *c = &x->correct;
  int right = c->runs != 0;
  for (int i = 0; i < c->runs; ++i) {
    right = right && c->run[i].program.verdict == TPU_VERDICT_EXACT;
  }
  look_at_measurement(x);
  const struct tpu_findings found = {.legal = c->counted && c->rule == TPU_RULE_NONE,
                                     .correct = right,
                                     .timed = completed(x) && c->own != TPU_VERDICT_FAULT,
                                     .hangs = hangs(x),
                                     .measured = x->measured != NULL && x->measured->cycles != 0};
  x->tier = tpu_tier_of(&found);
  x->gated = submitted && c->counted && x->reference > 0 && !hangs(x);
  x->slow = x->gated && !tpu_gate_passes(x->estimate, x->reference);
  if (x->slow && x->extra[0] == '\0') {
    (void)snprintf(x->extra, sizeof x->extra,
                   "the gate does not pass it: the estimate of %.0f cycles is %.0f %% above the "
                   "reference submission's %.0f; 10 %% is allowed",
                   x->estimate, 100 * (x->estimate / x->reference - 1), x->reference);
  }
}

static int judge(void *context, const struct tpu_spec *spec, struct tpu_reference *reference,
                 void *one, struct tpu_report *r) {
  const struct fast *f = context;
  struct fast_case *x = one;
  const struct tpu_correct_request request = {.config = f->config,
                                              .spec = spec,
                                              .program =
                                                  tpu_submitted_program(&f->submissions.submitted),
                                              .none = tpu_submitted_none(&f->submissions.submitted),
                                              .seed = f->seed,
                                              .engine = f->simulates ? &f->engine : NULL,
                                              .reference = reference,
                                              .turns = 1};
  *x = (struct fast_case){.tier = TPU_TIER_NONE};
  if (!tpu_correct_judge(&request, &x->correct, r) || !look_at_words(f, spec, x, r)) {
    return 0;
  }
  if (x->correct.counted) {
    x->estimate = tpu_estimate(&x->correct.counts);
  }
  if (f->simulates) {
    look_at_run(x);
  }
  conclude(x, request.program != NULL);
  return 1;
}

static int fails(const struct fast_case *x) {
  return tpu_verdict_fails(x->correct.settled) || x->slow ||
         (x->measured != NULL && !x->measured->completes);
}

/* A number of cycles, or why there is none. */
static const char *simulated_text(const struct fast_case *x, char out[24]) {
  if (!x->simulated) {
    return "-";
  }
  if (!completed(x)) {
    return x->outcome == TPU_ENGINE_DEADLOCK ? "hangs" : "fault";
  }
  (void)snprintf(out, 24, "%" PRIu64, x->cycles);
  return out;
}

static const char *measured_text(const struct tpu_measured_point *m, char out[24]) {
  if (m == NULL) {
    return "-";
  }
  if (!m->completes || m->cycles == 0) {
    return m->completes ? "completes" : "hangs";
  }
  (void)snprintf(out, 24, "%" PRIu64, m->cycles);
  return out;
}

static void print_case(const struct fast_case *x) {
  const struct tpu_correct_case *c = &x->correct;
  char simulated[24];
  char measured[24];
  char ratio[24] = "-";
  printf("%-26s %-15s", c->spec->workload.name, tpu_verdict_name(c->settled));
  if (c->counted) {
    const struct tpu_counts *n = &c->counts;
    if (x->reference > 0) {
      (void)snprintf(ratio, sizeof ratio, "%.2f", x->estimate / x->reference);
    }
    printf(" %5u %5u %5u %5u %5u %8.0f %5s %-6s", n->dma_ld, n->spm, n->vru, n->accu, n->dma_st,
           x->estimate, ratio,
           !x->gated ? "-"
           : x->slow ? "slow"
                     : "passes");
  } else {
    printf(" %5s %5s %5s %5s %5s %8s %5s %-6s", "-", "-", "-", "-", "-", "-", "-", "-");
  }
  printf(" %-9s %9s %8s\n", tpu_tier_name(x->tier), simulated_text(x, simulated),
         measured_text(x->measured, measured));
  if (c->reason[0] != '\0') {
    printf("    %s\n", c->reason);
  }
  if (x->extra[0] != '\0') {
    printf("    %s\n", x->extra);
  }
}

static void put_work(const struct tpu_counts *n, struct tpu_json_writer *w) {
  const char *units[TPU_CRITICAL_MAX];
  tpu_json_begin_object(w, "work");
  tpu_json_put_u64(w, "dma_ld", n->dma_ld);
  tpu_json_put_u64(w, "spm", n->spm);
  tpu_json_put_u64(w, "vru", n->vru);
  tpu_json_put_u64(w, "accu", n->accu);
  tpu_json_put_u64(w, "dma_st", n->dma_st);
  tpu_json_put_u64(w, "largest", tpu_critical_work(n));
  tpu_json_begin_array(w, "units");
  const uint32_t count = tpu_critical_units(n, units);
  for (uint32_t i = 0; i < count; ++i) {
    tpu_json_put_string(w, NULL, units[i]);
  }
  tpu_json_end(w);
  tpu_json_end(w);
}

static void put_estimate(const struct fast_case *x, struct tpu_json_writer *w) {
  if (!x->correct.counted) {
    tpu_json_put_null(w, "work");
    tpu_json_put_null(w, "estimate");
  } else {
    put_work(&x->correct.counts, w);
    tpu_json_put_double(w, "estimate", x->estimate);
  }
  tpu_json_put_double_or_null(w, "reference", x->reference > 0, x->reference);
  tpu_json_put_text_or_null(w, "gate", !x->gated ? NULL : x->slow ? "slow" : "passes");
}

static void put_case(const struct fast *f, const struct fast_case *x, struct tpu_json_writer *w) {
  const struct tpu_correct_case *c = &x->correct;
  tpu_json_begin_object(w, NULL);
  tpu_json_put_string(w, "name", c->spec->workload.name);
  tpu_json_put_string(w, "verdict", tpu_verdict_name(c->settled));
  tpu_json_put_text_or_null(w, "reason", c->reason);
  tpu_json_put_text_or_null(w, "remark", x->extra);
  tpu_json_put_text_or_null(w, "rule", c->rule != TPU_RULE_NONE ? tpu_rule_name(c->rule) : "");
  put_estimate(x, w);
  tpu_json_put_string(w, "tier", tpu_tier_name(x->tier));
  if (x->simulated) {
    tpu_json_begin_object(w, "simulated");
    tpu_json_put_bool(w, "completed", completed(x));
    tpu_json_put_u64(w, "cycles", x->cycles);
    tpu_json_put_bool(w, "extrapolated", tpu_extrapolated(f->config));
    tpu_json_end(w);
  } else {
    tpu_json_put_null(w, "simulated");
  }
  if (x->measured != NULL) {
    tpu_json_begin_object(w, "measured");
    tpu_json_put_string(w, "id", x->measured->id);
    tpu_json_put_bool(w, "completes", x->measured->completes);
    tpu_json_put_u64_or_null(w, "cycles", x->measured->cycles != 0, x->measured->cycles);
    tpu_json_end(w);
  } else {
    tpu_json_put_null(w, "measured");
  }
  tpu_json_end(w);
}

static void tell(void *context, const void *one, struct tpu_json_writer *w,
                 struct tpu_junit *junit) {
  struct fast *f = context;
  const struct fast_case *x = one;
  const struct tpu_correct_case *c = &x->correct;
  tpu_tally_add(&f->tally, c->settled);
  f->slow += (unsigned)x->slow;
  f->failed += (unsigned)fails(x);
  f->matched += x->measured != NULL;
  f->confirmed += x->tier == TPU_TIER_CONFIRMED;
  if (junit != NULL && fails(x) && !tpu_verdict_fails(c->settled)) {
    tpu_junit_fail(junit, c->spec->workload.name,
                   x->slow ? "SLOW" : tpu_verdict_name(TPU_VERDICT_DEADLOCK), x->extra);
  } else if (junit != NULL) {
    tpu_junit_add(junit, c->spec->workload.name, c->settled, c->reason, NULL);
  }
  if (w != NULL) {
    put_case(f, x, w);
  } else {
    print_case(x);
  }
}

/* What the list does not claim. */
static const char *note_of(const struct fast *f) {
  const char *unconfirmed =
      !f->has_measured  ? "nothing listed is confirmed: no RTL was measured"
      : f->matched == 0 ? "nothing listed is confirmed: no point of the table of --measured "
                          "is of these words at these parameters"
                        : "nothing listed is confirmed";
  return f->simulates ? f->confirmed != 0 ? "confirmed is what the table of --measured says it is"
                                          : unconfirmed
         : f->confirmed != 0 ? "nothing listed was simulated: confirmed is what the table of "
                               "--measured says it is, the rest is not timed"
                             : "nothing listed is timed: an estimate is not a time, and says "
                               "nothing about whether a program completes; --simulate runs it";
}

static void print_head(const void *context) {
  const struct fast *f = context;
  const struct tpu_params *p = &f->config->params;
  printf("judge fast on T=%u MAXDIM=%u QD=%u DMA_WORDS=%u%s\n\n"
         "%-26s %-15s %5s %5s %5s %5s %5s %8s %5s %-6s %-9s %9s %8s\n",
         p->t, p->maxdim, p->qd, p->dma_words, f->simulates ? tpu_extrapolated_note(f->config) : "",
         "spec", "verdict", "dmald", "spm", "vru", "accu", "dmast", "estimate", "ratio", "gate",
         "tier", "simulated", "measured");
}

static void print_foot(const void *context) {
  const struct fast *f = context;
  char text[TPU_TALLY_BYTES];
  printf(
      "\nestimate: %.1f + %.3f * the largest count; ratio: to the reference submission's, and the\n"
      "gate passes up to %.2f; the line is of " TPU_ESTIMATE_MACHINE "\n",
      TPU_ESTIMATE_FIXED, TPU_ESTIMATE_PER_WORK, TPU_GATE_RATIO);
  for (int t = 0; t < TPU_TIER_COUNT; ++t) {
    printf("%s %-9s %s\n", t == 0 ? "tier:" : "     ", tpu_tier_name((enum tpu_tier)t),
           tpu_tier_sentence((enum tpu_tier)t));
  }
  printf("%s\n\n%s; %u slow; %u failed\n", note_of(f), tpu_tally_text(&f->tally, text), f->slow,
         f->failed);
}

static void put_members(const void *context, struct tpu_json_writer *w) {
  const struct fast *f = context;
  tpu_json_put_bool(w, "simulated", f->simulates);
  tpu_json_put_string(w, "note", note_of(f));
  tpu_tally_put(&f->tally, "summary", w);
  tpu_json_put_u64(w, "slow", f->slow);
  tpu_json_put_u64(w, "failed", f->failed);
  tpu_config_put(f->config, "config", w);
}

int tpu_command_judge_fast(const struct tpu_args *args, struct tpu_report *r) {
  struct tpu_platform_config config;
  char timing[TPU_PATH_SIZE];
  const char *table = args->value[TPU_OPTION_MEASURED];
  struct fast f = {.config = &config, .has_measured = table != NULL};
  f.simulates = tpu_args_have(args, TPU_OPTION_SIMULATE);
  if (!tpu_args_seed(args, &f.seed, r) ||
      !tpu_setup_ideal(args, "judge fast", &config, timing, r) ||
      !tpu_submissions_read(args, "judge fast", &config.params, &f.submissions, r)) {
    return TPU_EXIT_USAGE;
  }
  int code = TPU_EXIT_USAGE;
  if ((table == NULL || tpu_calibration_read(table, &f.measured, r)) &&
      tpu_engine_open(timing, &f.engine, r)) {
    static const struct tpu_judging how = {
        "judge fast", sizeof(struct fast_case), judge, tell, print_head, print_foot, put_members};
    if (tpu_submissions_judge(args, &config, f.seed, &f.submissions, &how, &f, r)) {
      code = f.failed != 0 ? TPU_EXIT_VERDICT : TPU_EXIT_OK;
    }
    tpu_engine_close(&f.engine);
  }
  tpu_calibration_release(&f.measured);
  tpu_submissions_release(&f.submissions);
  return code;
}
