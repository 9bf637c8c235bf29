/* SPDX-License-Identifier: Apache-2.0 */
/* The parameters of one TinyTPU build: run-time data here, never a rebuild. */
#ifndef TPU_ISA_PARAMS_H
#define TPU_ISA_PARAMS_H

#include "isa/error.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  TPU_AR_RAW_DIST = 4,   /* accu steps between an ar write and a read that depends on it */
  TPU_LOOP_DEPTH = 4,    /* frames of the sequencer's loop stack */
  TPU_AGU_TERMS = 3,     /* address terms of an instruction */
  TPU_MAX_ROWS = 127,    /* nr and trip count: an 8-bit field with its top bit spare */
  TPU_MAX_FIELD = 2047,  /* operand field: 12 bits, top bit spare */
  TPU_MAX_COUNT = 32767, /* header count: a 16-bit slice, top bit spare */
  TPU_HEADER_WORDS = 8,  /* 64-bit words before the program in instruction memory */
  TPU_MIN_T = 4,
  TPU_MAX_T = 64,
  TPU_MAX_MEM_ROWS = 2048, /* what a 12-bit field with its spare bit can address */
  TPU_WEIGHT_QD = 4,       /* a PE's weight queue is never deeper */
  TPU_MIN_QD = 2,
  TPU_MAX_QD = 1024,
  TPU_MAX_IMEM = 65536, /* 64-bit words; the static count must fit its header slice */
};

/* A value of 0 in spad_rows, nvr, nar, imem_size means "derive" until tpu_params_resolve. */
struct tpu_params {
  uint32_t t;         /* lanes of a packed word; the array is t x t */
  uint32_t maxdim;    /* edge of the int8 images A, B, C in bytes */
  uint32_t qd;        /* depth of every point-to-point stream, tokens */
  uint32_t dma_words; /* packed words an operand-burst step moves */
  uint32_t spad_rows; /* scratchpad rows */
  uint32_t nvr;       /* operand vector registers */
  uint32_t nar;       /* accumulator registers */
  uint32_t imem_size; /* instruction memory, 64-bit words, header included */
};

/* T=4, MAXDIM=64, QD=16, DMA_WORDS=1, the rest derived. */
struct tpu_params tpu_params_default(void);

/* Fills what is 0 with its derived value and checks every rule of the parameter table.
 * Returns 1, or 0 with the key, the value and what is allowed in *e and *p as it was. */
int tpu_params_resolve(struct tpu_params *p, struct tpu_error *e);

uint32_t tpu_words_per_row(const struct tpu_params *p);    /* WPR = MAXDIM / T */
uint32_t tpu_operand_rows(const struct tpu_params *p);     /* WPR * MAXDIM */
uint32_t tpu_widest_dma(const struct tpu_params *p);       /* largest legal DMA_WORDS */
uint32_t tpu_program_capacity(const struct tpu_params *p); /* instructions imem can hold */

/* Both for a legal T, over multiples of T: the largest MAXDIM whose operand rows can be addressed,
 * and the largest cubic GEMM within it whose header counts fit. */
uint32_t tpu_maxdim_ceiling(uint32_t t);
uint32_t tpu_cubic_gemm_ceiling(uint32_t t);

#ifdef __cplusplus
}
#endif
#endif
