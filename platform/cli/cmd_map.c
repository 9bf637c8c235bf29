/* SPDX-License-Identifier: Apache-2.0 */
/* tpuvp map: the program that a mapping makes of a workload, as text. */
#include "platform/cli/commands.h"
#include "platform/cli/program_text.h"
#include "platform/cli/setup.h"

#include <stdlib.h>

/* What a mapping cannot do is bad input here: there is nothing to judge. */
static int show(const struct tpu_args *args, const struct tpu_params *p,
                const struct tpu_spec *spec, enum tpu_map_variant variant, struct tpu_report *r) {
  struct tpu_standing_store store;
  struct tpu_standing standing;
  struct tpu_error e = {.code = TPU_OK};
  if (!tpu_spec_standing(spec, p, &store, &standing, r)) {
    return 0;
  }
  if (standing.unfit != NULL) {
    return tpu_report_fail(r, TPU_ERR_UNFIT, "%s: does not fit this configuration: %s", spec->path,
                           standing.unfit);
  }
  const uint32_t capacity = tpu_program_capacity(p);
  struct tpu_program program = {malloc((capacity + 1) * sizeof *program.words), capacity, 0};
  const int good =
      program.words == NULL ? tpu_report_fail(r, TPU_ERR_CAPACITY, "out of memory")
      : !tpu_map_as(p, &spec->workload, variant, &program, &e)
          ? tpu_report_fail(r, TPU_ERR_UNFIT, "%s: has no such program: %s", spec->path, e.text)
          : tpu_program_show(args, spec->workload.name, &program, r);
  free(program.words);
  return good;
}

int tpu_command_map(const struct tpu_args *args, struct tpu_report *r) {
  struct tpu_platform_config config;
  enum tpu_map_variant variant;
  struct tpu_spec spec;
  if (args->operands == 0) {
    (void)tpu_report_fail(r, TPU_ERR_SYNTAX, "'map' needs a SPEC: tpuvp map SPEC");
    return TPU_EXIT_USAGE;
  }
  if (!tpu_setup_variant(args, &variant, r) || !tpu_setup_config(args, &config, NULL, r) ||
      !tpu_setup_spec(args, args->operand[0], &spec, r)) {
    return TPU_EXIT_USAGE;
  }
  const int good = show(args, &config.params, &spec, variant, r);
  tpu_spec_release(&spec);
  return good ? TPU_EXIT_OK : TPU_EXIT_USAGE;
}
