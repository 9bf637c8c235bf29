/* SPDX-License-Identifier: Apache-2.0 */
/* A deadlock as it is told. */
#ifndef TPU_PLATFORM_CLI_HANG_H
#define TPU_PLATFORM_CLI_HANG_H

#include "judge/engine.h"
#include "judge/json_write.h"

#ifdef __cplusplus
extern "C" {
#endif

/* On stdout: those in the circle, a line each; who waits for them in turn is in the JSON. */
void tpu_hang_print(const struct tpu_hang *h);

/* {processes: [{name, access, stream, occupancy, depth, held}], cycle: [names]} */
void tpu_hang_put(const struct tpu_hang *h, const char *key, struct tpu_json_writer *w);

#ifdef __cplusplus
}
#endif
#endif
