/* SPDX-License-Identifier: Apache-2.0 */
/* The machines on which programs were measured: those of the published calibration table. Cycles on
 * any other are extrapolated, and every command marks them so. */
#ifndef TPU_JUDGE_MEASURED_H
#define TPU_JUDGE_MEASURED_H

#include "judge/config.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of a resolved configuration: its accelerator is none of those, or its memory is not ideal. On
 * an ideal memory the processor has no part in the accelerator's cycles. */
int tpu_extrapolated(const struct tpu_platform_config *c);

/* What follows the cycles, or the machine that they are of: " (extrapolated: ...)", or "" where
 * the machine is a measured one. */
const char *tpu_extrapolated_note(const struct tpu_platform_config *c);

enum { TPU_MEASURED_BYTES = 160 };

/* "T=4 with MAXDIM=16,64 QD=8,16; ...": all of them, in one line. Returns out. */
const char *tpu_measured_text(char out[TPU_MEASURED_BYTES]);

#ifdef __cplusplus
}
#endif
#endif
