/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/program_file.h"

#include "judge/image_file.h"
#include "judge/number.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int read_word(struct tpu_json v, uint64_t *out, struct tpu_report *r) {
  if (tpu_json_type(v) != TPU_JSON_STRING)
    return tpu_json_u64(v, 0, UINT64_MAX, out, r);
  const char *text = NULL;
  if (!tpu_json_string(v, 0, TPU_JSON_MAX_BYTES, &text, r))
    return 0;
  if (tpu_number_hex(text, out))
    return 1;
  char shown[48];
  return tpu_json_fail(v, r,
                       "is the string \"%s\"; must be \"0x\" and 1 to 16 hexadecimal digits, or an "
                       "integer from 0 to 18446744073709551615",
                       tpu_shorten(text, 0, shown, sizeof shown));
}

static int read_pair(struct tpu_json v, struct tpu_word *out, struct tpu_report *r) {
  if (!tpu_json_array(v, 2, 2, NULL, r))
    return 0;
  const struct tpu_json first = tpu_json_first(v);
  return read_word(first, &out->w0, r) && read_word(tpu_json_next(first), &out->w1, r);
}

/* The words that stand where the first pair would: *at moves behind them. */
static int read_header(struct tpu_json list, struct tpu_json *at, struct tpu_program_header *out,
                       struct tpu_report *r) {
  out->given = at->node != NULL && tpu_json_type(*at) != TPU_JSON_ARRAY;
  for (uint32_t k = 0; out->given && k < TPU_HEADER_WORDS; ++k) {
    if (at->node == NULL || tpu_json_type(*at) == TPU_JSON_ARRAY)
      return tpu_json_fail(list, r,
                           "begins with %u single words; a header has %u, and a program "
                           "without one begins with a pair",
                           k, (unsigned)TPU_HEADER_WORDS);
    if (!read_word(*at, &out->word[k], r))
      return 0;
    *at = tpu_json_next(*at);
  }
  return 1;
}

/* header NULL: none may stand there. */
static int read_list(struct tpu_json v, struct tpu_program *out, struct tpu_program_header *header,
                     struct tpu_report *r) {
  size_t count = 0;
  const size_t most = TPU_PROGRAM_FILE_MAX + (header != NULL ? (size_t)TPU_HEADER_WORDS : 0);
  *out = (struct tpu_program){NULL, 0, 0};
  if (!tpu_json_array(v, 0, most, &count, r))
    return 0;
  struct tpu_json pair = tpu_json_first(v);
  if (header != NULL && !read_header(v, &pair, header, r))
    return 0;
  count -= header != NULL && header->given ? (size_t)TPU_HEADER_WORDS : 0;
  out->words = calloc(count > 0 ? count : 1, sizeof *out->words);
  if (out->words == NULL)
    return tpu_json_fail(v, r, "out of memory");
  out->capacity = (uint32_t)count;
  for (; pair.node != NULL; pair = tpu_json_next(pair)) {
    if (!read_pair(pair, &out->words[out->count], r)) {
      tpu_program_release(out);
      return 0;
    }
    out->count++;
  }
  return 1;
}

int tpu_program_from_json(struct tpu_json v, struct tpu_program *out, struct tpu_report *r) {
  return read_list(v, out, NULL, r);
}

static int read_file(const char *path, struct tpu_program *out, struct tpu_program_header *header,
                     struct tpu_report *r) {
  *out = (struct tpu_program){NULL, 0, 0};
  struct tpu_json_doc *doc = tpu_json_open(path, r);
  if (doc == NULL)
    return 0;
  const int ok = read_list(tpu_json_root(doc), out, header, r);
  tpu_json_close(doc);
  return ok;
}

int tpu_program_read(const char *path, struct tpu_program *out, struct tpu_report *r) {
  return read_file(path, out, NULL, r);
}

int tpu_program_read_headed(const char *path, struct tpu_program *out,
                            struct tpu_program_header *header, struct tpu_report *r) {
  return read_file(path, out, header, r);
}

void tpu_program_release(struct tpu_program *program) {
  free(program->words);
  *program = (struct tpu_program){NULL, 0, 0};
}

char *tpu_program_text(const struct tpu_program *program, enum tpu_word_form form) {
  const size_t line = 56; /* more than the longest line of either form */
  const size_t capacity = 8 + line * program->count;
  char *text = malloc(capacity);
  if (text == NULL)
    return NULL;
  size_t at = (size_t)snprintf(text, capacity, "[");
  for (uint32_t i = 0; i < program->count; i++) {
    const struct tpu_word *w = &program->words[i];
    at += (size_t)snprintf(text + at, capacity - at,
                           form == TPU_WORDS_HEX ? "%s\n  [\"0x%016" PRIx64 "\", \"0x%016" PRIx64
                                                   "\"]"
                                                 : "%s\n  [%" PRIu64 ", %" PRIu64 "]",
                           i == 0 ? "" : ",", w->w0, w->w1);
  }
  (void)snprintf(text + at, capacity - at, "\n]\n");
  return text;
}

int tpu_program_write(const char *path, const struct tpu_program *program, enum tpu_word_form form,
                      struct tpu_report *r) {
  char *text = tpu_program_text(program, form);
  if (text == NULL)
    return tpu_report_fail(r, TPU_ERR_CAPACITY, "%s: out of memory", path);
  const int ok = tpu_file_write(path, text, strlen(text), r);
  free(text);
  return ok;
}
