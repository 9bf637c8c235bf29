/* SPDX-License-Identifier: Apache-2.0 */
/* tpuvp depth: the smallest stream depth at which a program completes, and what blocks below it. */
#include "judge/depth.h"
#include "judge/measured.h"
#include "platform/cli/commands.h"
#include "platform/cli/engine.h"
#include "platform/cli/hang.h"
#include "platform/cli/job.h"
#include "platform/cli/output.h"
#include "platform/cli/prepare.h"
#include "platform/cli/setup.h"

#include <inttypes.h>
#include <stdio.h>

/* What is told. depth is NULL when nothing was run, for the reason. */
struct depth_view {
  const struct tpu_job *job;
  const struct tpu_depth *depth;
  const char *verdict;
  char reason[700]; /* room for that of a job's verdict */
};

static uint32_t deepest(const struct tpu_depth *d) { return d->run[d->count - 1].qd; }

/* The depths above the smallest at which it hangs again: "16", "16 to 20, 24". */
static void list_hangs_above(const struct tpu_depth *d, struct tpu_text *t) {
  const char *separator = "";
  for (size_t i = d->smallest - TPU_MIN_QD; i < d->count; ++i) {
    const size_t first = i;
    while (i < d->count && !d->run[i].completed) {
      ++i;
    }
    if (i != first) {
      tpu_text_format(t, i - first > 1 ? "%s%u to %u" : "%s%u", separator, d->run[first].qd,
                      d->run[i - 1].qd);
      separator = ", ";
    }
  }
}

/* What the runs establish, and no more. */
static void conclude(const struct tpu_depth *d, char *out, size_t capacity) {
  struct tpu_text t = tpu_text_on(out, capacity);
  const uint32_t last = deepest(d);
  if (d->smallest == 0) {
    tpu_text_format(&t, "hangs at every depth, %u to %u", (uint32_t)TPU_MIN_QD, last);
    return;
  }
  tpu_text_format(&t, "smallest QD is %u", d->smallest);
  if (d->blocked_qd > TPU_MIN_QD) {
    tpu_text_format(&t, ": hangs at every depth from %u to %u", (uint32_t)TPU_MIN_QD,
                    d->blocked_qd);
  } else if (d->blocked_qd != 0) {
    tpu_text_format(&t, ": hangs at %u", d->blocked_qd);
  }
  if (d->hangs_above != 0) {
    tpu_text_str(&t, "; HANGS AGAIN at ");
    list_hangs_above(d, &t);
  } else if (last > d->smallest) {
    tpu_text_format(&t, "; completes at every depth from there to %u", last);
  }
  tpu_text_format(&t, "; deeper than %u was not run", last);
}

static int extrapolated(const struct depth_view *v, uint32_t qd) {
  struct tpu_platform_config config = *v->job->request.config;
  config.params.qd = qd;
  return tpu_extrapolated(&config);
}

static void print_run(const struct depth_view *v, const struct tpu_depth_run *run) {
  printf("  %-6u %-10s %10" PRIu64 "%s\n", run->qd, run->completed ? "completes" : "hangs",
         run->cycles, extrapolated(v, run->qd) ? "  extrapolated" : "");
}

static void print_text(const struct depth_view *v) {
  enum { SHOWN = 64 }; /* rows; of a longer table the head and the tail */
  const struct tpu_params *p = &v->job->request.config->params;
  const struct tpu_depth *d = v->depth;
  char measured[TPU_MEASURED_BYTES];
  printf("%s: %s - %s\n", v->job->name, v->verdict, v->reason);
  printf("  machine      T=%u MAXDIM=%u DMA_WORDS=%u\n", p->t, p->maxdim, p->dma_words);
  if (d == NULL) {
    return;
  }
  printf("\n  %-6s %-10s %10s\n", "QD", "outcome", "cycles");
  for (size_t i = 0; i < d->count; ++i) {
    if (d->count > SHOWN && i == SHOWN / 2) {
      const size_t next = d->count - SHOWN / 2;
      printf("  ...    %zu more, in the JSON\n", next - i);
      i = next;
    }
    print_run(v, &d->run[i]);
  }
  printf("  cycles: start to done, or to where it stopped; extrapolated: not on one of the "
         "machines measured,\n"
         "  %s\n",
         tpu_measured_text(measured));
  if (d->blocked_qd != 0) {
    printf("\n  at QD=%u: %s\n", d->blocked_qd, d->blocked.text);
    tpu_hang_print(d->blocked.hang);
  }
}

static void put_runs(struct tpu_json_writer *w, const struct depth_view *v) {
  const struct tpu_depth *d = v->depth;
  tpu_json_begin_array(w, "depths");
  for (size_t i = 0; d != NULL && i < d->count; ++i) {
    tpu_json_begin_object(w, NULL);
    tpu_json_put_u64(w, "qd", d->run[i].qd);
    tpu_json_put_bool(w, "completed", d->run[i].completed);
    tpu_json_put_u64(w, "cycles", d->run[i].cycles);
    tpu_json_put_bool(w, "extrapolated", extrapolated(v, d->run[i].qd));
    tpu_json_end(w);
  }
  tpu_json_end(w);
  tpu_json_begin_array(w, "hangs_above");
  for (size_t i = 0; d != NULL && i < d->count; ++i) {
    if (d->smallest != 0 && d->run[i].qd > d->smallest && !d->run[i].completed) {
      tpu_json_put_u64(w, NULL, d->run[i].qd);
    }
  }
  tpu_json_end(w);
}

