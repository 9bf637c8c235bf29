/* SPDX-License-Identifier: Apache-2.0 */
/* A folder of specs. Adding a spec is adding a file: no list of names exists. */
#ifndef TPU_JUDGE_CORPUS_H
#define TPU_JUDGE_CORPUS_H

#include "judge/spec.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Specs in the order of their file names. */
struct tpu_corpus {
  struct tpu_spec *spec;
  uint32_t count;
};

/* Reads every *.json of a folder, files whose name begins with '.' apart. A folder without one, two
 * files of one name ("01_x.json" and "02_x.json") and a spec that is refused are errors. On success
 * the caller calls tpu_corpus_release. */
int tpu_corpus_read(const char *dir, struct tpu_corpus *out, struct tpu_report *r);
void tpu_corpus_release(struct tpu_corpus *corpus);

/* Reads the one spec that what names: a path when it contains '/' or ends in ".json", else a spec's
 * name (gemm_4x4x4) or numbered stem (01_gemm_4x4x4) in the folder. Other files of the folder are
 * not read. */
int tpu_corpus_find(const char *dir, const char *what, struct tpu_spec *out, struct tpu_report *r);

/* The spec of a name or numbered stem among those read, or NULL. */
const struct tpu_spec *tpu_corpus_get(const struct tpu_corpus *corpus, const char *what);

#ifdef __cplusplus
}
#endif
#endif
