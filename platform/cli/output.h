/* SPDX-License-Identifier: Apache-2.0 */
/* Documents on stdout, and whole files read. */
#ifndef TPU_PLATFORM_CLI_OUTPUT_H
#define TPU_PLATFORM_CLI_OUTPUT_H

#include "judge/json_write.h"
#include "judge/report.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Prints the finished document on stdout and frees the writer. 0 when it could not be
 * built or written. */
int tpu_print_json(struct tpu_json_writer *w, struct tpu_report *r);

/* A writer to build a document with; NULL with the report when memory lacks. */
struct tpu_json_writer *tpu_document_new(struct tpu_report *r);

/* The word in single quotes, as a shell takes it. */
void tpu_put_quoted(FILE *f, const char *word);

/* On stderr: "[3/22] name", on a terminal one line that the next takes the place of. */
void tpu_progress(size_t at, size_t of, const char *name);
/* Makes room on a terminal for what is printed next. */
void tpu_progress_end(void);

/* Reads a file of at most limit bytes; *bytes from malloc, zero-terminated behind size. */
int tpu_read_file(const char *path, size_t limit, char **bytes, size_t *size, struct tpu_report *r);

#ifdef __cplusplus
}
#endif
#endif
