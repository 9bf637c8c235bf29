/* SPDX-License-Identifier: Apache-2.0 */
/* A main for fuzz targets where libFuzzer is not: replays every file it is given, then feeds
 * seeded mutations of them. Same arguments, same inputs.
 *
 *   target [--mutations N] [--seed S] FILE|DIRECTORY... */
#define _GNU_SOURCE
#include "isa/random.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_INPUTS = 512, MAX_SIZE = 1 << 20 };

struct input {
  uint8_t *bytes;
  size_t size;
};

struct inputs {
  struct input of[MAX_INPUTS];
  size_t count;
};

static void die(const char *what, const char *where) {
  fprintf(stderr, "replay: %s: %s\n", where, what);
  exit(2);
}

static void add_file(struct inputs *all, const char *path) {
  FILE *f = fopen(path, "rb");
  uint8_t *bytes = malloc(MAX_SIZE);
  if (f == NULL || bytes == NULL || all->count == MAX_INPUTS)
    die("cannot be read, or too many inputs", path);
  const size_t size = fread(bytes, 1, MAX_SIZE, f);
  (void)fclose(f);
  all->of[all->count++] = (struct input){bytes, size};
}

static void add(struct inputs *all, const char *path) {
  struct stat s;
  if (stat(path, &s) != 0)
    die("no such file", path);
  if (!S_ISDIR(s.st_mode)) {
    add_file(all, path);
    return;
  }
  struct dirent **entries = NULL;
  const int n = scandir(path, &entries, NULL, alphasort);
  if (n < 0)
    die("cannot be listed", path);
  for (int i = 0; i < n; ++i) {
    char leaf[4096];
    (void)snprintf(leaf, sizeof leaf, "%s/%s", path, entries[i]->d_name);
    if (stat(leaf, &s) == 0 && S_ISREG(s.st_mode))
      add_file(all, leaf);
    free(entries[i]);
  }
  free((void *)entries);
}

static size_t below(struct tpu_random *r, size_t n) { return n == 0 ? 0 : tpu_random_next(r) % n; }

/* One edit in place: overwrite, insert, delete, repeat a stretch, or splice in another input. */
static size_t mutate(struct tpu_random *r, const struct inputs *all, uint8_t *buf, size_t size) {
  static const uint8_t telling[] = {0,   1,   0x7f, 0x80, 0xff, '"', '{', '}', '[', ']',
                                    ',', ':', '-',  '.',  'e',  '0', '9', '#', '\n'};
  const size_t at = below(r, size + 1);
  const size_t length = below(r, 16);
  switch (below(r, 6)) {
  case 0:
    if (at < size)
      buf[at] = (uint8_t)tpu_random_next(r);
    return size;
  case 1:
    if (at < size)
      buf[at] = telling[below(r, sizeof telling)];
    return size;
  case 2:
    if (at < size)
      buf[at] ^= (uint8_t)(1U << below(r, 8));
    return size;
  case 3: /* insert */
    if (size + length > MAX_SIZE)
      return size;
    memmove(buf + at + length, buf + at, size - at);
    for (size_t i = 0; i < length; ++i)
      buf[at + i] = telling[below(r, sizeof telling)];
    return size + length;
  case 4: { /* delete */
    const size_t n = length < size - at ? length : size - at;
    memmove(buf + at, buf + at + n, size - at - n);
    return size - n;
  }
  default: { /* splice: the tail of another input from a place of its own */
    const struct input *other = &all->of[below(r, all->count)];
    const size_t from = below(r, other->size + 1);
    size_t n = other->size - from;
    if (n > MAX_SIZE - at)
      n = MAX_SIZE - at;
    memcpy(buf + at, other->bytes + from, n);
    return at + n;
  }
  }
}

/* An exact-size heap copy, so that a sanitizer sees a read past the end. */
static void feed(const uint8_t *bytes, size_t size) {
  uint8_t *copy = malloc(size == 0 ? 1 : size);
  if (copy == NULL)
    die("out of memory", "feed");
  memcpy(copy, bytes, size);
  (void)LLVMFuzzerTestOneInput(copy, size);
  free(copy);
}

int main(int argc, char *argv[]) {
  static struct inputs all;
  unsigned long mutations = 0;
  struct tpu_random random = tpu_random_seeded(1);
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "--mutations") == 0 && i + 1 < argc)
      mutations = strtoul(argv[++i], NULL, 10);
    else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc)
      random = tpu_random_seeded((uint32_t)strtoul(argv[++i], NULL, 10));
    else
      add(&all, argv[i]);
  }
  if (all.count == 0)
    die("no input given", argv[0]);
  feed((const uint8_t *)"", 0);
  for (size_t i = 0; i < all.count; ++i)
    feed(all.of[i].bytes, all.of[i].size);
  uint8_t *buf = malloc(MAX_SIZE);
  if (buf == NULL)
    die("out of memory", argv[0]);
  for (unsigned long i = 0; i < mutations; ++i) {
    const struct input *base = &all.of[below(&random, all.count)];
    memcpy(buf, base->bytes, base->size);
    size_t size = base->size;
    for (size_t edits = 1 + below(&random, 4); edits > 0; --edits)
      size = mutate(&random, &all, buf, size);
    feed(buf, size);
  }
  printf("replay: %zu inputs, %lu mutations\n", all.count, mutations);
  free(buf);
  for (size_t i = 0; i < all.count; ++i)
    free(all.of[i].bytes);
  return 0;
}
