/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of X(identifier, name, sentence): what stands there, and what stands for anything else. */
#ifndef TPU_JUDGE_NAMED_H
#define TPU_JUDGE_NAMED_H

struct tpu_named {
  const char *name;
  const char *sentence;
};

#define TPU_NAMED_ROW(id, name, text) {name, text},

/* Row i of a table of `count`; outside it "?" and "". */
static inline struct tpu_named tpu_named_of(const struct tpu_named *table, unsigned count,
                                            unsigned i) {
  return i < count ? table[i] : (struct tpu_named){"?", ""};
}

#endif
