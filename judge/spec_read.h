/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the spec reader; internal to spec*.c. Each fills its part of *s from the object of
 * the document and returns 1, or 0 with the report. */
#ifndef TPU_JUDGE_SPEC_READ_H
#define TPU_JUDGE_SPEC_READ_H

#include "judge/json.h"
#include "judge/spec.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const char *const tpu_buffer_names[3]; /* by enum tpu_buffer */

/* Members that tensors and constants have in common. */
int tpu_spec_read_name(struct tpu_json object, char out[TPU_SPEC_NAME_BYTES], struct tpu_report *r);
int tpu_spec_read_buffer(struct tpu_json object, int is_output, uint32_t *out,
                         struct tpu_report *r);
int tpu_spec_read_origin(struct tpu_json object, uint32_t *row, uint32_t *col,
                         struct tpu_report *r);
int tpu_spec_read_dtype(struct tpu_json object, int required, struct tpu_report *r);

int tpu_spec_read_inputs(struct tpu_json root, struct tpu_spec *s, struct tpu_report *r);
int tpu_spec_read_output(struct tpu_json root, struct tpu_spec *s, struct tpu_report *r);
int tpu_spec_read_constants(struct tpu_json root, struct tpu_spec *s, struct tpu_report *r);

/* What concerns several parts at once; all of them have been read. */
int tpu_spec_validate(struct tpu_json root, const struct tpu_spec *s, struct tpu_report *r);

#ifdef __cplusplus
}
#endif
#endif
