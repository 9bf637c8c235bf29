/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/rule_cases.h"

#include <string.h>

/* Instructions as they are written here: operands, rows. */
#define LOAD(mode, row, col, dest, rows)                                                           \
  {                                                                                                \
    TPU_OP_DMA_LD, rows, {mode, row, col, dest}, {                                                 \
      { 0, 0, 0 }                                                                                  \
    }                                                                                              \
  }
#define A_TO_VR(row, dest, rows) LOAD(TPU_DMA_DEST_VR, row, 0, dest, rows)
#define B_TO_SPAD(row, dest, rows) LOAD(TPU_DMA_SOURCE_B, row, 0, dest, rows)
#define COPY(vr, spad, rows)                                                                       \
  {                                                                                                \
    TPU_OP_VLD, rows, {vr, spad, 0, 0}, {                                                          \
      { 0, 0, 0 }                                                                                  \
    }                                                                                              \
  }
#define MM(acc, rows)                                                                              \
  {                                                                                                \
    TPU_OP_MM, rows, {0, 0, acc, 0}, {                                                             \
      { 0, 0, 0 }                                                                                  \
    }                                                                                              \
  }
#define ADD(dest, source1, source2, rows)                                                          \
  {                                                                                                \
    TPU_OP_VADD, rows, {dest, source1, source2, 0}, {                                              \
      { 0, 0, 0 }                                                                                  \
    }                                                                                              \
  }
#define RELU(dest, source, rows)                                                                   \
  {                                                                                                \
    TPU_OP_VRELU, rows, {dest, source, 0, 0}, {                                                    \
      { 0, 0, 0 }                                                                                  \
    }                                                                                              \
  }
#define STORE(row, col, rows)                                                                      \
  {                                                                                                \
    TPU_OP_MVOUT, rows, {0, row, col, 0}, {                                                        \
      { 0, 0, 0 }                                                                                  \
    }                                                                                              \
  }
#define LOOP(trip)                                                                                 \
  {                                                                                                \
    TPU_OP_LOOP, trip, {0, 0, 0, 0}, {                                                             \
      { 0, 0, 0 }                                                                                  \
    }                                                                                              \
  }
#define END                                                                                        \
  {                                                                                                \
    TPU_OP_ENDLOOP, 0, {0, 0, 0, 0}, {                                                             \
      { 0, 0, 0 }                                                                                  \
    }                                                                                              \
  }
#define NOP                                                                                        \
  {                                                                                                \
    TPU_OP_NOP, 0, {0, 0, 0, 0}, {                                                                 \
      { 0, 0, 0 }                                                                                  \
    }                                                                                              \
  }
#define TILE A_TO_VR(0, 0, 4), B_TO_SPAD(0, 0, 4), MM(0, 4)
#define NOPS5 NOP, NOP, NOP, NOP, NOP

#define BREAKS(id, text) .rule = TPU_RULE_##id, .what = text
#define INSNS(...)                                                                                 \
  .count = sizeof(struct tpu_insn[]){__VA_ARGS__} / sizeof(struct tpu_insn), .insn = {__VA_ARGS__}

enum { MOST = 25 }; /* one more than the instruction memory holds */

struct rule_case {
  const char *what;
  uint64_t bits; /* set in word 0 of the first: what the encoder would refuse to write */
  /* Added to a word of the program's own header, which then comes with it; 0: none comes. */
  uint64_t header_add;
  uint32_t header_word;
  int rule;
  int with_spec; /* it is to compute gemm_4x4x4 */
  uint32_t count;
  struct tpu_insn insn[MOST];
};

