/* SPDX-License-Identifier: Apache-2.0 */
/* Program files: any bytes give words or one line; words survive writing and reading in both
 * forms, bit for bit. */
#include "judge/program_file.h"
#include "test/fuzz/fuzz.h"

static int read_text(const char *text, size_t size, struct tpu_program *out, struct tpu_report *r) {
  struct tpu_json_doc *doc = tpu_json_parse("input", text, size, r);
  if (doc == NULL)
    return 0;
  const int good = tpu_program_from_json(tpu_json_root(doc), out, r);
  tpu_json_close(doc);
  return good;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct tpu_program program;
  struct tpu_report r = {.code = TPU_OK};
  if (!read_text((const char *)data, size, &program, &r)) {
    FUZZ_ASSERT(r.code != TPU_OK && fuzz_one_line(r.text, sizeof r.text));
    return 0;
  }
  for (int form = 0; form < 2; ++form) {
    struct tpu_program again;
    char *text = tpu_program_text(&program, form == 0 ? TPU_WORDS_HEX : TPU_WORDS_DECIMAL);
    FUZZ_ASSERT(text != NULL && read_text(text, strlen(text), &again, &r));
    FUZZ_ASSERT(again.count == program.count);
    FUZZ_ASSERT(memcmp(again.words, program.words, program.count * sizeof *program.words) == 0);
    tpu_program_release(&again);
    free(text);
  }
  tpu_program_release(&program);
  return 0;
}