static int print_json(const struct depth_view *v, struct tpu_report *r) {
  const struct tpu_depth *d = v->depth;
  struct tpu_json_writer *w = tpu_document_new(r);
  if (w == NULL) {
    return 0;
  }
  tpu_json_begin_object(w, NULL);
  tpu_json_put_string(w, "name", v->job->name);
  tpu_json_put_string(w, "verdict", v->verdict);
  tpu_json_put_string(w, "reason", v->reason);
  if (v->job->illegal) {
    tpu_json_put_string(w, "rule", tpu_rule_name(v->job->violation.rule));
  }
  const uint32_t smallest = d != NULL ? d->smallest : 0;
  tpu_json_put_u64_or_null(w, "smallest", smallest != 0, smallest);
  put_runs(w, v);
  if (d != NULL && d->blocked_qd != 0) {
    tpu_json_begin_object(w, "blocked");
    tpu_json_put_u64(w, "qd", d->blocked_qd);
    tpu_json_put_string(w, "reason", d->blocked.text);
    tpu_hang_put(d->blocked.hang, "deadlock", w);
    tpu_json_end(w);
  } else {
    tpu_json_put_null(w, "blocked");
  }
  tpu_config_put(v->job->request.config, "config", w);
  tpu_json_end(w);
  return tpu_print_json(w, r);
}

static int tell(const struct tpu_args *args, const struct depth_view *v, int code,
                struct tpu_report *r) {
  if (!tpu_args_have(args, TPU_OPTION_JSON)) {
    print_text(v);
    return code;
  }
  return print_json(v, r) ? code : TPU_EXIT_USAGE;
}

static int search(const struct tpu_args *args, const struct tpu_engine *engine,
                  const struct tpu_job *job, struct tpu_report *r) {
  const struct tpu_engine_request request = {.params = &job->request.config->params,
                                             .program = &job->program,
                                             .counts = &job->counts,
                                             .image = {job->image[0], job->image[1], job->image[2]},
                                             .seed = job->request.seed};
  struct tpu_depth depth;
  if (!tpu_depth_search(engine, &request, &depth, r)) {
    return TPU_EXIT_USAGE;
  }
  struct depth_view v = {.job = job, .depth = &depth};
  v.verdict = depth.smallest != 0 ? "COMPLETES" : tpu_verdict_name(TPU_VERDICT_DEADLOCK);
  conclude(&depth, v.reason, sizeof v.reason);
  const int code = tell(args, &v, depth.smallest != 0 ? TPU_EXIT_OK : TPU_EXIT_VERDICT, r);
  tpu_depth_release(engine, &depth);
  return code;
}

/* What a job that is not worth running ends with, as `run` says it; else NOT_RUN. Of a workload
 * that its file or the derivation rules out no program is right, whenever it completes. */
static enum tpu_verdict standing_of(const struct tpu_job *job, const char **reason) {
  const struct tpu_standing *s = &job->standing;
  const int ruled_out = s->known_gap != NULL || s->unsatisfiable != NULL;
  const enum tpu_verdict own =
      job->verdict == TPU_VERDICT_NOT_RUN && ruled_out ? TPU_VERDICT_WRONG : job->verdict;
  return tpu_verdict_settle(s, own, job->reason, reason);
}

struct run {
  const struct tpu_args *args;
  const char *timing; /* file of the profile */
};

static int run_job(void *context, const struct tpu_job *job, struct tpu_report *r) {
  const struct run *run = context;
  struct tpu_engine engine;
  const char *reason = NULL;
  const enum tpu_verdict standing = standing_of(job, &reason);
  if (standing != TPU_VERDICT_NOT_RUN) {
    struct depth_view v = {.job = job, .verdict = tpu_verdict_name(standing)};
    (void)snprintf(v.reason, sizeof v.reason, "%s", reason);
    return tell(run->args, &v, TPU_EXIT_VERDICT, r);
  }
  if (!tpu_engine_open(run->timing, &engine, r)) {
    return TPU_EXIT_USAGE;
  }
  const int code = search(run->args, &engine, job, r);
  tpu_engine_close(&engine);
  return code;
}

int tpu_command_depth(const struct tpu_args *args, struct tpu_report *r) {
  struct tpu_platform_config config;
  char timing[TPU_PATH_SIZE];
  const char *word = args->operands == 1 ? args->operand[0] : NULL;
  if (!tpu_prepare_check(args, "depth", "a SPEC or a program", word, r) ||
      !tpu_setup_ideal(args, "depth", &config, timing, r)) {
    return TPU_EXIT_USAGE;
  }
  struct run run = {args, timing};
  return tpu_prepare_job(args, word, &config, 1, run_job, &run, r);
}
