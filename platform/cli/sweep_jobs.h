/* SPDX-License-Identifier: Apache-2.0 */
/* The jobs of a sweep: command lines of this program, each for some configurations, run side by
 * side by GNU parallel, or by a batch system. */
#ifndef TPU_PLATFORM_CLI_SWEEP_JOBS_H
#define TPU_PLATFORM_CLI_SWEEP_JOBS_H

#include "platform/cli/sweep_store.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tpu_sweep_jobs {
  char **command; /* each a line for a shell */
  size_t count;
};

/* The jobs for what the store has not got. Configurations whose memory is ideal share jobs, so that
 * a long sweep does not pay for the start of a process each time; the others have one each. */
int tpu_sweep_jobs_make(const struct tpu_sweep_store *store, struct tpu_sweep_jobs *out,
                        struct tpu_report *r);
void tpu_sweep_jobs_release(struct tpu_sweep_jobs *jobs);

/* Takes in a line of a job, newline included; 0 stops everything. */
typedef int tpu_sweep_take(void *context, const char *line, size_t length, struct tpu_report *r);

/* Runs them all by GNU parallel: `at_once` at a time, "" for its default. log: file of its job log,
 * NULL: none. 0 when it is not there, when a job failed, or when take says so. */
int tpu_sweep_jobs_run(const struct tpu_sweep_jobs *jobs, const char *at_once, const char *log,
                       tpu_sweep_take *take, void *context, struct tpu_report *r);

/* A script for Slurm that runs each as a task of an array and leaves its lines in
 * DIR/part-TASK.jsonl; from malloc, NULL when memory lacks. */
char *tpu_sweep_jobs_slurm(const struct tpu_sweep_jobs *jobs, const char *dir);

#ifdef __cplusplus
}
#endif
#endif
