/* SPDX-License-Identifier: Apache-2.0 */
/* A deadlock as it is told. */
#ifndef TPU_PLATFORM_CLI_HANG_H
#define TPU_PLATFORM_CLI_HANG_H

#include "judge/engine.h"
#include "judge/json_write.h"

#ifdef __cplusplus
extern "C" {
#endif

/* On stdout: the circle in words, and every process that waits, those of the array that wait alike
 * as one line. */
void tpu_hang_print(const struct tpu_hang *h);

/* The list of the lines, below the circle, that tpu_hang_print has of those that wait. */
void tpu_hang_put_lines(const struct tpu_hang *h, const char *key, struct tpu_json_writer *w);

/* {processes: [{name, access, stream, occupancy, depth, waits_for, held}], cycle: [names],
 * words: [clauses]}: every process that waits. */
void tpu_hang_put(const struct tpu_hang *h, const char *key, struct tpu_json_writer *w);

#ifdef __cplusplus
}
#endif
#endif
