/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "platform/cli/sweep_report.h"

#include "judge/causes.h"
#include "judge/measured.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- what the sections share ---- */

struct writer {
  FILE *f;
  const struct tpu_sweep_store *store;
  const struct tpu_sweep_plan *plan;
  struct tpu_sweep sweep;
  size_t *front; /* room for every configuration */
};

typedef void write_section(const struct writer *w);

static char *no_memory(struct tpu_report *r) {
  (void)tpu_report_fail(r, TPU_ERR_CAPACITY, "out of memory");
  return NULL;
}

/* Runs the sections into one text. */
static char *compose(const struct tpu_sweep_store *store, write_section *const *section,
                     size_t count, struct tpu_report *r) {
  char *text = NULL;
  size_t size = 0;
  struct writer w = {.store = store, .plan = store->plan, .sweep = tpu_sweep_store_view(store)};
  w.f = open_memstream(&text, &size);
  w.front = malloc(store->plan->axes.configurations * sizeof *w.front);
  if (w.f == NULL || w.front == NULL) {
    free(w.front);
    if (w.f != NULL) {
      (void)fclose(w.f);
    }
    free(text);
    return no_memory(r);
  }
  for (size_t i = 0; i < count; ++i) {
    section[i](&w);
  }
  free(w.front);
  const int good = !ferror(w.f);
  if (fclose(w.f) != 0 || !good) {
    free(text);
    return no_memory(r);
  }
  return text;
}

struct tpu_tally tpu_sweep_tally(const struct tpu_sweep_store *store) {
  const struct tpu_sweep_plan *plan = store->plan;
  struct tpu_tally tally = {.failed = 0};
  for (size_t c = 0; c < plan->axes.configurations; ++c) {
    for (uint32_t k = 0; plan->legal[c] && k < plan->corpus.count; ++k) {
      tpu_tally_add(&tally, store->point[c * plan->corpus.count + k].verdict);
    }
  }
  return tally;
}

static const char *name_of(const struct writer *w, size_t configuration, char *text) {
  return tpu_axes_text(&w->plan->axes, configuration, text);
}

static const char *mark_of(const struct writer *w, size_t configuration) {
  return tpu_extrapolated(&w->plan->config[configuration]) ? "x" : " ";
}

/* ---- sections of the text ---- */

static void write_head(const struct writer *w) {
  const struct tpu_sweep_plan *plan = w->plan;
  const struct tpu_tally tally = tpu_sweep_tally(w->store);
  char counts[TPU_TALLY_BYTES];
  char measured[TPU_MEASURED_BYTES];
  (void)fprintf(w->f, "# Sweep\n\n");
  for (size_t a = 0; a < plan->axes.count; ++a) {
    (void)fprintf(w->f, "- %s:", plan->axes.axis[a].key);
    for (size_t v = 0; v < plan->axes.axis[a].count; ++v) {
      (void)fprintf(w->f, "%s %s", v != 0 ? "," : "", plan->axes.axis[a].value[v]);
    }
    (void)fputc('\n', w->f);
  }
  (void)fprintf(
      w->f,
      "- mapping: %s\n- configurations: %zu, of which %zu legal\n- workloads: %u\n"
      "- points: %zu: %s\n\n"
      "x marks extrapolated configurations: all but those on which programs were measured,\n%s.\n"
      "array: MACs / (T*T * cycles).\n",
      tpu_sweep_plan_variant(plan), plan->axes.configurations, plan->legal_count,
      plan->corpus.count, plan->legal_count * plan->corpus.count, tpu_tally_text(&tally, counts),
      tpu_measured_text(measured));
}

static void write_illegal(const struct writer *w) {
  const struct tpu_sweep_plan *plan = w->plan;
  if (plan->legal_count == plan->axes.configurations) {
    return;
  }
  (void)fprintf(w->f, "\n## Not legal\n\n");
  for (size_t c = 0; c < plan->axes.configurations; ++c) {
    struct tpu_report why = {.code = TPU_OK};
    if (!plan->legal[c] && !tpu_sweep_plan_refusal(plan, c, &why)) {
      (void)fprintf(w->f, "- %s\n", why.text);
    }
  }
}

