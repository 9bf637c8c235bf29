/* SPDX-License-Identifier: Apache-2.0 */
/* The judge's engine: the accelerator's units hosted by a plain loop, without SystemC, so that a
 * process may run any number of machines. In cycles, bytes and hangs it is the platform's. */
#ifndef TPU_PLATFORM_CLI_ENGINE_H
#define TPU_PLATFORM_CLI_ENGINE_H

#include "judge/engine.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An engine that runs by the timing profile in a file, to be closed after its last result was
 * released. 0 when the file cannot be read as one. */
int tpu_engine_open(const char *timing_path, struct tpu_engine *engine, struct tpu_report *r);
void tpu_engine_close(struct tpu_engine *engine);

#ifdef __cplusplus
}
#endif
#endif
