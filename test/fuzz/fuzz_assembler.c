/* SPDX-License-Identifier: Apache-2.0 */
/* Assembler: any text gives a program or one line; what assembles, disassembles back to itself. */
#include "isa/asm.h"
#include "test/fuzz/fuzz.h"

enum { INSNS = 64, TEXT = 16384 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct tpu_word words[INSNS];
  struct tpu_word again_words[INSNS];
  struct tpu_insn insns[INSNS];
  struct tpu_program program = {words, INSNS, 0};
  struct tpu_program again = {again_words, INSNS, 0};
  struct tpu_code code = {insns, INSNS, 0};
  struct tpu_error e = {.code = TPU_OK};
  char *text = malloc(size + 1);
  FUZZ_ASSERT(text != NULL);
  memcpy(text, data, size);
  text[size] = '\0';
  const int good = tpu_assemble(text, &program, &e);
  free(text);
  if (!good) {
    FUZZ_ASSERT(e.code != TPU_OK && fuzz_one_line(e.text, sizeof e.text));
    return 0;
  }
  FUZZ_ASSERT(tpu_decode_program(&program, &code, NULL, NULL, &e));
  static char buf[TEXT];
  struct tpu_text out = tpu_text_on(buf, sizeof buf);
  tpu_disassemble_program(&code, &out);
  FUZZ_ASSERT(!out.truncated);
  FUZZ_ASSERT(tpu_assemble(buf, &again, &e));
  FUZZ_ASSERT(again.count == program.count);
  FUZZ_ASSERT(memcmp(words, again_words, program.count * sizeof words[0]) == 0);
  return 0;
}
