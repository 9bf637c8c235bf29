/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of measured programs: any bytes give points or one line; a point that was read has
 * resolved parameters, a program, and a header that can start it. */
#define _GNU_SOURCE
#include "judge/calibration.h"
#include "test/fuzz/fuzz.h"
#include "test/fuzz/memory_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char path[MEMORY_FILE_PATH];
  const int fd = memory_file(data, size, path);
  struct tpu_calibration table;
  struct tpu_report r = {.code = TPU_OK};
  if (tpu_calibration_read(path, &table, &r)) {
    FUZZ_ASSERT(table.count > 0);
    for (size_t i = 0; i < table.count; ++i) {
      const struct tpu_measured_point *p = &table.point[i];
      struct tpu_params again = p->params;
      struct tpu_error e = {.code = TPU_OK};
      uint64_t header[TPU_HEADER_WORDS];
      FUZZ_ASSERT(tpu_params_resolve(&again, &e) && p->id[0] != '\0' && p->program.count > 0);
      FUZZ_ASSERT(tpu_header_pack(&p->counts, header) && (p->completes || p->cycles == 0));
    }
  } else {
    FUZZ_ASSERT(table.count == 0 && r.code != TPU_OK && fuzz_one_line(r.text, sizeof r.text));
  }
  tpu_calibration_release(&table);
  memory_file_close(fd);
  return 0;
}
