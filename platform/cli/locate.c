/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "platform/cli/locate.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int is_dir(const char *path) {
  struct stat s;
  return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

static int exists(const char *path) {
  struct stat s;
  return stat(path, &s) == 0;
}

static int ends_with(const char *text, const char *suffix) {
  const size_t n = strlen(text);
  const size_t m = strlen(suffix);
  return n > m && strcmp(text + n - m, suffix) == 0;
}

int tpu_is_path(const char *word, const char *suffix) {
  return strchr(word, '/') != NULL || ends_with(word, suffix);
}

static int join(char path[TPU_PATH_SIZE], const char *a, const char *b, struct tpu_report *r) {
  const int n = snprintf(path, TPU_PATH_SIZE, "%s/%s", a, b);
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
  if (!executable_dir(dir, r) || !join(path, dir, what, r)) {
    return 0;
  }
  if (is_dir(path)) {
    return 1;
  }
  if (!join(data, dir, TPU_DATA_FROM_BIN, r) || !join(path, data, what, r)) {
    return 0;
  }
  if (is_dir(path)) {
    return 1;
  }
  return tpu_report_fail(r, TPU_ERR_RANGE, "no directory '%s' in %s or %s", what, dir, data);
}

int tpu_locate_file(const char *word, const char *directory, const char *suffix,
                    char path[TPU_PATH_SIZE], struct tpu_report *r) {
  if (tpu_is_path(word, suffix)) {
    const int n = snprintf(path, TPU_PATH_SIZE, "%s", word);
    return n < TPU_PATH_SIZE ? 1 : tpu_report_fail(r, TPU_ERR_RANGE, "a path is too long");
  }
  char leaf[256];
  const int n = snprintf(leaf, sizeof leaf, "%s%s", word, suffix);
  if (n < 0 || (size_t)n >= sizeof leaf) {
    return tpu_report_fail(r, TPU_ERR_RANGE, "a name is longer than %u bytes",
                           (unsigned)sizeof leaf - 1);
  }
  if (!join(path, directory, leaf, r)) {
    return 0;
  }
  if (exists(path)) {
    return 1;
  }
  struct tpu_listing all;
  if (!tpu_list_files(directory, suffix, &all, r)) {
    return 0;
  }
  int found = 0;
  for (size_t i = 0; i < all.count && !found; ++i) {
    const char *stem = all.name[i];
    while (isdigit((unsigned char)*stem)) {
      ++stem;
    }
    if (stem != all.name[i] && *stem == '_' && strcmp(stem + 1, leaf) == 0) {
      found = join(path, directory, all.name[i], r);
    }
  }
  tpu_listing_free(&all);
  return found ? 1
               : tpu_report_fail(
                     r, TPU_ERR_RANGE,
                     "no '%s' in %s: give a name there, or a path with '/' or ending in %s", word,
                     directory, suffix);
}

static int by_name(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

int tpu_list_files(const char *directory, const char *suffix, struct tpu_listing *out,
                   struct tpu_report *r) {
  *out = (struct tpu_listing){NULL, 0};
  DIR *dir = opendir(directory);
  if (dir == NULL) {
    return tpu_report_fail(r, TPU_ERR_RANGE, "%s: %s", directory, strerror(errno));
  }
  int good = 1;
  size_t capacity = 0;
  for (const struct dirent *entry = readdir(dir); good && entry != NULL; entry = readdir(dir)) {
    if (entry->d_name[0] == '.' || !ends_with(entry->d_name, suffix)) {
      continue;
    }
    if (out->count == capacity) {
      capacity = capacity == 0 ? 32 : capacity * 2;
      char **grown = realloc(out->name, capacity * sizeof *grown);
      good = grown != NULL;
      out->name = good ? grown : out->name;
    }
    if (good) {
      out->name[out->count] = strdup(entry->d_name);
      good = out->name[out->count] != NULL;
      out->count += good ? 1 : 0;
    }
  }
  closedir(dir);
  if (!good) {
    tpu_listing_free(out);
    return tpu_report_fail(r, TPU_ERR_CAPACITY, "%s: out of memory", directory);
  }
  if (out->count > 1) {
    qsort(out->name, out->count, sizeof *out->name, by_name);
  }
  return 1;
}

void tpu_listing_free(struct tpu_listing *listing) {
  for (size_t i = 0; i < listing->count; ++i) {
    free(listing->name[i]);
  }
  free(listing->name);
  *listing = (struct tpu_listing){NULL, 0};
}
