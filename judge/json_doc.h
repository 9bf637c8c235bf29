/* SPDX-License-Identifier: Apache-2.0 */
/* The document behind struct tpu_json; internal to the reader. */
#ifndef TPU_JUDGE_JSON_DOC_H
#define TPU_JUDGE_JSON_DOC_H

#include "judge/json.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tpu_json_doc {
  struct cJSON *root;
  char file[400]; /* as shown in messages */
};

/* Writes the JSON path of a value, e.g. $.inputs[0].origin, to out; a path that does not fit ends
 * in "...", and so does a key of more than 47 bytes. Returns out. */
const char *tpu_json_path(struct tpu_json v, char *out, size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
