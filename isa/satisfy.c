/* SPDX-License-Identifier: Apache-2.0 */
/* What bounds a program here, whatever its loops: mm consumes whole words of T lanes, mvout
 * retires whole words, no opcode makes a row of known values, and a header count holds 32767. */
#include "isa/known.h"

static int window_holds(const struct tpu_params *p, const struct tpu_workload *w,
                        struct tpu_error *why) {
  struct tpu_region out = tpu_tensor_region(w, &w->output);
  uint32_t over = out.cols % p->t;
  if (over == 0 || w->write_window == TPU_WINDOW_COLUMN_BLOCK)
    return 1;
  return tpu_fail(
      why, TPU_ERR_UNFIT,
      "the output %s has %u column(s), no multiple of T=%u: mvout retires whole words "
      "of T lanes and must write %u byte(s) of every row outside the exact write window",
      w->output.subscript, out.cols, p->t, p->t - over);
}

/* The lanes of the last word of the reduction beyond its size. As every region starts on a column
 * block they are undeclared bytes of the activations: zero by contract or garbage. Garbage goes
 * into each sum with whatever weight row the program gives that lane, and only a word known to be
 * zero in the output lanes takes it out again. (With all bytes of the weights alike an mm sees no
 * more of its activation word than the sum over all lanes, pad included.) */
static int reduction_exact(const struct tpu_params *p, const struct tpu_workload *w, char letter,
                           uint32_t k, uint32_t n, struct tpu_error *why) {
  struct tpu_place zero;
  uint32_t over = k % p->t;
  if (over == 0 || w->pad_zero != 0 || tpu_known_zero(p, w, n < p->t ? n : p->t, &zero))
    return 1;
  return tpu_fail(why, TPU_ERR_UNFIT,
                  "the reduction %c=%u is no multiple of T=%u: mm sums whole words of T lanes, "
                  "operand_pad is arbitrary, so %u lane(s) of garbage enter every result, and no "
                  "opcode zeroes a row",
                  (int)letter, k, p->t, p->t - over);
}

/* Work no program avoids: every activation word comes into vr once and meets every weight tile of
 * its reduction in one mm row; an mm serves 127 rows and takes T + 1 steps of spm, through which
 * all weight rows come, those that fill up the last tile too; every result word is retired (and
 * relu'd) in one step. */
static int counts_hold(const struct tpu_params *p, const struct tpu_workload *w,
                       const struct tpu_extent *x, struct tpu_error *why) {
  uint64_t rows = (uint64_t)x->batch * x->m;
  uint64_t tiles = (uint64_t)x->batch * x->kt * x->nt;
  uint64_t issues = tiles * ((x->m + TPU_MAX_ROWS - 1U) / TPU_MAX_ROWS);
  const struct {
    const char *name;
    uint64_t least;
  } count[] = {
      {"vru", rows * x->kt * (x->nt + 1U)},
      {"accu", rows * x->nt * (x->kt + 1U + w->relu)},
      {"spm", (uint64_t)x->batch * x->k * x->nt + (x->kt * p->t - x->k) + issues * (p->t + 1U)}};
  for (unsigned i = 0; i < sizeof count / sizeof count[0]; ++i)
    if (count[i].least > TPU_MAX_COUNT)
      return tpu_fail(why, TPU_ERR_UNFIT,
                      "unit %s has at least %U steps to do, %U above the %u that its header count "
                      "holds",
                      count[i].name, count[i].least, count[i].least - TPU_MAX_COUNT,
                      (uint32_t)TPU_MAX_COUNT);
  return 1;
}

/* mn->mn passes through the array unchanged only against an identity. */
static int identity_known(const struct tpu_params *p, const struct tpu_workload *w, uint32_t n,
                          struct tpu_error *why) {
  uint32_t lanes = n < p->t ? n : p->t;
  struct tpu_place zero;
  struct tpu_place place;
  uint32_t rows = 0;
  if (!tpu_known_identity(p, w, lanes, &place, &rows))
    return tpu_fail(why, TPU_ERR_UNFIT,
                    "%s->%s reaches the accumulator only through mm against an identity of %u x "
                    "%u or more; no constant declares one and no opcode makes one",
                    w->input[0].subscript, w->output.subscript, lanes, lanes);
  if (lanes == p->t || w->pad_zero != 0 || tpu_known_zero(p, w, lanes, &zero))
    return 1;
  return tpu_fail(why, TPU_ERR_UNFIT,
                  "the %u column(s) fill no word of T=%u lanes, operand_pad is arbitrary, and the "
                  "identity of %u rows has no zero row for the garbage in the other lanes",
                  n, p->t, rows);
}

static int one_known(const struct tpu_params *p, const struct tpu_workload *w,
                     struct tpu_error *why) {
  struct tpu_place place;
  uint32_t rows = 0;
  if (tpu_known_one(p, w, &place, &rows))
    return 1;
  return tpu_fail(why, TPU_ERR_UNFIT,
                  "%s->%s sums by mm against a column of ones; no constant declares one and no "
                  "opcode makes one",
                  w->input[0].subscript, w->output.subscript);
}

int tpu_workload_satisfiable(const struct tpu_params *p, const struct tpu_workload *w,
                             struct tpu_error *why) {
  struct tpu_extent x = tpu_workload_extent(p, w);
  const char *in = w->input[0].subscript;
  switch (tpu_workload_form(w)) {
  case TPU_FORM_GEMM:
    return window_holds(p, w, why) && reduction_exact(p, w, in[1], x.k, x.n, why) &&
           counts_hold(p, w, &x, why);
  case TPU_FORM_BATCHED_GEMM:
    return window_holds(p, w, why) && reduction_exact(p, w, in[2], x.k, x.n, why) &&
           counts_hold(p, w, &x, why);
  case TPU_FORM_POINTWISE:
    return window_holds(p, w, why) && identity_known(p, w, x.n, why);
  case TPU_FORM_ROW_REDUCE:
    return window_holds(p, w, why) && one_known(p, w, why) &&
           reduction_exact(p, w, in[1], x.k, 1, why);
  case TPU_FORM_OTHER: /* what its programs must compute is not analysed, only what they retire */
    break;
  }
  return window_holds(p, w, why);
}
