/* SPDX-License-Identifier: Apache-2.0 */
/* Raw files: the int8 images that stand in for random operands, and what is written out. */
#ifndef TPU_JUDGE_IMAGE_FILE_H
#define TPU_JUDGE_IMAGE_FILE_H

#include "isa/params.h"
#include "judge/report.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads MAXDIM*MAXDIM bytes into image; a file of any other size is refused, naming both sizes. */
int tpu_image_read(const char *path, const struct tpu_params *p, int8_t *image,
                   struct tpu_report *r);

/* The same of so many bytes; what says how many they are: "matrix A is M*K". */
int tpu_bytes_read(const char *path, const char *what, size_t due, int8_t *bytes,
                   struct tpu_report *r);

/* Writes MAXDIM*MAXDIM bytes. */
int tpu_image_write(const char *path, const struct tpu_params *p, const int8_t *image,
                    struct tpu_report *r);

/* Writes length bytes to a file, replacing it. A full disk is an error, not a short file. */
int tpu_file_write(const char *path, const void *bytes, size_t length, struct tpu_report *r);

#ifdef __cplusplus
}
#endif
#endif
