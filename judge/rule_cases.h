/* SPDX-License-Identifier: Apache-2.0 */
/* Crafted violations, at least one of each of the 23 contracts: the judge's test of itself. They
 * are programs for T=4, MAXDIM=64 and the default memories, whatever is configured. */
#ifndef TPU_JUDGE_RULE_CASES_H
#define TPU_JUDGE_RULE_CASES_H

#include "judge/legal.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tpu_rule_result {
  int rule;         /* the contract that was broken on purpose */
  const char *what; /* how */
  int got;          /* the rule named, TPU_RULE_NONE when the program was accepted */
  int passed;       /* it is the one that is due, and says what happened, the rule and a remedy */
  struct tpu_violation violation;
};

size_t tpu_rule_case_count(void);

/* Judges case k; 0 for want of memory. */
int tpu_rule_case_run(size_t k, struct tpu_rule_result *out, struct tpu_report *r);

/* Whether the violation is what is due: it names this rule and has all that a message needs. */
int tpu_rule_is_told(const struct tpu_violation *v, int rule);

#ifdef __cplusplus
}
#endif
#endif
