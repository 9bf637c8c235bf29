/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/tests/arith_report.h"

#include "firmware/tests/arith_workloads.h"
#include "isa/header.h"
#include "isa/image.h"
#include "isa/interp.h"
#include "isa/mapper.h"
#include "isa/random.h"

enum { MAX_EDGE = 64, MAX_T = 16, MAX_INSNS = 128 };

/* Everything that is too large for a stack. */
struct scratch {
  int8_t image[3][MAX_EDGE * MAX_EDGE];
  int8_t prefill[MAX_EDGE * MAX_EDGE];
  int8_t dense[3][MAX_EDGE * MAX_EDGE];
  int8_t spad[TPU_MAX_MEM_ROWS * MAX_T];
  int8_t vr[TPU_MAX_MEM_ROWS * MAX_T];
  int32_t ar[TPU_MAX_MEM_ROWS * MAX_T];
  struct tpu_word words[MAX_INSNS];
  struct tpu_insn insn[MAX_INSNS];
};

struct report {
  struct scratch *s;
  const struct arith_sink *sink;
  unsigned lines;
  char line[512];
};

size_t arith_scratch_bytes(void) { return sizeof(struct scratch); }

static void put(struct report *r, struct tpu_text *t) {
  tpu_text_str(t, "\n");
  r->sink->put(r->sink->context, r->line);
  ++r->lines;
}

/* FNV-1a. */
static uint32_t checksum(const void *data, size_t bytes) {
  const uint8_t *p = data;
  uint32_t h = 0x811c9dc5U;
  for (size_t i = 0; i < bytes; ++i) {
    h = (h ^ p[i]) * 0x01000193U;
  }
  return h;
}

static void put_checksum(struct tpu_text *t, const char *name, const void *data, size_t bytes) {
  tpu_text_format(t, " %s=", name);
  tpu_text_hex(t, checksum(data, bytes), 8);
}

static void report_random(struct report *r) {
  static const int32_t limits[][2] = {{-4, 4},      {-16, 16},        {-128, 127},
                                      {1, 1},       {0, 2147483647},  {-2147483647 - 1, 2147483647},
                                      {-128, -128}, {-2147483647, 0}, {7, 1000000007}};
  for (uint32_t seed = 0; seed < 8; ++seed) {
    struct tpu_random random = tpu_random_seeded(seed * 0x10000001U);
    uint32_t mix = 0;
    for (uint32_t i = 0; i < 1000; ++i) {
      mix = mix * 31U + tpu_random_next(&random);
      const int32_t *l = limits[i % (sizeof limits / sizeof limits[0])];
      mix = mix * 31U + (uint32_t)tpu_random_range(&random, l[0], l[1]);
    }
    struct tpu_text t = tpu_text_on(r->line, sizeof r->line);
    tpu_text_format(&t, "random %u ", seed);
    tpu_text_hex(&t, mix, 8);
    put(r, &t);
  }
}

/* Operands of extremes and everything between. */
static void draw(struct report *r, const struct tpu_workload *w, uint32_t seed,
                 struct tpu_operands *data) {
  struct tpu_random random = tpu_random_seeded(seed);
  for (uint32_t i = 0; i < w->inputs; ++i) {
    const uint32_t n = tpu_tensor_elements(w, &w->input[i]);
    for (uint32_t k = 0; k < n; ++k) {
      r->s->dense[i][k] = (int8_t)tpu_random_range(&random, -128, 127);
    }
    data->input[i] = r->s->dense[i];
  }
}

