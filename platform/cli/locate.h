/* SPDX-License-Identifier: Apache-2.0 */
/* Where the program's data lie, whatever the working directory: given by option, else next to the
 * executable (a build tree), else under its install prefix. */
#ifndef TPU_PLATFORM_CLI_LOCATE_H
#define TPU_PLATFORM_CLI_LOCATE_H

#include "judge/report.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TPU_PATH_SIZE = 4096 };

/* The directory `what` ("corpus", "configs", "firmware"): given when it is not NULL, else the first
 * that exists. Returns 1, or 0 naming every place that was looked at. */
int tpu_locate_dir(const char *given, const char *what, char path[TPU_PATH_SIZE],
                   struct tpu_report *r);

/* A word is a path when it contains '/' or ends in suffix, else a name. */
int tpu_is_path(const char *word, const char *suffix);

/* The file of a word: the word itself when it is a path, else directory/word + suffix, else the
 * numbered one, directory/NN_word + suffix. Returns 1, or 0 naming where it was looked for. */
int tpu_locate_file(const char *word, const char *directory, const char *suffix,
                    char path[TPU_PATH_SIZE], struct tpu_report *r);

/* The files of a directory that end in suffix, sorted by name (byte order). */
struct tpu_listing {
  char **name; /* without directory */
  size_t count;
};

int tpu_list_files(const char *directory, const char *suffix, struct tpu_listing *out,
                   struct tpu_report *r);
void tpu_listing_free(struct tpu_listing *listing);

#ifdef __cplusplus
}
#endif
#endif
