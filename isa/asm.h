/* SPDX-License-Identifier: Apache-2.0 */
/* Text form of a program: one instruction a line, '#' starts a comment. The disassembler's output
 * assembles back to the same words.
 *
 *   line  = [ op { key=value } | "loop" number ] [ "#" anything ]
 *   value = ( number | mode ) { "+iv" level "*" stride [ "@" slot ] }
 *   mode  = A:spad | B:spad | A:vr | B:vr
 *
 * Numbers are decimal or 0x hexadecimal. Keys stand in any order, each once, none left out. Address
 * terms take the slots 0..2 of word 1 in the order of the text unless each names its own by "@",
 * which the disassembler does only where the plain order would not give back the words. Whether a
 * program is legal is not the assembler's matter, only whether its words exist. */
#ifndef TPU_ISA_ASM_H
#define TPU_ISA_ASM_H

#include "isa/program.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Appends one instruction, e.g. "dma_ld mode=A:vr row=0 col=0+iv0*1 dest=0+iv0*64 rows=16",
 * "loop 4", "endloop"; indent levels of two spaces are the caller's. */
void tpu_disassemble(const struct tpu_insn *insn, struct tpu_text *out);

/* Appends the whole program, nests indented, one line each. */
void tpu_disassemble_program(const struct tpu_code *code, struct tpu_text *out);

/* Assembles zero-terminated text. On failure 0 with the line and column (both from 1) in the
 * sentence, what is wrong and what is allowed there. */
int tpu_assemble(const char *text, struct tpu_program *out, struct tpu_error *e);

#ifdef __cplusplus
}
#endif
#endif
