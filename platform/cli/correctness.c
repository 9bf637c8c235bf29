/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/cli/correctness.h"

#include <stdio.h>

const char *tpu_correct_operands(const struct tpu_correct_case *x, int run) {
  return tpu_distribution_name((enum tpu_distribution)(run / x->turns));
}

static int run_turns(const struct tpu_correct_request *q, const struct tpu_job *job,
                     struct tpu_correct_case *out, struct tpu_report *r) {
  const struct tpu_anchor_request request = {.workload = &job->request.spec->workload,
                                             .program = &job->program,
                                             .code = &job->code,
                                             .counts = &job->counts,
                                             .image = {job->image[0], job->image[1], job->image[2]},
                                             .expected = job->expected,
                                             .seed = q->seed};
  for (int turn = 0; turn < q->turns; ++turn) {
    if (!tpu_anchors_run(q->engine, q->reference, &request, &out->run[out->runs], r)) {
      return 0;
    }
    ++out->runs;
  }
  return 1;
}

/* A fault of the design says nothing about the program: it goes before a hang, and that before
 * wrong bytes. */
static int rank_of(enum tpu_verdict v) {
  return v == TPU_VERDICT_FAULT      ? 3
         : v == TPU_VERDICT_DEADLOCK ? 2
         : v != TPU_VERDICT_EXACT    ? 1
                                     : 0;
}

static enum tpu_anchor both(enum tpu_anchor a, enum tpu_anchor b) {
  return a == TPU_ANCHOR_NONE || a == b ? b : b == TPU_ANCHOR_NONE ? a : TPU_ANCHOR_BOTH;
}

/* From all runs one verdict: that of the worst, the first of equals. */
static void conclude(struct tpu_correct_case *out, const struct tpu_standing *standing) {
  const char *reason = NULL;
  out->own = TPU_VERDICT_EXACT;
  for (int i = 0; i < out->runs; ++i) {
    out->moved = both(out->moved, out->run[i].moved);
    if (rank_of(out->run[i].verdict) > rank_of(out->own)) {
      out->own = out->run[i].verdict;
      out->shown = i;
    }
  }
  if (out->shown >= 0) {
    (void)snprintf(out->detail, sizeof out->detail, "operands %s, run %d: %s",
                   tpu_correct_operands(out, out->shown), out->shown % out->turns + 1,
                   out->run[out->shown].text);
  }
  out->settled = tpu_verdict_settle(standing, out->own, out->detail, &reason);
  (void)snprintf(out->reason, sizeof out->reason, "%s", reason != NULL ? reason : "");
}

static void conclude_unrun(struct tpu_correct_case *out, const struct tpu_job *job) {
  const char *reason = NULL;
  out->own = job->verdict;
  if (job->illegal) {
    out->rule = job->violation.rule;
  }
  out->settled = tpu_verdict_settle(&job->standing, job->verdict, job->reason, &reason);
  (void)snprintf(out->reason, sizeof out->reason, "%s", reason != NULL ? reason : "");
}

int tpu_correct_judge(const struct tpu_correct_request *request, struct tpu_correct_case *out,
                      struct tpu_report *r) {
  *out = (struct tpu_correct_case){.spec = request->spec,
                                   .turns = request->turns,
                                   .shown = -1,
                                   .moved = TPU_ANCHOR_NONE,
                                   .rule = TPU_RULE_NONE};
  for (int d = 0; d < TPU_DISTRIBUTION_COUNT; ++d) {
    const struct tpu_job_request asked = {.config = request->config,
                                          .spec = request->spec,
                                          .program = request->program,
                                          .none = request->none,
                                          .distribution = (enum tpu_distribution)d,
                                          .seed = request->seed};
    struct tpu_job job;
    if (!tpu_job_prepare(&job, &asked, r)) {
      return 0;
    }
    const int runs = job.verdict == TPU_VERDICT_NOT_RUN;
    const int good = !runs || run_turns(request, &job, out, r);
    out->counted = job.counted;
    out->counts = job.counts;
    if (good && !runs) {
      conclude_unrun(out, &job);
    } else if (good && d == TPU_DISTRIBUTION_COUNT - 1) {
      conclude(out, &job.standing);
    }
    tpu_job_release(&job);
    if (!good || !runs) {
      return good;
    }
  }
  return 1;
}
