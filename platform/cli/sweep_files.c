/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* flock, scandir, realpath */
#include "platform/cli/sweep_files.h"

#include "platform/cli/image_bytes.h"
#include "platform/cli/output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define PARTIAL "results.partial"
#define FINAL "results.jsonl"
#define IDENTITY "sweep.json"

/* Of a file of lines. */
static const size_t most_bytes = (size_t)1 << 31;

static int fault(const char *path, const char *what, struct tpu_report *r) {
  return tpu_report_fail(r, TPU_ERR_USE, "%s: %s: %s", path, what, strerror(errno));
}

static int write_all(int fd, const char *text, size_t length) {
  while (length != 0) {
    const ssize_t n = write(fd, text, length);
    if (n < 0 && errno != EINTR) {
      return 0;
    }
    text += n > 0 ? n : 0;
    length -= n > 0 ? (size_t)n : 0;
  }
  return 1;
}

int tpu_sweep_files_write(const struct tpu_sweep_files *files, const char *name, const char *text,
                          size_t length, struct tpu_report *r) {
  char path[TPU_PATH_SIZE];
  char fresh[TPU_PATH_SIZE];
  if (!tpu_join_path(path, files->dir, name, "", r) ||
      !tpu_join_path(fresh, files->dir, name, ".new", r)) {
    return 0;
  }
  const int fd = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) {
    return fault(fresh, "cannot be written", r);
  }
  const int written = write_all(fd, text, length);
  const int reason = errno;
  const int closed = close(fd) == 0;
  errno = written ? errno : reason;
  if (!written || !closed) {
    return fault(fresh, "cannot be written", r);
  }
  return rename(fresh, path) == 0 || fault(path, "cannot be written", r);
}

/* ---- what the sweep is of ---- */

static void digest_bytes(const char *bytes, size_t size, uint64_t *digest) {
  for (size_t i = 0; i < size; ++i) { /* FNV-1a */
    *digest = (*digest ^ (uint8_t)bytes[i]) * UINT64_C(0x100000001b3);
  }
}

static int digest_file(const char *path, uint64_t *digest, struct tpu_report *r) {
  char *bytes = NULL;
  size_t size = 0;
  if (!tpu_read_file(path, most_bytes, &bytes, &size, r)) {
    return 0;
  }
  digest_bytes(bytes, size, digest);
  free(bytes);
  return 1;
}

/* The firmware, when the whole platform runs anything. */
static int digest_application(const struct tpu_sweep_plan *plan, uint64_t *digest,
                              struct tpu_report *r) {
  const struct tpu_args none = {.operands = 0};
  struct tpu_application application = {.bytes = NULL};
  size_t c = 0;
  while (c < plan->axes.configurations && !(plan->legal[c] && tpu_sweep_is_alone(plan, c))) {
    ++c;
  }
  if (c == plan->axes.configurations) {
    return 1;
  }
  if (!tpu_application_read(&none, TPU_APPLICATION_CORPUS, &application, r)) {
    return 0;
  }
  digest_bytes(application.bytes, application.size, digest);
  tpu_application_release(&application);
  return 1;
}

/* Of all that results depend on: this program, the configuration, the timing profile, the specs,
 * the firmware. */
static int digest_inputs(const struct tpu_sweep_plan *plan, uint64_t *digest,
                         struct tpu_report *r) {
  *digest = UINT64_C(0xcbf29ce484222325);
  if (!digest_file("/proc/self/exe", digest, r) || !digest_file(plan->config_path, digest, r) ||
      !digest_file(plan->timing_path, digest, r) || !digest_application(plan, digest, r)) {
    return 0;
  }
  for (uint32_t i = 0; i < plan->corpus.count; ++i) {
    if (!digest_file(plan->corpus.spec[i].path, digest, r)) {
      return 0;
    }
  }
  return 1;
}

static void put_identity(const struct tpu_sweep_plan *plan, uint64_t digest,
                         struct tpu_json_writer *w) {
  char text[24];
  (void)snprintf(text, sizeof text, "0x%016" PRIx64, digest);
  tpu_json_begin_object(w, NULL);
  tpu_json_begin_object(w, "set");
  for (size_t a = 0; a < plan->axes.count; ++a) {
    const struct tpu_axis *axis = &plan->axes.axis[a];
    tpu_json_begin_array(w, axis->key);
    for (size_t v = 0; v < axis->count; ++v) {
      tpu_json_put_string(w, NULL, axis->value[v]);
    }
    tpu_json_end(w);
  }
  tpu_json_end(w);
  tpu_json_begin_array(w, "specs");
  for (uint32_t i = 0; i < plan->corpus.count; ++i) {
    tpu_json_put_string(w, NULL, plan->spec[i]);
  }
  tpu_json_end(w);
  tpu_json_put_string(w, "variant", tpu_sweep_plan_variant(plan));
  tpu_json_put_string(w, "inputs", text);
  tpu_json_end(w);
}

