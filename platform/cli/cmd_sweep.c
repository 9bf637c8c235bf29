/* SPDX-License-Identifier: Apache-2.0 */
/* tpuvp sweep: workloads at every configuration of a product, run side by side, and what the
 * parameters do to them. */
#include "platform/cli/commands.h"
#include "platform/cli/engine.h"
#include "platform/cli/output.h"
#include "platform/cli/sweep_files.h"
#include "platform/cli/sweep_jobs.h"
#include "platform/cli/sweep_point.h"
#include "platform/cli/sweep_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a job ---- */

/* On the accelerator by itself where the memory is ideal: any number of machines in one process,
 * and in cycles the platform's. Another memory is the platform's only. */
static int run_on_engine(const struct tpu_sweep_plan *plan, const size_t *part, size_t count,
                         struct tpu_report *r) {
  struct tpu_engine engine;
  if (!tpu_engine_open(plan->timing_path, &engine, r)) {
    return 0;
  }
  int good = 1;
  for (size_t i = 0; good && i < count; ++i) {
    good = tpu_sweep_configuration_on_engine(plan, part[i], &engine, r);
  }
  tpu_engine_close(&engine);
  return good;
}

/* A verdict is none here: whoever puts the parts together judges. */
static int run_part(const struct tpu_args *args, const struct tpu_sweep_plan *plan,
                    struct tpu_report *r) {
  size_t *part = NULL;
  size_t count = 0;
  if (!tpu_sweep_part_read(plan, args->value[TPU_OPTION_PART], &part, &count, r)) {
    return TPU_EXIT_USAGE;
  }
  const int good = tpu_sweep_is_alone(plan, part[0])
                       ? tpu_sweep_configuration_on_platform(plan, part[0], r)
                       : run_on_engine(plan, part, count, r);
  free(part);
  return good ? TPU_EXIT_OK : TPU_EXIT_USAGE;
}

/* ---- all of them ---- */

struct sweep {
  const struct tpu_args *args;
  struct tpu_sweep_store store;
  struct tpu_sweep_files files; /* of --out */
  int keeps;                    /* there is one */
};

static int take(void *context, const char *line, size_t length, struct tpu_report *r) {
  struct sweep *s = context;
  const struct tpu_sweep_plan *plan = s->store.plan;
  size_t configuration = 0;
  int is_new = 0;
  if (!tpu_sweep_store_take(&s->store, "a job", line, length, &is_new, &configuration, r) ||
      (is_new && s->keeps && !tpu_sweep_files_append(&s->files, line, length, r))) {
    return 0;
  }
  if (is_new && tpu_sweep_store_has(&s->store, configuration)) {
    char name[TPU_AXES_TEXT_BYTES];
    tpu_progress(s->store.complete, plan->legal_count,
                 tpu_axes_text(&plan->axes, configuration, name));
  }
  return 1;
}

static int run_jobs(struct sweep *s, struct tpu_report *r) {
  const struct tpu_sweep_plan *plan = s->store.plan;
  const char *at_once = s->args->value[TPU_OPTION_JOBS];
  char log[TPU_PATH_SIZE];
  struct tpu_sweep_jobs jobs;
  if (s->store.complete == plan->legal_count) {
    return 1;
  }
  if ((s->keeps && !tpu_join_path(log, s->files.dir, "jobs.log", "", r)) ||
      !tpu_sweep_jobs_make(&s->store, &jobs, r)) {
    return 0;
  }
  int good =
      tpu_sweep_jobs_run(&jobs, at_once != NULL ? at_once : "", s->keeps ? log : NULL, take, s, r);
  tpu_sweep_jobs_release(&jobs);
  tpu_progress_end();
  if (good && s->store.complete != plan->legal_count) {
    good =
        tpu_report_fail(r, TPU_ERR_USE,
                        "%zu of %zu configurations have no result, though GNU parallel says that "
                        "every job ended well",
                        plan->legal_count - s->store.complete, plan->legal_count);
  }
  return good;
}

static int write_file(const struct tpu_sweep_files *files, const char *name, char *text,
                      struct tpu_report *r) {
  const int good = text != NULL && tpu_sweep_files_write(files, name, text, strlen(text), r);
  free(text);
  return good;
}

static int write_files(struct sweep *s, struct tpu_report *r) {
  return write_file(&s->files, "results.jsonl", tpu_sweep_report_lines(&s->store, r), r) &&
         write_file(&s->files, "results.csv", tpu_sweep_report_csv(&s->store, r), r) &&
         write_file(&s->files, "report.md", tpu_sweep_report_text(&s->store, r), r) &&
         write_file(&s->files, "report.json", tpu_sweep_report_json(&s->store, r), r) &&
         tpu_sweep_files_settle(&s->files, r);
}

static int print(struct sweep *s, struct tpu_report *r) {
  char *text = tpu_args_have(s->args, TPU_OPTION_JSON) ? tpu_sweep_report_json(&s->store, r)
                                                       : tpu_sweep_report_text(&s->store, r);
  if (text != NULL) {
    (void)fputs(text, stdout);
  }
  free(text);
  return text != NULL;
}

/* A hang and a missing mapping are findings. A wrong result is a failure, and so is no exact one
 * where there should be. */
