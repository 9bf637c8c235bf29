/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/cli/program_text.h"

#include "isa/asm.h"
#include "judge/image_file.h"
#include "platform/cli/output.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LINE_BYTES = 256 /* of a disassembled instruction, indent included */ };

int tpu_program_put(const struct tpu_program *program, const struct tpu_code *code,
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

int tpu_program_decode(const char *file, const struct tpu_program *program, struct tpu_code *code,
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

int tpu_text_deliver(const struct tpu_args *args, const char *text, struct tpu_report *r) {
  const char *path = args->value[TPU_OPTION_OUTPUT];
  if (path != NULL) {
    return tpu_file_write(path, text, strlen(text), r);
  }
  fputs(text, stdout);
  return 1;
}

int tpu_program_show(const struct tpu_args *args, const char *name,
                     const struct tpu_program *program, struct tpu_report *r) {
  const int json = tpu_args_have(args, TPU_OPTION_JSON);
  struct tpu_code code;
  int good = tpu_program_decode(name, program, &code, r);
  if (good && (!json || tpu_args_have(args, TPU_OPTION_OUTPUT))) {
    const size_t capacity = (size_t)program->count * MAX_LINE_BYTES + 1;
    char *buf = malloc(capacity);
    if (buf == NULL) {
      good = tpu_report_fail(r, TPU_ERR_CAPACITY, "%s: out of memory", name);
    } else {
      struct tpu_text text = tpu_text_on(buf, capacity);
      tpu_disassemble_program(&code, &text);
      good = tpu_text_deliver(args, buf, r);
    }
    free(buf);
  }
  if (good && json) {
    good = tpu_program_put(program, &code, r);
  }
  free(code.insn);
  return good;
}
