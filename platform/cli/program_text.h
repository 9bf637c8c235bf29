/* SPDX-License-Identifier: Apache-2.0 */
/* Programs shown as text and as JSON: what asm, disasm and map print. */
#ifndef TPU_PLATFORM_CLI_PROGRAM_TEXT_H
#define TPU_PLATFORM_CLI_PROGRAM_TEXT_H

#include "isa/program.h"
#include "judge/report.h"
#include "platform/cli/options.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Decodes into code->insn, which the caller frees whatever is returned; name stands for the program
 * in messages. */
int tpu_program_decode(const char *name, const struct tpu_program *program, struct tpu_code *code,
                       struct tpu_report *r);

/* Prints a document: the text of each instruction beside its words. */
int tpu_program_put(const struct tpu_program *program, const struct tpu_code *code,
                    struct tpu_report *r);

/* Text to -o FILE, or to stdout. */
int tpu_text_deliver(const struct tpu_args *args, const char *text, struct tpu_report *r);

/* The program's text to -o FILE or stdout; with --json the document on stdout. */
int tpu_program_show(const struct tpu_args *args, const char *name,
                     const struct tpu_program *program, struct tpu_report *r);

#ifdef __cplusplus
}
#endif
#endif
