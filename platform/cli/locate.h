/* SPDX-License-Identifier: Apache-2.0 */
/* Where the program's data lie, whatever the working directory: given by option, else next to the
 * executable (a build tree), else under its install prefix. */
#ifndef TPU_PLATFORM_CLI_LOCATE_H
#define TPU_PLATFORM_CLI_LOCATE_H

#include "judge/report.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TPU_PATH_SIZE = 4096 };

/* The directory `what` ("corpus", "configs", "firmware", "calibration"): given when it is not NULL,
 * else the first that exists. Returns 1, or 0 naming every place that was looked at. */
int tpu_locate_dir(const char *given, const char *what, char path[TPU_PATH_SIZE],
                   struct tpu_report *r);

/* A word is a path when it contains '/' or ends in suffix, else a name. */
int tpu_is_path(const char *word, const char *suffix);

/* "directory/name" + suffix; 0 when it is too long. */
int tpu_join_path(char path[TPU_PATH_SIZE], const char *directory, const char *name,
                  const char *suffix, struct tpu_report *r);

#ifdef __cplusplus
}
#endif
#endif
