/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/payload.h"

#include "isa/encoding.h"

/* Both sides must read the same bytes. */
_Static_assert(sizeof(struct tpu_tensor) == 20 && sizeof(struct tpu_constant) == 24, "layout");
_Static_assert(sizeof(struct tpu_workload) == 48 + 4 + 48 + 4 + 40 + 20 + 4 + 96 + 16, "layout");
_Static_assert(sizeof(struct tpu_payload) == 40 + sizeof(struct tpu_workload) + 13 * 8, "layout");
_Static_assert(sizeof(struct tpu_result) == 14 * 4 + 32 + 24 + 5 * 8 + 8 * 6 * 8 + 400, "layout");
_Static_assert(sizeof(struct tpu_result) <= TPU_RESULT_SIZE, "result page");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "payloads are little endian");

const char *tpu_outcome_name(uint32_t outcome) {
  static const char *const names[] = {
#define TPU_OUTCOME_NAME(id, name) name,
      TPU_OUTCOMES(TPU_OUTCOME_NAME)
#undef TPU_OUTCOME_NAME
  };
  return outcome < TPU_OUTCOME_COUNT ? names[outcome] : "?";
}

const void *tpu_blob_data(const struct tpu_payload *payload, struct tpu_blob blob) {
  return blob.bytes != 0 ? (const uint8_t *)payload + blob.offset : NULL;
}

static int check_frame(const struct tpu_payload *p, size_t available, struct tpu_error *e) {
  if (available < sizeof *p) {
    return tpu_fail(e, TPU_ERR_SYNTAX, "payload: %u bytes, its header alone has %u",
                    (uint32_t)available, (uint32_t)sizeof *p);
  }
  if (p->magic != TPU_PAYLOAD_MAGIC) {
    return tpu_fail(e, TPU_ERR_SYNTAX, "payload: none there (magic %u, expected %u)", p->magic,
                    TPU_PAYLOAD_MAGIC);
  }
  if (p->version != TPU_PAYLOAD_VERSION) {
    return tpu_fail(e, TPU_ERR_SYNTAX, "payload: version %u, this application reads version %u",
                    p->version, (uint32_t)TPU_PAYLOAD_VERSION);
  }
  if (p->header_bytes != sizeof *p) {
    return tpu_fail(e, TPU_ERR_SYNTAX, "payload: header of %u bytes, expected %u", p->header_bytes,
                    (uint32_t)sizeof *p);
  }
  if (p->total_bytes < sizeof *p + sizeof(uint32_t) || p->total_bytes % sizeof(uint32_t) != 0) {
    return tpu_fail(e, TPU_ERR_SYNTAX, "payload: a total of %u bytes is none", p->total_bytes);
  }
  if (p->total_bytes > available) {
    return tpu_fail(e, TPU_ERR_SYNTAX, "payload: truncated, %u of %u bytes", (uint32_t)available,
                    p->total_bytes);
  }
  const uint32_t *words = (const uint32_t *)(const void *)p;
  if (words[p->total_bytes / sizeof(uint32_t) - 1] != TPU_PAYLOAD_TRAILER) {
    return tpu_fail(e, TPU_ERR_SYNTAX, "payload: truncated, its trailer word is missing at byte %u",
                    p->total_bytes - (uint32_t)sizeof(uint32_t));
  }
  return 1;
}

/* A blob of exactly want bytes, or an absent one where optional. */
static int check_blob(const struct tpu_payload *p, struct tpu_blob b, const char *name,
                      uint64_t want, int optional, struct tpu_error *e) {
  if (b.bytes == 0 && (optional || want == 0)) {
    return 1;
  }
  if (b.bytes != want) {
    return tpu_fail(e, TPU_ERR_SYNTAX, "payload: %s has %u bytes, expected %U", name, b.bytes,
                    want);
  }
  const uint32_t end = p->total_bytes - (uint32_t)sizeof(uint32_t);
  if (b.offset % TPU_PAYLOAD_ALIGN != 0 || b.offset < p->header_bytes || b.offset > end ||
      b.bytes > end - b.offset) {
    return tpu_fail(e, TPU_ERR_SYNTAX,
                    "payload: %s at bytes %u + %u, allowed are multiples of 8 in %u..%u", name,
                    b.offset, b.bytes, p->header_bytes, end);
  }
  return 1;
}

/* Elements of a tensor, saturated; 0 when it is malformed. */
static uint64_t elements(const struct tpu_workload *w, const struct tpu_tensor *t) {
  const uint64_t limit = UINT32_MAX;
  uint64_t n = 1;
  unsigned rank = 0;
  while (rank < TPU_MAX_RANK && t->subscript[rank] != '\0') {
    n *= tpu_index_size(w, t->subscript[rank]);
    n = n < limit ? n : limit;
    ++rank;
  }
  return rank > 0 && t->subscript[rank] == '\0' ? n : 0;
}

