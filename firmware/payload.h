/* SPDX-License-Identifier: Apache-2.0 */
/* What the corpus application is given and what it leaves behind, in DRAM: shared by host and
 * target. Little endian, fixed layout, no pointers; the payload lies at TPU_PAYLOAD_BASE, the
 * result in the last page of the payload's stretch. */
#ifndef TPU_FIRMWARE_PAYLOAD_H
#define TPU_FIRMWARE_PAYLOAD_H

#include "isa/image.h"
#include "platform/hw/memory_map.h"
#include "platform/hw/registers.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TPU_PAYLOAD_MAGIC UINT32_C(0x55505450)   /* "PTPU" in memory order */
#define TPU_PAYLOAD_TRAILER UINT32_C(0x50545055) /* the last word: a cut-off payload lacks it */
#define TPU_RESULT_MAGIC UINT32_C(0x55505452)    /* "RTPU" */

enum { TPU_PAYLOAD_VERSION = 1, TPU_PAYLOAD_ALIGN = 8, TPU_RESULT_SIZE = 0x1000 };

#define TPU_RESULT_BASE (TPU_PAYLOAD_BASE + TPU_PAYLOAD_SIZE - TPU_RESULT_SIZE)

/* Bytes of the payload: offset from its start, a multiple of 8; bytes 0 = absent. */
struct tpu_blob {
  uint32_t offset, bytes;
};

struct tpu_payload {
  uint32_t magic, version;
  uint32_t header_bytes; /* sizeof(struct tpu_payload) */
  uint32_t total_bytes;  /* header, blobs and trailer word */
  /* Whole images and data sized by T are meant for one configuration: its T and MAXDIM, else 0. */
  uint32_t t, maxdim;
  uint32_t seed[3];      /* of the pads of A and B, and of C's prefill */
  uint32_t has_workload; /* 0: a program alone, operands by whole images or, absent, by seed */
  struct tpu_workload workload;
  struct tpu_blob input[TPU_MAX_INPUTS];       /* dense, row-major; absent where images are given */
  struct tpu_blob constant[TPU_MAX_CONSTANTS]; /* dense, of kind data only */
  struct tpu_blob image[3];       /* A, B, C before the run, MAXDIM * MAXDIM bytes, for the rest */
  struct tpu_blob expected;       /* the dense output: C is compared by the workload's window */
  struct tpu_blob expected_image; /* all of C, when no workload says what its window is */
  struct tpu_blob program;        /* 16 bytes an instruction; absent: map the workload */
  struct tpu_blob header;         /* 64 bytes; absent: counted from the program */
};

/* X(identifier, name): how an image's run ended, before anyone asks whether it could have passed.
 * SETUP: no usable payload or no accelerator. SKIPPED: the workload does not fit the images.
 * REFUSED: no program to run, by the sentence. ERROR: the hardware's, but for a deadlock. */
#define TPU_OUTCOMES(X)                                                                            \
  X(NONE, "none")                                                                                  \
  X(EXACT, "exact")                                                                                \
  X(COMPLETED, "completed, unchecked")                                                             \
  X(WRONG, "wrong")                                                                                \
  X(CLOBBERED, "clobbered")                                                                        \
  X(DEADLOCK, "deadlock")                                                                          \
  X(ERROR, "error")                                                                                \
  X(SKIPPED, "skipped")                                                                            \
  X(REFUSED, "refused")                                                                            \
  X(SETUP, "setup failed")

enum tpu_outcome {
#define TPU_OUTCOME_ENUM(id, name) TPU_OUTCOME_##id,
  TPU_OUTCOMES(TPU_OUTCOME_ENUM)
#undef TPU_OUTCOME_ENUM
      TPU_OUTCOME_COUNT
};

const char *tpu_outcome_name(uint32_t outcome); /* "?" for a value outside the table */

/* Written by the application at TPU_RESULT_BASE; magic last, when all else stands. */
struct tpu_result {
  uint32_t magic, version, bytes; /* bytes = sizeof(struct tpu_result) */
  uint32_t outcome;               /* enum tpu_outcome */
  uint32_t satisfiable;           /* by tpu_workload_satisfiable; 1 without a workload */
  uint32_t hw_status;             /* STATUS, its error code and ERROR_INFO after the run */
  uint32_t hw_error, hw_error_info;
  uint32_t address_program; /* bus addresses of the run; 0 before they are known */
  uint32_t address[3];      /* images A, B, C */
  uint32_t instructions;    /* static */
  uint32_t reserved;
  struct tpu_params params;
  struct tpu_comparison comparison; /* all 0 unless compared */
  /* Cycles. The driver's window: probe, map, load, start, wait, counters read. */
  uint64_t accelerator;
  uint64_t end_to_end;
  uint64_t map, load, wait; /* parts of end_to_end: the program made, written, run */
  uint64_t counter[TPU_UNIT_COUNT][TPU_COUNTER_COUNT];
  char line[400]; /* what the console showed, without the newline */
};

/* Is this a payload that can be used? available = bytes that may be read at payload. Checks magic,
 * version, sizes, trailer, that every blob lies inside and has the size that what it carries asks
 * for, and that the workload's own counts and letters hold. 1, or 0 with the sentence. */
int tpu_payload_check(const void *payload, size_t available, struct tpu_error *e);

/* The bytes of a blob; NULL when absent. */
const void *tpu_blob_data(const struct tpu_payload *payload, struct tpu_blob blob);

#ifdef __cplusplus
}
#endif
#endif
