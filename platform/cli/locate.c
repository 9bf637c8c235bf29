/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "platform/cli/locate.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int is_dir(const char *path) {
  struct stat s;
  return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

static int ends_with(const char *text, const char *suffix) {
  const size_t n = strlen(text);
  const size_t m = strlen(suffix);
  return n > m && strcmp(text + n - m, suffix) == 0;
}

int tpu_is_path(const char *word, const char *suffix) {
  return strchr(word, '/') != NULL || ends_with(word, suffix);
}

int tpu_join_path(char path[TPU_PATH_SIZE], const char *directory, const char *name,
                  const char *suffix, struct tpu_report *r) {
  const int n = snprintf(path, TPU_PATH_SIZE, "%s/%s%s", directory, name, suffix);
  if (n < 0 || n >= TPU_PATH_SIZE) {
    return tpu_report_fail(r, TPU_ERR_RANGE, "a path is longer than %u bytes",
                           (unsigned)TPU_PATH_SIZE - 1);
  }
  return 1;
}

static int executable_dir(char dir[TPU_PATH_SIZE], struct tpu_report *r) {
  const ssize_t n = readlink("/proc/self/exe", dir, TPU_PATH_SIZE - 1);
  if (n <= 0) {
    return tpu_report_fail(r, TPU_ERR_USE, "/proc/self/exe: %s", strerror(errno));
  }
  dir[n] = '\0';
  char *slash = strrchr(dir, '/');
  if (slash != NULL) {
    *slash = '\0';
  }
  return 1;
}

int tpu_locate_dir(const char *given, const char *what, char path[TPU_PATH_SIZE],
                   struct tpu_report *r) {
  if (given != NULL) {
    if (!is_dir(given)) {
      return tpu_report_fail(r, TPU_ERR_RANGE, "%s: not a directory that can be read (--%s)", given,
                             what);
    }
    const int n = snprintf(path, TPU_PATH_SIZE, "%s", given);
    return n < TPU_PATH_SIZE
               ? 1
               : tpu_report_fail(r, TPU_ERR_RANGE, "--%s: the path is too long", what);
  }
  char dir[TPU_PATH_SIZE];
  char data[TPU_PATH_SIZE];
  if (!executable_dir(dir, r) || !tpu_join_path(path, dir, what, "", r)) {
    return 0;
  }
  if (is_dir(path)) {
    return 1;
  }
  if (!tpu_join_path(data, dir, TPU_DATA_FROM_BIN, "", r) ||
      !tpu_join_path(path, data, what, "", r)) {
    return 0;
  }
  if (is_dir(path)) {
    return 1;
  }
  return tpu_report_fail(r, TPU_ERR_RANGE, "no directory '%s' in %s or %s", what, dir, data);
}
