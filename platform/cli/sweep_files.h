/* SPDX-License-Identifier: Apache-2.0 */
/* The directory of a sweep. While it runs, whole lines are appended to results.partial; at its end
 * everything is written anew, each file under another name first. So whenever it is killed, what is
 * there can be gone on with, and ends with the same bytes. */
#ifndef TPU_PLATFORM_CLI_SWEEP_FILES_H
#define TPU_PLATFORM_CLI_SWEEP_FILES_H

#include "platform/cli/sweep_store.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tpu_sweep_files {
  char dir[TPU_PATH_SIZE]; /* absolute */
  int lock;                /* file descriptor: one sweep at a time */
  int partial;             /* file descriptor of results.partial, -1: nothing was appended yet */
};

/* Makes the directory unless it is there, and takes the lines that it holds into the store; of a
 * last line without its end nothing. Returns 1, *out to be closed; 0 when it holds another sweep,
 * one that is being run, files of these names that are no sweep's, or what cannot be read. */
int tpu_sweep_files_open(const char *dir, struct tpu_sweep_store *store,
                         struct tpu_sweep_files *out, struct tpu_report *r);
void tpu_sweep_files_close(struct tpu_sweep_files *files);

/* A line with its newline. */
int tpu_sweep_files_append(struct tpu_sweep_files *files, const char *line, size_t length,
                           struct tpu_report *r);

/* A whole file, in place of one that is there. */
int tpu_sweep_files_write(const struct tpu_sweep_files *files, const char *name, const char *text,
                          size_t length, struct tpu_report *r);

/* results.jsonl has every line: what was appended is not needed any more. */
int tpu_sweep_files_settle(struct tpu_sweep_files *files, struct tpu_report *r);

#ifdef __cplusplus
}
#endif
#endif
