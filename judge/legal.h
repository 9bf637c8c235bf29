/* SPDX-License-Identifier: Apache-2.0 */
/* Legality: the 23 contracts in their four layers. Layers isa and encoding are tpu_check_program,
 * spec is tpu_check_spec, both of isa/check.h; here are the protocol, and all of them in order. */
#ifndef TPU_JUDGE_LEGAL_H
#define TPU_JUDGE_LEGAL_H

#include "judge/kpn.h"
#include "judge/violation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is to be judged. All borrowed. */
struct tpu_legal_request {
  const struct tpu_params *params; /* resolved */
  const struct tpu_program *program;
  const uint64_t *header;              /* TPU_HEADER_WORDS words that came with it, or NULL */
  const struct tpu_workload *workload; /* fits, or NULL: layer spec is not asked */
};

/* How far a layer was looked at. */
enum tpu_layer_state {
  TPU_LAYER_HOLDS,
  TPU_LAYER_BROKEN,
  TPU_LAYER_PARTLY,      /* it held up to the instruction at which another one was broken */
  TPU_LAYER_NOT_REACHED, /* a layer before it is broken */
  TPU_LAYER_NOT_ASKED
};
enum { TPU_LAYER_COUNT = TPU_LAYER_SPEC + 1 };

struct tpu_legality {
  int legal;
  struct tpu_violation violation; /* the first broken contract; rule TPU_RULE_NONE when legal */
  enum tpu_layer_state layer[TPU_LAYER_COUNT];
  int counted; /* layers isa and encoding hold: code and counts are there */
  struct tpu_code code;
  struct tpu_counts counts;
  int networked; /* layer protocol was reached */
  struct tpu_kpn network;
};

const char *tpu_layer_state_name(enum tpu_layer_state s); /* "holds", "not reached", ... */

/* Judges a program, to its first broken contract. Returns 1, *out to be released; 0 for want of
 * memory. */
int tpu_legal(const struct tpu_legal_request *request, struct tpu_legality *out,
              struct tpu_report *r);
void tpu_legality_release(struct tpu_legality *legality);

#ifdef __cplusplus
}
#endif
#endif
