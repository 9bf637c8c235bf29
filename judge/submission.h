/* SPDX-License-Identifier: Apache-2.0 */
/* Compiled submissions: calls the function of a shared library in a process of its own, under
 * limits of time and memory, and takes over the program that it makes. Whatever the library does
 * there - crash, loop, allocate, exit, fork, print, answer nonsense - costs it a verdict and
 * nothing else. It is a fence against mistakes, no wall against malice: the library runs with the
 * rights of who starts the judge. */
#ifndef TPU_JUDGE_SUBMISSION_H
#define TPU_JUDGE_SUBMISSION_H

#include "isa/program.h"
#include "isa/workload.h"
#include "judge/report.h"
#include "judge/verdict.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  TPU_SUBMISSION_PATH_BYTES = 4096,
  TPU_SUBMISSION_FUNCTION_BYTES = 128,
  /* A mapper takes milliseconds; ten seconds leave one that searches its room, and a corpus of
   * endless loops still ends in minutes. */
  TPU_SUBMISSION_SECONDS = 10,
  TPU_SUBMISSION_MAX_SECONDS = 86400,
  /* Above any table a mapper would keep, below what would make the machine swap. */
  TPU_SUBMISSION_MBYTES = 1024,
  TPU_SUBMISSION_MIN_MBYTES = 16, /* a library and its C++ runtime must find room */
  TPU_SUBMISSION_MAX_MBYTES = 1048576
};

/* A function, and what it may use. */
struct tpu_submission {
  char path[TPU_SUBMISSION_PATH_BYTES];
  char function[TPU_SUBMISSION_FUNCTION_BYTES];
  unsigned
      seconds;     /* of a call, loading included: wall clock, and processor time of each process */
  unsigned mbytes; /* address space beyond what the process starts with. Not limited in a build with
                      AddressSanitizer, whose shadow memory no limit has room for */
};

/* Does the text name a function of a library, PATH.so:FUNCTION, rather than a file? PATH.so and
 * PATH.so: do too, for the sake of what is said of them; so does PATH.so.1:FUNCTION. */
int tpu_submission_is_one(const char *text);

/* Takes the text apart and sets the default limits. 0 when it is not of that form. */
int tpu_submission_parse(const char *text, struct tpu_submission *out, struct tpu_report *r);

/* Loads the library and refuses what is none, or has no such function, or was built against another
 * version of tpu_submission.h: 0 with the report, and likewise when no process could be started. A
 * library that crashes while it is loaded passes: that is a verdict. */
int tpu_submission_probe(const struct tpu_submission *s, struct tpu_report *r);

/* Why there is no program. */
struct tpu_no_program {
  enum tpu_verdict verdict; /* NOT_RUN: there is one. DECLINED, NO_PROGRAM: there is none */
  char reason[512];         /* one line without control characters */
};

/* Calls it for a workload that fits. out has storage for TPU_SUBMISSION_CAPACITY of
 * tpu_submission.h, TPU_PROGRAM_FILE_MAX, instructions. Returns 1 with *out filled or *none saying
 * why not; 0 when no process could be started for it. */
int tpu_submission_call(const struct tpu_submission *s, const struct tpu_params *p,
                        const struct tpu_workload *w, struct tpu_program *out,
                        struct tpu_no_program *none, struct tpu_report *r);

#ifdef __cplusplus
}
#endif
#endif
