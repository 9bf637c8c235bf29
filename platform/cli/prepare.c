/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/cli/prepare.h"

#include "platform/cli/commands.h"
#include "platform/cli/setup.h"
#include "platform/cli/submitted.h"

int tpu_prepare_check(const struct tpu_args *args, const char *command, const char *what,
                      const char *word, struct tpu_report *r) {
  if (word != NULL) {
    return 1;
  }
  if (!tpu_args_have(args, TPU_OPTION_PROGRAM)) {
    return tpu_report_fail(r, TPU_ERR_SYNTAX,
                           "'%s' needs %s: tpuvp %s SPEC, or tpuvp %s --program FILE", command,
                           what, command, command);
  }
  if (tpu_submitted_is_function(args)) {
    return tpu_report_fail(r, TPU_ERR_SYNTAX,
                           "the function of a library maps a workload: tpuvp %s SPEC --program %s",
                           command, args->value[TPU_OPTION_PROGRAM]);
  }
  if (tpu_args_have(args, TPU_OPTION_CORPUS)) {
    return tpu_report_fail(
        r, TPU_ERR_SYNTAX,
        "option '--corpus' has no meaning for a program without a SPEC: give one");
  }
  return 1;
}

static int prepare(const struct tpu_args *args, const struct tpu_spec *spec,
                   const struct tpu_platform_config *config, uint32_t seed, tpu_job_use *use,
                   void *context, struct tpu_report *r) {
  struct tpu_submitted submitted;
  struct tpu_job job;
  if (!tpu_submitted_open(args, 0, &submitted, r)) {
    return TPU_EXIT_USAGE;
  }
  if (spec != NULL && !tpu_submitted_ask(&submitted, spec, &config->params, r)) {
    tpu_submitted_release(&submitted);
    return TPU_EXIT_USAGE;
  }
  const struct tpu_job_request request = {.config = config,
                                          .spec = spec,
                                          .program = tpu_submitted_program(&submitted),
                                          .none = tpu_submitted_none(&submitted),
                                          .image_path = {args->value[TPU_OPTION_A],
                                                         args->value[TPU_OPTION_B],
                                                         args->value[TPU_OPTION_C]},
                                          .distribution = TPU_DISTRIBUTION_FULL,
                                          .seed = seed,
                                          .unchecked = tpu_args_have(args, TPU_OPTION_UNCHECKED)};
  int code = TPU_EXIT_USAGE;
  if (tpu_job_prepare(&job, &request, r)) {
    code = use(context, &job, r);
    tpu_job_release(&job);
  }
  tpu_submitted_release(&submitted);
  return code;
}

int tpu_prepare_job(const struct tpu_args *args, const char *word,
                    const struct tpu_platform_config *config, uint32_t seed, tpu_job_use *use,
                    void *context, struct tpu_report *r) {
  struct tpu_spec spec;
  if (word == NULL) {
    return prepare(args, NULL, config, seed, use, context, r);
  }
  if (!tpu_setup_spec(args, word, &spec, r)) {
    return TPU_EXIT_USAGE;
  }
  const int code = prepare(args, &spec, config, seed, use, context, r);
  tpu_spec_release(&spec);
  return code;
}
