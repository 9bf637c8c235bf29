/* SPDX-License-Identifier: Apache-2.0 */
/* A broken contract in words: what happened, the rule, what to change, and where. */
#ifndef TPU_JUDGE_VIOLATION_H
#define TPU_JUDGE_VIOLATION_H

#include "isa/check.h"

#ifdef __cplusplus
extern "C" {
#endif

/* "[layer / rule] instruction N (op) with loop values ...: what happened"; returns out. */
const char *tpu_violation_text(const struct tpu_violation *v, char *out, size_t capacity);

/* "instruction N (op) with loop values ...: what happened"; returns out. */
const char *tpu_violation_happened(const struct tpu_violation *v, char *out, size_t capacity);

/* Of a rule, enum tpu_rule: the contract in a sentence, and what to change where it is broken. "?"
 * for a value outside the table. */
const char *tpu_rule_contract(int rule);
const char *tpu_rule_remedy(int rule);

enum { TPU_CONTEXT_SIDE = 2, TPU_CONTEXT_LINES = 2 * TPU_CONTEXT_SIDE + 1 };

struct tpu_context_line {
  uint32_t index; /* instruction number */
  int offends;
  char text[128]; /* disassembled; words that are no instruction in hexadecimal */
};

/* The instruction of a violation and its neighbours; the number of lines, 0 when the violation is
 * the program's as a whole. */
size_t tpu_violation_context(const struct tpu_program *program, const struct tpu_violation *v,
                             struct tpu_context_line line[TPU_CONTEXT_LINES]);

#ifdef __cplusplus
}
#endif
#endif
