/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/calibration.h"

#include "judge/config.h"
#include "judge/program_file.h"
#include "judge/violation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int read_id(struct tpu_json entry, const struct tpu_calibration *so_far,
                   struct tpu_measured_point *out, struct tpu_report *r) {
  struct tpu_json v;
  const char *id = NULL;
  if (!tpu_json_need(entry, "id", &v, r) || !tpu_json_string(v, 1, TPU_CALIBRATION_ID, &id, r))
    return 0;
  for (size_t i = 0; i < so_far->count; i++)
    if (strcmp(so_far->point[i].id, id) == 0)
      return tpu_json_fail(v, r, "is \"%s\", as the id of point %zu is; an id is allowed once", id,
                           i);
  (void)snprintf(out->id, sizeof out->id, "%s", id);
  return 1;
}

static int read_config(struct tpu_json entry, struct tpu_measured_point *out,
                       struct tpu_report *r) {
  static const char *const needed[] = {"T", "MAXDIM", "QD"};
  struct tpu_json config;
  struct tpu_json v;
  if (!tpu_json_need(entry, "config", &config, r) ||
      !tpu_config_read_params(config, &out->params, r))
    return 0;
  for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
    if (!tpu_json_need(config, needed[i], &v, r))
      return 0;
  return 1;
}

static int read_measurement(struct tpu_json entry, struct tpu_measured_point *out,
                            struct tpu_report *r) {
  struct tpu_json v;
  if (!tpu_json_need(entry, "completes", &v, r) || !tpu_json_bool(v, &out->completes, r) ||
      !tpu_json_need(entry, "cycles", &v, r))
    return 0;
  if (tpu_json_type(v) == TPU_JSON_NULL)
    return 1;
  if (!tpu_json_u64(v, 1, UINT32_MAX, &out->cycles, r))
    return 0;
  if (!out->completes)
    return tpu_json_fail(v, r, "is a number, but completes is false: only null is allowed then");
  return 1;
}

static int check(struct tpu_json v, struct tpu_measured_point *out, struct tpu_report *r) {
  struct tpu_violation violation;
  struct tpu_check_work *work = malloc(sizeof *work);
  struct tpu_code code = {.capacity = out->program.count};
  char why[400];
  code.insn = malloc((code.capacity + 1) * sizeof *code.insn);
  int good = work != NULL && code.insn != NULL;
  if (!good)
    (void)tpu_json_fail(v, r, "out of memory");
  else if (!tpu_check_program(&out->params, &out->program, &code, work, &out->counts, &violation))
    good = tpu_json_fail(v, r,
                         "breaks a contract at this config: %s; only a legal program is "
                         "allowed",
                         tpu_violation_text(&violation, why, sizeof why));
  free(code.insn);
  free(work);
  return good;
}

static int read_point(struct tpu_json entry, const struct tpu_calibration *so_far,
                      struct tpu_measured_point *out, struct tpu_report *r) {
  static const char *const keys[] = {"id", "config", "cycles", "completes", "program"};
  struct tpu_json v;
  return tpu_json_object(entry, keys, sizeof keys / sizeof keys[0], r) &&
         read_id(entry, so_far, out, r) && read_config(entry, out, r) &&
         read_measurement(entry, out, r) && tpu_json_need(entry, "program", &v, r) &&
         tpu_program_from_json(v, &out->program, r) && check(v, out, r);
}

static int read_table(struct tpu_json root, struct tpu_calibration *out, struct tpu_report *r) {
  size_t count = 0;
  if (!tpu_json_array(root, 1, TPU_CALIBRATION_POINTS, &count, r))
    return 0;
  out->point = calloc(count, sizeof *out->point);
  if (out->point == NULL)
    return tpu_json_fail(root, r, "out of memory");
  struct tpu_json entry = tpu_json_first(root);
  for (; entry.node != NULL; entry = tpu_json_next(entry)) {
    struct tpu_measured_point *point = &out->point[out->count];
    if (!read_point(entry, out, point, r)) {
      tpu_program_release(&point->program);
      return 0;
    }
    out->count++;
  }
  return 1;
}

int tpu_calibration_read(const char *path, struct tpu_calibration *out, struct tpu_report *r) {
  *out = (struct tpu_calibration){NULL, 0};
  struct tpu_json_doc *doc = tpu_json_open(path, r);
  if (doc == NULL)
    return 0;
  const int good = read_table(tpu_json_root(doc), out, r);
  tpu_json_close(doc);
  if (!good)
    tpu_calibration_release(out);
  return good;
}

void tpu_calibration_release(struct tpu_calibration *calibration) {
  for (size_t i = 0; i < calibration->count; i++)
    tpu_program_release(&calibration->point[i].program);
  free(calibration->point);
  *calibration = (struct tpu_calibration){NULL, 0};
}
