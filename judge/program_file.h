/* SPDX-License-Identifier: Apache-2.0 */
/* Program files: a JSON list of [word0, word1] pairs. A word is an integer 0 .. 2^64-1 or a string
 * of "0x" and 1 to 16 hexadecimal digits, bit-exact either way. What the words mean is not looked
 * at here. */
#ifndef TPU_JUDGE_PROGRAM_FILE_H
#define TPU_JUDGE_PROGRAM_FILE_H

#include "isa/program.h"
#include "judge/json.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The most instructions a file may hold: what the header's static count can state. */
enum { TPU_PROGRAM_FILE_MAX = TPU_MAX_COUNT };

/* Reads a file. On success out->words is from malloc, capacity = count (at least 1 word of storage
 * even for an empty list), and the caller calls tpu_program_release. On failure 0, *out empty. */
int tpu_program_read(const char *path, struct tpu_program *out, struct tpu_report *r);

/* The instruction-memory header in front of a program, when one is given. */
struct tpu_program_header {
  int given;
  uint64_t word[TPU_HEADER_WORDS];
};

/* The same of a file whose list may begin with TPU_HEADER_WORDS single words, the header, before
 * the pairs. */
int tpu_program_read_headed(const char *path, struct tpu_program *out,
                            struct tpu_program_header *header, struct tpu_report *r);

/* The same from a value inside another document. */
int tpu_program_from_json(struct tpu_json v, struct tpu_program *out, struct tpu_report *r);

void tpu_program_release(struct tpu_program *program);

enum tpu_word_form { TPU_WORDS_HEX, TPU_WORDS_DECIMAL };

/* The text of a program file, one instruction a line; zero-terminated, from malloc; NULL when
 * memory lacks. */
char *tpu_program_text(const struct tpu_program *program, enum tpu_word_form form);

/* Writes the text to a file. */
int tpu_program_write(const char *path, const struct tpu_program *program, enum tpu_word_form form,
                      struct tpu_report *r);

#ifdef __cplusplus
}
#endif
#endif
