/* SPDX-License-Identifier: Apache-2.0 */
/* The words a workload, a program and a configuration are answered with, and which one stands. */
#ifndef TPU_JUDGE_VERDICT_H
#define TPU_JUDGE_VERDICT_H

#ifdef __cplusplus
extern "C" {
#endif

/* X(identifier, name, does it fail a suite, sentence) */
#define TPU_VERDICTS(X)                                                                            \
  X(NOT_RUN, "NOT RUN", 1, "nothing was run")                                                      \
  X(EXACT, "EXACT", 0, "every output byte is right and nothing else changed")                      \
  X(WRONG, "WRONG", 1, "output bytes differ from the expected ones")                               \
  X(CLOBBERED, "CLOBBERED", 1, "bytes outside the write window changed")                           \
  X(ILLEGAL, "ILLEGAL", 1, "the program breaks a contract")                                        \
  X(DECLINED, "DECLINED", 1, "there is no program: the mapper or the submission declined")         \
  X(NO_PROGRAM, "NO PROGRAM", 1,                                                                   \
    "the submission failed to make one: it crashed, passed a limit or broke the interface")        \
  X(DEADLOCK, "DEADLOCK", 1, "all units wait on each other")                                       \
  X(FAULT, "FAULT", 1, "the platform itself failed: it disagrees with the interpreter or trapped") \
  X(SKIPPED, "SKIPPED", 0, "the workload does not fit this configuration")                         \
  X(KNOWN_GAP, "KNOWN GAP", 0, "it failed, as its file says it must")                              \
  X(UNSATISFIABLE, "UNSATISFIABLE", 0, "no program can express it at this configuration")          \
  X(UNEXPECTED_PASS, "UNEXPECTED PASS", 1, "it passed though it is said that it cannot")

enum tpu_verdict {
#define TPU_VERDICT_ENUM(id, name, fails, text) TPU_VERDICT_##id,
  TPU_VERDICTS(TPU_VERDICT_ENUM)
#undef TPU_VERDICT_ENUM
      TPU_VERDICT_COUNT
};

const char *tpu_verdict_name(enum tpu_verdict v);     /* "?" outside the table */
const char *tpu_verdict_sentence(enum tpu_verdict v); /* "" outside the table */
int tpu_verdict_fails(
    enum tpu_verdict v); /* does corpus or judge end with 1? 1 outside the table */

/* What is known of a workload at a configuration before anything runs. A NULL reason means that it
 * does not apply. */
struct tpu_standing {
  const char *unfit;         /* why it does not fit */
  const char *known_gap;     /* what its file says */
  const char *unsatisfiable; /* why no program can express it; derived, only when it fits */
};

/* Which verdict stands, by precedence: SKIPPED; KNOWN GAP when the file says so and the run failed;
 * UNSATISFIABLE when derived and the run failed or was left out; the run's own. A run that is
 * EXACT although the file or the derivation says it cannot be is an UNEXPECTED PASS. A FAULT and
 * NO PROGRAM are never excused: they say nothing about the workload. *reason receives the text that
 * explains the verdict, run_reason when the run's own stands. reason may be NULL. */
enum tpu_verdict tpu_verdict_settle(const struct tpu_standing *standing, enum tpu_verdict run,
                                    const char *run_reason, const char **reason);

#ifdef __cplusplus
}
#endif
#endif
