/* SPDX-License-Identifier: Apache-2.0 */
/* The platform as the judge's engine: the accelerator on the bus, one for all runs, without an
 * image and without the core. */
#ifndef TPU_PLATFORM_CLI_PLATFORM_ENGINE_H
#define TPU_PLATFORM_CLI_PLATFORM_ENGINE_H

#include "judge/config.h"
#include "judge/engine.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Elaborates the platform, of which a process can have one; to be closed after its last result was
 * released. Requests must have the params of the configuration, which is resolved. timing_path: of
 * the profile; seed: garbage of the on-chip memories before the first run. 0 when the profile
 * cannot be read. */
int tpu_platform_engine_open(const struct tpu_platform_config *config, const char *timing_path,
                             uint32_t seed, struct tpu_engine *engine, struct tpu_report *r);
void tpu_platform_engine_close(struct tpu_engine *engine);

#ifdef __cplusplus
}
#endif
#endif
