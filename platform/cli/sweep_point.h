/* SPDX-License-Identifier: Apache-2.0 */
/* Points of a sweep, run in this process. */
#ifndef TPU_PLATFORM_CLI_SWEEP_POINT_H
#define TPU_PLATFORM_CLI_SWEEP_POINT_H

#include "judge/engine.h"
#include "judge/point.h"
#include "platform/cli/job.h"
#include "platform/cli/sweep_plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Runs a job that is to be run, on a machine of its configuration, and judges it. 0 for what
 * prevented that. */
typedef int tpu_sweep_run(void *context, const struct tpu_job *job, struct tpu_point *out,
                          struct tpu_report *r);

/* The verdict that stands, and why. */
void tpu_sweep_settle(const struct tpu_standing *standing, enum tpu_verdict run, const char *why,
                      struct tpu_point *out);

/* Runs every spec at a legal configuration and prints their lines on stdout. 0 for what prevented a
 * run; a verdict is none. */
int tpu_sweep_configuration_run(const struct tpu_sweep_plan *plan, size_t configuration,
                                tpu_sweep_run *run, void *context, struct tpu_report *r);

/* The same on the accelerator by itself, which has an ideal memory. */
int tpu_sweep_configuration_on_engine(const struct tpu_sweep_plan *plan, size_t configuration,
                                      const struct tpu_engine *engine, struct tpu_report *r);

/* The same on the platform, of which a process can have one. */
int tpu_sweep_configuration_on_platform(const struct tpu_sweep_plan *plan, size_t configuration,
                                        struct tpu_report *r);

#ifdef __cplusplus
}
#endif
#endif
