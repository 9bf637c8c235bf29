/* SPDX-License-Identifier: Apache-2.0 */
/* tpuvp asm, disasm: text to program file and back. */
#include "isa/asm.h"

#include "judge/image_file.h"
#include "judge/program_file.h"
#include "platform/cli/commands.h"
#include "platform/cli/output.h"
#include "platform/cli/setup.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  MAX_TEXT_BYTES = 4 * 1024 * 1024,
  MAX_LINE_BYTES = 256 /* of a disassembled instruction, indent included */
};

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

/* The text of each instruction beside its words. */
static int print_instructions(const struct tpu_program *program, const struct tpu_code *code,
                              struct tpu_report *r) {
  struct tpu_json_writer *w = tpu_document_new(r);
  if (w == NULL) {
    return 0;
  }
  tpu_json_begin_object(w, NULL);
  tpu_json_begin_array(w, "instructions");
  for (uint32_t i = 0; i < code->count; ++i) {
    char buf[MAX_LINE_BYTES];
    struct tpu_text line = tpu_text_on(buf, sizeof buf);
    tpu_disassemble(&code->insn[i], &line);
    tpu_json_begin_object(w, NULL);
    tpu_json_put_u64(w, "index", i);
    tpu_json_put_string(w, "text", buf);
    tpu_json_begin_array(w, "words");
    for (int k = 0; k < 2; ++k) {
      char hex[24];
      const uint64_t word = k == 0 ? program->words[i].w0 : program->words[i].w1;
      (void)snprintf(hex, sizeof hex, "0x%016" PRIx64, word);
      tpu_json_put_string(w, NULL, hex);
    }
    tpu_json_end(w);
    tpu_json_end(w);
  }
  tpu_json_end(w);
  tpu_json_end(w);
  return tpu_print_json(w, r);
}

/* Decodes into storage that the caller frees. */
static int decode(const char *file, const struct tpu_program *program, struct tpu_code *code,
                  struct tpu_report *r) {
  uint32_t bad = 0;
  struct tpu_error e = {.code = TPU_OK};
  *code = (struct tpu_code){malloc((program->count + 1) * sizeof *code->insn), program->count, 0};
  if (code->insn == NULL) {
    return tpu_report_fail(r, TPU_ERR_CAPACITY, "%s: out of memory", file);
  }
  if (!tpu_decode_program(program, code, &bad, NULL, &e)) {
    return tpu_report_fail(r, e.code, "%s: instruction %" PRIu32 ": %s", file, bad, e.text);
  }
  return 1;
}

/* Text to -o FILE, or to stdout. */
static int deliver(const struct tpu_args *args, const char *text, struct tpu_report *r) {
  const char *path = args->value[TPU_OPTION_OUTPUT];
  if (path != NULL) {
    return tpu_file_write(path, text, strlen(text), r);
  }
  fputs(text, stdout);
  return 1;
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
      good = deliver(args, out, r);
    }
    free(out);
    if (good && json) {
      good = decode(file, &program, &code, r) && print_instructions(&program, &code, r);
    }
  }
  free(code.insn);
  free(program.words);
  free(text);
  return good ? TPU_EXIT_OK : TPU_EXIT_USAGE;
}

int tpu_command_disasm(const struct tpu_args *args, struct tpu_report *r) {
  struct tpu_program program;
  struct tpu_code code = {NULL, 0, 0};
  const char *file = args->operand[0];
  if (!operand_due(args, "disasm", r) || !config_sound(args, r) ||
      !tpu_program_read(file, &program, r)) {
    return TPU_EXIT_USAGE;
  }
  int good = decode(file, &program, &code, r);
  const int json = tpu_args_have(args, TPU_OPTION_JSON);
  if (good && (!json || tpu_args_have(args, TPU_OPTION_OUTPUT))) {
    const size_t capacity = (size_t)program.count * MAX_LINE_BYTES + 1;
    char *buf = malloc(capacity);
    if (buf == NULL) {
      good = tpu_report_fail(r, TPU_ERR_CAPACITY, "%s: out of memory", file);
    } else {
      struct tpu_text text = tpu_text_on(buf, capacity);
      tpu_disassemble_program(&code, &text);
      good = deliver(args, buf, r);
    }
    free(buf);
  }
  if (good && json) {
    good = print_instructions(&program, &code, r);
  }
  free(code.insn);
  tpu_program_release(&program);
  return good ? TPU_EXIT_OK : TPU_EXIT_USAGE;
}
