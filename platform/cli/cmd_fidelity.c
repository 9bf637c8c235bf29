/* SPDX-License-Identifier: Apache-2.0 */
/* tpuvp fidelity: measured programs, simulated, and how far apart the cycles are. */
#include "judge/fidelity.h"
#include "judge/measured.h"
#include "platform/cli/commands.h"
#include "platform/cli/engine.h"
#include "platform/cli/output.h"
#include "platform/cli/setup.h"

#include <inttypes.h>
#include <stdio.h>

/* What is told: a table, where it lies, and how it fared with a timing profile. */
struct fidelity_view {
  const char *data;
  const char *timing;
  const struct tpu_calibration *table;
  const struct tpu_fidelity *result;
};

static int extrapolated(const struct tpu_measured_point *m) {
  struct tpu_platform_config config = tpu_config_default();
  config.params = m->params;
  return tpu_extrapolated(&config);
}

static void print_point(const struct tpu_measured_point *m, const struct tpu_fidelity_point *p) {
  char measured[24] = "completes";
  char simulated[24] = "hangs";
  char error[40] = "";
  if (!m->completes) {
    (void)snprintf(measured, sizeof measured, "hangs");
  } else if (m->cycles != 0) {
    (void)snprintf(measured, sizeof measured, "%" PRIu64, m->cycles);
  }
  if (p->completed) {
    (void)snprintf(simulated, sizeof simulated, "%" PRIu64, p->cycles);
  }
  if (p->compared) {
    (void)snprintf(error, sizeof error, " %+8" PRId64 " %+9.2f %%", p->error, p->error_pct);
  }
  printf("%-26s %9s %9s%s%s%s\n", m->id, measured, simulated, error,
         !p->completed != !m->completes ? "  WRONG COMPLETION" : "",
         extrapolated(m) ? "  (extrapolated)" : "");
}

static void print_text(const struct fidelity_view *v) {
  const struct tpu_fidelity *f = v->result;
  printf("%-26s %9s %9s %8s %9s\n", "point", "measured", "simulated", "error", "error");
  for (size_t i = 0; i < f->count; ++i) {
    print_point(&v->table->point[i], &f->point[i]);
  }
  printf(
      "\ncycles from start to done; error: simulated - measured, and in per cent of the measured\n"
      "timing %s; %zu points, %zu with cycles to compare\n",
      v->timing, f->count, f->compared);
  if (f->compared != 0) {
    printf("mean absolute error %.2f %%; worst %.2f %%, at %s\n", f->mean, f->worst,
           v->table->point[f->worst_point].id);
  }
  printf("%zu wrong completion%s\n", f->wrong, f->wrong == 1 ? "" : "s");
}

static void put_point(struct tpu_json_writer *w, const struct tpu_measured_point *m,
                      const struct tpu_fidelity_point *p) {
  tpu_json_begin_object(w, NULL);
  tpu_json_put_string(w, "id", m->id);
  tpu_json_put_u64_or_null(w, "measured", m->cycles != 0, m->cycles);
  tpu_json_put_u64_or_null(w, "simulated", p->completed, p->cycles);
  tpu_json_put_bool(w, "completes", m->completes);
  tpu_json_put_bool(w, "completed", p->completed);
  if (p->compared) {
    tpu_json_put_i64(w, "error", p->error);
  } else {
    tpu_json_put_null(w, "error");
  }
  tpu_json_put_double_or_null(w, "error_pct", p->compared, p->error_pct);
  tpu_json_put_bool(w, "extrapolated", extrapolated(m));
  tpu_json_end(w);
}

