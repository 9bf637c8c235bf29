/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* pipe2, environ */
#include "platform/cli/sweep_jobs.h"

#include "platform/cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* So many jobs keep many processors busy to the end, and cost GNU parallel a few seconds at most.
 */
enum { MOST_JOBS = 256 };

static int no_memory(struct tpu_report *r) {
  return tpu_report_fail(r, TPU_ERR_CAPACITY, "out of memory");
}

/* ---- command lines ---- */

static void put_option(FILE *f, const char *name, const char *value) {
  (void)fprintf(f, " --%s ", name);
  tpu_put_quoted(f, value);
}

static void put_axis(FILE *f, const struct tpu_axis *axis) {
  (void)fprintf(f, " --set %s=", axis->key);
  for (size_t v = 0; v < axis->count; ++v) {
    (void)fprintf(f, "%s%s", v != 0 ? "," : "", axis->value[v]);
  }
}

/* Everything but the numbers of the part. */
static char *command_head(const struct tpu_sweep_plan *plan, struct tpu_report *r) {
  char self[TPU_PATH_SIZE];
  char *text = NULL;
  size_t size = 0;
  const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  if (n <= 0) {
    (void)tpu_report_fail(r, TPU_ERR_USE, "/proc/self/exe: %s", strerror(errno));
    return NULL;
  }
  self[n] = '\0';
  FILE *f = open_memstream(&text, &size);
  if (f == NULL) {
    (void)no_memory(r);
    return NULL;
  }
  tpu_put_quoted(f, self);
  (void)fputs(" sweep", f);
  put_option(f, "config", plan->config_path);
  put_option(f, "corpus", plan->corpus_path);
  put_option(f, "spec", plan->glob);
  put_option(f, "variant", tpu_sweep_plan_variant(plan));
  for (size_t a = 0; a < plan->axes.count; ++a) {
    put_axis(f, &plan->axes.axis[a]);
  }
  (void)fputs(" --part ", f);
  if (fclose(f) != 0) {
    free(text);
    (void)no_memory(r);
    return NULL;
  }
  return text;
}

/* "1,4-7" of configurations that ascend. */
static char *command_of(const char *head, const size_t *part, size_t count) {
  char *text = NULL;
  size_t size = 0;
  FILE *f = open_memstream(&text, &size);
  if (f == NULL) {
    return NULL;
  }
  (void)fputs(head, f);
  for (size_t i = 0; i < count;) {
    size_t last = i;
    while (last + 1 < count && part[last + 1] == part[last] + 1) {
      ++last;
    }
    (void)fprintf(f, "%s%zu", i != 0 ? "," : "", part[i] + 1);
    if (last != i) {
      (void)fprintf(f, "-%zu", part[last] + 1);
    }
    i = last + 1;
  }
  if (fclose(f) != 0) {
    free(text);
    return NULL;
  }
  return text;
}

static int add(struct tpu_sweep_jobs *out, const char *head, const size_t *part, size_t count) {
  char **grown = realloc(out->command, (out->count + 1) * sizeof *grown);
  if (grown == NULL) {
    return 0;
  }
  out->command = grown;
  char *command = command_of(head, part, count);
  if (command != NULL) {
    grown[out->count++] = command;
  }
  return command != NULL;
}

static int is_missing(const struct tpu_sweep_store *store, size_t c) {
  return store->plan->legal[c] && !tpu_sweep_store_has(store, c);
}

static int make(const struct tpu_sweep_store *store, const char *head, size_t *part,
                struct tpu_sweep_jobs *out) {
  const struct tpu_sweep_plan *plan = store->plan;
  size_t shared = 0;
  size_t held = 0;
  for (size_t c = 0; c < plan->axes.configurations; ++c) {
    shared += is_missing(store, c) && !tpu_sweep_is_alone(plan, c);
  }
  const size_t share = (shared + MOST_JOBS - 1) / MOST_JOBS;
  for (size_t c = 0; c < plan->axes.configurations; ++c) {
    if (!is_missing(store, c)) {
      continue;
    }
    if (tpu_sweep_is_alone(plan, c)) {
      if (!add(out, head, &c, 1)) {
        return 0;
      }
      continue;
    }
    part[held++] = c;
    if (held == share) {
      if (!add(out, head, part, held)) {
        return 0;
      }
      held = 0;
    }
  }
  return held == 0 || add(out, head, part, held);
}

