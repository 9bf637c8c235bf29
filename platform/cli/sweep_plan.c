/* SPDX-License-Identifier: Apache-2.0 */
#define _XOPEN_SOURCE 700 /* realpath */
#include "platform/cli/sweep_plan.h"

#include "judge/number.h"
#include "judge/suggest.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int no_memory(struct tpu_report *r) {
  return tpu_report_fail(r, TPU_ERR_CAPACITY, "out of memory");
}

/* In place. */
static int make_absolute(char path[TPU_PATH_SIZE], struct tpu_report *r) {
  char *whole = realpath(path, NULL);
  if (whole == NULL) {
    return tpu_report_fail(r, TPU_ERR_RANGE, "%s: cannot be read: %s", path, strerror(errno));
  }
  const int n = snprintf(path, TPU_PATH_SIZE, "%s", whole);
  free(whole);
  return n < TPU_PATH_SIZE || tpu_report_fail(r, TPU_ERR_RANGE, "a path is longer than %u bytes",
                                              (unsigned)TPU_PATH_SIZE - 1);
}

static int read_machine(const struct tpu_args *args, struct tpu_sweep_plan *plan,
                        struct tpu_report *r) {
  if (args->sets == 0) {
    return tpu_report_fail(r, TPU_ERR_SYNTAX,
                           "'sweep' needs keys to sweep: --set KEY=VALUE,VALUE, e.g. --set "
                           "QD=8,16");
  }
  plan->base = tpu_config_default();
  return tpu_axes_read(args->set, args->sets, &plan->axes, r) &&
         tpu_setup_config_path(args, plan->config_path, r) &&
         tpu_config_read(plan->config_path, &plan->base, r) &&
         make_absolute(plan->config_path, r) &&
         tpu_setup_timing(&plan->base, plan->config_path, plan->timing_path, r) &&
         make_absolute(plan->timing_path, r);
}

/* Keeps the specs whose name matches. */
static int choose_specs(struct tpu_sweep_plan *plan, struct tpu_report *r) {
  struct tpu_corpus *corpus = &plan->corpus;
  char allowed[320];
  uint32_t kept = 0;
  plan->spec = malloc(corpus->count * sizeof *plan->spec);
  if (plan->spec == NULL) {
    return no_memory(r);
  }
  for (uint32_t i = 0; i < corpus->count; ++i) {
    plan->spec[i] = corpus->spec[i].workload.name;
  }
  (void)tpu_allowed(plan->glob, plan->spec, corpus->count, allowed, sizeof allowed);
  for (uint32_t i = 0; i < corpus->count; ++i) {
    if (fnmatch(plan->glob, corpus->spec[i].workload.name, 0) != 0) {
      tpu_spec_release(&corpus->spec[i]);
      continue;
    }
    if (kept != i) {
      corpus->spec[kept] = corpus->spec[i];
      memset(&corpus->spec[i], 0, sizeof corpus->spec[i]);
    }
    plan->spec[kept] = corpus->spec[kept].workload.name;
    ++kept;
  }
  corpus->count = kept;
  return kept != 0 ||
         tpu_report_fail(r, TPU_ERR_RANGE, "--spec: no spec of the corpus matches '%s'; %s",
                         plan->glob, allowed);
}

static int read_specs(const struct tpu_args *args, struct tpu_sweep_plan *plan,
                      struct tpu_report *r) {
  const char *glob = args->value[TPU_OPTION_SPECS];
  const int n = snprintf(plan->glob, sizeof plan->glob, "%s", glob != NULL ? glob : "*");
  if (n >= (int)sizeof plan->glob) {
    return tpu_report_fail(r, TPU_ERR_RANGE, "option '--spec' is longer than %zu characters",
                           sizeof plan->glob - 1);
  }
  return tpu_locate_dir(args->value[TPU_OPTION_CORPUS], "corpus", plan->corpus_path, r) &&
         make_absolute(plan->corpus_path, r) &&
         tpu_corpus_read(plan->corpus_path, &plan->corpus, r) && choose_specs(plan, r);
}

static int check_specs(const struct tpu_sweep_plan *plan, const struct tpu_params *p,
                       struct tpu_report *r) {
  for (uint32_t i = 0; i < plan->corpus.count; ++i) {
    if (!tpu_spec_check_at(&plan->corpus.spec[i], p, r)) {
      return 0;
    }
  }
  return 1;
}

static int apply(const struct tpu_sweep_plan *plan, size_t configuration,
                 struct tpu_platform_config *config, struct tpu_report *r) {
  char source[TPU_AXES_TEXT_BYTES];
  return tpu_axes_apply(&plan->axes, configuration, &plan->base,
                        tpu_axes_text(&plan->axes, configuration, source), config, r);
}

