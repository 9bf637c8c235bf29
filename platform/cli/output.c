/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "platform/cli/output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int tpu_print_json(struct tpu_json_writer *w, struct tpu_report *r) {
  char *text = tpu_json_writer_text(w, 1);
  tpu_json_writer_free(w);
  if (text == NULL) {
    return tpu_report_fail(r, TPU_ERR_CAPACITY, "the JSON document could not be built");
  }
  const int good = fputs(text, stdout) != EOF && fflush(stdout) == 0;
  const int reason = errno;
  free(text);
  return good ? 1
              : tpu_report_fail(r, TPU_ERR_USE, "cannot write standard output: %s",
                                strerror(reason));
}

struct tpu_json_writer *tpu_document_new(struct tpu_report *r) {
  struct tpu_json_writer *w = tpu_json_writer_new();
  if (w == NULL) {
    (void)tpu_report_fail(r, TPU_ERR_CAPACITY, "out of memory for a JSON document");
  }
  return w;
}

void tpu_put_quoted(FILE *f, const char *word) {
  (void)fputc('\'', f);
  for (; *word != '\0'; ++word) {
    (void)fputs(*word == '\'' ? "'\\''" : (const char[]){*word, '\0'}, f);
  }
  (void)fputc('\'', f);
}

void tpu_progress(size_t at, size_t of, const char *name) {
  fprintf(stderr, isatty(STDERR_FILENO) ? "\r\033[K[%zu/%zu] %s" : "[%zu/%zu] %s\n", at, of, name);
  (void)fflush(stderr);
}

void tpu_progress_end(void) {
  if (isatty(STDERR_FILENO)) {
    (void)fputs("\r\033[K", stderr);
  }
}

static int fault(const char *path, struct tpu_report *r) {
  return tpu_report_fail(r, TPU_ERR_RANGE, "%s: cannot be read: %s", path, strerror(errno));
}

int tpu_read_file(const char *path, size_t limit, char **bytes, size_t *size,
                  struct tpu_report *r) {
  *bytes = NULL;
  FILE *f = fopen(path, "rb");
  if (f == NULL) {
    return fault(path, r);
  }
  struct stat s;
  if (fstat(fileno(f), &s) == 0 && S_ISDIR(s.st_mode)) {
    (void)fclose(f);
    return tpu_report_fail(r, TPU_ERR_RANGE, "%s: is a directory: a file is due", path);
  }
  int good = 1;
  char *buffer = NULL;
  size_t capacity = 0;
  size_t have = 0;
  do {
    capacity = capacity == 0 ? 65536 : capacity * 2;
    char *grown = realloc(buffer, capacity);
    good = grown != NULL;
    buffer = good ? grown : buffer;
    if (good) {
      have += fread(buffer + have, 1, capacity - 1 - have, f);
    }
  } while (good && have == capacity - 1 && have <= limit);
  if (!good) {
    (void)tpu_report_fail(r, TPU_ERR_CAPACITY, "%s: out of memory", path);
  } else if (ferror(f)) {
    good = fault(path, r);
  } else if (have > limit) {
    good =
        tpu_report_fail(r, TPU_ERR_CAPACITY, "%s: larger than the %zu bytes allowed", path, limit);
  }
  (void)fclose(f);
  if (!good) {
    free(buffer);
    return 0;
  }
  buffer[have] = '\0';
  *bytes = buffer;
  *size = have;
  return 1;
}
