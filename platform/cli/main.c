/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "platform/cli/commands.h"
#include "platform/cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int usage(const struct tpu_report *r) {
  fprintf(stderr, "tpuvp: %s\n", r->text);
  return TPU_EXIT_USAGE;
}

static int dispatch(int argc, char *const argv[], struct tpu_report *r) {
  struct tpu_args args;
  const struct tpu_command *command = NULL;
  int words = 0;
  if (argc > 0 && argv[0][0] == '-') { /* options of the program itself */
    const uint64_t takes = TPU_TAKES(HELP) | TPU_TAKES(VERSION) | TPU_TAKES(JSON);
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

/* Why stdout did not take everything, or NULL. The reason of a write that failed long ago is gone;
 * an empty write, which does no harm, makes a device or a closed file say it again. */
static const char *output_lost(void) {
  if (fflush(stdout) != 0) {
    return strerror(errno);
  }
  if (!ferror(stdout)) {
    return NULL;
  }
  return write(STDOUT_FILENO, "", 0) < 0 ? strerror(errno) : "a write failed";
}

/* A standard stream that was closed: else the next file that is opened would be that stream. Its
 * use fails, as that of a closed one, so that output that is lost is still told. */
static void fill_closed_streams(void) {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    if (fcntl(fd, F_GETFD) < 0) { /* the lowest that is free: open gives this one */
      (void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
  }
}

int main(int argc, char *argv[]) {
  fill_closed_streams();
  struct tpu_report r = {.code = TPU_OK};
  int code = dispatch(argc > 0 ? argc - 1 : 0, argv + 1, &r);
  const char *lost = output_lost();
  if (code != TPU_EXIT_USAGE && lost != NULL) {
    (void)tpu_report_fail(&r, TPU_ERR_USE, "cannot write standard output: %s", lost);
    code = TPU_EXIT_USAGE;
  }
  return code == TPU_EXIT_USAGE ? usage(&r) : code;
}
