/* SPDX-License-Identifier: Apache-2.0 */
/* "allowed: a, b, c" and "did you mean": the closing words of a message about an unknown name. */
#ifndef TPU_JUDGE_SUGGEST_H
#define TPU_JUDGE_SUGGEST_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The name nearest to word by edit distance, or NULL when none is near enough to be meant. A name
 * of which parts joined by '_' are left out is as near as one with a wrong letter. */
const char *tpu_nearest(const char *word, const char *const *names, size_t count);

/* Writes "allowed: a, b, c", and "; did you mean b?" when one is near, to out; what does not fit
 * is cut at a name and ends in "...". Returns out. */
const char *tpu_allowed(const char *word, const char *const *names, size_t count, char *out,
                        size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
