/* SPDX-License-Identifier: Apache-2.0 */
/* The pass over a JSON text before it is parsed; internal to the reader. */
#ifndef TPU_JUDGE_JSON_SCAN_H
#define TPU_JUDGE_JSON_SCAN_H

#include "judge/report.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The first character of every string value of the rewritten text tells what it was. */
enum { TPU_JSON_TAG_NUMBER = 'n', TPU_JSON_TAG_STRING = 's' };

/* Accepts text[0 .. length) when it is one document of RFC 8259 with nothing after it, no deeper
 * than TPU_JSON_MAX_DEPTH, with valid UTF-8, paired surrogates, no NUL in a string and no number
 * beyond the finite doubles. Returns a rewritten, zero-terminated copy from malloc in which every
 * number is a string of its literal, bit-exact, and every string value carries a tag; NULL with
 * file, byte offset, line and column otherwise. */
char *tpu_json_scan(const char *file, const char *text, size_t length, struct tpu_report *r);

#ifdef __cplusplus
}
#endif
#endif
