/* SPDX-License-Identifier: Apache-2.0 */
/* Programs: encoded, decoded, and a builder in which nesting depth is the AGU level and an address
 * is a base plus (loop, stride) terms. All storage is the caller's. */
#ifndef TPU_ISA_PROGRAM_H
#define TPU_ISA_PROGRAM_H

#include "isa/encoding.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Encoded instructions; words[0 .. count), storage for capacity of them. */
struct tpu_program {
  struct tpu_word *words;
  uint32_t capacity;
  uint32_t count;
};

/* The same program decoded; what everything that walks a program reads. */
struct tpu_code {
  struct tpu_insn *insn;
  uint32_t capacity;
  uint32_t count;
};

/* Decodes all of src into dst. On failure 0, with the instruction number in *bad, the rule in
 * *rule (each may be NULL) and the sentence in *e. */
int tpu_decode_program(const struct tpu_program *src, struct tpu_code *dst, uint32_t *bad,
                       int *rule, struct tpu_error *e);

/* A loop of a builder, as a value: what an address term names. */
struct tpu_loop {
  uint32_t id; /* serial number, so that a closed loop cannot be mistaken for its successor */
  uint8_t level;
};

struct tpu_addr_term {
  struct tpu_loop loop;
  uint32_t stride;
};

/* base + sum of iv(loop) * stride. Build with tpu_at and tpu_plus. */
struct tpu_addr {
  uint32_t base;
  uint32_t terms; /* may exceed TPU_AGU_TERMS: emitting such an address is the error */
  struct tpu_addr_term term[TPU_AGU_TERMS + 1];
};

struct tpu_addr tpu_at(uint32_t base);
struct tpu_addr tpu_plus(struct tpu_addr a, struct tpu_loop loop, uint32_t stride);

/* Refuses, with the first error kept in .error and every later call a no-op: a nest deeper than
 * TPU_LOOP_DEPTH, a loop variable used outside its loop, a fourth address term over all fields of
 * an instruction, a trip count below 1, a value no field holds, an unclosed or unopened loop, a
 * full program. */
struct tpu_builder {
  struct tpu_program *program;
  uint32_t depth;
  uint32_t open[TPU_LOOP_DEPTH]; /* ids of the open loops by level */
  uint32_t next_id;
  struct tpu_error error; /* .code == TPU_OK while all is well */
};

void tpu_builder_begin(struct tpu_builder *b, struct tpu_program *program);
struct tpu_loop tpu_build_loop(struct tpu_builder *b, uint32_t trip);
void tpu_build_endloop(struct tpu_builder *b);
void tpu_build_nop(struct tpu_builder *b);
/* mode: TPU_DMA_SOURCE_B | TPU_DMA_DEST_VR bits. Rows are 1..127. */
void tpu_build_dma_ld(struct tpu_builder *b, uint32_t mode, struct tpu_addr dram_row,
                      struct tpu_addr col_block, struct tpu_addr dest, uint32_t rows);
void tpu_build_vld(struct tpu_builder *b, struct tpu_addr vr, struct tpu_addr spad, uint32_t rows);
void tpu_build_mm(struct tpu_builder *b, struct tpu_addr vr, struct tpu_addr ar, int accumulate,
                  struct tpu_addr spad, uint32_t rows);
void tpu_build_vadd(struct tpu_builder *b, struct tpu_addr dest, struct tpu_addr src1,
                    struct tpu_addr src2, uint32_t rows);
void tpu_build_vrelu(struct tpu_builder *b, struct tpu_addr dest, struct tpu_addr src,
                     uint32_t rows);
void tpu_build_mvout(struct tpu_builder *b, struct tpu_addr ar, struct tpu_addr dram_row,
                     struct tpu_addr col_block, uint32_t rows);
/* Returns 1 when every call was accepted and every loop is closed. */
int tpu_builder_end(struct tpu_builder *b, struct tpu_error *e);

#ifdef __cplusplus
}
#endif
#endif
