/* SPDX-License-Identifier: Apache-2.0 */
/* The command line: every option stated once, parsed strictly, the first fault in one line. */
#ifndef TPU_PLATFORM_CLI_OPTIONS_H
#define TPU_PLATFORM_CLI_OPTIONS_H

#include "judge/report.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* X(identifier, long name, short letter or 0, value or NULL for a flag, sentence) */
#define TPU_OPTIONS(X)                                                                             \
  X(CONFIG, "config", 0, "FILE", "platform configuration: a path, or a name in configs/")          \
  X(SET, "set", 0, "KEY=VALUE", "override one key of the configuration; may be repeated")          \
  X(JSON, "json", 0, NULL, "print one JSON document on stdout and nothing else there")             \
  X(HELP, "help", 0, NULL, "say what the command does and which options it takes")                 \
  X(VERSION, "version", 0, NULL, "print the version")                                              \
  X(PROGRAM, "program", 0, "FILE",                                                                 \
    "JSON list of word pairs, of judge legal also with its header in front; or "                   \
    "LIBRARY.so:FUNCTION")                                                                         \
  X(SUBMISSION_SECONDS, "submission-seconds", 0, "N",                                              \
    "time limit of a call of FUNCTION (default 10)")                                               \
  X(SUBMISSION_MBYTES, "submission-mbytes", 0, "N",                                                \
    "memory limit of a call of FUNCTION (default 1024)")                                           \
  X(A, "a", 0, "FILE", "image A: MAXDIM*MAXDIM raw int8 bytes; of tile, matrix A: M*K")            \
  X(B, "b", 0, "FILE", "image B: MAXDIM*MAXDIM raw int8 bytes; of tile, matrix B: K*N")            \
  X(C, "c", 0, "FILE", "image C before the run: MAXDIM*MAXDIM raw int8 bytes")                     \
  X(OUT, "out", 0, "FILE", "write image C after the run; of tile, matrix C, M*N, when all ran")    \
  X(SEED, "seed", 0, "N", "seed of operands, pads and prefill, 0..4294967295 (default 1)")         \
  X(UNCHECKED, "unchecked", 0, NULL, "run a program that breaks a contract, and say so")           \
  X(CORPUS, "corpus", 0, "DIR", "directory of workload specs")                                     \
  X(FIRMWARE, "firmware", 0, "DIR", "directory of firmware images")                                \
  X(SPEC, "spec", 0, "NAME", "only this spec of the corpus")                                       \
  X(LIMIT, "limit", 0, "CYCLES", "end a run that takes longer (default 2000000000)")               \
  X(DATA, "data", 0, "FILE", "table of measured programs")                                         \
  X(OUTPUT, "output", 'o', "FILE", "file to write")                                                \
  X(ALL, "all", 0, NULL, "show every stretch and instruction, not the largest only")               \
  X(SIMULATE, "simulate", 0, NULL, "run every submission on the engine and count its cycles")      \
  X(MEASURED, "measured", 0, "FILE", "table of measured programs, which confirms a submission")    \
  X(JUNIT, "junit", 0, "FILE", "write the verdicts as JUnit XML too")                              \
  X(SPECS, "spec", 0, "GLOB", "only the specs of the corpus whose name matches, e.g. 'gemm_*'")    \
  X(VARIANT, "variant", 0, "NAME", "mapping to run, as of rank (default baseline)")                \
  X(JOBS, "jobs", 0, "N", "jobs at a time, 1..1024 (default: one per processor)")                  \
  X(PART, "part", 0, "LIST",                                                                       \
    "run only these configurations, here, and print their lines: e.g. 1,4-7")                      \
  X(EMIT, "emit", 0, "KIND", "print a batch script that runs what is missing: slurm")              \
  X(OUT_DIR, "out", 'o', "DIR", "directory of results; a sweep that is there is gone on with")     \
  X(TOLERANCE, "tolerance", 0, "PCT", "change that passes, in per cent (default 0)")               \
  X(PRINT_PROGRAM, "print-program", 0, NULL, "disassemble every program that runs")                \
  X(CSV, "csv", 0, "FILE", "write the counters as CSV; of trace, those of each window of cycles")  \
  X(VCD, "vcd", 0, "FILE", "write states, instructions and streams as a Value Change Dump")        \
  X(PERFETTO, "perfetto", 0, "FILE", "write slices and counters as JSON trace events")             \
  X(HTML, "html", 0, "FILE", "write a page for a browser: units over time, and what limits them")  \
  X(WINDOW, "window", 0, "CYCLES", "length of the windows, 1..4294967295 (default 100)")           \
  X(GANTT, "gantt", 0, NULL, "show the units over time; so it is when no file is asked for")

enum tpu_option {
#define TPU_OPTION_ENUM(id, name, letter, value, text) TPU_OPTION_##id,
  TPU_OPTIONS(TPU_OPTION_ENUM)
#undef TPU_OPTION_ENUM
      TPU_OPTION_COUNT
};

/* A set of options, as a command states what it takes. */
#define TPU_TAKES(id) (UINT64_C(1) << TPU_OPTION_##id)
#define TPU_TAKES_PROGRAM                                                                          \
  (TPU_TAKES(PROGRAM) | TPU_TAKES(SUBMISSION_SECONDS) | TPU_TAKES(SUBMISSION_MBYTES))
#define TPU_TAKES_ALWAYS                                                                           \
  (TPU_TAKES(CONFIG) | TPU_TAKES(SET) | TPU_TAKES(JSON) | TPU_TAKES(HELP) | TPU_TAKES(VERSION))

struct tpu_option_info {
  const char *name;
  char letter;
  const char *value; /* NULL: a flag */
  const char *text;
};

const struct tpu_option_info *tpu_option_lookup(enum tpu_option option);

enum { TPU_MAX_SETS = 64, TPU_MAX_OPERANDS = 3 };

/* Strings are those of argv. */
struct tpu_args {
  const char *value[TPU_OPTION_COUNT]; /* NULL: not given; "" for a flag that is */
  const char *set[TPU_MAX_SETS];
  unsigned sets;
  const char *operand[TPU_MAX_OPERANDS];
  unsigned operands;
};

/* Parses the words after the command's name. takes: the options it knows; operand: how its operand
 * is called, a word each when it takes several, NULL when it has none. A missing operand is the
 * command's matter. Returns 1, or 0 with the word, what is wrong, and what the command takes. */
int tpu_args_parse(struct tpu_args *args, const char *command, uint64_t takes, const char *operand,
                   int argc, char *const argv[], struct tpu_report *r);

int tpu_args_have(const struct tpu_args *args, enum tpu_option option);

/* The value of an option that takes an integer lo..hi, decimal or 0x; def when it is not given. */
int tpu_args_number(const struct tpu_args *args, enum tpu_option option, uint64_t lo, uint64_t hi,
                    uint64_t def, uint64_t *value, struct tpu_report *r);

/* The value of --seed, 1 when it is not given. */
int tpu_args_seed(const struct tpu_args *args, uint32_t *seed, struct tpu_report *r);

#ifdef __cplusplus
}
#endif
#endif
