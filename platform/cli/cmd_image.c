/* SPDX-License-Identifier: Apache-2.0 */
/* tpuvp image: one self-contained ELF of a workload; and the same in memory, for corpus and run. */
#include "judge/image_file.h"
#include "platform/cli/commands.h"
#include "platform/cli/image_bytes.h"
#include "platform/cli/output.h"
#include "platform/cli/setup.h"
#include "platform/elf.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_IMAGE_BYTES = 64 * 1024 * 1024 };

int tpu_application_read(const struct tpu_args *args, const char *name, struct tpu_application *out,
                         struct tpu_report *r) {
  char directory[TPU_PATH_SIZE];
  return tpu_locate_dir(args->value[TPU_OPTION_FIRMWARE], "firmware", directory, r) &&
         tpu_join_path(out->path, directory, name, ".elf", r) &&
         tpu_read_file(out->path, MAX_IMAGE_BYTES, &out->bytes, &out->size, r);
}

void tpu_application_release(struct tpu_application *application) {
  free(application->bytes);
  application->bytes = NULL;
}

int tpu_job_image(const struct tpu_job *job, const struct tpu_application *application,
                  uint8_t **image, size_t *size, struct tpu_report *r) {
  struct tpu_error e = {.code = TPU_OK};
  uint8_t *payload = NULL;
  size_t bytes = 0;
  if (!tpu_job_payload(job, &payload, &bytes, r)) {
    return 0;
  }
  const int good = tpu_elf_append_segment(application->path, (const uint8_t *)application->bytes,
                                          application->size, TPU_PAYLOAD_BASE, payload,
                                          (uint32_t)bytes, image, size, &e);
  free(payload);
  return good ? 1 : tpu_report_fail(r, e.code, "%s", e.text);
}

/* Whatever its standing, a workload that fits has an image; it says itself that it cannot pass. */
static int write_image(const struct tpu_args *args, const struct tpu_job *job,
                       struct tpu_report *r) {
  struct tpu_application application = {.bytes = NULL};
  uint8_t *image = NULL;
  size_t size = 0;
  const char *path = args->value[TPU_OPTION_OUTPUT];
  if (!tpu_application_read(args, TPU_APPLICATION_CORPUS, &application, r)) {
    return 0;
  }
  int good =
      tpu_job_image(job, &application, &image, &size, r) && tpu_file_write(path, image, size, r);
  if (good && tpu_args_have(args, TPU_OPTION_JSON)) {
    struct tpu_json_writer *w = tpu_document_new(r);
    good = w != NULL;
    if (good) {
      tpu_json_begin_object(w, NULL);
      tpu_json_put_string(w, "spec", job->name);
      tpu_json_put_string(w, "file", path);
      tpu_json_put_u64(w, "bytes", size);
      tpu_json_put_u64(w, "seed", job->request.seed);
      tpu_json_end(w);
      good = tpu_print_json(w, r);
    }
  } else if (good) {
    printf("%s: %zu bytes, %s with its operands and expected result\n", path, size, job->name);
  }
  free(image);
  tpu_application_release(&application);
  return good;
}

int tpu_command_image(const struct tpu_args *args, struct tpu_report *r) {
  struct tpu_platform_config config;
  struct tpu_spec spec;
  struct tpu_job job;
  uint32_t seed = 0;
  if (args->operands != 1 || !tpu_args_have(args, TPU_OPTION_OUTPUT)) {
    (void)tpu_report_fail(r, TPU_ERR_SYNTAX,
                          "'image' needs a SPEC and a file to write: tpuvp image SPEC -o FILE");
    return TPU_EXIT_USAGE;
  }
  if (!tpu_args_seed(args, &seed, r) || !tpu_setup_config(args, &config, NULL, r) ||
      !tpu_setup_spec(args, args->operand[0], &spec, r)) {
    return TPU_EXIT_USAGE;
  }
  const struct tpu_job_request request = {
      .config = &config, .spec = &spec, .distribution = TPU_DISTRIBUTION_FULL, .seed = seed};
  int code = TPU_EXIT_USAGE;
  if (tpu_job_prepare(&job, &request, r)) {
    if (job.verdict == TPU_VERDICT_SKIPPED) {
      /* Sizes of constants and pads come from the configuration; elsewhere it may fit. */
      (void)tpu_report_fail(r, TPU_ERR_UNFIT, "%s: does not fit this configuration: %s", spec.path,
                            job.reason);
    } else if (write_image(args, &job, r)) {
      code = TPU_EXIT_OK;
    }
    tpu_job_release(&job);
  }
  tpu_spec_release(&spec);
  return code;
}
