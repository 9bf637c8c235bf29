/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of measured programs: a JSON list of {"id", "config", "cycles", "completes", "program"}.
 * config has the keys of a configuration's accelerator section, T, MAXDIM and QD at least; cycles,
 * start to done, is null where only the completion is known, and of a program that hangs. */
#ifndef TPU_JUDGE_CALIBRATION_H
#define TPU_JUDGE_CALIBRATION_H

#include "isa/header.h"
#include "judge/report.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TPU_CALIBRATION_POINTS = 4096, TPU_CALIBRATION_ID = 100 };

struct tpu_measured_point {
  char id[4 * TPU_CALIBRATION_ID + 1]; /* of 1..TPU_CALIBRATION_ID characters, once in a table */
  struct tpu_params params;            /* resolved */
  struct tpu_program program;
  struct tpu_counts counts; /* of the program, which keeps every contract of layers isa, encoding */
  int completes;
  uint64_t cycles; /* 1..4294967295; 0: not measured */
};

struct tpu_calibration {
  struct tpu_measured_point *point;
  size_t count; /* 1..TPU_CALIBRATION_POINTS */
};

/* Returns 1, *out to be released; or 0 with file, JSON path, what is wrong and what is allowed. */
int tpu_calibration_read(const char *path, struct tpu_calibration *out, struct tpu_report *r);
void tpu_calibration_release(struct tpu_calibration *calibration);

#ifdef __cplusplus
}
#endif
#endif
