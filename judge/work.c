/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/work.h"

#include "judge/estimate.h"
#include "judge/kpn.h"

#include <inttypes.h>
#include <stdio.h>

static uint64_t count_of(const struct tpu_work_unit *u) {
  return u->counters.promised / u->instances;
}

static void take_units(const struct tpu_params *p, const struct tpu_engine_result *result,
                       struct tpu_work *out) {
  for (int i = 0; i < TPU_UNIT_COUNT; i++) {
    struct tpu_work_unit *u = &out->unit[i];
    u->name = tpu_unit_name((enum tpu_unit)i);
    u->instances = i == TPU_UNIT_WLD || i == TPU_UNIT_PE ? p->t * p->t : 1;
    u->counters = result->unit[i];
    if (out->cycles != 0)
      u->utilization = (double)u->counters.done / ((double)out->cycles * u->instances);
    if (count_of(u) > out->bound)
      out->bound = count_of(u);
  }
  for (int i = 0; i < TPU_UNIT_COUNT; i++)
    out->unit[i].at_bound = count_of(&out->unit[i]) == out->bound;
}

static void fault(struct tpu_work *out, const char *text) {
  out->outcome = TPU_ENGINE_FAULT;
  (void)snprintf(out->text, sizeof out->text, "%s", text);
}

/* Of a run that completed. */
static void check_accounts(struct tpu_work *out) {
  for (int i = 0; i < TPU_UNIT_COUNT; i++) {
    const struct tpu_engine_counters *c = &out->unit[i].counters;
    char text[200];
    if (c->promised == c->done)
      continue;
    (void)snprintf(text, sizeof text,
                   "%s was promised %" PRIu64 " and has done %" PRIu64
                   " in a completed run: a fault of assembler or model",
                   out->unit[i].name, c->promised, c->done);
    fault(out, text);
    return;
  }
}

int tpu_work_of(const struct tpu_params *params, const struct tpu_code *code,
                const struct tpu_counts *counts, const struct tpu_engine_result *result,
                struct tpu_work *out, struct tpu_report *r) {
  struct tpu_kpn network;
  *out = (struct tpu_work){.estimate = tpu_estimate(counts)};
  if (!tpu_kpn_run(params, code, counts, &network, r))
    return 0;
  out->outcome = result->outcome;
  out->cycles = result->cycles;
  out->rounds = network.rounds;
  (void)snprintf(out->text, sizeof out->text, "%s", result->text);
  take_units(params, result, out);
  if (out->outcome == TPU_ENGINE_COMPLETED) {
    if (out->bound != 0)
      out->over_bound = (double)out->cycles / (double)out->bound;
    if (out->cycles != 0)
      out->estimate_error_pct = 100 * (out->estimate / (double)out->cycles - 1);
    check_accounts(out);
  }
  if (!network.agrees)
    fault(out, network.text);
  return 1;
}

int tpu_work_run(const struct tpu_engine *engine, const struct tpu_engine_request *request,
                 const struct tpu_code *code, struct tpu_work *out, struct tpu_report *r) {
  struct tpu_engine_result result;
  if (!engine->run(engine->context, request, &result, r))
    return 0;
  const int good = tpu_work_of(request->params, code, request->counts, &result, out, r);
  engine->release(&result);
  return good;
}
