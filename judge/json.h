/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON reader: every JSON file of the project comes in through here, and only here.
 *
 * Accepted is RFC 8259, UTF-8 without byte order mark, and of that only: at most
 * TPU_JSON_MAX_BYTES, at most TPU_JSON_MAX_DEPTH levels, no key twice in an object, no NUL in a
 * string, no number beyond the finite doubles, nothing after the document. Keys are case-sensitive.
 * Integers are exact to 64 bits. An integer is written as an integer: where one is due, 4.0, 4e0,
 * 1e3 and "4" are errors.
 *
 * Every function that takes a report returns 1, or 0 with one line "FILE: PLACE: what is wrong;
 * what is allowed", PLACE being a byte offset for malformed text and a JSON path ($.dims.m) for
 * anything else. */
#ifndef TPU_JUDGE_JSON_H
#define TPU_JUDGE_JSON_H

#include "judge/report.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TPU_JSON_MAX_BYTES = 4 * 1024 * 1024, TPU_JSON_MAX_DEPTH = 64 };

struct tpu_json_doc;
struct cJSON;

/* A value of a document, valid while the document is open. node is NULL for "none". */
struct tpu_json {
  const struct tpu_json_doc *doc;
  const struct cJSON *node;
};

enum tpu_json_type {
  TPU_JSON_NULL,
  TPU_JSON_BOOL,
  TPU_JSON_NUMBER,
  TPU_JSON_STRING,
  TPU_JSON_ARRAY,
  TPU_JSON_OBJECT
};

/* Reads a file, or a text that name stands for in messages. NULL with the report on failure. */
struct tpu_json_doc *tpu_json_open(const char *path, struct tpu_report *r);
struct tpu_json_doc *tpu_json_parse(const char *name, const char *text, size_t length,
                                    struct tpu_report *r);
void tpu_json_close(struct tpu_json_doc *doc); /* NULL is allowed */
struct tpu_json tpu_json_root(const struct tpu_json_doc *doc);

enum tpu_json_type tpu_json_type(struct tpu_json v);

/* Reports about a value: "FILE: PATH: " and the printf text; returns 0. */
int tpu_json_fail(struct tpu_json v, struct tpu_report *r, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Elements of a list or members of an object in their order: a chain that ends with node NULL. */
struct tpu_json tpu_json_first(struct tpu_json v);
struct tpu_json tpu_json_next(struct tpu_json v);
const char *tpu_json_key(struct tpu_json member); /* of a member of an object */

/* An object with no key outside keys; keys NULL: any key. */
int tpu_json_object(struct tpu_json v, const char *const *keys, size_t count, struct tpu_report *r);
/* The member of an object. get: 0 when absent; need: absent is an error. *out has node NULL then.
 */
int tpu_json_get(struct tpu_json object, const char *key, struct tpu_json *out);
int tpu_json_need(struct tpu_json object, const char *key, struct tpu_json *out,
                  struct tpu_report *r);

/* A list of lo..hi elements; count may be NULL. */
int tpu_json_array(struct tpu_json v, size_t lo, size_t hi, size_t *count, struct tpu_report *r);

/* An integer in lo..hi. */
int tpu_json_u32(struct tpu_json v, uint32_t lo, uint32_t hi, uint32_t *out, struct tpu_report *r);
int tpu_json_u64(struct tpu_json v, uint64_t lo, uint64_t hi, uint64_t *out, struct tpu_report *r);
/* A count: an integer in 0..INT64_MAX, so that the change from one to another has a number. */
int tpu_json_count(struct tpu_json v, uint64_t *out, struct tpu_report *r);
int tpu_json_i64(struct tpu_json v, int64_t lo, int64_t hi, int64_t *out, struct tpu_report *r);
/* Any number in lo..hi. */
int tpu_json_number(struct tpu_json v, double lo, double hi, double *out, struct tpu_report *r);
int tpu_json_bool(struct tpu_json v, int *out, struct tpu_report *r);

/* A string of lo..hi characters (code points); *out lives as long as the document. */
int tpu_json_string(struct tpu_json v, size_t lo, size_t hi, const char **out,
                    struct tpu_report *r);
/* A string that is one of names; *out receives its position. */
int tpu_json_enum(struct tpu_json v, const char *const *names, size_t count, uint32_t *out,
                  struct tpu_report *r);

#ifdef __cplusplus
}
#endif
#endif
