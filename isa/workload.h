/* SPDX-License-Identifier: Apache-2.0 */
/* What is to be computed and where its bytes lie; says nothing about how. The fixed little-endian
 * layout below is also the form in which an image carries a workload: no pointers, 32-bit words
 * and characters only. */
#ifndef TPU_ISA_WORKLOAD_H
#define TPU_ISA_WORKLOAD_H

#include "isa/params.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TPU_MAX_RANK = 4, TPU_MAX_INDICES = 6, TPU_MAX_INPUTS = 2, TPU_MAX_CONSTANTS = 4 };

enum tpu_buffer { TPU_BUFFER_A, TPU_BUFFER_B, TPU_BUFFER_C };
enum tpu_constant_kind { TPU_CONST_IDENTITY, TPU_CONST_ONES_COLUMN, TPU_CONST_DATA };
enum tpu_window { TPU_WINDOW_EXACT, TPU_WINDOW_COLUMN_BLOCK };

/* A tensor lies row-major in its MAXDIM x MAXDIM int8 image: all but the last subscript index
 * rows, the last the columns; a vector is one column. */
struct tpu_tensor {
  char subscript[8]; /* zero-terminated, at most TPU_MAX_RANK letters */
  uint32_t buffer;   /* enum tpu_buffer */
  uint32_t row, col; /* origin; col is a multiple of T */
};

struct tpu_constant {
  uint32_t kind;       /* enum tpu_constant_kind */
  uint32_t rows, cols; /* 0 = T */
  uint32_t buffer;
  uint32_t row, col;
};

struct tpu_index {
  uint32_t letter; /* 'a'..'z' */
  uint32_t size;   /* >= 1 */
};

struct tpu_workload {
  char name[48];
  uint32_t indices;
  struct tpu_index index[TPU_MAX_INDICES];
  uint32_t inputs;
  struct tpu_tensor input[TPU_MAX_INPUTS];
  struct tpu_tensor output; /* in C */
  uint32_t constants;
  struct tpu_constant constant[TPU_MAX_CONSTANTS];
  uint32_t relu;         /* epilogue has relu before saturate */
  uint32_t pad_zero;     /* operand_pad zero: undeclared bytes of A and B are 0 */
  uint32_t write_window; /* enum tpu_window */
  uint32_t known_gap;    /* the spec states that no program satisfies it */
};

/* The forms the baseline maps; letters are free, only their pattern counts. */
enum tpu_form {
  TPU_FORM_OTHER,
  TPU_FORM_GEMM,         /* mk,kn->mn */
  TPU_FORM_POINTWISE,    /* mn->mn */
  TPU_FORM_ROW_REDUCE,   /* mk->m */
  TPU_FORM_BATCHED_GEMM, /* bmk,bkn->bmn */
};

enum tpu_form tpu_workload_form(const struct tpu_workload *w);
uint32_t tpu_index_size(const struct tpu_workload *w, char letter); /* 0 = no such index */

/* A rectangle of an image, in bytes. */
struct tpu_region {
  uint32_t row, col, rows, cols;
};

struct tpu_region tpu_tensor_region(const struct tpu_workload *w, const struct tpu_tensor *t);
struct tpu_region tpu_constant_region(const struct tpu_params *p, const struct tpu_constant *c);
uint32_t tpu_tensor_elements(const struct tpu_workload *w, const struct tpu_tensor *t);
/* The bytes of C a program may write: the output region, widened to whole T-lane column blocks
 * where the spec permits it. */
struct tpu_region tpu_write_region(const struct tpu_params *p, const struct tpu_workload *w);

/* Does every declared region lie inside the images, on a column block, without overlap, at this
 * configuration? 1, or 0 with the reason (verdict SKIPPED). */
int tpu_workload_fits(const struct tpu_params *p, const struct tpu_workload *w,
                      struct tpu_error *why);

/* Can any program of this machine compute it bit-exactly at this configuration, in its write
 * window, whatever the operands and an arbitrary pad hold? 0 with the reason when spec and
 * configuration rule out every program (verdict UNSATISFIABLE), else 1. For the forms above, 1 says
 * that one exists. For TPU_FORM_OTHER 1 is only the lack of a proof: nothing but the write window,
 * which binds every program, is looked at, and whether there is a program the run of one shows. The
 * workload must fit. Programs are those whose results are sums of products, with weights from
 * anywhere in A and B and the bytes of identity and ones_column constants known; header counts are
 * counted, the instruction memory is not: whether its program fits there, a mapper says. */
int tpu_workload_satisfiable(const struct tpu_params *p, const struct tpu_workload *w,
                             struct tpu_error *why);

#ifdef __cplusplus
}
#endif
#endif