static int resolve_all(struct tpu_sweep_plan *plan, struct tpu_report *r) {
  const size_t count = plan->axes.configurations;
  struct tpu_report first = {.code = TPU_OK};
  plan->config = malloc(count * sizeof *plan->config);
  plan->legal = calloc(count, sizeof *plan->legal);
  if (plan->config == NULL || plan->legal == NULL) {
    return no_memory(r);
  }
  for (size_t c = 0; c < count; ++c) {
    struct tpu_report why = {.code = TPU_OK};
    plan->legal[c] = (uint8_t)apply(plan, c, &plan->config[c], &why);
    plan->legal_count += plan->legal[c];
    if (!plan->legal[c] && first.code == TPU_OK) {
      first = why;
    }
    if (plan->legal[c] && !check_specs(plan, &plan->config[c].params, r)) {
      return 0;
    }
  }
  return plan->legal_count != 0 ||
         tpu_report_fail(r, first.code, "--set: no configuration of the product is legal: %s",
                         first.text);
}

int tpu_sweep_plan_read(const struct tpu_args *args, struct tpu_sweep_plan *out,
                        struct tpu_report *r) {
  *out = (struct tpu_sweep_plan){.legal_count = 0};
  if (!read_machine(args, out, r) || !tpu_setup_variant(args, &out->variant, r) ||
      !read_specs(args, out, r) || !resolve_all(out, r)) {
    tpu_sweep_plan_release(out);
    return 0;
  }
  return 1;
}

void tpu_sweep_plan_release(struct tpu_sweep_plan *plan) {
  tpu_axes_release(&plan->axes);
  tpu_corpus_release(&plan->corpus);
  free(plan->spec);
  free(plan->config);
  free(plan->legal);
  *plan = (struct tpu_sweep_plan){.legal_count = 0};
}

int tpu_sweep_plan_refusal(const struct tpu_sweep_plan *plan, size_t configuration,
                           struct tpu_report *r) {
  struct tpu_platform_config ignored;
  return apply(plan, configuration, &ignored, r);
}

const char *tpu_sweep_plan_variant(const struct tpu_sweep_plan *plan) {
  return tpu_map_variant_name(plan->variant);
}

int tpu_sweep_is_alone(const struct tpu_sweep_plan *plan, size_t configuration) {
  return !tpu_memory_is_ideal(&plan->config[configuration].memory);
}

/* A number up to a ',' or a '-' or the end, from 1; 0: none. */
static size_t read_number(const char **at, size_t most) {
  const size_t length = strcspn(*at, ",-");
  uint64_t value = 0;
  const enum tpu_number good = tpu_number_decimal(*at, length, NULL, &value);
  *at += length;
  return good == TPU_NUMBER_OK && value <= most ? (size_t)value : 0;
}

static int read_part(const struct tpu_sweep_plan *plan, const char *text, size_t *part,
                     size_t *count) {
  const size_t most = plan->axes.configurations;
  size_t last = 0;
  for (const char *at = text;; ++at) {
    const size_t from = read_number(&at, most);
    size_t to = from;
    if (*at == '-') {
      ++at;
      to = read_number(&at, most);
    }
    if (from <= last || to < from || (*at != ',' && *at != '\0')) {
      return 0;
    }
    for (size_t c = from; c <= to; ++c) {
      part[(*count)++] = c - 1;
    }
    last = to;
    if (*at == '\0') {
      return 1;
    }
  }
}

int tpu_sweep_part_read(const struct tpu_sweep_plan *plan, const char *text, size_t **part,
                        size_t *count, struct tpu_report *r) {
  const size_t most = plan->axes.configurations;
  *count = 0;
  *part = malloc(most * sizeof **part);
  if (*part == NULL) {
    return no_memory(r);
  }
  int good =
      read_part(plan, text, *part, count) ||
      tpu_report_fail(r, TPU_ERR_RANGE,
                      "option '--part' is '%s': ascending numbers of configurations, 1..%zu, "
                      "are due, e.g. 1,4-7",
                      text, most);
  for (size_t i = 0; good && i < *count; ++i) {
    const size_t c = (*part)[i];
    if (!plan->legal[c]) {
      good = tpu_sweep_plan_refusal(plan, c, r);
    } else if (*count > 1 && tpu_sweep_is_alone(plan, c)) {
      good = tpu_report_fail(r, TPU_ERR_RANGE,
                             "option '--part': configuration %zu has a memory that is not ideal: "
                             "it must be the only one",
                             c + 1);
    }
  }
  if (!good) {
    free(*part);
    *part = NULL;
  }
  return good;
}