static int fails(const struct sweep *s) {
  const struct tpu_tally t = tpu_sweep_tally(&s->store);
  const unsigned found = t.of[TPU_VERDICT_DEADLOCK] + t.of[TPU_VERDICT_DECLINED];
  return t.failed > found || (t.failed != 0 && t.of[TPU_VERDICT_EXACT] == 0);
}

static int run_all(struct sweep *s, struct tpu_report *r) {
  if (!run_jobs(s, r) || (s->keeps && !write_files(s, r)) || !print(s, r)) {
    return TPU_EXIT_USAGE;
  }
  return fails(s) ? TPU_EXIT_VERDICT : TPU_EXIT_OK;
}

/* ---- a batch script ---- */

static int emit_script(struct sweep *s, const struct tpu_sweep_jobs *jobs, struct tpu_report *r) {
  char *script = tpu_sweep_jobs_slurm(jobs, s->files.dir);
  if (script == NULL) {
    return tpu_report_fail(r, TPU_ERR_CAPACITY, "out of memory");
  }
  int good = 1;
  if (!tpu_args_have(s->args, TPU_OPTION_JSON)) {
    (void)fputs(script, stdout);
  } else {
    struct tpu_json_writer *w = tpu_document_new(r);
    good = w != NULL;
    if (good) {
      tpu_json_begin_object(w, NULL);
      tpu_json_put_string(w, "emit", "slurm");
      tpu_json_put_u64(w, "jobs", jobs->count);
      tpu_json_put_string(w, "script", script);
      tpu_json_end(w);
      good = tpu_print_json(w, r);
    }
  }
  free(script);
  return good;
}

static int emit(struct sweep *s, struct tpu_report *r) {
  struct tpu_sweep_jobs jobs;
  if (!tpu_sweep_jobs_make(&s->store, &jobs, r)) {
    return TPU_EXIT_USAGE;
  }
  const int good =
      jobs.count != 0
          ? emit_script(s, &jobs, r)
          : tpu_report_fail(r, TPU_ERR_USE, "%s: nothing is missing: without --emit it is reported",
                            s->files.dir);
  tpu_sweep_jobs_release(&jobs);
  return good ? TPU_EXIT_OK : TPU_EXIT_USAGE;
}

/* ---- the command ---- */

static int check_options(const struct tpu_args *args, struct tpu_report *r) {
  const char *kind = args->value[TPU_OPTION_EMIT];
  uint64_t ignored = 0;
  if (kind != NULL && strcmp(kind, "slurm") != 0) {
    return tpu_report_fail(r, TPU_ERR_RANGE, "option '--emit' is '%s': allowed: slurm", kind);
  }
  if (kind != NULL && !tpu_args_have(args, TPU_OPTION_OUT_DIR)) {
    return tpu_report_fail(r, TPU_ERR_SYNTAX,
                           "option '--emit' needs a directory for what the tasks find: -o DIR");
  }
  if (kind != NULL && tpu_args_have(args, TPU_OPTION_JOBS)) {
    return tpu_report_fail(r, TPU_ERR_SYNTAX,
                           "option '--jobs' has no meaning with --emit, whose script leaves to the "
                           "batch system how many run at once");
  }
  if (tpu_args_have(args, TPU_OPTION_PART)) {
    for (int i = 0; i < TPU_OPTION_COUNT; ++i) {
      if (tpu_args_have(args, (enum tpu_option)i) &&
          (i == TPU_OPTION_JSON || i == TPU_OPTION_JOBS || i == TPU_OPTION_OUT_DIR ||
           i == TPU_OPTION_EMIT)) {
        return tpu_report_fail(r, TPU_ERR_SYNTAX,
                               "option '--%s' has no meaning with --part, which prints lines and "
                               "nothing else",
                               tpu_option_lookup((enum tpu_option)i)->name);
      }
    }
  }
  return tpu_args_number(args, TPU_OPTION_JOBS, 1, 1024, 1, &ignored, r);
}

static int sweep_planned(const struct tpu_args *args, const struct tpu_sweep_plan *plan,
                         struct tpu_report *r) {
  const char *dir = args->value[TPU_OPTION_OUT_DIR];
  struct sweep s = {.args = args, .files = {.lock = -1, .partial = -1}, .keeps = dir != NULL};
  int code = TPU_EXIT_USAGE;
  if (!tpu_sweep_store_open(plan, &s.store, r)) {
    return code;
  }
  if (!s.keeps || tpu_sweep_files_open(dir, &s.store, &s.files, r)) {
    code = tpu_args_have(args, TPU_OPTION_EMIT) ? emit(&s, r) : run_all(&s, r);
    tpu_sweep_files_close(&s.files);
  }
  tpu_sweep_store_close(&s.store);
  return code;
}

int tpu_command_sweep(const struct tpu_args *args, struct tpu_report *r) {
  struct tpu_sweep_plan plan;
  if (!check_options(args, r) || !tpu_sweep_plan_read(args, &plan, r)) {
    return TPU_EXIT_USAGE;
  }
  const int code = tpu_args_have(args, TPU_OPTION_PART) ? run_part(args, &plan, r)
                                                        : sweep_planned(args, &plan, r);
  tpu_sweep_plan_release(&plan);
  return code;
}
