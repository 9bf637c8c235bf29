/* SPDX-License-Identifier: Apache-2.0 */
/* Verdicts of a suite as JUnit XML, the form that continuous integration reads. */
#ifndef TPU_JUDGE_JUNIT_H
#define TPU_JUDGE_JUNIT_H

#include "judge/report.h"
#include "judge/verdict.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tpu_junit;

/* A suite without cases; NULL when memory lacks. */
struct tpu_junit *tpu_junit_new(const char *suite);
void tpu_junit_free(struct tpu_junit *junit); /* NULL is allowed */

/* Adds a case: EXACT passes; a verdict that fails no suite is skipped, with the verdict and reason
 * as message; FAULT and NOT RUN are errors, the rest failures, of type verdict and with details as
 * text. reason and details may be NULL. A lack of memory is remembered. */
void tpu_junit_add(struct tpu_junit *junit, const char *name, enum tpu_verdict verdict,
                   const char *reason, const char *details);

/* Adds a failure of a type that is no verdict. */
void tpu_junit_fail(struct tpu_junit *junit, const char *name, const char *type,
                    const char *message);

/* The document; from malloc, zero-terminated. Characters that XML does not have, and bytes that are
 * not UTF-8, are U+FFFD in it. It names no times: the same verdicts have the same bytes. NULL when
 * memory lacked. */
char *tpu_junit_text(const struct tpu_junit *junit);

/* Writes the document to a file. */
int tpu_junit_write(const struct tpu_junit *junit, const char *path, struct tpu_report *r);

#ifdef __cplusplus
}
#endif
#endif
