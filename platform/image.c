/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/image.h"

#include <string.h>

/* Places blobs one after the other; with a buffer it copies them too, so that sizing and building
 * cannot disagree. */
struct placing {
  uint8_t *buffer; /* NULL: sizes only */
  uint64_t next;
};

static struct tpu_blob place(struct placing *p, const void *data, uint64_t bytes) {
  if (data == NULL || bytes == 0) {
    return (struct tpu_blob){0, 0};
  }
  const uint64_t at = p->next;
  p->next = (at + bytes + TPU_PAYLOAD_ALIGN - 1) / TPU_PAYLOAD_ALIGN * TPU_PAYLOAD_ALIGN;
  if (p->buffer != NULL) {
    memcpy(p->buffer + at, data, (size_t)bytes);
  }
  return (struct tpu_blob){(uint32_t)at, (uint32_t)bytes};
}

static int is_tied(const struct tpu_image_request *r) {
  if (r->image[0] != NULL || r->image[1] != NULL || r->image[2] != NULL ||
      r->expected_image != NULL) {
    return 1;
  }
  for (uint32_t i = 0; r->workload != NULL && i < r->workload->constants; ++i) {
    const struct tpu_constant *c = &r->workload->constant[i];
    if (c->kind == TPU_CONST_DATA && (c->rows == 0 || c->cols == 0)) {
      return 1;
    }
  }
  return 0;
}

static uint64_t constant_bytes(const struct tpu_image_request *r, const struct tpu_constant *c) {
  const uint64_t t = r->params != NULL ? r->params->t : 0;
  return c->kind == TPU_CONST_DATA ? (c->rows != 0 ? c->rows : t) * (c->cols != 0 ? c->cols : t)
                                   : 0;
}

/* Fills *h but for its sizes; returns the total. */
static uint64_t fill(const struct tpu_image_request *r, uint8_t *buffer, struct tpu_payload *h) {
  struct placing p = {buffer, sizeof *h};
  const uint64_t whole = r->params != NULL ? (uint64_t)r->params->maxdim * r->params->maxdim : 0;
  *h = (struct tpu_payload){
      .magic = TPU_PAYLOAD_MAGIC, .version = TPU_PAYLOAD_VERSION, .header_bytes = sizeof *h};
  if (is_tied(r) && r->params != NULL) {
    h->t = r->params->t;
    h->maxdim = r->params->maxdim;
  }
  if (r->workload != NULL) {
    const struct tpu_workload *w = r->workload;
    h->has_workload = 1;
    h->workload = *w;
    for (uint32_t i = 0; i < w->inputs && i < TPU_MAX_INPUTS; ++i) {
      if (w->input[i].buffer > TPU_BUFFER_C || r->image[w->input[i].buffer] == NULL) {
        h->input[i] = place(&p, r->operands.input[i], tpu_tensor_elements(w, &w->input[i]));
      }
    }
    for (uint32_t i = 0; i < w->constants && i < TPU_MAX_CONSTANTS; ++i) {
      const struct tpu_constant *c = &w->constant[i];
      if (c->buffer > TPU_BUFFER_C || r->image[c->buffer] == NULL) {
        h->constant[i] = place(&p, r->operands.constant[i], constant_bytes(r, c));
      }
    }
    if (r->expected_image == NULL) {
      h->expected = place(&p, r->expected, tpu_tensor_elements(w, &w->output));
    }
  }
  for (uint32_t i = 0; i < 3; ++i) {
    h->seed[i] = r->seed[i];
    h->image[i] = place(&p, r->image[i], whole);
  }
  h->expected_image = place(&p, r->expected_image, whole);
  if (r->program != NULL) {
    h->program =
        place(&p, r->program->words, (uint64_t)r->program->count * sizeof(struct tpu_word));
    h->header = place(&p, r->header, TPU_HEADER_WORDS * sizeof(uint64_t));
  }
  return p.next + sizeof(uint32_t);
}

size_t tpu_payload_bytes(const struct tpu_image_request *request) {
  struct tpu_payload h;
  const uint64_t total = fill(request, NULL, &h);
  return total <= TPU_PAYLOAD_SIZE - TPU_RESULT_SIZE ? (size_t)total : 0;
}

int tpu_payload_build(const struct tpu_image_request *request, void *buffer, size_t capacity,
                      size_t *bytes, struct tpu_error *e) {
  const size_t total = tpu_payload_bytes(request);
  if (total == 0) {
    return tpu_fail(e, TPU_ERR_CAPACITY, "payload: larger than the %u bytes there are for it",
                    (uint32_t)(TPU_PAYLOAD_SIZE - TPU_RESULT_SIZE));
  }
  if (total > capacity) {
    return tpu_fail(e, TPU_ERR_CAPACITY, "payload: %U bytes, the buffer has %U", (uint64_t)total,
                    (uint64_t)capacity);
  }
  if (is_tied(request) && request->params == NULL) {
    return tpu_fail(e, TPU_ERR_USE, "payload: whole images or data sized by T without parameters");
  }
  memset(buffer, 0, total); /* the gaps between blobs too: same request, same bytes */
  struct tpu_payload h;
  const uint64_t placed = fill(request, buffer, &h);
  h.total_bytes = (uint32_t)placed;
  memcpy(buffer, &h, sizeof h);
  const uint32_t trailer = TPU_PAYLOAD_TRAILER;
  memcpy((uint8_t *)buffer + total - sizeof trailer, &trailer, sizeof trailer);
  *bytes = total;
  return tpu_payload_check(buffer, total, e);
}

int tpu_result_read(const void *page, size_t bytes, struct tpu_result *out, struct tpu_error *e) {
  if (bytes < sizeof *out) {
    return tpu_fail(e, TPU_ERR_CAPACITY, "result: %U bytes, it has %u", (uint64_t)bytes,
                    (uint32_t)sizeof *out);
  }
  memcpy(out, page, sizeof *out);
  if (out->magic != TPU_RESULT_MAGIC) {
    return tpu_fail(e, TPU_ERR_USE, "result: the application ended before it reported");
  }
  if (out->version != TPU_PAYLOAD_VERSION || out->bytes != sizeof *out) {
    return tpu_fail(e, TPU_ERR_USE, "result: version %u of %u bytes, expected version %u of %u",
                    out->version, out->bytes, (uint32_t)TPU_PAYLOAD_VERSION, (uint32_t)sizeof *out);
  }
  out->line[sizeof out->line - 1] = '\0';
  return 1;
}
