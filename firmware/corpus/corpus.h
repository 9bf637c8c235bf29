/* SPDX-License-Identifier: Apache-2.0 */
/* The corpus application: takes the payload, lays the operands out, makes or takes the program,
 * runs it through the driver, checks every byte of C, says so in one line. */
#ifndef TPU_FIRMWARE_CORPUS_CORPUS_H
#define TPU_FIRMWARE_CORPUS_CORPUS_H

#include "firmware/arena.h"
#include "firmware/payload.h"
#include "firmware/tpu_driver.h"
#include "isa/program.h"

/* One run of the application; lives in main. */
struct corpus_run {
  const struct tpu_payload *payload;
  struct tpu_result *result;
  struct tpu_arena arena;
  struct tpu_device device;
  int8_t *image[3]; /* A, B, C of MAXDIM * MAXDIM bytes */
  struct tpu_completion completion;
  struct tpu_error why; /* the sentence of an outcome that has one */
  struct tpu_error unsatisfiable;
};

/* A program in DRAM, ready to be started. */
struct corpus_program {
  void *image; /* as the accelerator fetches it */
  size_t bytes;
  struct tpu_program program; /* its words, in place for a mapped program */
  uint64_t header[TPU_HEADER_WORDS];
};

/* Each returns 1, or 0 with run->result->outcome and run->why set. */
int corpus_lay_out(struct corpus_run *run);
int corpus_make_program(struct corpus_run *run, struct corpus_program *out);

/* Compares C after a completed run: sets outcome and comparison. */
void corpus_check(struct corpus_run *run);

/* Ends with this outcome and the sentence in run->why; returns 0. */
int corpus_end(struct corpus_run *run, enum tpu_outcome outcome);

/* Prints the line, closes the result, returns the exit code. */
int corpus_report(struct corpus_run *run);

#endif
