/* SPDX-License-Identifier: Apache-2.0 */
#include "isa/rules.h"

struct rule {
  const char *name;
  enum tpu_layer layer;
};

static const struct rule rules[TPU_RULE_COUNT] = {
#define RULE_ENTRY(id, layer_id, text) {text, TPU_LAYER_##layer_id},
    TPU_RULES(RULE_ENTRY)
#undef RULE_ENTRY
};

const char *tpu_rule_name(int rule) {
  return rule >= 0 && rule < TPU_RULE_COUNT ? rules[rule].name : "?";
}

enum tpu_layer tpu_rule_layer(int rule) {
  return rule >= 0 && rule < TPU_RULE_COUNT ? rules[rule].layer : TPU_LAYER_ISA;
}

const char *tpu_layer_name(enum tpu_layer l) {
  switch (l) {
  case TPU_LAYER_ISA:
    return "isa";
  case TPU_LAYER_ENCODING:
    return "encoding";
  case TPU_LAYER_PROTOCOL:
    return "protocol";
  case TPU_LAYER_SPEC:
    return "spec";
  }
  return "?";
}
