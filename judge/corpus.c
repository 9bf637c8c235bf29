/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/corpus.h"

#include "judge/suggest.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 64, SHOWN_BYTES = 400 };

/* A file of the folder. */
struct entry {
  char stem[NAME_BYTES];
  char name[NAME_BYTES];
};

struct listing {
  struct entry *entry;
  size_t count;
  size_t capacity;
};

static int fail(struct tpu_report *r, const char *dir, const char *what) {
  char shown[SHOWN_BYTES];
  return tpu_report_fail(r, TPU_ERR_SYNTAX, "%s: %s", tpu_shorten(dir, 1, shown, sizeof shown),
                         what);
}

static int by_stem(const void *a, const void *b) {
  return strcmp(((const struct entry *)a)->stem, ((const struct entry *)b)->stem);
}

static int by_name(const void *a, const void *b) {
  return strcmp((*(const struct entry *const *)a)->name, (*(const struct entry *const *)b)->name);
}

/* Takes a file name in if it is one of a spec. */
static int add(struct listing *l, const char *dir, const char *file, struct tpu_report *r) {
  const size_t length = strlen(file);
  if (file[0] == '.' || length < 5 || strcmp(file + length - 5, ".json") != 0)
    return 1;
  if (l->count == l->capacity) {
    const size_t capacity = l->capacity == 0 ? 32 : 2 * l->capacity;
    struct entry *grown = realloc(l->entry, capacity * sizeof *grown);
    if (grown == NULL)
      return fail(r, dir, "out of memory");
    l->entry = grown;
    l->capacity = capacity;
  }
  struct entry *e = &l->entry[l->count];
  char shown[SHOWN_BYTES];
  if (!tpu_spec_file_name(file, e->stem, e->name, NAME_BYTES))
    return tpu_report_fail(r, TPU_ERR_SYNTAX, "%s: %s: the file name is longer than %d characters",
                           tpu_shorten(dir, 1, shown, sizeof shown), file, NAME_BYTES + 4);
  l->count++;
  return 1;
}

static int check_names(const struct listing *l, const char *dir, struct tpu_report *r) {
  const struct entry **sorted = malloc(l->count * sizeof(const struct entry *));
  if (sorted == NULL)
    return fail(r, dir, "out of memory");
  for (size_t i = 0; i < l->count; i++)
    sorted[i] = &l->entry[i];
  qsort(sorted, l->count, sizeof(const struct entry *), by_name);
  size_t i = 1;
  while (i < l->count && strcmp(sorted[i - 1]->name, sorted[i]->name) != 0)
    i++;
  char shown[SHOWN_BYTES];
  int ok = 1;
  if (i < l->count)
    ok = tpu_report_fail(r, TPU_ERR_SYNTAX,
                         "%s: %s.json and %s.json are both named %s; a name is allowed once",
                         tpu_shorten(dir, 1, shown, sizeof shown), sorted[i - 1]->stem,
                         sorted[i]->stem, sorted[i]->name);
  free(sorted);
  return ok;
}

static int list(const char *dir, struct listing *l, struct tpu_report *r) {
  *l = (struct listing){NULL, 0, 0};
  DIR *d = opendir(dir);
  if (d == NULL) {
    char what[160];
    (void)snprintf(what, sizeof what, "cannot be opened as a folder of specs: %s", strerror(errno));
    return fail(r, dir, what);
  }
  int ok = 1;
  for (const struct dirent *e = readdir(d); ok && e != NULL; e = readdir(d))
    ok = add(l, dir, e->d_name, r);
  (void)closedir(d);
  if (ok && l->count == 0)
    (void)fail(r, dir, "holds no spec; a spec is a file that ends in .json");
  ok = ok && l->entry != NULL && l->count > 0;
  if (ok) {
    qsort(l->entry, l->count, sizeof *l->entry, by_stem);
    ok = check_names(l, dir, r);
  }
  if (!ok) {
    free(l->entry);
    *l = (struct listing){NULL, 0, 0};
  }
  return ok;
}

static int read_entry(const char *dir, const struct entry *e, struct tpu_spec *out,
                      struct tpu_report *r) {
  const size_t bytes = strlen(dir) + strlen(e->stem) + 8;
  char *path = malloc(bytes);
  if (path == NULL)
    return fail(r, dir, "out of memory");
  const int has_slash = dir[0] != '\0' && dir[strlen(dir) - 1] == '/';
  (void)snprintf(path, bytes, "%s%s%s.json", dir, has_slash ? "" : "/", e->stem);
  const int ok = tpu_spec_read(path, out, r);
  free(path);
  return ok;
}

int tpu_corpus_read(const char *dir, struct tpu_corpus *out, struct tpu_report *r) {
  struct listing l;
  *out = (struct tpu_corpus){NULL, 0};
  if (!list(dir, &l, r))
    return 0;
  out->spec = calloc(l.count, sizeof *out->spec);
  int ok = out->spec != NULL || fail(r, dir, "out of memory");
  for (size_t i = 0; ok && i < l.count; i++) {
    ok = read_entry(dir, &l.entry[i], &out->spec[i], r);
    out->count += (uint32_t)ok;
  }
  free(l.entry);
  if (!ok)
    tpu_corpus_release(out);
  return ok;
}

void tpu_corpus_release(struct tpu_corpus *corpus) {
  for (uint32_t i = 0; i < corpus->count; i++)
    tpu_spec_release(&corpus->spec[i]);
  free(corpus->spec);
  *corpus = (struct tpu_corpus){NULL, 0};
}

static int fail_unknown(const char *dir, const char *what, const struct listing *l,
                        struct tpu_report *r) {
  char shown[SHOWN_BYTES];
  char name[NAME_BYTES];
  char allowed[512];
  const char **names = l->count > 0 ? malloc(l->count * sizeof *names) : NULL;
  if (names == NULL)
    return fail(r, dir, "out of memory");
  for (size_t i = 0; i < l->count; i++)
    names[i] = l->entry[i].name;
  (void)tpu_shorten(what, 0, name, sizeof name);
  (void)tpu_report_fail(r, TPU_ERR_SYNTAX, "%s: no spec is named \"%s\"; %s",
                        tpu_shorten(dir, 1, shown, sizeof shown), name,
                        tpu_allowed(name, names, l->count, allowed, sizeof allowed));
  free(names);
  return 0;
}

int tpu_corpus_find(const char *dir, const char *what, struct tpu_spec *out, struct tpu_report *r) {
  const size_t length = strlen(what);
  struct listing l;
  if (strchr(what, '/') != NULL || (length >= 5 && strcmp(what + length - 5, ".json") == 0))
    return tpu_spec_read(what, out, r);
  memset(out, 0, sizeof *out);
  if (!list(dir, &l, r))
    return 0;
  size_t i = 0;
  while (i < l.count && strcmp(l.entry[i].name, what) != 0 && strcmp(l.entry[i].stem, what) != 0)
    i++;
  const int ok =
      i < l.count ? read_entry(dir, &l.entry[i], out, r) : fail_unknown(dir, what, &l, r);
  free(l.entry);
  return ok;
}

const struct tpu_spec *tpu_corpus_get(const struct tpu_corpus *corpus, const char *what) {
  for (uint32_t i = 0; i < corpus->count; i++) {
    char stem[NAME_BYTES];
    const struct tpu_spec *s = &corpus->spec[i];
    if (strcmp(s->workload.name, what) == 0 ||
        (tpu_spec_file_name(s->path, stem, NULL, sizeof stem) && strcmp(stem, what) == 0))
      return s;
  }
  return NULL;
}
