/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TPU_JUDGE_UTF8_H
#define TPU_JUDGE_UTF8_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Length in bytes, 1 to 4, of the well-formed UTF-8 sequence (RFC 3629) at s, of which room >= 1
 * bytes may be read; 0 if there is none. */
size_t tpu_utf8_length(const char *s, size_t room);

/* A copy from malloc in which every byte outside a well-formed sequence is U+FFFD; NULL when memory
 * lacks. */
char *tpu_utf8_clean(const char *s);

#ifdef __cplusplus
}
#endif
#endif
