/* SPDX-License-Identifier: Apache-2.0 */
/* Where two images C differ, as a map of characters: at most 32 lines of 64 characters. */
#ifndef TPU_JUDGE_PICTURE_H
#define TPU_JUDGE_PICTURE_H

#include "isa/workload.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A cell is the worst of its bytes: */
#define TPU_PICTURE_SAME '.'      /* as it must be */
#define TPU_PICTURE_WRONG '#'     /* a byte of the output, or of the whole image, is wrong */
#define TPU_PICTURE_CLOBBERED '!' /* a byte outside the write window changed */

enum { TPU_PICTURE_ROWS = 32, TPU_PICTURE_COLS = 64 };

struct tpu_picture {
  uint32_t row, col;   /* the byte of C at its upper left corner */
  uint32_t cell;       /* bytes along the edge of a cell: 1, or a multiple of T: whole tiles */
  uint32_t rows, cols; /* in cells; 0: nothing differs */
  char line[TPU_PICTURE_ROWS][TPU_PICTURE_COLS + 1];
};

/* The program against the spec: over the output region and every byte that is not as due. */
void tpu_picture_program(const struct tpu_params *p, const struct tpu_workload *w,
                         const int8_t *expected, const int8_t *prefill, const int8_t *image,
                         struct tpu_picture *out);

/* Two whole images: over every byte that differs. */
void tpu_picture_design(const struct tpu_params *p, const int8_t *interpreted, const int8_t *image,
                        struct tpu_picture *out);

#ifdef __cplusplus
}
#endif
#endif
