/* SPDX-License-Identifier: Apache-2.0 */
/* A product of configurations: several values for each of some keys of a configuration.
 *
 * Keys stand in the order of tpu_config_keys and values in ascending order, however they were
 * given. A configuration is a number from 0; the last key changes fastest. */
#ifndef TPU_JUDGE_AXES_H
#define TPU_JUDGE_AXES_H

#include "judge/config.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TPU_MAX_AXES = 32, TPU_AXIS_VALUE_BYTES = 16, TPU_MAX_CONFIGURATIONS = 100000 };

struct tpu_axis {
  const char *key; /* one of tpu_config_keys */
  size_t position; /* there */
  char (*value)[TPU_AXIS_VALUE_BYTES];
  size_t count;  /* of values, at least 1 */
  size_t stride; /* between configurations that differ in this key's next value */
};

struct tpu_axes {
  struct tpu_axis axis[TPU_MAX_AXES];
  size_t count;
  size_t configurations; /* the product of the counts; 1 without a key */
};

/* Reads "KEY=VALUE,VALUE,..." count times. A key given twice, a value listed twice, an unknown key,
 * a value out of the key's own range and a product above TPU_MAX_CONFIGURATIONS are errors. Whether
 * values go together is not looked at. Returns 1, *out to be released; 0 with the report. */
int tpu_axes_read(const char *const *assignments, size_t count, struct tpu_axes *out,
                  struct tpu_report *r);
void tpu_axes_release(struct tpu_axes *axes); /* an empty one is allowed */

/* Which value of the key a configuration has. */
size_t tpu_axes_at(const struct tpu_axes *axes, size_t configuration, size_t axis);
const char *tpu_axes_value(const struct tpu_axes *axes, size_t configuration, size_t axis);

enum { TPU_AXES_TEXT_BYTES = TPU_MAX_AXES * (TPU_AXIS_VALUE_BYTES + 32) };

/* "T=4 QD=16", or "-" when there is no key; out holds TPU_AXES_TEXT_BYTES. Returns out. */
const char *tpu_axes_text(const struct tpu_axes *axes, size_t configuration, char *out);

/* The configuration's values upon *base, which is not resolved, and resolution; source is named in
 * the message. 0 when they do not go together, with the reason. */
int tpu_axes_apply(const struct tpu_axes *axes, size_t configuration,
                   const struct tpu_platform_config *base, const char *source,
                   struct tpu_platform_config *out, struct tpu_report *r);

/* The object `key`: every key with its value, integers as numbers. */
void tpu_axes_put(const struct tpu_axes *axes, size_t configuration, const char *key,
                  struct tpu_json_writer *w);

/* The configuration of an object as tpu_axes_put writes it; 0 when it is none of these. */
int tpu_axes_find(const struct tpu_axes *axes, struct tpu_json object, size_t *configuration,
                  struct tpu_report *r);

#ifdef __cplusplus
}
#endif
#endif
