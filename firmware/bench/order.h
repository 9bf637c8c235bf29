/* SPDX-License-Identifier: Apache-2.0 */
/* What the images of the benchmark are asked to do and what they leave behind: one struct each at
 * TPU_PAYLOAD_BASE, written into DRAM by the host after the image was loaded. Little endian, fixed
 * layout, shared by host and target. */
#ifndef TPU_FIRMWARE_BENCH_ORDER_H
#define TPU_FIRMWARE_BENCH_ORDER_H

#include <stdint.h>

#define BENCH_REPEAT_MAGIC UINT32_C(0x54505252) /* "RRPT" in memory order */
#define BENCH_MIPS_MAGIC UINT32_C(0x5350494d)   /* "MIPS" in memory order */

/* repeat.c: one GEMM, mapped once and started again and again. */
struct bench_repeat {
  uint32_t magic;
  uint32_t starts; /* 1 or more */
  uint32_t edge;   /* the GEMM is edge x edge x edge */
  /* Answered: */
  uint32_t done;       /* runs that completed */
  uint32_t address[3]; /* images A, B, C; C holds the result of the last run */
  uint32_t hw_error;   /* enum tpu_hw_error of the last run */
  uint64_t cycles;     /* accelerator cycles of all runs */
};

/* mips.c: the kernels of kernels.h. */
struct bench_mips {
  uint32_t magic;
  uint32_t rounds; /* 1 or more */
  /* Answered: */
  uint32_t done;     /* rounds */
  uint32_t checksum; /* of bench_kernels_run, after the last round */
};

#endif