static const struct rule_case cases[] = {
    {BREAKS(AR_RAW_DISTANCE, "mvout of two rows right after the mm that writes them"),
     INSNS(A_TO_VR(0, 0, 4), B_TO_SPAD(0, 0, 4), MM(0, 2), STORE(0, 0, 2))},
    {BREAKS(AR_RAW_DISTANCE, "vadd that reads what the vadd before it wrote"),
     INSNS(TILE, ADD(8, 0, 0, 1), ADD(9, 8, 0, 1))},
    {BREAKS(WRITE_BEFORE_READ, "mm with weights that nothing loaded"),
     INSNS(A_TO_VR(0, 0, 4), MM(0, 4))},
    {BREAKS(WRITE_BEFORE_READ, "mm with activations copied from unwritten spad rows"),
     INSNS(B_TO_SPAD(0, 0, 4), COPY(0, 4, 4), MM(0, 4))},
    {BREAKS(WRITE_BEFORE_READ, "mm that accumulates on rows of ar that nothing wrote"),
     INSNS(A_TO_VR(0, 0, 4), B_TO_SPAD(0, 0, 4), MM(1, 4))},
    {BREAKS(OUT_OF_RANGE, "dma_ld past the last vector register"), INSNS(A_TO_VR(0, 1022, 4))},
    {BREAKS(OUT_OF_RANGE, "vrelu past the last accumulator register"),
     INSNS(TILE, RELU(134, 0, 4))},
    {BREAKS(DRAM_OPERAND, "dma_ld of rows past the image"), INSNS(A_TO_VR(62, 0, 4))},
    {BREAKS(DRAM_OPERAND, "dma_ld of a column block past the image"),
     INSNS(LOAD(TPU_DMA_SOURCE_B, 0, 16, 0, 4))},
    {BREAKS(DRAM_RESULT, "mvout of rows past the image"), INSNS(TILE, STORE(62, 0, 4))},
    {BREAKS(DRAM_RESULT, "mvout of a column block past the image"), INSNS(TILE, STORE(0, 16, 4))},
    {BREAKS(FIELD_RANGE, "the spare bit of an operand is set"), INSNS(NOP),
     .bits = UINT64_C(1) << 17},
    {BREAKS(FIELD_RANGE, "an operand that an instruction does not use is set"), INSNS(LOOP(2), END),
     .bits = UINT64_C(1) << 6},
    {BREAKS(FIELD_RANGE, "an operand passes 2047 in the second pass of a loop"),
     INSNS(LOOP(2), {TPU_OP_DMA_LD, 4, {0, 0, 0, 1000}, {{4, 0, 1100}}}, END)},
    {BREAKS(ZERO_ROWS, "dma_ld of no row"), INSNS(A_TO_VR(0, 0, 0))},
    {BREAKS(LOOP_DEPTH, "five loops in one another"),
     INSNS(LOOP(2), LOOP(2), LOOP(2), LOOP(2), LOOP(2), END, END, END, END, END)},
    {BREAKS(LOOP_TRIP, "a loop of no pass"), INSNS(LOOP(0), END)},
    {BREAKS(LOOP_UNBALANCED, "an endloop too many"), INSNS(LOOP(2), END, END)},
    {BREAKS(LOOP_UNCLOSED, "a loop without its endloop"), INSNS(LOOP(2), NOP)},
    {BREAKS(LOOP_STALE_IV, "an address term after its loop"),
     INSNS(LOOP(2), END, {TPU_OP_DMA_LD, 4, {0, 0, 0, 0}, {{4, 0, 4}}})},
    {BREAKS(OP_UNKNOWN, "code 10"), INSNS(NOP), .bits = TPU_OP_COUNT},
    {BREAKS(OP_UNKNOWN, "the retired code 2"), INSNS(NOP), .bits = TPU_OP_RETIRED},
    {BREAKS(MM_ACC_FIELD, "mm with acc 2"), INSNS(A_TO_VR(0, 0, 4), B_TO_SPAD(0, 0, 4), MM(2, 4))},
    {BREAKS(DMA_LD_FIELD, "dma_ld with mode 4"), INSNS(LOAD(4, 0, 0, 0, 4))},
    {BREAKS(PROG_EMPTY, "no instruction"), .count = 0},
    {BREAKS(IMEM_OVERFLOW, "one instruction more than the memory holds"),
     INSNS(NOPS5, NOPS5, NOPS5, NOPS5, NOPS5)},
    {BREAKS(COUNT_OVERFLOW, "dma_ld of 4 rows, 16129 times"),
     INSNS(LOOP(127), LOOP(127), A_TO_VR(0, 0, 4), END, END)},
    {BREAKS(ARRAY_OVERFLOW, "mm of 16 rows, 2046 times, and one of 127"),
     INSNS(A_TO_VR(0, 0, 16), B_TO_SPAD(0, 0, 4), LOOP(127), LOOP(16), MM(0, 16), END, END,
           LOOP(14), MM(0, 16), END, MM(0, 127))},
    {BREAKS(DMA_SPAN, "a header whose burst of A passes the image"), INSNS(TILE, STORE(0, 0, 4)),
     .header_word = 7, .header_add = 61},
    {BREAKS(KPN_PROTOCOL, "a header that promises dma_ld a row more than there is"),
     INSNS(TILE, STORE(0, 0, 4)), .header_word = 1, .header_add = 1},
    {BREAKS(KPN_PROTOCOL, "a header that promises dma_st a row less than there is"),
     INSNS(TILE, STORE(0, 0, 4)), .header_word = 6, .header_add = UINT64_MAX},
    {BREAKS(WRITE_WINDOW, "mvout below the rows of the output"), INSNS(TILE, STORE(4, 0, 4)),
     .with_spec = 1},
    {BREAKS(OUTPUT_INCOMPLETE, "mvout of three of four output rows"), INSNS(TILE, STORE(0, 0, 3)),
     .with_spec = 1},
};
enum { CASES = sizeof cases / sizeof cases[0] };

