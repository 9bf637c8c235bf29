/* SPDX-License-Identifier: Apache-2.0 */
#include "isa/params.h"

enum {
  DEFAULT_T = 4,
  DEFAULT_MAXDIM = 64,
  DEFAULT_QD = 16,
  DEFAULT_OPERAND_ROWS = 64, /* scratchpad and vector registers are not derived below this */
  DEFAULT_ACC_ROWS = 128,
  DEFAULT_PROGRAM = 24, /* instructions the default instruction memory holds */
  DMA_BYTES = 64,       /* the widest burst step, unless one packed word is wider */
  MIN_IMEM = 16,
  IMEM_UNIT = 8, /* words of one prefetch step */
  WORDS_PER_INSN = 2
};

struct tpu_params tpu_params_default(void) {
  return (struct tpu_params){
      .t = DEFAULT_T, .maxdim = DEFAULT_MAXDIM, .qd = DEFAULT_QD, .dma_words = 1};
}

uint32_t tpu_words_per_row(const struct tpu_params *p) { return p->maxdim / p->t; }

uint32_t tpu_operand_rows(const struct tpu_params *p) { return tpu_words_per_row(p) * p->maxdim; }

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }
static uint32_t most(uint32_t a, uint32_t b) { return a > b ? a : b; }

uint32_t tpu_widest_dma(const struct tpu_params *p) {
  return least(tpu_words_per_row(p), most(1, DMA_BYTES / p->t));
}

uint32_t tpu_program_capacity(const struct tpu_params *p) {
  return (p->imem_size - TPU_HEADER_WORDS) / WORDS_PER_INSN;
}

static uint32_t least_nar(uint32_t maxdim) { return 2 * maxdim + 2; }

uint32_t tpu_maxdim_ceiling(uint32_t t) {
  uint32_t wpr = 1; /* MAXDIM = wpr * T, so OPERAND_ROWS = wpr^2 * T */
  while ((wpr + 1) * (wpr + 1) * t <= TPU_MAX_MEM_ROWS &&
         least_nar((wpr + 1) * t) <= TPU_MAX_MEM_ROWS)
    ++wpr;
  return wpr * t;
}

uint32_t tpu_cubic_gemm_ceiling(uint32_t t) {
  uint32_t top = tpu_maxdim_ceiling(t) / t;
  uint32_t tiles = 1;
  while (tiles < top) {
    uint32_t n = tiles + 1;
    uint32_t mvout_rows = n * n * t;
    if (n * mvout_rows + mvout_rows > TPU_MAX_COUNT)
      break;
    tiles = n;
  }
  return tiles * t;
}

static int in_range(const char *key, uint32_t value, uint32_t lo, uint32_t hi, const char *why,
                    struct tpu_error *e) {
  if (value >= lo && value <= hi)
    return 1;
  return tpu_fail(e, TPU_ERR_RANGE, "%s is %u; allowed is %u..%u%s", key, value, lo, hi, why);
}

static int check_maxdim(const struct tpu_params *p, struct tpu_error *e) {
  uint32_t ceiling = tpu_maxdim_ceiling(p->t);
  if (p->maxdim >= p->t && p->maxdim % p->t == 0 && p->maxdim <= ceiling)
    return 1;
  if (p->maxdim == 0 || p->maxdim % p->t != 0)
    return tpu_fail(e, TPU_ERR_RANGE, "MAXDIM is %u; allowed is a multiple of T=%u in %u..%u",
                    p->maxdim, p->t, p->t, ceiling);
  return tpu_fail(e, TPU_ERR_RANGE,
                  "MAXDIM is %u; allowed at T=%u is at most %u, since MAXDIM*MAXDIM/T = %U operand "
                  "rows must be addressable in %u",
                  p->maxdim, p->t, ceiling, (uint64_t)p->maxdim * p->maxdim / p->t,
                  (uint32_t)TPU_MAX_MEM_ROWS);
}

static void derive(struct tpu_params *p) {
  uint32_t rows = most(DEFAULT_OPERAND_ROWS, tpu_operand_rows(p));
  if (p->spad_rows == 0)
    p->spad_rows = rows;
  if (p->nvr == 0)
    p->nvr = rows;
  if (p->nar == 0)
    p->nar = most(DEFAULT_ACC_ROWS, 2 * p->maxdim + 8);
  if (p->imem_size == 0)
    p->imem_size = TPU_HEADER_WORDS + WORDS_PER_INSN * DEFAULT_PROGRAM;
}

int tpu_params_resolve(struct tpu_params *p, struct tpu_error *e) {
  if (!in_range("T", p->t, TPU_MIN_T, TPU_MAX_T, "", e) || !check_maxdim(p, e) ||
      !in_range("QD", p->qd, TPU_MIN_QD, TPU_MAX_QD, " tokens", e) ||
      !in_range("DMA_WORDS", p->dma_words, 1, tpu_widest_dma(p),
                " (the smaller of MAXDIM/T and the words in 64 bytes)", e))
    return 0;
  struct tpu_params full = *p;
  derive(&full);
  uint32_t rows = tpu_operand_rows(&full);
  if (!in_range("SPAD_ROWS", full.spad_rows, rows, TPU_MAX_MEM_ROWS,
                " (from MAXDIM*MAXDIM/T operand rows)", e) ||
      !in_range("NVR", full.nvr, rows, TPU_MAX_MEM_ROWS, " (from MAXDIM*MAXDIM/T operand rows)",
                e) ||
      !in_range("NAR", full.nar, least_nar(full.maxdim), TPU_MAX_MEM_ROWS, " (from 2*MAXDIM + 2)",
                e))
    return 0;
  if (full.imem_size % IMEM_UNIT != 0)
    return tpu_fail(e, TPU_ERR_RANGE, "IMEM_SIZE is %u; allowed is a multiple of %u in %u..%u",
                    full.imem_size, (uint32_t)IMEM_UNIT, (uint32_t)MIN_IMEM,
                    (uint32_t)TPU_MAX_IMEM);
  if (!in_range("IMEM_SIZE", full.imem_size, MIN_IMEM, TPU_MAX_IMEM, ", a multiple of 8", e))
    return 0;
  *p = full;
  return 1;
}
