/* SPDX-License-Identifier: Apache-2.0 */
/* The host side of the differential test of the core: prints what the image arith must print. */
#include "firmware/tests/arith_report.h"

#include <stdio.h>
#include <stdlib.h>

static void put_stdout(void *context, const char *line) { fputs(line, context); }

int main(void) {
  void *scratch = malloc(arith_scratch_bytes());
  if (scratch == NULL) {
    fputs("arith_host: no memory\n", stderr);
    return 2;
  }
  const struct arith_sink sink = {put_stdout, stdout};
  const unsigned lines = arith_report(scratch, &sink);
  free(scratch);
  return lines > 0 && fflush(stdout) == 0 ? 0 : 1;
}
