/* SPDX-License-Identifier: Apache-2.0 */
/* The arithmetic of the corpus application as a text: compiled for the target and for the host,
 * it must print the same lines on both. */
#ifndef TPU_FIRMWARE_TESTS_ARITH_REPORT_H
#define TPU_FIRMWARE_TESTS_ARITH_REPORT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes one line, newline included. */
struct arith_sink {
  void (*put)(void *context, const char *line);
  void *context;
};

/* Random streams, then for several parameter sets and every shape of the corpus: verdicts of the
 * predicates, the mapped program, its header, operand images, the interpreter's C and the
 * comparison, each as a checksum. scratch: 64-byte aligned, at least arith_scratch_bytes().
 * Returns the number of lines. */
unsigned arith_report(void *scratch, const struct arith_sink *sink);
size_t arith_scratch_bytes(void);

#ifdef __cplusplus
}
#endif
#endif