static void write_levels(const struct writer *w) {
  const struct tpu_axes *axes = &w->plan->axes;
  (void)fprintf(w->f,
                "\n## Each parameter\n\n"
                "cycles: geometric mean, array: mean, both over the cases - workload and values of "
                "the other\nparameters - that are exact at every value with an exact point, so "
                "that rows compare like "
                "with like.\n");
  for (size_t a = 0; a < axes->count; ++a) {
    const struct tpu_axis *axis = &axes->axis[a];
    struct tpu_level *level = malloc(axis->count * sizeof *level);
    if (level == NULL) {
      (void)fprintf(w->f, "\nout of memory\n");
      return;
    }
    const size_t cases = tpu_sweep_levels(&w->sweep, a, level);
    (void)fprintf(w->f,
                  "\n| %-22s | exact | hangs | other |   cycles |  array | over %zu cases\n"
                  "|------------------------|------:|------:|------:|---------:|-------:|---\n",
                  axis->key, cases);
    for (size_t v = 0; v < axis->count; ++v) {
      const struct tpu_level *x = &level[v];
      (void)fprintf(w->f, "| %-22s | %5zu | %5zu | %5zu |", axis->value[v], x->exact, x->hangs,
                    x->other);
      if (cases != 0 && x->exact != 0) {
        (void)fprintf(w->f, " %8.1f | %4.1f %% |\n", x->cycles, 100 * x->utilization);
      } else {
        (void)fprintf(w->f, "        - |      - |\n");
      }
    }
    free(level);
  }
}

static void write_sensitivity(const struct writer *w) {
  const struct tpu_axes *axes = &w->plan->axes;
  char slower[TPU_AXES_TEXT_BYTES];
  char faster[TPU_AXES_TEXT_BYTES];
  (void)fprintf(w->f,
                "\n## Sensitivity\n\n"
                "The largest ratio of cycles between neighbouring values of a parameter, workload "
                "and other\nparameters equal; and of how many such pairs one hangs.\n\n"
                "| %-22s | pairs | one hangs | ratio | workload, slower / faster\n"
                "|------------------------|------:|----------:|------:|---\n",
                "parameter");
  for (size_t a = 0; a < axes->count; ++a) {
    const struct tpu_sensitivity x = tpu_sweep_sensitivity(&w->sweep, a);
    (void)fprintf(w->f, "| %-22s | %5zu | %9zu |", axes->axis[a].key, x.pairs, x.hangs);
    if (x.pairs == 0) {
      (void)fprintf(w->f, "     - | -\n");
    } else {
      (void)fprintf(w->f, " %5.2f | %s, %s / %s\n", x.ratio, w->plan->spec[x.spec],
                    name_of(w, x.slower, slower), name_of(w, x.faster, faster));
    }
  }
}

static void write_cost(const struct writer *w) {
  const struct tpu_sweep_plan *plan = w->plan;
  char name[TPU_AXES_TEXT_BYTES];
  (void)fprintf(w->f,
                "\n## Cost\n\n%s. DMA_WORDS and memories off the chip have no part in it.\n\n"
                "|   scratchpad |  vector reg. | accumulators | instr. memory |      streams | "
                "multipliers |         cost |   | configuration\n"
                "|-------------:|-------------:|-------------:|--------------:|-------------:|"
                "------------:|-------------:|---|---\n",
                TPU_COST_FORMULA);
  for (size_t c = 0; c < plan->axes.configurations; ++c) {
    if (plan->legal[c]) {
      const struct tpu_cost x = tpu_cost_of(&plan->config[c].params);
      (void)fprintf(w->f,
                    "| %12" PRIu64 " | %12" PRIu64 " | %12" PRIu64 " | %13" PRIu64 " | %12" PRIu64
                    " | %11" PRIu64 " | %12" PRIu64 " | %s | %s\n",
                    x.scratchpad, x.vector_registers, x.accumulators, x.instruction_memory,
                    x.streams, x.multipliers, x.cost, mark_of(w, c), name_of(w, c, name));
    }
  }
}

static void write_workload(const struct writer *w, size_t spec) {
  char name[TPU_AXES_TEXT_BYTES];
  const size_t count = tpu_sweep_pareto(&w->sweep, spec, w->front);
  const size_t best = tpu_sweep_best(&w->sweep, spec);
  for (size_t i = 0; i < count; ++i) {
    const size_t c = w->front[i];
    const struct tpu_point *p = tpu_sweep_point(&w->sweep, c, spec);
    (void)fprintf(w->f, "| %-26s | %12" PRIu64 " | %9" PRIu64 " | %5.1f %% | %s | %s%s\n",
                  w->plan->spec[spec], w->sweep.cost[c], p->cycles, 100 * p->utilization,
                  mark_of(w, c), name_of(w, c, name), c == best ? " (best)" : "");
  }
  if (count == 0) {
    (void)fprintf(w->f, "| %-26s | %12s | %9s | %7s |   | exact nowhere\n", w->plan->spec[spec],
                  "-", "-", "-");
  }
}

static void write_workloads(const struct writer *w) {
  (void)fprintf(
      w->f, "\n## Pareto front of each workload\n\n"
            "From the cheapest configuration to the fastest: none other is as good in both cost "
            "and cycles\nand better in one. best: the fewest cycles, of equals the cheapest.\n\n"
            "| workload                   |         cost |    cycles |   array |   | "
            "configuration\n"
            "|----------------------------|-------------:|----------:|--------:|---|---\n");
  for (uint32_t k = 0; k < w->plan->corpus.count; ++k) {
    write_workload(w, k);
  }
}