int tpu_sweep_jobs_make(const struct tpu_sweep_store *store, struct tpu_sweep_jobs *out,
                        struct tpu_report *r) {
  *out = (struct tpu_sweep_jobs){.count = 0};
  char *head = command_head(store->plan, r);
  if (head == NULL) {
    return 0;
  }
  size_t *part = malloc(store->plan->axes.configurations * sizeof *part);
  const int good = (part != NULL && make(store, head, part, out)) || no_memory(r);
  free(part);
  free(head);
  if (!good) {
    tpu_sweep_jobs_release(out);
  }
  return good;
}

void tpu_sweep_jobs_release(struct tpu_sweep_jobs *jobs) {
  for (size_t i = 0; i < jobs->count; ++i) {
    free(jobs->command[i]);
  }
  free(jobs->command);
  *jobs = (struct tpu_sweep_jobs){.count = 0};
}

/* ---- GNU parallel ---- */

/* The commands, each ended by a zero: a path may hold anything else. */
static FILE *commands_file(const struct tpu_sweep_jobs *jobs, struct tpu_report *r) {
  FILE *f = tmpfile();
  if (f == NULL) {
    (void)tpu_report_fail(r, TPU_ERR_USE, "a temporary file: %s", strerror(errno));
    return NULL;
  }
  for (size_t i = 0; i < jobs->count; ++i) {
    (void)fwrite(jobs->command[i], 1, strlen(jobs->command[i]) + 1, f);
  }
  if (fflush(f) != 0 || ferror(f) || lseek(fileno(f), 0, SEEK_SET) != 0) {
    (void)tpu_report_fail(r, TPU_ERR_USE, "a temporary file: %s", strerror(errno));
    (void)fclose(f);
    return NULL;
  }
  return f;
}

static int start(const char *at_once, const char *log, int in, int out, int err, pid_t *child,
                 struct tpu_report *r) {
  const char *argv[12] = {"parallel", "--null", "--halt", "soon,fail=1"};
  char append[TPU_PATH_SIZE + 1];
  struct stat there;
  int argc = 4;
  if (at_once[0] != '\0') {
    argv[argc++] = "--jobs";
    argv[argc++] = at_once;
  }
  if (log != NULL) {
    /* The '+' appends, but begins no file with the names of the columns. */
    (void)snprintf(append, sizeof append, "%s%s",
                   stat(log, &there) == 0 && there.st_size != 0 ? "+" : "", log);
    argv[argc++] = "--joblog";
    argv[argc++] = append;
  }
  argv[argc] = NULL;
  posix_spawn_file_actions_t actions;
  (void)posix_spawn_file_actions_init(&actions);
  (void)posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
  (void)posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  (void)posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
  const int fault =
      posix_spawnp(child, argv[0], &actions, NULL, (char *const *)(void *)argv, environ);
  (void)posix_spawn_file_actions_destroy(&actions);
  if (fault == ENOENT) {
    return tpu_report_fail(r, TPU_ERR_USE,
                           "'sweep' runs its jobs by GNU parallel, and no 'parallel' is in PATH: "
                           "install it (Debian package parallel), or run parts by --part");
  }
  return fault == 0 ||
         tpu_report_fail(r, TPU_ERR_USE, "'parallel' cannot be started: %s", strerror(fault));
}

/* Only whole lines are taken: a job that was killed may leave a piece of one. */
static int take_output(int fd, tpu_sweep_take *take, void *context, struct tpu_report *r) {
  FILE *f = fdopen(fd, "r");
  char *line = NULL;
  size_t capacity = 0;
  ssize_t length = 0;
  int good = f != NULL || no_memory(r);
  while (good && (length = getline(&line, &capacity, f)) > 0) {
    good = line[length - 1] != '\n' || take(context, line, (size_t)length, r);
  }
  free(line);
  (void)(f != NULL ? fclose(f) : close(fd));
  return good;
}

