/* SPDX-License-Identifier: Apache-2.0 */
/* Configuration reader: any bytes give a configuration or one line; one that was read resolves to
 * legal parameters or names what is wrong. The first line, if it begins with '=', is an assignment.
 */
#define _GNU_SOURCE
#include "judge/config.h"
#include "test/fuzz/fuzz.h"
#include "test/fuzz/memory_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char path[MEMORY_FILE_PATH];
  char assignment[64] = "";
  const char *given[1] = {assignment};
  size_t count = 0;
  if (size > 0 && data[0] == '=') {
    const uint8_t *end = memchr(data, '\n', size);
    const size_t length = end == NULL ? size : (size_t)(end - data);
    if (length < sizeof assignment)
      memcpy(assignment, data + 1, length - 1);
    count = 1;
    data += length;
    size -= length;
  }
  const int fd = memory_file(data, size, path);
  struct tpu_platform_config c;
  struct tpu_report r = {.code = TPU_OK};
  if (tpu_config_load(path, given, count, &c, &r)) {
    struct tpu_params again = c.params;
    struct tpu_error e = {.code = TPU_OK};
    FUZZ_ASSERT(tpu_params_resolve(&again, &e)); /* resolving twice changes nothing */
    FUZZ_ASSERT(memcmp(&again, &c.params, sizeof again) == 0);
  } else {
    FUZZ_ASSERT(r.code != TPU_OK && fuzz_one_line(r.text, sizeof r.text));
  }
  memory_file_close(fd);
  return 0;
}
