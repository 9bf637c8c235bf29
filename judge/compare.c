/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/compare.h"

#include <stdlib.h>
#include <string.h>

int64_t tpu_compare_delta(uint64_t a, uint64_t b) { return (int64_t)(b - a); }

static uint64_t magnitude(uint64_t a, uint64_t b) { return a < b ? b - a : a - b; }

int tpu_compare_passes(uint64_t a, uint64_t b, uint64_t of, double tolerance) {
  return a != b && (double)magnitude(a, b) * 100 > tolerance * (double)of;
}

uint64_t tpu_compare_base(const struct tpu_record *a, unsigned unit, enum tpu_counter c) {
  const uint64_t *x = a->unit[unit].count;
  if (c == TPU_COUNTER_PROMISED || c == TPU_COUNTER_DONE)
    return x[c];
  return x[TPU_COUNTER_BUSY] + x[TPU_COUNTER_STARVED] + x[TPU_COUNTER_BLOCKED] +
         x[TPU_COUNTER_IDLE];
}

static int units_changed(const struct tpu_record *a, const struct tpu_record *b, double tolerance) {
  for (unsigned u = 0; u < TPU_UNIT_COUNT; u++)
    for (unsigned c = 0; c < TPU_COUNTER_COUNT; c++)
      if (tpu_compare_passes(a->unit[u].count[c], b->unit[u].count[c],
                             tpu_compare_base(a, u, (enum tpu_counter)c), tolerance))
        return 1;
  return 0;
}

int tpu_compare_changed(const struct tpu_record *a, const struct tpu_record *b, double tolerance) {
  if (strcmp(a->verdict, b->verdict) != 0 ||
      tpu_compare_passes(a->cycles, b->cycles, a->cycles, tolerance) ||
      tpu_compare_passes(a->end_to_end, b->end_to_end, a->end_to_end, tolerance))
    return 1;
  for (unsigned c = 0; c < TPU_CAUSE_COUNT; c++)
    if (tpu_compare_passes(a->cause[c], b->cause[c], a->cycles, tolerance))
      return 1;
  return units_changed(a, b, tolerance);
}

static int compare_names(const void *x, const void *y) {
  const struct tpu_record *const *a = x;
  const struct tpu_record *const *b = y;
  return strcmp((*a)->name, (*b)->name);
}

/* The records by name; from malloc. */
static const struct tpu_record **index_of(const struct tpu_records *x) {
  const struct tpu_record **all = malloc((x->count + 1) * sizeof(const struct tpu_record *));
  if (all == NULL)
    return NULL;
  for (size_t i = 0; i < x->count; i++)
    all[i] = &x->record[i];
  qsort(all, x->count, sizeof(const struct tpu_record *), compare_names);
  return all;
}

static const struct tpu_record *find(const struct tpu_record **index, size_t count,
                                     const struct tpu_record *like) {
  const struct tpu_record *const *found =
      bsearch(&like, index, count, sizeof(const struct tpu_record *), compare_names);
  return found != NULL ? *found : NULL;
}

size_t tpu_compare_pairs(const struct tpu_records *a, const struct tpu_records *b,
                         struct tpu_pair *pair) {
  const struct tpu_record **in_a = index_of(a);
  const struct tpu_record **in_b = index_of(b);
  size_t count = SIZE_MAX;
  if (in_a != NULL && in_b != NULL) {
    count = 0;
    for (size_t i = 0; i < a->count; i++)
      pair[count++] = (struct tpu_pair){&a->record[i], find(in_b, b->count, &a->record[i])};
    for (size_t i = 0; i < b->count; i++)
      if (find(in_a, a->count, &b->record[i]) == NULL)
        pair[count++] = (struct tpu_pair){NULL, &b->record[i]};
  }
  free(in_a);
  free(in_b);
  return count;
}

/* The value of a setting, "-" when it is not stated. */
static const char *value_of(const struct tpu_records *x, const char *key) {
  for (size_t i = 0; i < x->settings; i++)
    if (strcmp(x->setting[i].key, key) == 0)
      return x->setting[i].value;
  return "-";
}

size_t tpu_compare_settings(const struct tpu_records *a, const struct tpu_records *b,
                            struct tpu_setting_change out[TPU_MAX_SETTING_CHANGES]) {
  const struct tpu_records *const files[2] = {a, b};
  size_t count = 0;
  for (int f = 0; f < 2; f++) {
    for (size_t i = 0; i < files[f]->settings; i++) {
      const char *key = files[f]->setting[i].key;
      const struct tpu_setting_change x = {key, value_of(a, key), value_of(b, key)};
      const int is_told = f == 1 && strcmp(x.a, "-") != 0; /* among those of a */
      if (!is_told && strcmp(x.a, x.b) != 0)
        out[count++] = x;
    }
  }
  return count;
}

unsigned tpu_compare_causes(const struct tpu_record *a, const struct tpu_record *b,
                            enum tpu_path_cause order[TPU_CAUSE_COUNT]) {
  unsigned count = 0;
  for (unsigned c = 0; c < TPU_CAUSE_COUNT; c++) {
    const uint64_t change = magnitude(a->cause[c], b->cause[c]);
    unsigned at = count;
    if (change == 0)
      continue;
    for (; at > 0 && magnitude(a->cause[order[at - 1]], b->cause[order[at - 1]]) < change; at--)
      order[at] = order[at - 1];
    order[at] = (enum tpu_path_cause)c;
    count++;
  }
  return count;
}
