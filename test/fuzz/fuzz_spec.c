/* SPDX-License-Identifier: Apache-2.0 */
/* Spec reader: any bytes give a spec or one line; whatever was read can be asked, mapped, imaged.
 */
#define _GNU_SOURCE
#include "isa/mapper.h"
#include "judge/spec.h"
#include "test/fuzz/fuzz.h"
#include "test/fuzz/memory_file.h"

enum { INSNS = 64 };

static void ask(const struct tpu_spec *spec, uint32_t t, uint32_t maxdim) {
  struct tpu_params p = {.t = t, .maxdim = maxdim, .qd = 16, .dma_words = 1};
  struct tpu_error e = {.code = TPU_OK};
  struct tpu_report r = {.code = TPU_OK};
  struct tpu_standing_store store;
  struct tpu_standing standing;
  FUZZ_ASSERT(tpu_params_resolve(&p, &e));
  if (!tpu_spec_standing(spec, &p, &store, &standing, &r)) {
    FUZZ_ASSERT(fuzz_one_line(r.text, sizeof r.text));
    return;
  }
  if (standing.unfit != NULL)
    return;
  struct tpu_word words[INSNS];
  struct tpu_program program = {words, INSNS, 0};
  if (!tpu_map_baseline(&p, &spec->workload, &program, &e))
    FUZZ_ASSERT(fuzz_one_line(e.text, sizeof e.text));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char path[MEMORY_FILE_PATH];
  const int fd = memory_file(data, size, path);
  struct tpu_spec spec;
  struct tpu_report r = {.code = TPU_OK};
  if (tpu_spec_read(path, &spec, &r)) {
    ask(&spec, 4, 64);
    ask(&spec, 8, 16);
    tpu_spec_release(&spec);
  } else {
    FUZZ_ASSERT(r.code != TPU_OK && fuzz_one_line(r.text, sizeof r.text));
  }
  memory_file_close(fd);
  return 0;
}
