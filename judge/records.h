/* SPDX-License-Identifier: Apache-2.0 */
/* What a file of results states: run --json, corpus --json, or the lines of a sweep. */
#ifndef TPU_JUDGE_RECORDS_H
#define TPU_JUDGE_RECORDS_H

#include "judge/json.h"
#include "judge/units.h"
#include "platform/hw/path_causes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* X(identifier, name) */
#define TPU_RECORD_KINDS(X)                                                                        \
  X(RUN, "run")                                                                                    \
  X(CORPUS, "corpus")                                                                              \
  X(SWEEP, "sweep")

enum tpu_record_kind {
#define TPU_RECORD_KIND_ENUM(id, name) TPU_RECORD_##id,
  TPU_RECORD_KINDS(TPU_RECORD_KIND_ENUM)
#undef TPU_RECORD_KIND_ENUM
      TPU_RECORD_KIND_COUNT
};

const char *tpu_record_kind_name(enum tpu_record_kind kind); /* "?" outside the table */

/* One run. What a kind of file does not state is 0 and its has_ too. */
struct tpu_record {
  char name[800]; /* of the workload; of a sweep with values and mapping: "T=4 gemm_4x4x4" */
  char verdict[24];
  uint64_t cycles; /* 0: nothing was run */
  int has_end_to_end;
  uint64_t end_to_end;
  uint64_t cause[TPU_CAUSE_COUNT];
  struct tpu_unit_counters unit[TPU_UNIT_COUNT];
};

/* A value of the configuration that a document states. */
struct tpu_setting {
  char key[48];   /* "accelerator.QD" */
  char value[64]; /* as text */
};

enum { TPU_MAX_SETTINGS = 64 };

struct tpu_records {
  enum tpu_record_kind kind;
  struct tpu_record *record; /* in the order of the file; no name twice */
  size_t count;
  struct tpu_setting setting[TPU_MAX_SETTINGS]; /* none of a sweep */
  size_t settings;
};

/* Reads the text of a file, which name stands for in messages. Returns 1, *out to be released; 0
 * for what is no such file. */
int tpu_records_parse(const char *name, const char *text, size_t length, struct tpu_records *out,
                      struct tpu_report *r);
void tpu_records_release(struct tpu_records *records);

#ifdef __cplusplus
}
#endif
#endif
