/* SPDX-License-Identifier: Apache-2.0 */
/* Builds and prints one JSON document; 64-bit integers are exact, text that is not UTF-8 has its
 * bad bytes replaced by U+FFFD, so that what is printed always parses.
 *
 * A member of an object has a key, an element of a list and the document itself have NULL. A call
 * in the wrong place, a number that is not finite and a lack of memory are remembered, later calls
 * do nothing, and the text is NULL. */
#ifndef TPU_JUDGE_JSON_WRITE_H
#define TPU_JUDGE_JSON_WRITE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tpu_json_writer;

struct tpu_json_writer *tpu_json_writer_new(void); /* NULL: out of memory */
void tpu_json_writer_free(struct tpu_json_writer *w);

void tpu_json_begin_object(struct tpu_json_writer *w, const char *key);
void tpu_json_begin_array(struct tpu_json_writer *w, const char *key);
void tpu_json_end(struct tpu_json_writer *w); /* closes the innermost object or list */

void tpu_json_put_string(struct tpu_json_writer *w, const char *key, const char *value);
void tpu_json_put_u64(struct tpu_json_writer *w, const char *key, uint64_t value);
void tpu_json_put_i64(struct tpu_json_writer *w, const char *key, int64_t value);
void tpu_json_put_double(struct tpu_json_writer *w, const char *key, double value);
void tpu_json_put_bool(struct tpu_json_writer *w, const char *key, int value);
void tpu_json_put_null(struct tpu_json_writer *w, const char *key);

/* The value, or null: of a text that is NULL or empty, of a number that is not known. */
void tpu_json_put_text_or_null(struct tpu_json_writer *w, const char *key, const char *text);
void tpu_json_put_u64_or_null(struct tpu_json_writer *w, const char *key, int known,
                              uint64_t value);
void tpu_json_put_double_or_null(struct tpu_json_writer *w, const char *key, int known,
                                 double value);

/* The finished document, indented or on one line, ending in a newline; from malloc. NULL when a
 * call before was refused or something is still open. */
char *tpu_json_writer_text(struct tpu_json_writer *w, int indented);

#ifdef __cplusplus
}
#endif
#endif