/* The line of a job's own complaint, else the first that is there. Returns whether it is a job's.
 */
static int read_complaint(FILE *err, char *text, size_t capacity) {
  char line[900];
  text[0] = '\0';
  rewind(err);
  while (fgets(line, sizeof line, err) != NULL) {
    line[strcspn(line, "\n")] = '\0';
    const int own = strncmp(line, "tpuvp: ", 7) == 0;
    if (own || text[0] == '\0') {
      (void)snprintf(text, capacity, "%s", own ? line + 7 : line);
    }
    if (own) {
      return 1;
    }
  }
  return 0;
}

/* taken: every line was. Else *r has what was wrong with one; that may be what GNU parallel printed
 * in place of running jobs, and then it says why. */
static int conclude(int status, FILE *err, int taken, struct tpu_report *r) {
  char complaint[900];
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
    return taken;
  }
  const int own = read_complaint(err, complaint, sizeof complaint);
  if (complaint[0] == '\0') {
    return taken &&
           tpu_report_fail(r, TPU_ERR_USE, "a job of the sweep failed; GNU parallel says no more");
  }
  const int was_no_line = r->code == TPU_ERR_SYNTAX || r->code == TPU_ERR_RANGE;
  return (taken || was_no_line) &&
         tpu_report_fail(r, TPU_ERR_USE, "%s: %s",
                         own ? "a job of the sweep failed" : "GNU parallel or a job of it failed",
                         complaint);
}

int tpu_sweep_jobs_run(const struct tpu_sweep_jobs *jobs, const char *at_once, const char *log,
                       tpu_sweep_take *take, void *context, struct tpu_report *r) {
  int ends[2];
  int status = 0;
  pid_t child = 0;
  FILE *in = commands_file(jobs, r);
  if (in == NULL) {
    return 0;
  }
  FILE *err = tmpfile();
  if (err == NULL || pipe2(ends, O_CLOEXEC) != 0) {
    (void)tpu_report_fail(r, TPU_ERR_USE, "a temporary file or a pipe: %s", strerror(errno));
    (void)fclose(in);
    if (err != NULL) {
      (void)fclose(err);
    }
    return 0;
  }
  int good = start(at_once, log, fileno(in), ends[1], fileno(err), &child, r);
  (void)close(ends[1]);
  if (!good) {
    (void)close(ends[0]);
  } else {
    good = take_output(ends[0], take, context, r);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    good = conclude(status, err, good, r);
  }
  (void)fclose(err);
  (void)fclose(in);
  return good;
}

/* ---- Slurm ---- */

char *tpu_sweep_jobs_slurm(const struct tpu_sweep_jobs *jobs, const char *dir) {
  char *text = NULL;
  size_t size = 0;
  FILE *f = open_memstream(&text, &size);
  if (f == NULL) {
    return NULL;
  }
  (void)fprintf(
      f,
      "#!/bin/bash\n"
      "#SBATCH --job-name=tpuvp-sweep\n"
      "#SBATCH --array=0-%zu\n"
      "#SBATCH --ntasks=1\n"
      "#SBATCH --cpus-per-task=1\n"
      "#SBATCH --output=/dev/null\n"
      "# Each task leaves its lines in part-TASK.jsonl. When all have ended, the sweep's\n"
      "# own command line, without --emit, takes them in and reports.\n"
      "set -eu\n"
      "cd ",
      jobs->count - 1);
  tpu_put_quoted(f, dir);
  (void)fputs("\ncase $SLURM_ARRAY_TASK_ID in\n", f);
  for (size_t i = 0; i < jobs->count; ++i) {
    (void)fprintf(f, "%zu) %s ;;\n", i, jobs->command[i]);
  }
  (void)fputs("*) echo \"no such task: $SLURM_ARRAY_TASK_ID\" >&2; exit 2 ;;\n"
              "esac >\"part-$SLURM_ARRAY_TASK_ID.jsonl\"\n",
              f);
  if (fclose(f) != 0) {
    free(text);
    return NULL;
  }
  return text;
}
