/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/violation.h"

#include <stdio.h>

const char *tpu_violation_text(const struct tpu_violation *v, char *out, size_t capacity) {
  char ivs[64] = "";
  struct tpu_text t = tpu_text_on(ivs, sizeof ivs);
  for (uint8_t i = 0; i < v->depth; ++i) {
    tpu_text_format(&t, "%s%u", i ? ", " : " with loop values ", v->iv[i]);
  }
  char where[96] = "";
  if (v->index >= 0) {
    const char *op = tpu_op_lookup(v->op)->name;
    (void)snprintf(where, sizeof where, "instruction %d (%s)%s: ", (int)v->index,
                   op != NULL ? op : "?", ivs);
  }
  (void)snprintf(out, capacity, "[%s / %s] %s%s", tpu_layer_name(tpu_rule_layer(v->rule)),
                 tpu_rule_name(v->rule), where, v->detail);
  return out;
}
