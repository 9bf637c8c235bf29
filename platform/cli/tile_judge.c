/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict on a GEMM by tiles. */
#include "judge/violation.h"
#include "platform/cli/tile_job.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void say(struct tpu_tile_verdict *v, enum tpu_verdict verdict, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void say(struct tpu_tile_verdict *v, enum tpu_verdict verdict, const char *format, ...) {
  va_list args;
  va_start(args, format);
  (void)vsnprintf(v->reason, sizeof v->reason, format, args);
  va_end(args);
  v->verdict = verdict;
}

static void say_illegal(const struct tpu_tile_job *job, struct tpu_tile_verdict *v) {
  for (uint32_t i = 0; i < job->programs; ++i) {
    const struct tpu_tile_program *tile = &job->program[i];
    char text[400];
    if (!tile->legality.legal) {
      say(v, TPU_VERDICT_ILLEGAL, "the program of %u rows x %u columns: %s", tile->rows,
          tile->blocks * job->request.config->params.t,
          tpu_violation_text(&tile->legality.violation, text, sizeof text));
      return;
    }
  }
}

/* Does this program in DRAM, header and words, lie there as the host mapped it? */
static int is_mapped(const struct tpu_tile_program *tile, const struct tpu_tile_ran *ran,
                     const void *lies) {
  const size_t header = sizeof tile->header;
  return lies != NULL && ran->rows == tile->rows && ran->blocks == tile->blocks &&
         ran->instructions == tile->program.count && memcmp(lies, tile->header, header) == 0 &&
         memcmp((const uint8_t *)lies + header, tile->program.words,
                tile->program.count * sizeof *tile->program.words) == 0;
}

/* The host finds its programs in the order of the tiles, the core in another. */
static int same_programs(const struct tpu_tile_job *job, const struct tpu_tile_outcome *outcome,
                         struct tpu_tile_verdict *v) {
  const struct tpu_tile_result *result = outcome->result;
  uint32_t found = 0;
  for (uint32_t i = 0; i < job->programs; ++i) {
    for (uint32_t k = 0; k < result->programs; ++k) {
      found += is_mapped(&job->program[i], &result->program[k], outcome->program[k]) != 0;
    }
  }
  if (found == job->programs && result->programs == job->programs &&
      memcmp(&result->plan, &job->plan, sizeof job->plan) == 0) {
    return 1;
  }
  say(v, TPU_VERDICT_FAULT, "the programs in DRAM are not those that the host mapped: %s",
      result->line);
  return 0;
}

/* Every tile computed, with the products that its program promises. */
static int all_ran(const struct tpu_tile_job *job, const struct tpu_tile_result *result,
                   struct tpu_tile_verdict *v) {
  for (uint32_t i = 0; i < job->programs; ++i) {
    for (uint32_t k = 0; k < result->programs; ++k) {
      const struct tpu_tile_ran *ran = &result->program[k];
      const struct tpu_tile_program *tile = &job->program[i];
      if (ran->rows == tile->rows && ran->blocks == tile->blocks && ran->runs != tile->tiles) {
        say(v, TPU_VERDICT_FAULT, "%u tiles of %u rows x %u columns were run, there are %u",
            ran->runs, tile->rows, tile->blocks * job->request.config->params.t, tile->tiles);
        return 0;
      }
    }
  }
  if (result->macs != tpu_tile_macs(job)) {
    say(v, TPU_VERDICT_FAULT, "the array counted %llu products, the programs have %llu",
        (unsigned long long)result->macs, (unsigned long long)tpu_tile_macs(job));
    return 0;
  }
  return 1;
}

/* Every byte of C, and every other byte of the payload. */
static void compare(const struct tpu_tile_job *job, const uint8_t *payload,
                    struct tpu_tile_verdict *v) {
  struct tpu_comparison *c = &v->comparison;
  const uint32_t from = job->at.c.offset;
  const uint32_t to = from + job->at.c.bytes;
  v->compared = 1;
  for (uint32_t i = 0; i < job->at.total_bytes; ++i) {
    const int inside = i >= from && i < to;
    const uint8_t due = inside ? (uint8_t)job->expected[i - from] : job->payload[i];
    if (due == payload[i]) {
      continue;
    }
    c->clobbered += !inside;
    if (inside && c->wrong++ == 0) {
      c->row = (i - from) / job->request.n;
      c->col = (i - from) % job->request.n;
      c->expected = (int32_t)job->expected[i - from];
      c->got = (int32_t)(int8_t)payload[i];
    }
  }
  if (c->wrong != 0) {
    say(v, TPU_VERDICT_WRONG,
        "%u of %u bytes of C are wrong, the first at row %u column %u: expected %d, got %d",
        c->wrong, job->at.c.bytes, c->row, c->col, c->expected, c->got);
  } else if (c->clobbered != 0) {
    say(v, TPU_VERDICT_CLOBBERED, "%u bytes beside C changed", c->clobbered);
  } else {
    v->verdict = TPU_VERDICT_EXACT;
  }
}

/* Of a run that the application reported. */
static void judge_report(const struct tpu_tile_job *job, const struct tpu_tile_outcome *outcome,
                         struct tpu_tile_verdict *v) {
  const struct tpu_tile_result *result = outcome->result;
  const int prepared =
      result->outcome != TPU_OUTCOME_REFUSED && result->outcome != TPU_OUTCOME_SETUP;
  if (prepared && !same_programs(job, outcome, v)) {
    return;
  }
  if (result->outcome == TPU_OUTCOME_DEADLOCK && outcome->hang != NULL) {
    say(v, TPU_VERDICT_DEADLOCK, "the tile at row %u column %u: %s",
        result->row_tile * job->plan.rows,
        result->col_tile * job->plan.blocks * job->request.config->params.t, outcome->hang);
  } else if (result->outcome != TPU_OUTCOME_COMPLETED) {
    say(v, TPU_VERDICT_FAULT, "%s", result->line);
  } else if (all_ran(job, result, v)) {
    compare(job, outcome->payload, v);
  }
}

void tpu_tile_judge(const struct tpu_tile_job *job, const struct tpu_tile_outcome *outcome,
                    struct tpu_tile_verdict *v) {
  *v = (struct tpu_tile_verdict){.verdict = TPU_VERDICT_NOT_RUN};
  for (uint32_t i = 0; i < job->at.c.bytes; ++i) {
    v->saturated += job->expected[i] == INT8_MIN || job->expected[i] == INT8_MAX;
  }
  if (outcome == NULL) {
    say_illegal(job, v);
  } else if (outcome->abnormal != NULL) {
    say(v, TPU_VERDICT_FAULT, "%s", outcome->abnormal);
  } else {
    judge_report(job, outcome, v);
  }
}
