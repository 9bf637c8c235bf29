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
