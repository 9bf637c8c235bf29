/* SPDX-License-Identifier: Apache-2.0 */
/* tpuvp work: counted work against simulated time, of a program or of the whole corpus. */
#include "judge/estimate.h"
#include "judge/measured.h"
#include "platform/cli/commands.h"
#include "platform/cli/engine.h"
#include "platform/cli/output.h"
#include "platform/cli/prepare.h"
#include "platform/cli/submissions.h"
#include "platform/cli/work_view.h"

#include <inttypes.h>
#include <stdio.h>

/* The whole command. */
struct work {
  const struct tpu_args *args;
  const struct tpu_platform_config *config;
  struct tpu_engine engine;
  struct tpu_json_writer *w; /* NULL: text */
  int single;                /* not the corpus */
  int failed;
};

/* "vru, accu" */
static const char *units_at_bound(const struct tpu_work *work, char *out, size_t capacity) {
  struct tpu_text t = tpu_text_on(out, capacity);
  for (int i = 0; i < TPU_UNIT_COUNT; ++i) {
    if (work->unit[i].at_bound) {
      tpu_text_format(&t, "%s%s", t.length != 0 ? ", " : "", work->unit[i].name);
    }
  }
  return out;
}

static void print_units(const struct tpu_work *work) {
  printf("\n  %-10s %10s %10s %8s %8s %8s %8s  %s\n", "unit", "promised", "done", "busy", "starved",
         "blocked", "idle", "utilization");
  for (int i = 0; i < TPU_UNIT_COUNT; ++i) {
    const struct tpu_work_unit *u = &work->unit[i];
    const struct tpu_engine_counters *c = &u->counters;
    printf("  %-10s %10" PRIu64 " %10" PRIu64 " %8" PRIu64 " %8" PRIu64 " %8" PRIu64 " %8" PRIu64
           "  %5.1f %%%s\n",
           u->name, c->promised, c->done, c->busy, c->starved, c->blocked, c->idle,
           100 * u->utilization, u->instances > 1 ? " (summed over instances)" : "");
  }
}

static void print_single(const struct work *x, const struct tpu_work_view *v) {
  const struct tpu_params *p = &x->config->params;
  const struct tpu_work *work = v->work;
  char at[96];
  printf("%s: %s%s%s\n  machine      T=%u MAXDIM=%u QD=%u DMA_WORDS=%u%s\n", v->name, v->outcome,
         v->reason != NULL ? " - " : "", v->reason != NULL ? v->reason : "", p->t, p->maxdim, p->qd,
         p->dma_words, tpu_extrapolated_note(x->config));
  if (work == NULL) {
    return;
  }
  printf("  bound        %" PRIu64 " cycles at least: the largest count, of %s\n", work->bound,
         units_at_bound(work, at, sizeof at));
  printf("  cycles       %" PRIu64, work->cycles);
  if (tpu_work_completed(v)) {
    printf(", %.2f times the bound\n  estimate     %.0f cycles, %+.1f %% off the simulated%s\n",
           work->over_bound, work->estimate, work->estimate_error_pct, tpu_estimate_note(p));
  } else {
    printf(", to where it stopped\n  estimate     %.0f cycles%s\n", work->estimate,
           tpu_estimate_note(p));
  }
  printf("  rounds       %" PRIu64 " of the barrier-synchronous network\n", work->rounds);
  print_units(work);
  printf("  utilization = work done / accelerator cycles; busy + starved + blocked + idle = "
         "cycles\n");
}

static void print_row(const struct tpu_work_view *v) {
  const struct tpu_work *work = v->work;
  char at[96];
  if (work == NULL) {
    printf("%-26s %-13s %7s %7s %6s %8s %8s %7s  -\n", v->name, v->outcome, "-", "-", "-", "-", "-",
           "-");
  } else if (tpu_work_completed(v)) {
    printf("%-26s %-13s %7" PRIu64 " %7" PRIu64 " %6.2f %8.0f %+6.1f %% %7" PRIu64 "  %s\n",
           v->name, v->outcome, work->bound, work->cycles, work->over_bound, work->estimate,
           work->estimate_error_pct, work->rounds, units_at_bound(work, at, sizeof at));
  } else {
    printf("%-26s %-13s %7" PRIu64 " %7s %6s %8.0f %8s %7" PRIu64 "  %s\n", v->name, v->outcome,
           work->bound, "-", "-", work->estimate, "-", work->rounds,
           units_at_bound(work, at, sizeof at));
  }
  if (v->reason != NULL) {
    printf("    %s\n", v->reason);
  }
}

static void tell(struct work *x, const struct tpu_work_view *v, int fails) {
  x->failed |= fails;
  if (x->w != NULL) {
    tpu_work_put(v, NULL, x->w);
  } else if (x->single) {
    print_single(x, v);
  } else {
    print_row(v);
  }
}

