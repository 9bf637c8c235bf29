/* SPDX-License-Identifier: Apache-2.0 */
/* What a compiled submission is built against: a function of a shared library that maps a workload
 * to a program of this machine, judged by `tpuvp ... --program LIBRARY.so:FUNCTION`. Plain C17 or
 * C++, nothing else is needed. docs/submissions.md tells how it is called and what fails it.
 *
 *   #include "tpu_submission.h"
 *
 *   TPU_SUBMISSION;
 *
 *   TPU_SUBMISSION_EXPORT int map(const struct tpu_submission_workload *workload,
 *                                 const struct tpu_submission_params *params,
 *                                 struct tpu_submission_program *program) {
 *     ...
 *     return 0;
 *   }
 *
 * Units: sizes of the machine's memories in rows or instructions as stated, everything about images
 * in bytes; an image is MAXDIM x MAXDIM int8, row-major. What the instructions do and how their
 * words are made is docs/programs.md. */
#ifndef TPU_SUBMISSION_H
#define TPU_SUBMISSION_H

#include <stdint.h>

#ifdef __cplusplus
#define TPU_SUBMISSION_LINKAGE extern "C"
#else
#define TPU_SUBMISSION_LINKAGE extern
#endif

/* The version of all that stands here. It changes when a library built against the version before
 * could not be called any more; a library of another version is refused. */
#define TPU_SUBMISSION_ABI 1

/* Makes a symbol visible, with -fvisibility=hidden too, under its plain name. */
#define TPU_SUBMISSION_EXPORT TPU_SUBMISSION_LINKAGE __attribute__((visibility("default")))

/* Once in a library: says which version it was built against. */
#define TPU_SUBMISSION                                                                             \
  TPU_SUBMISSION_EXPORT const uint32_t tpu_submission_abi;                                         \
  const uint32_t tpu_submission_abi = TPU_SUBMISSION_ABI

#ifdef __cplusplus
extern "C" {
#endif

enum {
  TPU_SUBMISSION_INPUTS = 2,         /* most inputs of a workload */
  TPU_SUBMISSION_INDICES = 6,        /* most indices of its einsum */
  TPU_SUBMISSION_CONSTANTS = 4,      /* most constants beside the inputs */
  TPU_SUBMISSION_CAPACITY = 32767,   /* most instructions a program can have */
  TPU_SUBMISSION_MESSAGE_BYTES = 256 /* terminator included */
};

/* The machine. One configuration of many: a submission that takes its sizes from here runs on all.
 */
struct tpu_submission_params {
  uint32_t size;      /* of this struct in bytes; later versions of it only append */
  uint32_t t;         /* T: lanes of a word; the array is T x T */
  uint32_t maxdim;    /* edge of the images A, B, C in bytes, a multiple of T */
  uint32_t qd;        /* QD: depth of every stream in tokens */
  uint32_t dma_words; /* words of T bytes that a step of an operand burst moves */
  uint32_t spad_rows; /* scratchpad, rows of T int8 */
  uint32_t nvr;       /* vector registers, rows of T int8 */
  uint32_t nar;       /* accumulators, rows of T int32 */
  uint32_t imem_size; /* instruction memory in 64-bit words, of which 8 are the header and 2 an
                         instruction takes */
};

enum tpu_submission_buffer { TPU_SUBMISSION_A = 0, TPU_SUBMISSION_B = 1, TPU_SUBMISSION_C = 2 };

enum tpu_submission_constant_kind {
  TPU_SUBMISSION_IDENTITY = 0,    /* 1 on the diagonal, else 0 */
  TPU_SUBMISSION_ONES_COLUMN = 1, /* 1 in column 0, else 0 */
  TPU_SUBMISSION_DATA = 2         /* bytes of the spec, which a program can read but not know */
};

/* A rectangle of an image. */
struct tpu_submission_region {
  uint32_t row, col;   /* its first byte; col is a multiple of T, so that its block is col / T */
  uint32_t rows, cols; /* its extent in bytes */
};

/* An operand or the result. It lies row-major: of its indices all but the last are the rows, the
 * last is the columns; one with a single index is one column. */
struct tpu_submission_tensor {
  char subscript[8]; /* its indices, "mk"; zero-terminated */
  uint32_t buffer;   /* enum tpu_submission_buffer; an operand is in A or B, the result in C */
  struct tpu_submission_region region;
};

struct tpu_submission_constant {
  uint32_t kind;   /* enum tpu_submission_constant_kind */
  uint32_t buffer; /* A or B */
  struct tpu_submission_region region;
};

struct tpu_submission_index {
  uint32_t letter; /* 'a'..'z' */
  uint32_t size;   /* at least 1 */
};

/* What is to be computed: the einsum of the subscripts over int8 operands in exact sums, then relu
 * if asked for, then saturation to int8. */
struct tpu_submission_workload {
  uint32_t size; /* of this struct in bytes; later versions of it only append */
  char name[48]; /* zero-terminated */
  uint32_t indices;
  struct tpu_submission_index index[TPU_SUBMISSION_INDICES];
  uint32_t inputs; /* 1 or 2 */
  struct tpu_submission_tensor input[TPU_SUBMISSION_INPUTS];
  struct tpu_submission_tensor output;
  uint32_t constants;
  struct tpu_submission_constant constant[TPU_SUBMISSION_CONSTANTS];
  uint32_t relu;                       /* 1: negative results become 0 */
  uint32_t pad_zero;                   /* 1: undeclared bytes of A and B are 0; 0: anything */
  struct tpu_submission_region window; /* the bytes of C that may be written; all else must stay */
};

/* An instruction: two 64-bit words. */
struct tpu_submission_word {
  uint64_t word[2];
};

/* What the function fills. The storage is the judge's: write words[0 .. count), count at most
 * capacity, and leave the pointer alone. */
struct tpu_submission_program {
  struct tpu_submission_word *words;
  uint32_t capacity; /* TPU_SUBMISSION_CAPACITY, whatever the machine holds: see imem_size */
  uint32_t count;    /* 0 at first */
  char message[TPU_SUBMISSION_MESSAGE_BYTES]; /* why it declines, one line; empty at first */
};

/* The function. Returns 0 when *program is filled; anything else declines the workload, which is
 * told with the message. Called once for each workload, each time in a process of its own, on one
 * thread; all three structs are there for the length of the call and never NULL. */
typedef int tpu_submission_function(const struct tpu_submission_workload *workload,
                                    const struct tpu_submission_params *params,
                                    struct tpu_submission_program *program);

#ifdef __cplusplus
}
#endif
#endif
