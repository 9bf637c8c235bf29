/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/timing_file.h"

#include "judge/json.h"

#include <cstddef>

namespace tpu {

namespace {

enum { max_text = 1000 };

#define TPU_TIMING_NAME(key, lo, hi) #key,
const char *const keys[] = {TPU_TIMING_CONSTANTS(TPU_TIMING_NAME)};
#undef TPU_TIMING_NAME

int text(tpu_json object, const char *key, tpu_report *r) {
  tpu_json v;
  const char *words = nullptr;
  return tpu_json_need(object, key, &v, r) != 0 ? tpu_json_string(v, 1, max_text, &words, r) : 0;
}

// {"value": n, "unit": text, "reason": text}
int constant(tpu_json constants, const char *key, int lo, int hi, int &out, tpu_report *r) {
  static const char *const members[] = {"value", "unit", "reason"};
  tpu_json entry;
  tpu_json value;
  std::int64_t number = 0;
  if (tpu_json_need(constants, key, &entry, r) == 0 || tpu_json_object(entry, members, 3, r) == 0 ||
      tpu_json_need(entry, "value", &value, r) == 0 ||
      tpu_json_i64(value, lo, hi, &number, r) == 0 || text(entry, "unit", r) == 0 ||
      text(entry, "reason", r) == 0)
    return 0;
  out = static_cast<int>(number);
  return 1;
}

// A stage must lie inside its pipeline, and a put not before the get whose token it waits for.
int stages_fit(tpu_json constants, const core::timing_profile &t, tpu_report *r) {
  struct bound {
    const char *key;
    int value;
    const char *other;
    int lowest, highest;
  };
  const bound bounds[] = {
      {"load_put_stage", t.load_put_stage, "load_stages", 0, t.load_stages - 1},
      {"scratchpad_put_stage", t.scratchpad_put_stage, "scratchpad_stages", 0,
       t.scratchpad_stages - 1},
      {"scratchpad_get_stage", t.scratchpad_get_stage, "scratchpad_put_stage", 0,
       t.scratchpad_put_stage},
      {"vector_put_stage", t.vector_put_stage, "vector_stages", 0, t.vector_stages - 1},
      {"vector_get_stage", t.vector_get_stage, "vector_put_stage", 0, t.vector_put_stage},
      {"pe_forward_stage", t.pe_forward_stage, "pe_top_stages", 0, t.pe_top_stages - 1},
      {"pe_top_stages", t.pe_top_stages, "pe_stages", 1, t.pe_stages},
      {"pe_collect_stage", t.pe_collect_stage, "pe_stages", 0, t.pe_stages - 1},
      {"accumulator_put_stage", t.accumulator_put_stage, "accumulator_stages", 0,
       t.accumulator_stages - 1},
      {"accumulator_get_stage", t.accumulator_get_stage, "accumulator_put_stage", 0,
       t.accumulator_put_stage},
      {"store_request_stage", t.store_request_stage, "store_stages", 0, t.store_stages - 1},
      {"store_get_stage", t.store_get_stage, "store_request_stage", 0, t.store_request_stage},
  };
  for (const bound &b : bounds) {
    if (b.value < b.lowest || b.value > b.highest) {
      tpu_json entry;
      tpu_json value;
      if (tpu_json_need(constants, b.key, &entry, r) == 0 ||
          tpu_json_need(entry, "value", &value, r) == 0)
        return 0;
      return tpu_json_fail(value, r, "is %d; allowed with this %s is %d to %d", b.value, b.other,
                           b.lowest, b.highest);
    }
  }
  return 1;
}

int read(tpu_json root, core::timing_profile &out, tpu_report *r) {
  static const char *const members[] = {"description", "constants"};
  tpu_json constants;
  if (tpu_json_object(root, members, 2, r) == 0 || text(root, "description", r) == 0 ||
      tpu_json_need(root, "constants", &constants, r) == 0 ||
      tpu_json_object(constants, keys, sizeof keys / sizeof keys[0], r) == 0)
    return 0;
#define TPU_TIMING_READ(key, lo, hi)                                                               \
  if (constant(constants, #key, lo, hi, out.key, r) == 0)                                          \
    return 0;
  TPU_TIMING_CONSTANTS(TPU_TIMING_READ)
#undef TPU_TIMING_READ
  return stages_fit(constants, out, r);
}

} // namespace

int read_timing_profile(const char *path, core::timing_profile &out, tpu_report *r) {
  tpu_json_doc *doc = tpu_json_open(path, r);
  if (doc == nullptr)
    return 0;
  const int good = read(tpu_json_root(doc), out, r);
  tpu_json_close(doc);
  return good;
}

} // namespace tpu