/* A workload that no program is right for has work and time all the same. */
static int run_job(void *context, const struct tpu_job *job, struct tpu_report *r) {
  struct work *x = context;
  struct tpu_work_view v = {.name = job->name};
  if (job->verdict != TPU_VERDICT_NOT_RUN) {
    const enum tpu_verdict standing =
        tpu_verdict_settle(&job->standing, job->verdict, job->reason, &v.reason);
    v.outcome = tpu_verdict_name(standing);
    tell(x, &v, tpu_verdict_fails(standing));
    return TPU_EXIT_OK;
  }
  const struct tpu_engine_request request = {.params = &job->request.config->params,
                                             .program = &job->program,
                                             .counts = &job->counts,
                                             .image = {job->image[0], job->image[1], job->image[2]},
                                             .seed = job->request.seed};
  struct tpu_work work;
  if (!tpu_work_run(&x->engine, &request, &job->code, &work, r)) {
    return TPU_EXIT_USAGE;
  }
  v.outcome = tpu_work_outcome(work.outcome);
  v.reason = work.text[0] != '\0' ? work.text : NULL;
  v.work = &work;
  tell(x, &v, work.outcome != TPU_ENGINE_COMPLETED);
  return TPU_EXIT_OK;
}

static int run_corpus(struct work *x, struct tpu_report *r) {
  struct tpu_submissions all;
  if (!tpu_submissions_read(x->args, "work", &x->config->params, &all, r)) {
    return TPU_EXIT_USAGE;
  }
  const struct tpu_params *p = &x->config->params;
  if (x->w == NULL) {
    printf("work on T=%u MAXDIM=%u QD=%u DMA_WORDS=%u%s\n\n"
           "%-26s %-13s %7s %7s %6s %8s %8s %7s  %s\n",
           p->t, p->maxdim, p->qd, p->dma_words, tpu_extrapolated_note(x->config), "spec",
           "outcome", "bound", "cycles", "ratio", "estimate", "error", "rounds", "at the bound");
  }
  int code = TPU_EXIT_OK;
  for (uint32_t i = 0; code == TPU_EXIT_OK && i < all.corpus.count; ++i) {
    code = TPU_EXIT_USAGE;
    if (!tpu_submitted_ask(&all.submitted, &all.corpus.spec[i], p, r)) {
      break;
    }
    const struct tpu_job_request request = {.config = x->config,
                                            .spec = &all.corpus.spec[i],
                                            .program = tpu_submitted_program(&all.submitted),
                                            .none = tpu_submitted_none(&all.submitted),
                                            .distribution = TPU_DISTRIBUTION_FULL,
                                            .seed = 1};
    struct tpu_job job;
    if (tpu_job_prepare(&job, &request, r)) {
      code = run_job(x, &job, r);
      tpu_job_release(&job);
    }
  }
  tpu_submissions_release(&all);
  if (code == TPU_EXIT_OK && x->w == NULL) {
    printf("\nbound: the largest count of a unit, as many cycles at least; ratio: cycles / bound\n"
           "error: estimate%s less cycles, in per cent of the cycles\n"
           "rounds: of the barrier-synchronous network\n",
           tpu_estimate_note(&x->config->params));
  }
  return code;
}

static int run_opened(struct work *x, const char *word, struct tpu_report *r) {
  const int json = tpu_args_have(x->args, TPU_OPTION_JSON);
  if (json) {
    x->w = tpu_document_new(r);
    if (x->w == NULL) {
      return TPU_EXIT_USAGE;
    }
    tpu_json_begin_object(x->w, NULL);
    tpu_json_begin_array(x->w, "programs");
  }
  const int code =
      x->single ? tpu_prepare_job(x->args, word, x->config, 1, run_job, x, r) : run_corpus(x, r);
  if (code != TPU_EXIT_OK) {
    tpu_json_writer_free(x->w);
    return code;
  }
  if (json) {
    tpu_json_end(x->w);
    tpu_json_put_bool(x->w, "extrapolated", tpu_extrapolated(x->config));
    tpu_config_put(x->config, "config", x->w);
    tpu_json_end(x->w);
    if (!tpu_print_json(x->w, r)) {
      return TPU_EXIT_USAGE;
    }
  }
  return x->failed ? TPU_EXIT_VERDICT : TPU_EXIT_OK;
}

int tpu_command_work(const struct tpu_args *args, struct tpu_report *r) {
  struct tpu_platform_config config;
  char timing[TPU_PATH_SIZE];
  const char *word = args->operands == 1 ? args->operand[0] : NULL;
  struct work x = {.args = args, .config = &config};
  x.single =
      word != NULL || (tpu_args_have(args, TPU_OPTION_PROGRAM) && !tpu_submitted_is_function(args));
  if ((x.single && !tpu_prepare_check(args, "work", "a SPEC or a program", word, r)) ||
      !tpu_setup_ideal(args, "work", &config, timing, r) ||
      !tpu_engine_open(timing, &x.engine, r)) {
    return TPU_EXIT_USAGE;
  }
  const int code = run_opened(&x, word, r);
  tpu_engine_close(&x.engine);
  return code;
}