/* From malloc. */
static char *identity_of(const struct tpu_sweep_plan *plan, struct tpu_report *r) {
  uint64_t digest = 0;
  if (!digest_inputs(plan, &digest, r)) {
    return NULL;
  }
  struct tpu_json_writer *w = tpu_document_new(r);
  if (w == NULL) {
    return NULL;
  }
  put_identity(plan, digest, w);
  char *text = tpu_json_writer_text(w, 1);
  tpu_json_writer_free(w);
  if (text == NULL) {
    (void)tpu_report_fail(r, TPU_ERR_CAPACITY, "out of memory");
  }
  return text;
}

static int exists(const char *dir, const char *name, char path[TPU_PATH_SIZE],
                  struct tpu_report *r) {
  return tpu_join_path(path, dir, name, "", r) && access(path, F_OK) == 0;
}

/* Another sweep's results are never mixed with these. */
static int identify(const struct tpu_sweep_files *files, const struct tpu_sweep_plan *plan,
                    struct tpu_report *r) {
  char path[TPU_PATH_SIZE];
  char *there = NULL;
  size_t size = 0;
  char *due = identity_of(plan, r);
  if (due == NULL) {
    return 0;
  }
  int good = 0;
  if (!exists(files->dir, IDENTITY, path, r)) {
    good = tpu_sweep_files_write(files, IDENTITY, due, strlen(due), r);
  } else if (tpu_read_file(path, most_bytes, &there, &size, r)) {
    good = strcmp(there, due) == 0 ||
           tpu_report_fail(
               r, TPU_ERR_USE,
               "%s: is of another sweep, or of other inputs (program, configuration, "
               "timing profile, specs, firmware): give another directory, or remove this one",
               path);
  }
  free(there);
  free(due);
  return good;
}

/* ---- lines that are there ---- */

/* Takes the lines of a text in; *whole receives the bytes up to the last line's end. */
static int take_lines(const char *path, const char *text, size_t size,
                      struct tpu_sweep_store *store, struct tpu_sweep_files *append, size_t *whole,
                      struct tpu_report *r) {
  size_t number = 0;
  *whole = 0;
  for (const char *end = NULL; (end = memchr(text + *whole, '\n', size - *whole)) != NULL;) {
    const char *line = text + *whole;
    const size_t length = (size_t)(end - line) + 1;
    char name[TPU_PATH_SIZE + 32];
    int is_new = 0;
    size_t configuration = 0;
    (void)snprintf(name, sizeof name, "%s: line %zu", path, ++number);
    if (!tpu_sweep_store_take(store, name, line, length, &is_new, &configuration, r) ||
        (append != NULL && is_new && !tpu_sweep_files_append(append, line, length, r))) {
      return 0;
    }
    *whole += length;
  }
  return 1;
}

static int take_file(const char *path, struct tpu_sweep_store *store,
                     struct tpu_sweep_files *append, size_t *whole, struct tpu_report *r) {
  char *text = NULL;
  size_t size = 0;
  if (!tpu_read_file(path, most_bytes, &text, &size, r)) {
    return 0;
  }
  const int good = take_lines(path, text, size, store, append, whole, r);
  free(text);
  return good;
}

/* Cuts a line that was being written when the sweep was killed. */
static int take_partial(const char *path, struct tpu_sweep_store *store, struct tpu_report *r) {
  size_t whole = 0;
  if (!take_file(path, store, NULL, &whole, r)) {
    return 0;
  }
  return truncate(path, (off_t)whole) == 0 || fault(path, "cannot be cut", r);
}

static int is_part(const struct dirent *entry) {
  const char *name = entry->d_name;
  const size_t n = strlen(name);
  return strncmp(name, "part-", 5) == 0 && n > 11 && strcmp(name + n - 6, ".jsonl") == 0;
}

