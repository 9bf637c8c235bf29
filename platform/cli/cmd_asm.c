/* SPDX-License-Identifier: Apache-2.0 */
/* tpuvp asm, disasm: text to program file and back. */
#include "isa/asm.h"

#include "judge/program_file.h"
#include "platform/cli/commands.h"
#include "platform/cli/output.h"
#include "platform/cli/program_text.h"
#include "platform/cli/setup.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_TEXT_BYTES = 4 * 1024 * 1024 };

static int operand_due(const struct tpu_args *args, const char *command, struct tpu_report *r) {
  return args->operands == 1
             ? 1
             : tpu_report_fail(r, TPU_ERR_SYNTAX, "'%s' needs a FILE: tpuvp %s FILE", command,
                               command);
}

/* Words and text are the same at every configuration, but one that is given must be one. */
static int config_sound(const struct tpu_args *args, struct tpu_report *r) {
  struct tpu_platform_config config;
  return (!tpu_args_have(args, TPU_OPTION_CONFIG) && !tpu_args_have(args, TPU_OPTION_SET)) ||
         tpu_setup_config(args, &config, NULL, r);
}

int tpu_command_asm(const struct tpu_args *args, struct tpu_report *r) {
  char *text = NULL;
  size_t size = 0;
  const char *file = args->operand[0];
  if (!operand_due(args, "asm", r) || !config_sound(args, r) ||
      !tpu_read_file(file, MAX_TEXT_BYTES, &text, &size, r)) {
    return TPU_EXIT_USAGE;
  }
  int good = 1;
  struct tpu_error e = {.code = TPU_OK};
  struct tpu_program program = {malloc(TPU_PROGRAM_FILE_MAX * sizeof *program.words),
                                TPU_PROGRAM_FILE_MAX, 0};
  struct tpu_code code = {NULL, 0, 0};
  if (program.words == NULL) {
    good = tpu_report_fail(r, TPU_ERR_CAPACITY, "%s: out of memory", file);
  } else if (memchr(text, '\0', size) != NULL) {
    good =
        tpu_report_fail(r, TPU_ERR_SYNTAX, "%s: byte %zu is NUL: text is due", file, strlen(text));
  } else if (!tpu_assemble(text, &program, &e)) {
    good = tpu_report_wrap(r, file, &e);
  }
  if (good) {
    char *out = tpu_program_text(&program, TPU_WORDS_HEX);
    const int json = tpu_args_have(args, TPU_OPTION_JSON);
    if (out == NULL) {
      good = tpu_report_fail(r, TPU_ERR_CAPACITY, "%s: out of memory", file);
    } else if (!json || tpu_args_have(args, TPU_OPTION_OUTPUT)) {
      good = tpu_text_deliver(args, out, r);
    }
    free(out);
    if (good && json) {
      good = tpu_program_decode(file, &program, &code, r) && tpu_program_put(&program, &code, r);
    }
  }
  free(code.insn);
  free(program.words);
  free(text);
  return good ? TPU_EXIT_OK : TPU_EXIT_USAGE;
}

int tpu_command_disasm(const struct tpu_args *args, struct tpu_report *r) {
  struct tpu_program program;
  const char *file = args->operand[0];
  if (!operand_due(args, "disasm", r) || !config_sound(args, r) ||
      !tpu_program_read(file, &program, r)) {
    return TPU_EXIT_USAGE;
  }
  const int good = tpu_program_show(args, file, &program, r);
  tpu_program_release(&program);
  return good ? TPU_EXIT_OK : TPU_EXIT_USAGE;
}
