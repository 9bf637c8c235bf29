/* SPDX-License-Identifier: Apache-2.0 */
/* What the tiling application is given and what it leaves behind, in DRAM, where the corpus
 * application has its own (firmware/payload.h): shared by host and target. Little endian, fixed
 * layout, no pointers. */
#ifndef TPU_FIRMWARE_TILE_PAYLOAD_H
#define TPU_FIRMWARE_TILE_PAYLOAD_H

#include "firmware/payload.h"
#include "isa/tile.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TPU_TILE_MAGIC UINT32_C(0x454c4954)        /* "TILE" in memory order */
#define TPU_TILE_RESULT_MAGIC UINT32_C(0x524c4954) /* "TILR" */

enum { TPU_TILE_VERSION = 1 };

/* C[m][n] = A[m][k] x B[k][n], dense, row-major. Of the payload's last bytes, a trailer word as in
 * struct tpu_payload. */
struct tpu_tile_payload {
  uint32_t magic, version;
  uint32_t total_bytes;
  uint32_t m, k, n;
  struct tpu_blob a, b;
  struct tpu_blob c; /* receives the result */
};

/* A program that ran, once for every tile of its shape. */
struct tpu_tile_ran {
  uint32_t rows, blocks; /* of the tile; a block is T columns of C */
  uint32_t address;      /* bus address of header and words */
  uint32_t instructions; /* static */
  uint32_t runs;         /* completed */
  uint32_t reserved;
  uint64_t least, most; /* accelerator cycles of a run */
  uint64_t cycles;      /* of all its runs */
};

/* Written by the application at TPU_RESULT_BASE; magic last, when all else stands. */
struct tpu_tile_result {
  uint32_t magic, version, bytes;
  uint32_t outcome; /* enum tpu_outcome: COMPLETED, DEADLOCK, ERROR, SETUP, REFUSED */
  uint32_t hw_error, hw_error_info; /* of the run that did not complete */
  uint32_t row_tile, col_tile;      /* the tile that it was to compute */
  struct tpu_params params;
  struct tpu_tile_plan plan;
  uint32_t programs;
  uint32_t reserved;
  struct tpu_tile_ran program[TPU_TILE_MAX_PROGRAMS];
  uint64_t macs; /* products that the array counted, over all runs */
  /* Cycles of the core. From asking what the machine is to the last byte of C; the parts leave a
   * rest, of calls and loops. */
  uint64_t end_to_end;
  uint64_t map;            /* plan, programs and headers made and written */
  uint64_t pack_a, pack_b; /* operands into images */
  uint64_t start;          /* registers written */
  uint64_t wait;           /* asleep until done, and waking; the accelerator's cycles lie in it */
  uint64_t unpack;         /* C out of its image */
  char line[400];          /* what the console showed, without the newline */
};

/* Where everything lies for these sizes; 0 with the sentence when they do not fit the payload's
 * stretch of DRAM. */
int tpu_tile_layout(uint32_t m, uint32_t k, uint32_t n, struct tpu_tile_payload *out,
                    struct tpu_error *e);

/* Can what lies at payload be used? 1, or 0 with the sentence. available = bytes that may be read.
 */
int tpu_tile_payload_check(const void *payload, size_t available, struct tpu_error *e);

#ifdef __cplusplus
}
#endif
#endif
