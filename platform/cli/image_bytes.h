/* SPDX-License-Identifier: Apache-2.0 */
/* The ELF image of a job: the generic application with the job's payload as one more segment. */
#ifndef TPU_PLATFORM_CLI_IMAGE_BYTES_H
#define TPU_PLATFORM_CLI_IMAGE_BYTES_H

#include "platform/cli/job.h"
#include "platform/cli/locate.h"
#include "platform/cli/options.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An image of firmware/, read once for any number of jobs: TPU_APPLICATION_CORPUS is the generic
 * one. */
#define TPU_APPLICATION_CORPUS "tpu_corpus"
#define TPU_APPLICATION_TILE "tpu_tile"
struct tpu_application {
  char path[TPU_PATH_SIZE];
  char *bytes;
  size_t size;
};

int tpu_application_read(const struct tpu_args *args, const char *name, struct tpu_application *out,
                         struct tpu_report *r);
void tpu_application_release(struct tpu_application *application);

/* *image is from malloc. Same job, same application, same bytes. */
int tpu_job_image(const struct tpu_job *job, const struct tpu_application *application,
                  uint8_t **image, size_t *size, struct tpu_report *r);

#ifdef __cplusplus
}
#endif
#endif