static void write_points(const struct writer *w) {
  const struct tpu_sweep_plan *plan = w->plan;
  char name[TPU_AXES_TEXT_BYTES];
  (void)fprintf(w->f, "\n## Points\n\n"
                      "| workload                   | verdict         |    cycles |   array |   | "
                      "configuration\n"
                      "|----------------------------|-----------------|----------:|--------:|---|"
                      "---\n");
  for (size_t c = 0; c < plan->axes.configurations; ++c) {
    for (uint32_t k = 0; plan->legal[c] && k < plan->corpus.count; ++k) {
      const struct tpu_point *p = tpu_sweep_point(&w->sweep, c, k);
      (void)fprintf(w->f, "| %-26s | %-15s |", plan->spec[k], tpu_verdict_name(p->verdict));
      if (p->end == TPU_POINT_COMPLETED) {
        (void)fprintf(w->f, " %9" PRIu64 " | %5.1f %% |", p->cycles, 100 * p->utilization);
      } else {
        (void)fprintf(w->f, " %9s | %7s |", p->end == TPU_POINT_DEADLOCK ? "hangs" : "-", "-");
      }
      (void)fprintf(w->f, " %s | %s\n", mark_of(w, c), name_of(w, c, name));
    }
  }
}

char *tpu_sweep_report_text(const struct tpu_sweep_store *store, struct tpu_report *r) {
  static write_section *const sections[] = {write_head,        write_illegal,   write_levels,
                                            write_sensitivity, write_workloads, write_cost,
                                            write_points};
  return compose(store, sections, sizeof sections / sizeof sections[0], r);
}

/* ---- lines and columns ---- */

static void write_lines(const struct writer *w) {
  const size_t count = w->plan->axes.configurations * w->plan->corpus.count;
  for (size_t i = 0; i < count; ++i) {
    if (w->store->line[i] != NULL) {
      (void)fputs(w->store->line[i], w->f);
    }
  }
}

char *tpu_sweep_report_lines(const struct tpu_sweep_store *store, struct tpu_report *r) {
  static write_section *const sections[] = {write_lines};
  return compose(store, sections, 1, r);
}

static void write_row(const struct writer *w, size_t c, size_t k) {
  const struct tpu_params *p = &w->plan->config[c].params;
  const struct tpu_point *x = tpu_sweep_point(&w->sweep, c, k);
  const struct tpu_cost cost = tpu_cost_of(p);
  for (size_t a = 0; a < w->plan->axes.count; ++a) {
    (void)fprintf(w->f, "%s,", tpu_axes_value(&w->plan->axes, c, a));
  }
  (void)fprintf(w->f, "%s,%s,%s,%s,", w->plan->spec[k], tpu_sweep_plan_variant(w->plan),
                tpu_verdict_name(x->verdict), tpu_point_end_name(x->end));
  if (x->end != TPU_POINT_NOT_RUN) {
    (void)fprintf(w->f, "%" PRIu64, x->cycles);
  }
  (void)fputc(',', w->f);
  if (x->end == TPU_POINT_COMPLETED) {
    (void)fprintf(w->f, "%.6f", x->utilization);
  }
  (void)fprintf(w->f, ",%d,%" PRIu64 ",%" PRIu64 ",%" PRIu64, tpu_extrapolated(&w->plan->config[c]),
                cost.bits, cost.multipliers, cost.cost);
  for (unsigned i = 0; i < TPU_CAUSE_COUNT; ++i) {
    (void)fprintf(w->f, ",%" PRIu64, x->cause[i]);
  }
  (void)fputc('\n', w->f);
}

static void write_csv(const struct writer *w) {
  const struct tpu_sweep_plan *plan = w->plan;
  for (size_t a = 0; a < plan->axes.count; ++a) {
    (void)fprintf(w->f, "%s,", plan->axes.axis[a].key);
  }
  (void)fputs(
      "spec,variant,verdict,end,cycles,array_utilization,extrapolated,bits,multipliers,cost", w->f);
  for (unsigned i = 0; i < TPU_CAUSE_COUNT; ++i) {
    (void)fprintf(w->f, ",%s", tpu_cause_id((enum tpu_path_cause)i));
  }
  (void)fputc('\n', w->f);
  for (size_t c = 0; c < plan->axes.configurations; ++c) {
    for (uint32_t k = 0; plan->legal[c] && k < plan->corpus.count; ++k) {
      write_row(w, c, k);
    }
  }
}

char *tpu_sweep_report_csv(const struct tpu_sweep_store *store, struct tpu_report *r) {
  static write_section *const sections[] = {write_csv};
  return compose(store, sections, 1, r);
}
