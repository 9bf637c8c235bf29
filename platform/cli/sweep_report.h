/* SPDX-License-Identifier: Apache-2.0 */
/* How a finished sweep is told. The same sweep, the same bytes: no time, host or path is in them.
 */
#ifndef TPU_PLATFORM_CLI_SWEEP_REPORT_H
#define TPU_PLATFORM_CLI_SWEEP_REPORT_H

#include "judge/tally.h"
#include "platform/cli/sweep_store.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tpu_tally tpu_sweep_tally(const struct tpu_sweep_store *store);

/* Texts from malloc; NULL, with the report, when memory lacks. */

/* Markdown that reads as text too. */
char *tpu_sweep_report_text(const struct tpu_sweep_store *store, struct tpu_report *r);

/* A line per point, the first the names of the columns. */
char *tpu_sweep_report_csv(const struct tpu_sweep_store *store, struct tpu_report *r);

/* The lines of every point, in order. */
char *tpu_sweep_report_lines(const struct tpu_sweep_store *store, struct tpu_report *r);

/* The document of --json: docs/sweep.schema.json. */
char *tpu_sweep_report_json(const struct tpu_sweep_store *store, struct tpu_report *r);

#ifdef __cplusplus
}
#endif
#endif
