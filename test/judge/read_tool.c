/* SPDX-License-Identifier: Apache-2.0 */
/* Reads files with the project's readers, for tests in other languages:
 *   read_tool calibration|config|spec|program FILE...
 * prints one line a file: "ok" or the reader's report. Ends with 1 when it is misused. */
#include "judge/calibration.h"
#include "judge/config.h"
#include "judge/program_file.h"
#include "judge/spec.h"

#include <stdio.h>
#include <string.h>

static int read_calibration(const char *path, struct tpu_report *r) {
  struct tpu_calibration table;
  const int ok = tpu_calibration_read(path, &table, r);
  tpu_calibration_release(&table);
  return ok;
}

static int read_config(const char *path, struct tpu_report *r) {
  struct tpu_platform_config c;
  return tpu_config_load(path, NULL, 0, &c, r);
}

static int read_spec(const char *path, struct tpu_report *r) {
  struct tpu_spec s;
  const int ok = tpu_spec_read(path, &s, r);
  tpu_spec_release(&s);
  return ok;
}

static int read_program(const char *path, struct tpu_report *r) {
  struct tpu_program p;
  const int ok = tpu_program_read(path, &p, r);
  tpu_program_release(&p);
  return ok;
}

int main(int argc, char **argv) {
  static const struct {
    const char *kind;
    int (*read)(const char *, struct tpu_report *);
  } readers[] = {{"calibration", read_calibration},
                 {"config", read_config},
                 {"spec", read_spec},
                 {"program", read_program}};
  for (size_t k = 0; argc > 2 && k < sizeof readers / sizeof readers[0]; k++) {
    if (strcmp(argv[1], readers[k].kind) != 0)
      continue;
    for (int i = 2; i < argc; i++) {
      struct tpu_report r = {TPU_OK, ""};
      (void)puts(readers[k].read(argv[i], &r) ? "ok" : r.text);
    }
    return 0;
  }
  (void)fputs("usage: read_tool calibration|config|spec|program FILE...\n", stderr);
  return 1;
}
