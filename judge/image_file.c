/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/image_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static int fail(const char *path, const char *what, int reason, struct tpu_report *r) {
  char shown[400];
  return tpu_report_fail(r, TPU_ERR_SYNTAX, "%s: cannot be %s: %s",
                         tpu_shorten(path, 1, shown, sizeof shown), what, strerror(reason));
}

static size_t image_bytes(const struct tpu_params *p) { return (size_t)p->maxdim * p->maxdim; }

int tpu_bytes_read(const char *path, const char *what, size_t due, int8_t *bytes,
                   struct tpu_report *r) {
  char shown[400];
  FILE *f = fopen(path, "rb");
  if (f == NULL)
    return fail(path, "opened", errno, r);
  const size_t got = fread(bytes, 1, due, f);
  const int more = got == due && fgetc(f) != EOF;
  const int reason = errno;
  const int broken = ferror(f);
  (void)fclose(f);
  if (broken)
    return fail(path, "read", reason, r);
  if (got != due || more)
    return tpu_report_fail(r, TPU_ERR_RANGE, "%s: byte %zu: the file %s; %s = %zu bytes",
                           tpu_shorten(path, 1, shown, sizeof shown), got,
                           more ? "goes on" : "ends", what, due);
  return 1;
}

int tpu_image_read(const char *path, const struct tpu_params *p, int8_t *image,
                   struct tpu_report *r) {
  return tpu_bytes_read(path, "an image is MAXDIM*MAXDIM", image_bytes(p), image, r);
}

int tpu_file_write(const char *path, const void *bytes, size_t length, struct tpu_report *r) {
  FILE *f = fopen(path, "wb");
  if (f == NULL)
    return fail(path, "opened for writing", errno, r);
  const int short_write = fwrite(bytes, 1, length, f) != length;
  const int reason = errno;
  if (fclose(f) != 0 || short_write)
    return fail(path, "written", short_write ? reason : errno, r);
  return 1;
}

int tpu_image_write(const char *path, const struct tpu_params *p, const int8_t *image,
                    struct tpu_report *r) {
  return tpu_file_write(path, image, image_bytes(p), r);
}
