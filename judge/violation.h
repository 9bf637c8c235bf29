/* SPDX-License-Identifier: Apache-2.0 */
/* A broken contract in words. */
#ifndef TPU_JUDGE_VIOLATION_H
#define TPU_JUDGE_VIOLATION_H

#include "isa/check.h"

#ifdef __cplusplus
extern "C" {
#endif

/* "[layer / rule] instruction N (op) with loop values ...: what happened"; returns out. */
const char *tpu_violation_text(const struct tpu_violation *v, char *out, size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
