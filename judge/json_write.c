/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/json_write.h"

#include "judge/json.h"
#include "judge/utf8.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tpu_json_writer {
  cJSON *root;
  cJSON *open[TPU_JSON_MAX_DEPTH];
  int depth;
  int failed;
};

struct tpu_json_writer *tpu_json_writer_new(void) {
  return calloc(1, sizeof(struct tpu_json_writer));
}

void tpu_json_writer_free(struct tpu_json_writer *w) {
  if (w == NULL)
    return;
  cJSON_Delete(w->root);
  free(w);
}

/* Takes the item over: into the innermost container, or as the document. */
static void add(struct tpu_json_writer *w, const char *key, cJSON *item) {
  if (item == NULL || w->failed) {
    cJSON_Delete(item);
    w->failed = 1;
    return;
  }
  int ok = 0;
  if (w->depth == 0) {
    ok = key == NULL && w->root == NULL;
    if (ok)
      w->root = item;
  } else {
    cJSON *parent = w->open[w->depth - 1];
    if (cJSON_IsObject(parent)) {
      char *clean = key != NULL ? tpu_utf8_clean(key) : NULL;
      ok = clean != NULL && cJSON_AddItemToObject(parent, clean, item);
      free(clean);
    } else {
      ok = key == NULL && cJSON_AddItemToArray(parent, item);
    }
  }
  if (!ok) {
    cJSON_Delete(item);
    w->failed = 1;
  }
}

static void begin(struct tpu_json_writer *w, const char *key, cJSON *item) {
  if (w->depth == TPU_JSON_MAX_DEPTH)
    w->failed = 1;
  add(w, key, item);
  if (!w->failed)
    w->open[w->depth++] = item;
}

void tpu_json_begin_object(struct tpu_json_writer *w, const char *key) {
  begin(w, key, cJSON_CreateObject());
}

void tpu_json_begin_array(struct tpu_json_writer *w, const char *key) {
  begin(w, key, cJSON_CreateArray());
}

void tpu_json_end(struct tpu_json_writer *w) {
  if (w->depth == 0)
    w->failed = 1;
  else
    w->depth--;
}

void tpu_json_put_string(struct tpu_json_writer *w, const char *key, const char *value) {
  char *clean = tpu_utf8_clean(value);
  add(w, key, clean != NULL ? cJSON_CreateString(clean) : NULL);
  free(clean);
}

void tpu_json_put_u64(struct tpu_json_writer *w, const char *key, uint64_t value) {
  char text[24];
  (void)snprintf(text, sizeof text, "%" PRIu64, value);
  add(w, key, cJSON_CreateRaw(text));
}

void tpu_json_put_i64(struct tpu_json_writer *w, const char *key, int64_t value) {
  char text[24];
  (void)snprintf(text, sizeof text, "%" PRId64, value);
  add(w, key, cJSON_CreateRaw(text));
}

void tpu_json_put_double(struct tpu_json_writer *w, const char *key, double value) {
  add(w, key, isfinite(value) ? cJSON_CreateNumber(value) : NULL);
}

void tpu_json_put_bool(struct tpu_json_writer *w, const char *key, int value) {
  add(w, key, cJSON_CreateBool(value));
}

void tpu_json_put_null(struct tpu_json_writer *w, const char *key) {
  add(w, key, cJSON_CreateNull());
}

void tpu_json_put_text_or_null(struct tpu_json_writer *w, const char *key, const char *text) {
  if (text != NULL && text[0] != '\0')
    tpu_json_put_string(w, key, text);
  else
    tpu_json_put_null(w, key);
}

void tpu_json_put_u64_or_null(struct tpu_json_writer *w, const char *key, int known,
                              uint64_t value) {
  if (known)
    tpu_json_put_u64(w, key, value);
  else
    tpu_json_put_null(w, key);
}

void tpu_json_put_double_or_null(struct tpu_json_writer *w, const char *key, int known,
                                 double value) {
  if (known)
    tpu_json_put_double(w, key, value);
  else
    tpu_json_put_null(w, key);
}

char *tpu_json_writer_text(struct tpu_json_writer *w, int indented) {
  if (w->failed || w->depth != 0 || w->root == NULL)
    return NULL;
  char *printed = indented ? cJSON_Print(w->root) : cJSON_PrintUnformatted(w->root);
  if (printed == NULL)
    return NULL;
  const size_t length = strlen(printed);
  char *text = malloc(length + 2);
  if (text != NULL)
    (void)snprintf(text, length + 2, "%s\n", printed);
  cJSON_free(printed);
  return text;
}
