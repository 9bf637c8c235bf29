/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/axes.h"

#include "judge/number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Integers by value, words by letter. */
static int is_before(const char *a, const char *b) {
  uint64_t x = 0;
  uint64_t y = 0;
  if (tpu_number_decimal(a, strlen(a), NULL, &x) == TPU_NUMBER_OK &&
      tpu_number_decimal(b, strlen(b), NULL, &y) == TPU_NUMBER_OK)
    return x < y;
  return strcmp(a, b) < 0;
}

/* Puts a value that is good in its place; a value that is there already is an error. */
static int insert(struct tpu_axis *axis, const char *value, struct tpu_report *r) {
  size_t at = axis->count;
  for (; at > 0 && is_before(value, axis->value[at - 1]); at--)
    memcpy(axis->value[at], axis->value[at - 1], sizeof axis->value[at]);
  (void)snprintf(axis->value[at], sizeof axis->value[at], "%s", value);
  axis->count++;
  if (at > 0 && strcmp(axis->value[at - 1], value) == 0)
    return tpu_report_fail(r, TPU_ERR_RANGE, "--set %s: %s is listed twice; allowed is once",
                           axis->key, value);
  return 1;
}

/* Each value by itself must be one that an assignment may give. */
static int read_values(const char *assignment, size_t key_length, struct tpu_axis *axis,
                       struct tpu_report *r) {
  const char *at = assignment + key_length + 1;
  for (;;) {
    struct tpu_platform_config scratch = tpu_config_default();
    const size_t length = strcspn(at, ",");
    char one[96];
    const int n = snprintf(one, sizeof one, "%.*s=%.*s", (int)key_length, assignment,
                           length < 64 ? (int)length : 64, at);
    if (n < 0 || !tpu_config_set(&scratch, one, r) || !insert(axis, one + key_length + 1, r))
      return 0;
    if (at[length] == '\0')
      return 1;
    at += length + 1;
  }
}

static int key_of(const char *assignment, size_t length, struct tpu_axis *axis) {
  size_t count = 0;
  const char *const *keys = tpu_config_keys(&count);
  for (size_t i = 0; i < count; i++) {
    if (strlen(keys[i]) == length && memcmp(keys[i], assignment, length) == 0) {
      axis->key = keys[i];
      axis->position = i;
      return 1;
    }
  }
  return 0;
}

static int read_axis(const char *assignment, struct tpu_axis *axis, struct tpu_report *r) {
  const size_t length = strcspn(assignment, "=");
  size_t values = 1;
  *axis = (struct tpu_axis){.key = NULL};
  if (assignment[length] == '\0' || !key_of(assignment, length, axis)) {
    struct tpu_platform_config scratch;
    return tpu_config_set(&scratch, assignment, r); /* says what is wrong with it */
  }
  for (const char *c = assignment; *c != '\0'; c++)
    values += *c == ',';
  axis->value = malloc(values * sizeof *axis->value);
  if (axis->value == NULL)
    return tpu_report_fail(r, TPU_ERR_CAPACITY, "out of memory");
  return read_values(assignment, length, axis, r);
}

static int add(struct tpu_axes *axes, const struct tpu_axis *axis, struct tpu_report *r) {
  size_t at = axes->count++;
  for (; at > 0 && axis->position < axes->axis[at - 1].position; at--)
    axes->axis[at] = axes->axis[at - 1];
  axes->axis[at] = *axis;
  if (at > 0 && axes->axis[at - 1].position == axis->position)
    return tpu_report_fail(r, TPU_ERR_SYNTAX,
                           "--set %s: given twice; list its values once, with commas", axis->key);
  return 1;
}

static int multiply(struct tpu_axes *axes, struct tpu_report *r) {
  axes->configurations = 1;
  for (size_t a = axes->count; a-- > 0;) {
    axes->axis[a].stride = axes->configurations;
    axes->configurations *= axes->axis[a].count;
    if (axes->configurations > TPU_MAX_CONFIGURATIONS)
      return tpu_report_fail(r, TPU_ERR_RANGE,
                             "--set: the product has more than %d configurations; allowed are up "
                             "to so many",
                             TPU_MAX_CONFIGURATIONS);
  }
  return 1;
}