/* What tasks of a batch system have left. */
static int take_parts(struct tpu_sweep_files *files, struct tpu_sweep_store *store,
                      struct tpu_report *r) {
  struct dirent **entry = NULL;
  const int count = scandir(files->dir, &entry, is_part, alphasort);
  int good = count >= 0 || fault(files->dir, "cannot be read", r);
  for (int i = 0; i < count; ++i) {
    char path[TPU_PATH_SIZE];
    size_t whole = 0;
    good = good && tpu_join_path(path, files->dir, entry[i]->d_name, "", r) &&
           take_file(path, store, files, &whole, r);
    free(entry[i]);
  }
  free(entry);
  return good;
}

static int take_all(struct tpu_sweep_files *files, struct tpu_sweep_store *store,
                    struct tpu_report *r) {
  char path[TPU_PATH_SIZE];
  size_t whole = 0;
  if (exists(files->dir, FINAL, path, r) && !take_file(path, store, NULL, &whole, r)) {
    return 0;
  }
  if (exists(files->dir, PARTIAL, path, r) && !take_partial(path, store, r)) {
    return 0;
  }
  return take_parts(files, store, r);
}

/* ---- the directory ---- */

/* Without sweep.json what is there is not a sweep's, and not to be written over. */
static int check_foreign(const char *dir, struct tpu_report *r) {
  static const char *const written[] = {FINAL,       PARTIAL,       "results.csv",
                                        "report.md", "report.json", "jobs.log"};
  char path[TPU_PATH_SIZE];
  if (exists(dir, IDENTITY, path, r)) {
    return 1;
  }
  for (size_t i = 0; i < sizeof written / sizeof written[0]; ++i) {
    if (exists(dir, written[i], path, r)) {
      return tpu_report_fail(r, TPU_ERR_USE,
                             "%s: is there, and no sweep.json says of which sweep: give another "
                             "directory, or remove it",
                             path);
    }
  }
  return 1;
}

static int enter(const char *dir, struct tpu_sweep_files *out, struct tpu_report *r) {
  char path[TPU_PATH_SIZE];
  struct stat there;
  if (mkdir(dir, 0777) != 0 && errno != EEXIST) {
    return fault(dir, "cannot be made", r);
  }
  if (stat(dir, &there) == 0 && !S_ISDIR(there.st_mode)) {
    return tpu_report_fail(r, TPU_ERR_USE, "%s: is no directory: give one, or a name for a new one",
                           dir);
  }
  char *whole = realpath(dir, NULL);
  if (whole == NULL) {
    return fault(dir, "cannot be read", r);
  }
  const int n = snprintf(out->dir, sizeof out->dir, "%s", whole);
  free(whole);
  if (n >= TPU_PATH_SIZE || !tpu_join_path(path, out->dir, "lock", "", r)) {
    return tpu_report_fail(r, TPU_ERR_RANGE, "option '--out': the path is too long");
  }
  if (!check_foreign(out->dir, r)) {
    return 0;
  }
  out->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (out->lock < 0) {
    return fault(path, "cannot be opened", r);
  }
  if (flock(out->lock, LOCK_EX | LOCK_NB) == 0) {
    return 1;
  }
  return errno == EWOULDBLOCK
             ? tpu_report_fail(r, TPU_ERR_USE, "%s: another sweep is writing there", out->dir)
             : fault(path, "cannot be locked", r);
}

int tpu_sweep_files_open(const char *dir, struct tpu_sweep_store *store,
                         struct tpu_sweep_files *out, struct tpu_report *r) {
  *out = (struct tpu_sweep_files){.lock = -1, .partial = -1};
  if (enter(dir, out, r) && identify(out, store->plan, r) && take_all(out, store, r)) {
    return 1;
  }
  tpu_sweep_files_close(out);
  return 0;
}

void tpu_sweep_files_close(struct tpu_sweep_files *files) {
  if (files->partial >= 0) {
    (void)close(files->partial);
  }
  if (files->lock >= 0) {
    (void)close(files->lock);
  }
  files->partial = files->lock = -1;
}

int tpu_sweep_files_append(struct tpu_sweep_files *files, const char *line, size_t length,
                           struct tpu_report *r) {
  char path[TPU_PATH_SIZE];
  if (!tpu_join_path(path, files->dir, PARTIAL, "", r)) {
    return 0;
  }
  if (files->partial < 0) {
    files->partial = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  }
  return (files->partial >= 0 && write_all(files->partial, line, length)) ||
         fault(path, "cannot be written", r);
}

int tpu_sweep_files_settle(struct tpu_sweep_files *files, struct tpu_report *r) {
  char path[TPU_PATH_SIZE];
  return tpu_join_path(path, files->dir, PARTIAL, "", r) &&
         (unlink(path) == 0 || errno == ENOENT || fault(path, "cannot be removed", r));
}
