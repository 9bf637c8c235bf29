/* SPDX-License-Identifier: Apache-2.0 */
/* A GEMM C[m][n] = A[m][k] x B[k][n], saturated, of any size, as tiles of C that one program each
 * computes whole: mvout saturates, so no reduction can leave the accumulator half done. All of k
 * is packed into images A and B as strips, and accumulates in ar.
 *
 * A strip is one column of T-lane words, the k-block kb of what it packs: of A the rows of a row
 * block, of B the T weight rows of one column block of C. Strips stand `stack` on one another in a
 * column block of the image, one column block after the other, so that one dma_ld loads a column
 * block and the on-chip memory holds strip after strip. The tile of C lies at the origin of its
 * image. */
#ifndef TPU_ISA_TILE_H
#define TPU_ISA_TILE_H

#include "isa/header.h"
#include "isa/program.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  TPU_TILE_MAX_PROGRAMS = 4, /* full tiles, short of rows, short of columns, short of both */
  TPU_TILE_MAX_SIZE = 65535  /* of m, k, n */
};

/* How a GEMM is cut; 32-bit words only, so that a result can carry it. */
struct tpu_tile_plan {
  uint32_t m, k, n;
  uint32_t kt;                   /* k-blocks of T; weights past k are zeros */
  uint32_t rows;                 /* of C in a full tile */
  uint32_t blocks;               /* column blocks of T of C in a full tile */
  uint32_t height;               /* image rows that strips may fill */
  uint32_t row_tiles, col_tiles; /* C is row_tiles x col_tiles tiles, the last ones short */
  uint32_t a_bytes, b_bytes;     /* of a packed image, as far as a program reads it */
  uint32_t keep_b; /* 1: B's packed images are kept and A's made one at a time; 0: the reverse.
                      Either way every operand is packed once; kept is what takes less room */
};

/* The largest tile that images, header counts and instruction memory allow, in any number of rows:
 * only columns come in blocks of T. p is resolved. 1, or 0 with the limit by name and what is
 * allowed. */
int tpu_tile_cut(const struct tpu_params *p, uint32_t m, uint32_t k, uint32_t n,
                 struct tpu_tile_plan *out, struct tpu_error *e);

/* Rows, and column blocks of T, of C in the tiles of a row and of a column of tiles. */
uint32_t tpu_tile_rows(const struct tpu_tile_plan *plan, uint32_t row_tile);
uint32_t tpu_tile_blocks(const struct tpu_params *p, const struct tpu_tile_plan *plan,
                         uint32_t col_tile);

/* Rows of an mm: of C, or AR_RAW_DIST when those are fewer; the rest are zeros that are not
 * retired. */
uint32_t tpu_tile_mm_rows(uint32_t rows);

/* The program of a tile of `rows` x `blocks` of C into out, and its work into counts. 0 when it
 * does not fit the header counts, the instruction memory or out's capacity. */
int tpu_tile_map(const struct tpu_params *p, const struct tpu_tile_plan *plan, uint32_t rows,
                 uint32_t blocks, struct tpu_program *out, struct tpu_counts *counts,
                 struct tpu_error *e);

/* Fills the image of row tile `tile` of A (m x k bytes), of column tile `tile` of B (k x n bytes):
 * a_bytes, b_bytes long at most. What no program reads is left as it is. */
void tpu_tile_pack_a(const struct tpu_params *p, const struct tpu_tile_plan *plan, const int8_t *a,
                     uint32_t tile, int8_t *image);
void tpu_tile_pack_b(const struct tpu_params *p, const struct tpu_tile_plan *plan, const int8_t *b,
                     uint32_t tile, int8_t *image);

/* Takes a tile out of image C into its place in c (m x n bytes). */
void tpu_tile_unpack(const struct tpu_params *p, const struct tpu_tile_plan *plan,
                     const int8_t *image, uint32_t row_tile, uint32_t col_tile, int8_t *c);

/* Between the mapper and the packer: how the strips of an operand lie. */
struct tpu_strips {
  uint32_t rows;  /* words of a strip */
  uint32_t count; /* strips */
  uint32_t stack; /* strips in a full column block */
};
struct tpu_strips tpu_tile_strips_a(const struct tpu_tile_plan *plan, uint32_t rows);
struct tpu_strips tpu_tile_strips_b(const struct tpu_params *p, const struct tpu_tile_plan *plan,
                                    uint32_t blocks);

#ifdef __cplusplus
}
#endif
#endif
