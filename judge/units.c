/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/units.h"

#include "judge/kpn.h"

static const char *const counters[TPU_COUNTER_COUNT] = {
#define COUNTER_NAME(id, name, text) #name,
    TPU_COUNTERS(COUNTER_NAME)
#undef COUNTER_NAME
};

const char *tpu_counter_name(enum tpu_counter c) {
  return (unsigned)c < TPU_COUNTER_COUNT ? counters[c] : "?";
}

void tpu_units_put(const struct tpu_unit_counters *unit, int ran, struct tpu_json_writer *w) {
  tpu_json_begin_object(w, "units");
  for (unsigned u = 0; ran && u < TPU_UNIT_COUNT; u++) {
    tpu_json_begin_object(w, tpu_unit_name((enum tpu_unit)u));
    for (unsigned c = 0; c < TPU_COUNTER_COUNT; c++)
      tpu_json_put_u64(w, counters[c], unit[u].count[c]);
    tpu_json_end(w);
  }
  tpu_json_end(w);
}

int tpu_units_read(struct tpu_json document, struct tpu_unit_counters *unit, struct tpu_report *r) {
  struct tpu_json units;
  if (!tpu_json_need(document, "units", &units, r) || !tpu_json_object(units, NULL, 0, r))
    return 0;
  for (unsigned u = 0; u < TPU_UNIT_COUNT; u++) {
    struct tpu_json at;
    if (!tpu_json_get(units, tpu_unit_name((enum tpu_unit)u), &at))
      continue;
    if (!tpu_json_object(at, NULL, 0, r))
      return 0;
    for (unsigned c = 0; c < TPU_COUNTER_COUNT; c++) {
      struct tpu_json v;
      if (!tpu_json_need(at, counters[c], &v, r) || !tpu_json_count(v, &unit[u].count[c], r))
        return 0;
    }
  }
  return 1;
}
