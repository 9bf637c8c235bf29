/* SPDX-License-Identifier: Apache-2.0 */
/* Program files that may begin with a header: any bytes give words or one line, and words are legal
 * or break a contract that has a name, layer by layer. */
#define _GNU_SOURCE
#include "judge/legal.h"
#include "judge/program_file.h"
#include "test/fuzz/fuzz.h"
#include "test/fuzz/memory_file.h"

static void judge(const struct tpu_program *program, const struct tpu_program_header *header) {
  struct tpu_params p = {.t = 4, .maxdim = 16, .qd = 8, .dma_words = 1};
  struct tpu_error e = {.code = TPU_OK};
  FUZZ_ASSERT(tpu_params_resolve(&p, &e));
  const struct tpu_legal_request request = {&p, program, header->given ? header->word : NULL, NULL};
  struct tpu_legality legality;
  struct tpu_report r = {.code = TPU_OK};
  FUZZ_ASSERT(tpu_legal(&request, &legality, &r));
  const struct tpu_violation *v = &legality.violation;
  FUZZ_ASSERT(legality.legal == (v->rule == TPU_RULE_NONE));
  if (!legality.legal) {
    FUZZ_ASSERT(v->rule >= 0 && v->rule < TPU_RULE_COUNT);
    FUZZ_ASSERT(fuzz_one_line(v->detail, sizeof v->detail));
    FUZZ_ASSERT(v->index < (int64_t)program->count);
  }
  tpu_legality_release(&legality);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char path[MEMORY_FILE_PATH];
  const int fd = memory_file(data, size, path);
  struct tpu_program program;
  struct tpu_program_header header;
  struct tpu_report r = {.code = TPU_OK};
  if (tpu_program_read_headed(path, &program, &header, &r)) {
    judge(&program, &header);
    tpu_program_release(&program);
  } else {
    FUZZ_ASSERT(r.code != TPU_OK && fuzz_one_line(r.text, sizeof r.text));
  }
  memory_file_close(fd);
  return 0;
}