static int print_json(const struct fidelity_view *v, struct tpu_report *r) {
  const struct tpu_fidelity *f = v->result;
  struct tpu_json_writer *w = tpu_document_new(r);
  if (w == NULL) {
    return 0;
  }
  tpu_json_begin_object(w, NULL);
  tpu_json_begin_array(w, "points");
  for (size_t i = 0; i < f->count; ++i) {
    put_point(w, &v->table->point[i], &f->point[i]);
  }
  tpu_json_end(w);
  tpu_json_put_u64(w, "compared", f->compared);
  tpu_json_put_double_or_null(w, "mean", f->compared != 0, f->mean);
  tpu_json_put_double_or_null(w, "worst", f->compared != 0, f->worst);
  tpu_json_put_text_or_null(w, "worst_id",
                            f->compared != 0 ? v->table->point[f->worst_point].id : NULL);
  tpu_json_put_u64(w, "wrong", f->wrong);
  tpu_json_put_string(w, "data", v->data);
  tpu_json_put_string(w, "timing", v->timing);
  tpu_json_end(w);
  return tpu_print_json(w, r);
}

/* Of a configuration only the timing profile counts; the rest must not be taken for honoured. */
static int find_timing(const struct tpu_args *args, struct tpu_platform_config *config,
                       char path[TPU_PATH_SIZE], struct tpu_report *r) {
  static const char *const sections[] = {"accelerator", "memory", "cpu"};
  static const char why[] = "fidelity takes only the timing profile of a configuration; a point "
                            "has its own accelerator, on an ideal memory";
  char config_path[TPU_PATH_SIZE];
  if (args->sets != 0) {
    return tpu_report_fail(r, TPU_ERR_SYNTAX, "option '--set' has no meaning for 'fidelity': %s",
                           why);
  }
  if (!tpu_setup_config(args, config, config_path, r)) {
    return 0;
  }
  for (size_t i = 0; i < sizeof sections / sizeof sections[0]; ++i) {
    if (!tpu_config_need_default(config, sections[i], config_path, why, r)) {
      return 0;
    }
  }
  return tpu_setup_timing(config, config_path, path, r);
}

static int find_data(const struct tpu_args *args, char path[TPU_PATH_SIZE], struct tpu_report *r) {
  const char *given = args->value[TPU_OPTION_DATA];
  if (given != NULL) {
    const int n = snprintf(path, TPU_PATH_SIZE, "%s", given);
    return n < TPU_PATH_SIZE ? 1
                             : tpu_report_fail(r, TPU_ERR_RANGE, "--data: the path is too long");
  }
  char directory[TPU_PATH_SIZE];
  return tpu_locate_dir(NULL, "calibration", directory, r) &&
         tpu_join_path(path, directory, "rtl_calibration", ".json", r);
}

static int run_table(const struct tpu_args *args, const struct tpu_engine *engine,
                     struct fidelity_view v, struct tpu_report *r) {
  struct tpu_fidelity result;
  if (!tpu_fidelity_run(engine, v.table, &result, r)) {
    return TPU_EXIT_USAGE;
  }
  v.result = &result;
  int code = result.wrong != 0 ? TPU_EXIT_VERDICT : TPU_EXIT_OK;
  if (!tpu_args_have(args, TPU_OPTION_JSON)) {
    print_text(&v);
  } else if (!print_json(&v, r)) {
    code = TPU_EXIT_USAGE;
  }
  tpu_fidelity_release(&result);
  return code;
}

int tpu_command_fidelity(const struct tpu_args *args, struct tpu_report *r) {
  struct tpu_platform_config config;
  struct tpu_calibration table;
  struct tpu_engine engine;
  char timing[TPU_PATH_SIZE];
  char data[TPU_PATH_SIZE];
  if (!find_timing(args, &config, timing, r) || !find_data(args, data, r) ||
      !tpu_calibration_read(data, &table, r)) {
    return TPU_EXIT_USAGE;
  }
  int code = TPU_EXIT_USAGE;
  if (tpu_engine_open(timing, &engine, r)) {
    const struct fidelity_view v = {.data = data, .timing = config.timing, .table = &table};
    code = run_table(args, &engine, v, r);
    tpu_engine_close(&engine);
  }
  tpu_calibration_release(&table);
  return code;
}
