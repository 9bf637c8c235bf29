/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/causes.h"

#include "judge/named.h"

static const struct tpu_named causes[TPU_CAUSE_COUNT] = {TPU_PATH_CAUSES(TPU_NAMED_ROW)};

const char *tpu_cause_id(enum tpu_path_cause c) {
  static const char *const ids[TPU_CAUSE_COUNT] = {
#define CAUSE_ID(id, name, text) #id,
      TPU_PATH_CAUSES(CAUSE_ID)
#undef CAUSE_ID
  };
  return (unsigned)c < TPU_CAUSE_COUNT ? ids[c] : "?";
}

const char *tpu_cause_name(enum tpu_path_cause c) {
  return tpu_named_of(causes, TPU_CAUSE_COUNT, c).name;
}

const char *tpu_cause_sentence(enum tpu_path_cause c) {
  return tpu_named_of(causes, TPU_CAUSE_COUNT, c).sentence;
}

void tpu_causes_put(const uint64_t *cycles, int zeros, struct tpu_json_writer *w) {
  tpu_json_begin_object(w, "causes");
  for (unsigned c = 0; c < TPU_CAUSE_COUNT; c++)
    if (zeros || cycles[c] != 0)
      tpu_json_put_u64(w, tpu_cause_id((enum tpu_path_cause)c), cycles[c]);
  tpu_json_end(w);
}

int tpu_causes_read(struct tpu_json document, uint64_t *cycles, struct tpu_report *r) {
  const char *ids[TPU_CAUSE_COUNT];
  struct tpu_json object;
  for (unsigned c = 0; c < TPU_CAUSE_COUNT; c++)
    ids[c] = tpu_cause_id((enum tpu_path_cause)c);
  if (!tpu_json_need(document, "causes", &object, r) ||
      !tpu_json_object(object, ids, TPU_CAUSE_COUNT, r))
    return 0;
  for (unsigned c = 0; c < TPU_CAUSE_COUNT; c++) {
    struct tpu_json v;
    if (tpu_json_get(object, ids[c], &v) && !tpu_json_count(v, &cycles[c], r))
      return 0;
  }
  return 1;
}