size_t tpu_rule_case_count(void) { return CASES; }

int tpu_rule_is_told(const struct tpu_violation *v, int rule) {
  return v->rule == rule && v->detail[0] != '\0' && tpu_rule_contract(rule)[0] != '\0' &&
         tpu_rule_remedy(rule)[0] != '\0' && strcmp(tpu_rule_name(rule), "?") != 0;
}

/* The words, as the encoder writes them and with the bits that it would not write. */
static uint32_t encode(const struct rule_case *c, struct tpu_word words[MOST]) {
  for (uint32_t k = 0; k < c->count; ++k) {
    struct tpu_insn plain = c->insn[k];
    words[k] = (struct tpu_word){0, 0};
    (void)tpu_encode(&plain, &words[k], NULL);
  }
  words[0].w0 |= c->bits;
  return c->count;
}

/* The program's own header, one word of it changed; 0 when the case has none. */
static int make_header(const struct tpu_params *p, const struct rule_case *c,
                       const struct tpu_program *program, uint64_t header[TPU_HEADER_WORDS]) {
  struct tpu_insn insn[MOST];
  struct tpu_code code = {insn, MOST, 0};
  struct tpu_counts counts;
  if (c->header_add == 0 || !tpu_decode_program(program, &code, NULL, NULL, NULL) ||
      !tpu_counts_of(p, &code, &counts, NULL, NULL, NULL) || !tpu_header_pack(&counts, header))
    return 0;
  header[c->header_word] += c->header_add;
  return 1;
}

static struct tpu_workload gemm_4x4x4(void) {
  return (struct tpu_workload){.name = "gemm_4x4x4",
                               .indices = 3,
                               .index = {{'m', 4}, {'k', 4}, {'n', 4}},
                               .inputs = 2,
                               .input = {{"mk", TPU_BUFFER_A, 0, 0}, {"kn", TPU_BUFFER_B, 0, 0}},
                               .output = {"mn", TPU_BUFFER_C, 0, 0}};
}

int tpu_rule_case_run(size_t k, struct tpu_rule_result *out, struct tpu_report *r) {
  const struct rule_case *c = &cases[k];
  const struct tpu_workload gemm = gemm_4x4x4();
  struct tpu_params p = tpu_params_default();
  struct tpu_word words[MOST] = {{0, 0}};
  uint64_t header[TPU_HEADER_WORDS];
  struct tpu_legality legality;
  (void)tpu_params_resolve(&p, NULL);
  const struct tpu_program program = {words, MOST, encode(c, words)};
  const int has_header = make_header(&p, c, &program, header);
  const struct tpu_legal_request request = {&p, &program, has_header ? header : NULL,
                                            c->with_spec ? &gemm : NULL};
  if (!tpu_legal(&request, &legality, r))
    return 0;
  *out = (struct tpu_rule_result){.rule = c->rule,
                                  .what = c->what,
                                  .got = legality.violation.rule,
                                  .violation = legality.violation};
  out->passed = !legality.legal && tpu_rule_is_told(&legality.violation, c->rule);
  tpu_legality_release(&legality);
  return 1;
}
