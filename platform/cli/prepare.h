/* SPDX-License-Identifier: Apache-2.0 */
/* The job that a command line names: SPEC, --program FILE, or both. */
#ifndef TPU_PLATFORM_CLI_PREPARE_H
#define TPU_PLATFORM_CLI_PREPARE_H

#include "platform/cli/job.h"
#include "platform/cli/options.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Checks that a job is named at all, and that --corpus belongs to it. word: the operand, or NULL;
 * what: what the command takes, e.g. "a SPEC or a program". Returns 1, or 0 with the report. */
int tpu_prepare_check(const struct tpu_args *args, const char *command, const char *what,
                      const char *word, struct tpu_report *r);

/* Returns an enum tpu_exit. */
typedef int tpu_job_use(void *context, const struct tpu_job *job, struct tpu_report *r);

/* Prepares the job, hands it to use and releases it. Returns what use does, or TPU_EXIT_USAGE with
 * the report for bad input. */
int tpu_prepare_job(const struct tpu_args *args, const char *word,
                    const struct tpu_platform_config *config, uint32_t seed, tpu_job_use *use,
                    void *context, struct tpu_report *r);

#ifdef __cplusplus
}
#endif
#endif
