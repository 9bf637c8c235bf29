/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/json.h"

#include "judge/json_doc.h"
#include "judge/json_scan.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare_keys(const void *a, const void *b) {
  const cJSON *const *x = a;
  const cJSON *const *y = b;
  return strcmp((*x)->string, (*y)->string);
}

/* Keys are compared as decoded, so that "a" and "\u0061" are one; sorted, because a hostile object
 * may have a million of them. */
static int check_members(const struct tpu_json_doc *doc, const cJSON *object, const cJSON **keys,
                         struct tpu_report *r) {
  size_t count = 0;
  for (const cJSON *m = object->child; m != NULL; m = m->next)
    keys[count++] = m;
  if (count > 1)
    qsort(keys, count, sizeof(const cJSON *), compare_keys);
  for (size_t i = 1; i < count; i++) {
    if (strcmp(keys[i - 1]->string, keys[i]->string) == 0)
      return tpu_json_fail((struct tpu_json){doc, keys[i]}, r,
                           "the key appears twice in its object; each is allowed once");
  }
  return 1;
}

/* Visits every object; work has room for the members of the largest. */
static int check_duplicates(const struct tpu_json_doc *doc, const cJSON *node, const cJSON **work,
                            struct tpu_report *r) {
  if (cJSON_IsObject(node) && !check_members(doc, node, work, r))
    return 0;
  for (const cJSON *c = node->child; c != NULL; c = c->next)
    if (c->child != NULL && !check_duplicates(doc, c, work, r))
      return 0;
  return 1;
}

static size_t largest_object(const cJSON *node) {
  size_t largest = 0;
  size_t count = 0;
  for (const cJSON *c = node->child; c != NULL; c = c->next) {
    count++;
    const size_t below = c->child != NULL ? largest_object(c) : 0;
    largest = below > largest ? below : largest;
  }
  return cJSON_IsObject(node) && count > largest ? count : largest;
}

static int build(struct tpu_json_doc *doc, const char *text, size_t length, struct tpu_report *r) {
  char *scanned = tpu_json_scan(doc->file, text, length, r);
  if (scanned == NULL)
    return 0;
  doc->root = cJSON_Parse(scanned);
  free(scanned);
  /* What the scan accepts cJSON accepts: only memory can be missing. */
  if (doc->root == NULL)
    return tpu_report_fail(r, TPU_ERR_CAPACITY, "%s: out of memory", doc->file);
  const size_t most = largest_object(doc->root);
  if (most < 2)
    return 1;
  const cJSON **work = malloc(most * sizeof(const cJSON *));
  if (work == NULL)
    return tpu_report_fail(r, TPU_ERR_CAPACITY, "%s: out of memory", doc->file);
  const int ok = check_duplicates(doc, doc->root, work, r);
  free(work);
  return ok;
}

struct tpu_json_doc *tpu_json_parse(const char *name, const char *text, size_t length,
                                    struct tpu_report *r) {
  struct tpu_json_doc *doc = calloc(1, sizeof *doc);
  if (doc == NULL) {
    (void)tpu_report_fail(r, TPU_ERR_CAPACITY, "%s: out of memory", name);
    return NULL;
  }
  (void)tpu_shorten(name, 1, doc->file, sizeof doc->file);
  int ok = 0;
  if (length > TPU_JSON_MAX_BYTES)
    (void)tpu_report_fail(r, TPU_ERR_CAPACITY,
                          "%s: byte %d: the text goes on, but at most %d bytes are allowed",
                          doc->file, TPU_JSON_MAX_BYTES, TPU_JSON_MAX_BYTES);
  else
    ok = build(doc, text, length, r);
  if (!ok) {
    tpu_json_close(doc);
    return NULL;
  }
  return doc;
}

/* The bytes of a file, one more than allowed at most, in *text from malloc. */
static int read_bytes(const char *path, char **text, size_t *length, struct tpu_report *r) {
  char shown[400];
  (void)tpu_shorten(path, 1, shown, sizeof shown);
  FILE *f = fopen(path, "rb");
  if (f == NULL)
    return tpu_report_fail(r, TPU_ERR_SYNTAX, "%s: cannot be opened: %s", shown, strerror(errno));
  size_t capacity = 65536;
  size_t at = 0;
  char *bytes = malloc(capacity);
  while (bytes != NULL) {
    at += fread(bytes + at, 1, capacity - at, f);
    if (at < capacity || capacity > TPU_JSON_MAX_BYTES)
      break;
    capacity = capacity * 2 > TPU_JSON_MAX_BYTES ? (size_t)TPU_JSON_MAX_BYTES + 1 : capacity * 2;
    char *grown = realloc(bytes, capacity);
    if (grown == NULL)
      free(bytes);
    bytes = grown;
  }
  const int broken = ferror(f);
  const int reason = errno;
  (void)fclose(f);
  if (bytes == NULL)
    return tpu_report_fail(r, TPU_ERR_CAPACITY, "%s: out of memory", shown);
  if (broken) {
    free(bytes);
    return tpu_report_fail(r, TPU_ERR_SYNTAX, "%s: byte %zu: cannot be read: %s", shown, at,
                           strerror(reason));
  }
  *text = bytes;
  *length = at;
  return 1;
}

struct tpu_json_doc *tpu_json_open(const char *path, struct tpu_report *r) {
  char *text = NULL;
  size_t length = 0;
  if (!read_bytes(path, &text, &length, r))
    return NULL;
  struct tpu_json_doc *doc = tpu_json_parse(path, text, length, r);
  free(text);
  return doc;
}

void tpu_json_close(struct tpu_json_doc *doc) {
  if (doc == NULL)
    return;
  cJSON_Delete(doc->root);
  free(doc);
}

struct tpu_json tpu_json_root(const struct tpu_json_doc *doc) {
  return (struct tpu_json){doc, doc->root};
}
