/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/cli/sweep_point.h"

#include "judge/correct.h"

#include <stdio.h>
#include <stdlib.h>

/* As corpus and run have it without an option. */
enum { SEED = 1 };

void tpu_sweep_settle(const struct tpu_standing *standing, enum tpu_verdict run, const char *why,
                      struct tpu_point *out) {
  const char *reason = NULL;
  out->verdict = tpu_verdict_settle(standing, run, why, &reason);
  (void)tpu_shorten(reason != NULL ? reason : "", 0, out->reason, sizeof out->reason);
}

static void judge_completed(const struct tpu_job *job, const struct tpu_engine_result *result,
                            struct tpu_point *out) {
  const struct tpu_params *p = &job->request.config->params;
  struct tpu_correctness c = {.verdict = TPU_VERDICT_NOT_RUN};
  (void)tpu_correct_program(p, &job->request.spec->workload, job->expected,
                            job->image[TPU_BUFFER_C], result->image, &c);
  out->end = TPU_POINT_COMPLETED;
  out->utilization = result->cycles != 0 ? job->counts.mm_rows / (double)result->cycles : 0;
  tpu_sweep_settle(&job->standing, c.verdict, c.verdict == TPU_VERDICT_EXACT ? "" : c.text, out);
}

static void judge(const struct tpu_job *job, const struct tpu_engine_result *result,
                  struct tpu_point *out) {
  out->cycles = result->cycles;
  for (unsigned c = 0; c < TPU_CAUSE_COUNT; ++c) {
    out->cause[c] = result->cause[c];
  }
  for (unsigned u = 0; u < TPU_UNIT_COUNT; ++u) {
    const struct tpu_engine_counters *x = &result->unit[u];
    out->unit[u] = (struct tpu_unit_counters){{[TPU_COUNTER_PROMISED] = x->promised,
                                               [TPU_COUNTER_DONE] = x->done,
                                               [TPU_COUNTER_BUSY] = x->busy,
                                               [TPU_COUNTER_STARVED] = x->starved,
                                               [TPU_COUNTER_BLOCKED] = x->blocked,
                                               [TPU_COUNTER_IDLE] = x->idle}};
  }
  switch (result->outcome) {
  case TPU_ENGINE_COMPLETED:
    judge_completed(job, result, out);
    break;
  case TPU_ENGINE_DEADLOCK:
    out->end = TPU_POINT_DEADLOCK;
    tpu_sweep_settle(&job->standing, TPU_VERDICT_DEADLOCK, result->text, out);
    break;
  case TPU_ENGINE_FAULT:
    out->end = TPU_POINT_FAULT;
    tpu_sweep_settle(&job->standing, TPU_VERDICT_FAULT, result->text, out);
    break;
  }
}

static int run_on_engine(void *context, const struct tpu_job *job, struct tpu_point *out,
                         struct tpu_report *r) {
  const struct tpu_engine *engine = context;
  const struct tpu_engine_request request = {.params = &job->request.config->params,
                                             .program = &job->program,
                                             .counts = &job->counts,
                                             .image = {job->image[0], job->image[1], job->image[2]},
                                             .seed = job->request.seed,
                                             .wants_causes = 1};
  struct tpu_engine_result result;
  if (!engine->run(engine->context, &request, &result, r)) {
    return 0;
  }
  judge(job, &result, out);
  engine->release(&result);
  return 1;
}

/* The words of another mapping than the baseline, which a job makes itself. Returns 1; *mapped is 0
 * then when there is nothing to run, for the reason in *out. */
static int map(const struct tpu_sweep_plan *plan, const struct tpu_platform_config *config,
               const struct tpu_spec *spec, struct tpu_program *program, int *mapped,
               struct tpu_point *out, struct tpu_report *r) {
  struct tpu_standing_store store;
  struct tpu_standing standing;
  struct tpu_error e = {.code = TPU_OK};
  if (!tpu_spec_standing(spec, &config->params, &store, &standing, r)) {
    return 0;
  }
  if (standing.unfit != NULL) {
    tpu_sweep_settle(&standing, TPU_VERDICT_SKIPPED, standing.unfit, out);
    return 1;
  }
  *mapped = tpu_map_as(&config->params, &spec->workload, plan->variant, program, &e);
  if (!*mapped) {
    tpu_sweep_settle(&standing, TPU_VERDICT_DECLINED, e.text, out);
  }
  return 1;
}

static int run_point(const struct tpu_sweep_plan *plan, const struct tpu_platform_config *config,
                     const struct tpu_spec *spec, struct tpu_program *program, tpu_sweep_run *run,
                     void *context, struct tpu_point *out, struct tpu_report *r) {
  const int baseline = plan->variant == TPU_MAP_BASELINE;
  struct tpu_job job;
  int mapped = baseline;
  *out = (struct tpu_point){.verdict = TPU_VERDICT_NOT_RUN};
  if (!baseline && (!map(plan, config, spec, program, &mapped, out, r) || !mapped)) {
    return out->verdict != TPU_VERDICT_NOT_RUN;
  }
  const struct tpu_job_request request = {.config = config,
                                          .spec = spec,
                                          .program = baseline ? NULL : program,
                                          .distribution = TPU_DISTRIBUTION_FULL,
                                          .seed = SEED};
  if (!tpu_job_prepare(&job, &request, r)) {
    return 0;
  }
  int good = 1;
  if (job.verdict == TPU_VERDICT_NOT_RUN) {
    good = run(context, &job, out, r);
  } else {
    tpu_sweep_settle(&job.standing, job.verdict, job.reason, out);
  }
  tpu_job_release(&job);
  return good;
}

int tpu_sweep_configuration_run(const struct tpu_sweep_plan *plan, size_t configuration,
                                tpu_sweep_run *run, void *context, struct tpu_report *r) {
  const struct tpu_platform_config *config = &plan->config[configuration];
  const uint32_t capacity = tpu_program_capacity(&config->params);
  struct tpu_program program = {malloc((capacity + 1) * sizeof *program.words), capacity, 0};
  int good = program.words != NULL || tpu_report_fail(r, TPU_ERR_CAPACITY, "out of memory");
  for (uint32_t i = 0; good && i < plan->corpus.count; ++i) {
    struct tpu_point point;
    char *line = NULL;
    good = run_point(plan, config, &plan->corpus.spec[i], &program, run, context, &point, r);
    if (good) {
      line = tpu_point_line(&plan->axes, configuration, config, plan->spec[i],
                            tpu_sweep_plan_variant(plan), &point);
      good = line != NULL || tpu_report_fail(r, TPU_ERR_CAPACITY, "out of memory");
    }
    if (good) {
      (void)fputs(line, stdout);
    }
    free(line);
  }
  free(program.words);
  return good;
}

int tpu_sweep_configuration_on_engine(const struct tpu_sweep_plan *plan, size_t configuration,
                                      const struct tpu_engine *engine, struct tpu_report *r) {
  struct tpu_engine its = *engine;
  return tpu_sweep_configuration_run(plan, configuration, run_on_engine, &its, r);
}
