/* SPDX-License-Identifier: Apache-2.0 */
/* What a submission is, and what it is asked. */
#include "judge/submission.h"

#include "judge/program_file.h"
#include "judge/submission_process.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

_Static_assert((int)TPU_SUBMISSION_CAPACITY == (int)TPU_PROGRAM_FILE_MAX, "one bound for all");
_Static_assert((int)TPU_SUBMISSION_INPUTS == (int)TPU_MAX_INPUTS, "public as inside");
_Static_assert((int)TPU_SUBMISSION_INDICES == (int)TPU_MAX_INDICES, "public as inside");
_Static_assert((int)TPU_SUBMISSION_CONSTANTS == (int)TPU_MAX_CONSTANTS, "public as inside");
_Static_assert((int)TPU_SUBMISSION_B == (int)TPU_BUFFER_B, "public as inside");
_Static_assert((int)TPU_SUBMISSION_C == (int)TPU_BUFFER_C, "public as inside");
_Static_assert((int)TPU_SUBMISSION_ONES_COLUMN == (int)TPU_CONST_ONES_COLUMN, "public as inside");
_Static_assert((int)TPU_SUBMISSION_DATA == (int)TPU_CONST_DATA, "public as inside");
_Static_assert(sizeof(struct tpu_submission_word) == sizeof(struct tpu_word), "public as inside");

/* Length of the path of a library that the text is, or begins with before a colon; 0: none. */
static size_t library_length(const char *text) {
  const char *slash = strrchr(text, '/');
  const char *name = slash != NULL ? slash + 1 : text;
  const char *suffix = strstr(name, ".so");
  for (; suffix != NULL; suffix = strstr(suffix + 1, ".so")) {
    const char *end = suffix + 3;
    end += strspn(end, ".0123456789");
    if (suffix != name && (*end == '\0' || *end == ':')) {
      return (size_t)(end - text);
    }
  }
  return 0;
}

int tpu_submission_is_one(const char *text) { return library_length(text) != 0; }

static int is_identifier(const char *s) {
  if (*s == '\0' || isdigit((unsigned char)*s)) {
    return 0;
  }
  for (; *s != '\0'; ++s) {
    if (!isalnum((unsigned char)*s) && *s != '_') {
      return 0;
    }
  }
  return 1;
}

int tpu_submission_parse(const char *text, struct tpu_submission *out, struct tpu_report *r) {
  const size_t length = library_length(text);
  const char *function = text[length] == ':' ? text + length + 1 : "";
  char shown[200];
  *out =
      (struct tpu_submission){.seconds = TPU_SUBMISSION_SECONDS, .mbytes = TPU_SUBMISSION_MBYTES};
  if (length == 0 || !is_identifier(function) || strlen(function) >= sizeof out->function) {
    return tpu_report_fail(r, TPU_ERR_SYNTAX,
                           "'%s' does not name a function of a shared library: "
                           "LIBRARY.so:FUNCTION is due, FUNCTION a C identifier of at most %d "
                           "characters",
                           tpu_shorten(text, 1, shown, sizeof shown),
                           TPU_SUBMISSION_FUNCTION_BYTES - 1);
  }
  if (length >= sizeof out->path) {
    return tpu_report_fail(r, TPU_ERR_RANGE, "the path of the shared library is too long");
  }
  memcpy(out->path, text, length);
  (void)snprintf(out->function, sizeof out->function, "%s", function);
  return 1;
}

static struct tpu_submission_params params_of(const struct tpu_params *p) {
  return (struct tpu_submission_params){.size = sizeof(struct tpu_submission_params),
                                        .t = p->t,
                                        .maxdim = p->maxdim,
                                        .qd = p->qd,
                                        .dma_words = p->dma_words,
                                        .spad_rows = p->spad_rows,
                                        .nvr = p->nvr,
                                        .nar = p->nar,
                                        .imem_size = p->imem_size};
}

static struct tpu_submission_region region_of(struct tpu_region r) {
  return (struct tpu_submission_region){r.row, r.col, r.rows, r.cols};
}

static struct tpu_submission_tensor tensor_of(const struct tpu_workload *w,
                                              const struct tpu_tensor *t) {
  struct tpu_submission_tensor out = {.buffer = t->buffer,
                                      .region = region_of(tpu_tensor_region(w, t))};
  memcpy(out.subscript, t->subscript, sizeof out.subscript);
  return out;
}

static struct tpu_submission_workload workload_of(const struct tpu_params *p,
                                                  const struct tpu_workload *w) {
  struct tpu_submission_workload out = {.size = sizeof out,
                                        .indices = w->indices,
                                        .inputs = w->inputs,
                                        .output = tensor_of(w, &w->output),
                                        .constants = w->constants,
                                        .relu = w->relu,
                                        .pad_zero = w->pad_zero,
                                        .window = region_of(tpu_write_region(p, w))};
  memcpy(out.name, w->name, sizeof out.name);
  for (uint32_t i = 0; i < w->indices; ++i) {
    out.index[i] = (struct tpu_submission_index){w->index[i].letter, w->index[i].size};
  }
  for (uint32_t i = 0; i < w->inputs; ++i) {
    out.input[i] = tensor_of(w, &w->input[i]);
  }
  for (uint32_t i = 0; i < w->constants; ++i) {
    const struct tpu_constant *c = &w->constant[i];
    out.constant[i] =
        (struct tpu_submission_constant){c->kind, c->buffer, region_of(tpu_constant_region(p, c))};
  }
  return out;
}

/* What can be said without loading anything. */
static int is_readable_file(const struct tpu_submission *s, struct tpu_report *r) {
  struct stat st;
  if (stat(s->path, &st) != 0 || access(s->path, R_OK) != 0) {
    return tpu_report_fail(r, TPU_ERR_RANGE, "%s: cannot be read: %s", s->path, strerror(errno));
  }
  if (!S_ISREG(st.st_mode)) {
    return tpu_report_fail(r, TPU_ERR_RANGE, "%s: is no file: a shared library is due", s->path);
  }
  return 1;
}

int tpu_submission_probe(const struct tpu_submission *s, struct tpu_report *r) {
  struct tpu_submission_request q = {.submission = s};
  struct tpu_submission_end end = {.bytes = NULL};
  const int good =
      is_readable_file(s, r) && tpu_submission_run(&q, &end, r) && tpu_submission_loads(s, &end, r);
  free(end.bytes);
  return good;
}

int tpu_submission_call(const struct tpu_submission *s, const struct tpu_params *p,
                        const struct tpu_workload *w, struct tpu_program *out,
                        struct tpu_no_program *none, struct tpu_report *r) {
  const struct tpu_submission_params params = params_of(p);
  const struct tpu_submission_workload workload = workload_of(p, w);
  struct tpu_submission_request q = {.submission = s, .params = &params, .workload = &workload};
  struct tpu_submission_end end = {.bytes = NULL};
  const int good = tpu_submission_run(&q, &end, r);
  if (good) {
    tpu_submission_answer(s, &end, out, none);
  }
  free(end.bytes);
  return good;
}