static int check_workload(const struct tpu_payload *p, struct tpu_error *e) {
  const struct tpu_workload *w = &p->workload;
  if (w->name[sizeof w->name - 1] != '\0' || w->indices == 0 || w->indices > TPU_MAX_INDICES ||
      w->inputs == 0 || w->inputs > TPU_MAX_INPUTS || w->constants > TPU_MAX_CONSTANTS) {
    return tpu_fail(e, TPU_ERR_SYNTAX,
                    "payload: workload name or counts (%u indices, %u inputs, %u constants) "
                    "outside 1..%u, 1..%u, 0..%u",
                    w->indices, w->inputs, w->constants, (uint32_t)TPU_MAX_INDICES,
                    (uint32_t)TPU_MAX_INPUTS, (uint32_t)TPU_MAX_CONSTANTS);
  }
  for (uint32_t i = 0; i < w->inputs; ++i) {
    if (w->input[i].buffer > TPU_BUFFER_B || elements(w, &w->input[i]) == 0) {
      return tpu_fail(e, TPU_ERR_SYNTAX, "payload: input %u is not a tensor in A or B", i);
    }
  }
  if (w->output.buffer != TPU_BUFFER_C || elements(w, &w->output) == 0) {
    return tpu_fail(e, TPU_ERR_SYNTAX, "payload: the output is not a tensor in C");
  }
  for (uint32_t i = 0; i < w->constants; ++i) {
    if (w->constant[i].buffer > TPU_BUFFER_B || w->constant[i].kind > TPU_CONST_DATA) {
      return tpu_fail(e, TPU_ERR_SYNTAX, "payload: constant %u is of no known kind in A or B", i);
    }
  }
  return 1;
}

static int has_image(const struct tpu_payload *p, uint32_t buffer) {
  return p->image[buffer].bytes != 0;
}

/* Dense operands: present unless a whole image of their buffer is given instead. */
static int check_operands(const struct tpu_payload *p, struct tpu_error *e) {
  const struct tpu_workload *w = &p->workload;
  for (uint32_t i = 0; i < w->inputs; ++i) {
    if (!check_blob(p, p->input[i], "an input tensor", elements(w, &w->input[i]),
                    has_image(p, w->input[i].buffer), e)) {
      return 0;
    }
  }
  for (uint32_t i = 0; i < w->constants; ++i) {
    const struct tpu_constant *c = &w->constant[i];
    const uint64_t rows = c->rows != 0 ? c->rows : p->t;
    const uint64_t cols = c->cols != 0 ? c->cols : p->t;
    const uint64_t want = c->kind == TPU_CONST_DATA ? rows * cols : 0;
    if (c->kind == TPU_CONST_DATA && want == 0) {
      return tpu_fail(e, TPU_ERR_SYNTAX, "payload: data sized by T, and no T is stated");
    }
    if (!check_blob(p, p->constant[i], "a constant", want, has_image(p, c->buffer), e)) {
      return 0;
    }
  }
  return check_blob(p, p->expected, "the expected output", elements(w, &w->output), 1, e);
}

int tpu_payload_check(const void *payload, size_t available, struct tpu_error *e) {
  const struct tpu_payload *p = payload;
  if (!check_frame(p, available, e)) {
    return 0;
  }
  const uint64_t whole = (uint64_t)p->maxdim * p->maxdim;
  static const char *const image_names[] = {"image A", "image B", "image C"};
  for (uint32_t i = 0; i < 3; ++i) {
    if (!check_blob(p, p->image[i], image_names[i], whole, 1, e)) {
      return 0;
    }
  }
  if (!check_blob(p, p->expected_image, "the expected image", whole, 1, e) ||
      !check_blob(p, p->program, "the program",
                  p->program.bytes / sizeof(struct tpu_word) * sizeof(struct tpu_word), 1, e) ||
      !check_blob(p, p->header, "the header", TPU_HEADER_WORDS * sizeof(uint64_t), 1, e)) {
    return 0;
  }
  if (p->header.bytes != 0 && p->program.bytes == 0) {
    return tpu_fail(e, TPU_ERR_SYNTAX, "payload: a header without a program");
  }
  if (p->has_workload == 0) {
    if (p->program.bytes == 0) {
      return tpu_fail(e, TPU_ERR_SYNTAX, "payload: neither a workload nor a program");
    }
    if (p->expected.bytes != 0) {
      return tpu_fail(e, TPU_ERR_SYNTAX, "payload: a dense output without a workload");
    }
    return 1;
  }
  return check_workload(p, e) && check_operands(p, e);
}
