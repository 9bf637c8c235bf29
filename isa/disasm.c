/* SPDX-License-Identifier: Apache-2.0 */
#include "isa/asm.h"
#include "isa/asm_syntax.h"

const char *const tpu_dma_mode_name[TPU_DMA_MODES] = {"A:spad", "B:spad", "A:vr", "B:vr"};

/* Where the assembler would put each term by itself: slots in the order of the text, which is by
 * field and within a field by slot. An instruction whose terms lie otherwise names their slots. */
static int terms_in_text_order(const struct tpu_insn *insn) {
  unsigned last = 1; /* target numbers never fall, and no slot in between is empty */
  for (unsigned k = 0; k < TPU_AGU_TERMS; ++k) {
    unsigned target = insn->term[k].target;
    if (target == 0)
      last = 5; /* from here on only empty slots */
    else if (target < last)
      return 0;
    else
      last = target;
  }
  return 1;
}

static void put_field(const struct tpu_insn *insn, unsigned field, int with_slots,
                      struct tpu_text *out) {
  int terms = 0;
  for (unsigned k = 0; k < TPU_AGU_TERMS; ++k)
    terms |= insn->term[k].target == field + 1;
  tpu_text_format(out, " %s=", tpu_op_lookup(insn->op)->field_name[field]);
  if (insn->op == TPU_OP_DMA_LD && field == 0 && insn->f[0] < TPU_DMA_MODES && !terms)
    tpu_text_str(out, tpu_dma_mode_name[insn->f[0]]);
  else
    tpu_text_u64(out, insn->f[field]);
  for (unsigned k = 0; k < TPU_AGU_TERMS; ++k) {
    const struct tpu_term *t = &insn->term[k];
    if (t->target != field + 1)
      continue;
    tpu_text_format(out, "+iv%u*%u", (uint32_t)t->level, (uint32_t)t->stride);
    if (with_slots)
      tpu_text_format(out, "@%u", (uint32_t)k);
  }
}

void tpu_disassemble(const struct tpu_insn *insn, struct tpu_text *out) {
  const struct tpu_op_info *info = tpu_op_lookup(insn->op);
  if (info->name == NULL) { /* no text assembles to it; messages may still show it */
    tpu_text_format(out, "op %u", (uint32_t)insn->op);
    return;
  }
  tpu_text_str(out, info->name);
  for (unsigned k = 0; k < info->fields; ++k)
    put_field(insn, k, !terms_in_text_order(insn), out);
  if (info->has_nr != 0)
    tpu_text_format(out, info->is_data != 0 ? " " TPU_ASM_ROWS "=%u" : " %u", (uint32_t)insn->nr);
}

void tpu_disassemble_program(const struct tpu_code *code, struct tpu_text *out) {
  uint32_t depth = 0;
  for (uint32_t i = 0; i < code->count; ++i) {
    const struct tpu_insn *insn = &code->insn[i];
    if (insn->op == TPU_OP_ENDLOOP && depth != 0)
      --depth;
    for (uint32_t k = 0; k < depth; ++k)
      tpu_text_str(out, "  ");
    tpu_disassemble(insn, out);
    tpu_text_str(out, "\n");
    if (insn->op == TPU_OP_LOOP && depth < TPU_LOOP_DEPTH)
      ++depth;
  }
}
