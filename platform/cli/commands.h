/* SPDX-License-Identifier: Apache-2.0 */
/* The commands of the program and what they answer with. */
#ifndef TPU_PLATFORM_CLI_COMMANDS_H
#define TPU_PLATFORM_CLI_COMMANDS_H

#include "platform/cli/options.h"

#ifdef __cplusplus
extern "C" {
#endif

enum tpu_exit {
  TPU_EXIT_OK = 0,
  TPU_EXIT_VERDICT = 1, /* what was judged did not pass; it is said on stdout */
  TPU_EXIT_USAGE = 2    /* bad usage or unreadable input; the report says it */
};

/* Returns an enum tpu_exit; the report is printed for TPU_EXIT_USAGE only. */
typedef int tpu_command_run(const struct tpu_args *args, struct tpu_report *r);

struct tpu_command {
  const char *name;     /* one or two words */
  const char *operand;  /* how its operand is called, a word each; NULL: it has none */
  const char *synopsis; /* what follows the name */
  const char *purpose;  /* a sentence */
  uint64_t takes;       /* its options, beside those every command takes */
  tpu_command_run *run;
};

tpu_command_run tpu_command_run_one, tpu_command_corpus, tpu_command_path, tpu_command_trace,
    tpu_command_image, tpu_command_judge_specs, tpu_command_judge_legal, tpu_command_judge_rules,
    tpu_command_judge_correct, tpu_command_judge_fast, tpu_command_work, tpu_command_rank,
    tpu_command_depth, tpu_command_sweep, tpu_command_compare, tpu_command_fidelity,
    tpu_command_tile, tpu_command_map, tpu_command_asm, tpu_command_disasm;

const struct tpu_command *tpu_commands(size_t *count);

/* The command that argv[0], or argv[0] and argv[1], name; *words receives how many they were.
 * NULL with what exists otherwise. */
const struct tpu_command *tpu_command_find(int argc, char *const argv[], int *words,
                                           struct tpu_report *r);

/* Help of one command, or of the program when command is NULL. */
int tpu_help_print(const struct tpu_command *command, int json, struct tpu_report *r);
int tpu_version_print(int json, struct tpu_report *r);

#ifdef __cplusplus
}
#endif
#endif
