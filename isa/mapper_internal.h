/* SPDX-License-Identifier: Apache-2.0 */
/* Between mapper.c, which emits and counts, mapper_forms.c, which knows the einsums, and
 * mapper_variants.c, which knows other orders of a GEMM. */
#ifndef TPU_ISA_MAPPER_INTERNAL_H
#define TPU_ISA_MAPPER_INTERNAL_H

#include "isa/header.h"
#include "isa/known.h"
#include "isa/program.h"

/* More than any baseline emits: about thirty when rows split in three (an image has at most 320),
 * or three nests of ten over as many batches. */
enum { TPU_MAP_STORAGE = 64 };

struct tpu_mapping {
  const struct tpu_params *p;
  const struct tpu_workload *w;
  const char *name; /* in messages: "baseline", "variant via_spad" */
  struct tpu_extent x;
  uint32_t rows; /* of an mm: m, or AR_RAW_DIST when m is less: the next reader keeps distance */
  struct tpu_builder b;
  struct tpu_counts counts; /* so far; trip counts multiplied in */
  uint32_t trip[TPU_LOOP_DEPTH];
  uint32_t times; /* product of the open trip counts */
};

/* Loops and rows. A row count above 127 becomes several instructions. */
struct tpu_loop tpu_map_loop(struct tpu_mapping *m, uint32_t trip);
void tpu_map_endloop(struct tpu_mapping *m);
uint32_t tpu_map_mode(uint32_t buffer, int to_vr); /* dma_ld's mode field */
void tpu_map_load(struct tpu_mapping *m, uint32_t mode, struct tpu_addr row, struct tpu_addr col,
                  struct tpu_addr dest, uint32_t rows);
/* As tpu_map_load from a fixed row; rows past the image's edge come from row 0 on instead: their
 * values do not matter, but a row that is read must have been written. */
void tpu_map_load_padded(struct tpu_mapping *m, uint32_t mode, uint32_t row, struct tpu_addr col,
                         struct tpu_addr dest, uint32_t rows);
/* One packed word into each of several spad rows. */
void tpu_map_repeat(struct tpu_mapping *m, const struct tpu_place *word, struct tpu_addr dest,
                    uint32_t rows);
void tpu_map_mm(struct tpu_mapping *m, struct tpu_addr vr, struct tpu_addr ar, int accumulate,
                struct tpu_addr spad);
/* relu if the workload has one, then m rows to C. */
void tpu_map_retire(struct tpu_mapping *m, struct tpu_addr ar, struct tpu_addr row,
                    struct tpu_addr col);

void tpu_map_copy(struct tpu_mapping *m, struct tpu_addr vr, struct tpu_addr spad, uint32_t rows);

/* Pieces of a GEMM. Activations go to vr, tile kb of the reduction from row kb*MAXDIM on; rows that
 * only keep the mm long enough are padded on. */
uint32_t tpu_map_block(const struct tpu_mapping *m, const struct tpu_tensor *t); /* column block */
void tpu_map_activations(struct tpu_mapping *m, uint32_t rows);
/* The weights of column tile nb, whose loop is open, into spad rows. */
void tpu_map_weights(struct tpu_mapping *m, struct tpu_loop nb, struct tpu_addr spad);
/* Those of every tile, from spad row nb*MAXDIM on. */
void tpu_map_resident_weights(struct tpu_mapping *m);
/* Column tile nb of m->rows rows: activations from vr on, weights from spad row weights on, results
 * to DRAM row `row` on. */
void tpu_map_tile(struct tpu_mapping *m, struct tpu_loop nb, struct tpu_addr vr,
                  struct tpu_addr weights, struct tpu_addr row);
/* Every column tile, from the activations at vr row 0 on and resident weights. */
void tpu_map_tiles(struct tpu_mapping *m, struct tpu_addr row);

/* Emits a mapping; 0 with why there is none. */
typedef int tpu_map_emit(struct tpu_mapping *m, struct tpu_error *e);

/* As tpu_map_baseline, by the emission given. */
int tpu_map_with(const struct tpu_params *p, const struct tpu_workload *w, const char *name,
                 tpu_map_emit *emit, struct tpu_program *out, struct tpu_error *e);

/* The forms. */
void tpu_map_gemm(struct tpu_mapping *m);
void tpu_map_batched(struct tpu_mapping *m);
int tpu_map_pointwise(struct tpu_mapping *m, struct tpu_error *e);
int tpu_map_row_reduce(struct tpu_mapping *m, struct tpu_error *e);

#endif
