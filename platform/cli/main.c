/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/cli/commands.h"
#include "platform/cli/output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static int usage(const struct tpu_report *r) {
  fprintf(stderr, "tpuvp: %s\n", r->text);
  return TPU_EXIT_USAGE;
}

static int dispatch(int argc, char *const argv[], struct tpu_report *r) {
  struct tpu_args args;
  const struct tpu_command *command = NULL;
  int words = 0;
  if (argc > 0 && argv[0][0] == '-') { /* options of the program itself */
    const uint32_t takes = TPU_TAKES(HELP) | TPU_TAKES(VERSION) | TPU_TAKES(JSON);
    if (!tpu_args_parse(&args, "tpuvp", takes, NULL, argc, argv, r)) {
      return TPU_EXIT_USAGE;
    }
  } else {
    command = tpu_command_find(argc, argv, &words, r);
    if (command == NULL || !tpu_args_parse(&args, command->name, command->takes | TPU_TAKES_ALWAYS,
                                           command->operand, argc - words, argv + words, r)) {
      return TPU_EXIT_USAGE;
    }
  }
  const int json = tpu_args_have(&args, TPU_OPTION_JSON);
  if (tpu_args_have(&args, TPU_OPTION_HELP)) {
    return tpu_help_print(command, json, r) ? TPU_EXIT_OK : TPU_EXIT_USAGE;
  }
  if (tpu_args_have(&args, TPU_OPTION_VERSION)) {
    return tpu_version_print(json, r) ? TPU_EXIT_OK : TPU_EXIT_USAGE;
  }
  if (command == NULL) {
    (void)tpu_command_find(0, argv, &words, r);
    return TPU_EXIT_USAGE;
  }
  return command->run(&args, r);
}

int main(int argc, char *argv[]) {
  struct tpu_report r = {.code = TPU_OK};
  int code = dispatch(argc > 0 ? argc - 1 : 0, argv + 1, &r);
  if (code == TPU_EXIT_USAGE) {
    code = usage(&r);
  }
  errno = 0;
  if (fflush(stdout) != 0 || ferror(stdout)) {
    fprintf(stderr, "tpuvp: cannot write standard output: %s\n", strerror(errno));
    return TPU_EXIT_USAGE;
  }
  return code;
}