int tpu_axes_read(const char *const *assignments, size_t count, struct tpu_axes *out,
                  struct tpu_report *r) {
  int good = 1;
  *out = (struct tpu_axes){.count = 0};
  for (size_t i = 0; good && i < count; i++) {
    struct tpu_axis axis;
    good = read_axis(assignments[i], &axis, r);
    if (good && out->count == TPU_MAX_AXES)
      good = tpu_report_fail(r, TPU_ERR_CAPACITY, "--set given more than %d times", TPU_MAX_AXES);
    if (good)
      good = add(out, &axis, r);
    else
      free(axis.value);
  }
  if (!good || !multiply(out, r)) {
    tpu_axes_release(out);
    return 0;
  }
  return 1;
}

void tpu_axes_release(struct tpu_axes *axes) {
  for (size_t a = 0; a < axes->count; a++)
    free(axes->axis[a].value);
  *axes = (struct tpu_axes){.count = 0};
}

size_t tpu_axes_at(const struct tpu_axes *axes, size_t configuration, size_t axis) {
  return configuration / axes->axis[axis].stride % axes->axis[axis].count;
}

const char *tpu_axes_value(const struct tpu_axes *axes, size_t configuration, size_t axis) {
  return axes->axis[axis].value[tpu_axes_at(axes, configuration, axis)];
}

const char *tpu_axes_text(const struct tpu_axes *axes, size_t configuration, char *out) {
  struct tpu_text t = tpu_text_on(out, TPU_AXES_TEXT_BYTES);
  for (size_t a = 0; a < axes->count; a++)
    tpu_text_format(&t, "%s%s=%s", a != 0 ? " " : "", axes->axis[a].key,
                    tpu_axes_value(axes, configuration, a));
  if (axes->count == 0)
    tpu_text_str(&t, "-");
  return out;
}

int tpu_axes_apply(const struct tpu_axes *axes, size_t configuration,
                   const struct tpu_platform_config *base, const char *source,
                   struct tpu_platform_config *out, struct tpu_report *r) {
  char text[TPU_MAX_AXES][TPU_AXIS_VALUE_BYTES + 32];
  const char *assignments[TPU_MAX_AXES];
  for (size_t a = 0; a < axes->count; a++) {
    (void)snprintf(text[a], sizeof text[a], "%s=%s", axes->axis[a].key,
                   tpu_axes_value(axes, configuration, a));
    assignments[a] = text[a];
  }
  *out = *base;
  return tpu_config_assign(out, assignments, axes->count, r) && tpu_config_resolve(out, source, r);
}

void tpu_axes_put(const struct tpu_axes *axes, size_t configuration, const char *key,
                  struct tpu_json_writer *w) {
  tpu_json_begin_object(w, key);
  for (size_t a = 0; a < axes->count; a++) {
    const char *value = tpu_axes_value(axes, configuration, a);
    uint64_t number = 0;
    if (tpu_number_decimal(value, strlen(value), NULL, &number) == TPU_NUMBER_OK)
      tpu_json_put_u64(w, axes->axis[a].key, number);
    else
      tpu_json_put_string(w, axes->axis[a].key, value);
  }
  tpu_json_end(w);
}

/* Which value of an axis a member states. */
static int find_value(const struct tpu_axis *axis, struct tpu_json member, size_t *at,
                      struct tpu_report *r) {
  char number[24];
  const char *text = number;
  if (tpu_json_type(member) == TPU_JSON_STRING) {
    if (!tpu_json_string(member, 1, 64, &text, r))
      return 0;
  } else {
    uint64_t value = 0;
    if (!tpu_json_u64(member, 0, UINT32_MAX, &value, r))
      return 0;
    (void)snprintf(number, sizeof number, "%llu", (unsigned long long)value);
  }
  for (*at = 0; *at < axis->count; ++*at)
    if (strcmp(axis->value[*at], text) == 0)
      return 1;
  return tpu_json_fail(member, r, "%s is no value of the sweep", text);
}

int tpu_axes_find(const struct tpu_axes *axes, struct tpu_json object, size_t *configuration,
                  struct tpu_report *r) {
  const char *keys[TPU_MAX_AXES];
  *configuration = 0;
  for (size_t a = 0; a < axes->count; a++)
    keys[a] = axes->axis[a].key;
  if (!tpu_json_object(object, keys, axes->count, r))
    return 0;
  for (size_t a = 0; a < axes->count; a++) {
    struct tpu_json member;
    size_t at = 0;
    if (!tpu_json_need(object, keys[a], &member, r) || !find_value(&axes->axis[a], member, &at, r))
      return 0;
    *configuration += at * axes->axis[a].stride;
  }
  return 1;
}
