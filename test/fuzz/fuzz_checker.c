/* SPDX-License-Identifier: Apache-2.0 */
/* Decoder, checker, counts, interpreter on arbitrary instruction words: 16 bytes each. What the
 * checker accepts, the interpreter runs to its end. */
#include "isa/check.h"
#include "isa/interp.h"
#include "test/fuzz/fuzz.h"

enum { INSNS = 24, T = 4, DIM = 16, ROWS = 64, NAR = 128 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct tpu_word words[INSNS];
  struct tpu_insn insns[INSNS];
  struct tpu_params p = {.t = T, .maxdim = DIM, .qd = 8, .dma_words = 1};
  struct tpu_error e = {.code = TPU_OK};
  FUZZ_ASSERT(tpu_params_resolve(&p, &e));
  FUZZ_ASSERT(p.spad_rows == ROWS && p.nvr == ROWS && p.nar == NAR);
  const size_t count = size / 16 < INSNS ? size / 16 : INSNS;
  memcpy(words, data, count * 16);
  const struct tpu_program program = {words, INSNS, (uint32_t)count};
  struct tpu_code code = {insns, INSNS, 0};
  struct tpu_check_work work;
  struct tpu_counts counts;
  struct tpu_violation v;
  memset(&work, 0xa5, sizeof work);
  if (!tpu_check_program(&p, &program, &code, &work, &counts, &v)) {
    FUZZ_ASSERT(v.rule >= 0 && v.rule < TPU_RULE_COUNT && v.index < (int32_t)count);
    FUZZ_ASSERT(fuzz_one_line(v.detail, sizeof v.detail));
    return 0;
  }
  uint64_t header[TPU_HEADER_WORDS];
  struct tpu_counts unpacked;
  FUZZ_ASSERT(tpu_header_pack(&counts, header) && tpu_header_unpack(header, &unpacked));
  FUZZ_ASSERT(memcmp(&counts, &unpacked, sizeof counts) == 0);
  int8_t spad[ROWS * T];
  int8_t vr[ROWS * T];
  int32_t ar[NAR * T];
  static int8_t a[DIM * DIM];
  static int8_t b[DIM * DIM];
  int8_t c[DIM * DIM] = {0};
  struct tpu_state state = {spad, vr, ar};
  tpu_state_scramble(&p, &state, 7);
  FUZZ_ASSERT(tpu_interpret(&p, &code, &state, a, b, c, &e));
  return 0;
}
