/* SPDX-License-Identifier: Apache-2.0 */
/* JSON reader: any bytes give a document or one line; every value answers without a crash. */
#include "judge/json.h"
#include "test/fuzz/fuzz.h"

static void visit(struct tpu_json v, int depth) {
  struct tpu_report r = {.code = TPU_OK};
  uint64_t u = 0;
  double d = 0;
  const char *s = NULL;
  FUZZ_ASSERT(depth <= TPU_JSON_MAX_DEPTH);
  if (!tpu_json_u64(v, 0, UINT64_MAX, &u, &r))
    FUZZ_ASSERT(fuzz_one_line(r.text, sizeof r.text));
  if (!tpu_json_number(v, -1e9, 1e9, &d, &r))
    FUZZ_ASSERT(fuzz_one_line(r.text, sizeof r.text));
  if (!tpu_json_string(v, 0, 100, &s, &r))
    FUZZ_ASSERT(fuzz_one_line(r.text, sizeof r.text));
  const enum tpu_json_type type = tpu_json_type(v);
  if (type != TPU_JSON_ARRAY && type != TPU_JSON_OBJECT)
    return;
  for (struct tpu_json i = tpu_json_first(v); i.node != NULL; i = tpu_json_next(i)) {
    struct tpu_json found;
    if (type == TPU_JSON_OBJECT)
      FUZZ_ASSERT(tpu_json_get(v, tpu_json_key(i), &found) && found.node == i.node);
    visit(i, depth + 1);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct tpu_report r = {.code = TPU_OK};
  struct tpu_json_doc *doc = tpu_json_parse("input", (const char *)data, size, &r);
  if (doc == NULL) {
    FUZZ_ASSERT(r.code != TPU_OK && fuzz_one_line(r.text, sizeof r.text));
    return 0;
  }
  visit(tpu_json_root(doc), 1);
  tpu_json_close(doc);
  return 0;
}