static void report_run(struct report *r, const struct tpu_params *p, const struct tpu_workload *w,
                       const struct tpu_code *code, uint32_t seed, struct tpu_text *t) {
  struct scratch *s = r->s;
  const size_t whole = (size_t)p->maxdim * p->maxdim;
  struct tpu_operands data = {0};
  struct tpu_error e = {0};
  draw(r, w, seed, &data);
  tpu_image_operand(p, w, &data, TPU_BUFFER_A, seed + 1, s->image[0]);
  tpu_image_operand(p, w, &data, TPU_BUFFER_B, seed + 2, s->image[1]);
  tpu_image_prefill(p, seed + 3, s->image[2]);
  tpu_image_prefill(p, seed + 3, s->prefill);
  put_checksum(t, "a", s->image[0], whole);
  put_checksum(t, "b", s->image[1], whole);
  put_checksum(t, "c0", s->image[2], whole);
  struct tpu_state state = {s->spad, s->vr, s->ar};
  tpu_state_scramble(p, &state, seed + 4);
  if (!tpu_interpret(p, code, &state, s->image[0], s->image[1], s->image[2], &e)) {
    tpu_text_format(t, " interpreter: %s", e.text);
  }
  put_checksum(t, "c", s->image[2], whole);
  put_checksum(t, "ar", s->ar, (size_t)p->nar * p->t * sizeof(int32_t));
  /* Against its own upper half, so that wrong and clobbered bytes are both counted. */
  struct tpu_comparison c;
  tpu_image_compare(p, w, s->dense[0], s->prefill, s->image[2], &c);
  tpu_text_format(t, " compare=%u,%u,%u,%u,%d,%d", c.wrong, c.clobbered, c.row, c.col, c.expected,
                  c.got);
}

static void report_workload(struct report *r, const struct tpu_params *p,
                            const struct tpu_workload *w, uint32_t seed) {
  struct tpu_text t = tpu_text_on(r->line, sizeof r->line);
  struct tpu_error e = {0};
  tpu_text_format(&t, "T=%u MAXDIM=%u %s:", p->t, p->maxdim, w->name);
  struct tpu_program program = {.words = r->s->words, .capacity = MAX_INSNS};
  struct tpu_code code = {.insn = r->s->insn, .capacity = MAX_INSNS};
  struct tpu_counts counts;
  uint64_t header[TPU_HEADER_WORDS];
  if (!tpu_workload_fits(p, w, &e)) {
    tpu_text_format(&t, " does not fit: %s", e.text);
    put(r, &t);
    return;
  }
  if (!tpu_workload_satisfiable(p, w, &e)) {
    tpu_text_format(&t, " unsatisfiable=");
    tpu_text_hex(&t, checksum(e.text, sizeof e.text), 8);
  }
  if (!tpu_map_baseline(p, w, &program, &e) ||
      !tpu_decode_program(&program, &code, NULL, NULL, &e) ||
      !tpu_counts_of(p, &code, &counts, NULL, NULL, &e) || !tpu_header_pack(&counts, header)) {
    tpu_text_format(&t, " no program: %s", e.text);
    put(r, &t);
    return;
  }
  tpu_text_format(&t, " insns=%u work=%u fetches=%U", program.count, tpu_critical_work(&counts),
                  tpu_total_fetches(&code));
  put_checksum(&t, "words", program.words, program.count * sizeof(struct tpu_word));
  put_checksum(&t, "header", header, sizeof header);
  report_run(r, p, w, &code, seed, &t);
  put(r, &t);
}

unsigned arith_report(void *scratch, const struct arith_sink *sink) {
  static const uint32_t sets[][2] = {{4, 16}, {4, 64},  {5, 40}, {6, 24},
                                     {8, 32}, {12, 24}, {16, 32}};
  struct report r = {.s = scratch, .sink = sink};
  report_random(&r);
  for (uint32_t i = 0; i < sizeof sets / sizeof sets[0]; ++i) {
    struct tpu_params p = {.t = sets[i][0], .maxdim = sets[i][1], .qd = 16, .dma_words = 1};
    struct tpu_error e = {0};
    struct tpu_text t = tpu_text_on(r.line, sizeof r.line);
    if (!tpu_params_resolve(&p, &e)) {
      tpu_text_format(&t, "T=%u MAXDIM=%u: %s", p.t, p.maxdim, e.text);
      put(&r, &t);
      continue;
    }
    tpu_text_format(&t, "T=%u MAXDIM=%u: SPAD_ROWS=%u NVR=%u NAR=%u IMEM_SIZE=%u", p.t, p.maxdim,
                    p.spad_rows, p.nvr, p.nar, p.imem_size);
    put(&r, &t);
    for (uint32_t k = 0; k < arith_workload_count(); ++k) {
      const struct tpu_workload w = arith_workload(k);
      report_workload(&r, &p, &w, i * 1000 + k * 10);
    }
  }
  return r.lines;
}
