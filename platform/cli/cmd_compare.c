/* SPDX-License-Identifier: Apache-2.0 */
/* tpuvp compare: two runs, corpora or sweeps, what changed, and why. */
#include "judge/causes.h"
#include "judge/compare.h"
#include "judge/kpn.h"
#include "platform/cli/commands.h"
#include "platform/cli/output.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of a file: a sweep of all that may be swept. */
static const size_t most_bytes = (size_t)1 << 31;

struct comparison {
  const char *path[2];
  double tolerance; /* per cent */
  struct tpu_records file[2];
  struct tpu_pair *pair;
  size_t pairs;
  size_t compared; /* pairs of two */
  size_t changed;  /* of them */
  size_t lonely;   /* in one file only */
};

/* ---- text ---- */

static void print_settings(const struct comparison *x) {
  struct tpu_setting_change change[TPU_MAX_SETTING_CHANGES];
  const size_t count = tpu_compare_settings(&x->file[0], &x->file[1], change);
  for (size_t i = 0; i < count; ++i) {
    printf("configuration: %s %s -> %s\n", change[i].key, change[i].a, change[i].b);
  }
}

static void print_verdict(const struct tpu_record *a, const struct tpu_record *b) {
  printf("%s: %s", a->name, a->verdict);
  if (strcmp(a->verdict, b->verdict) != 0) {
    printf(" -> %s", b->verdict);
  }
}

static void print_number(const char *what, uint64_t a, uint64_t b) {
  printf("%s %" PRIu64 " -> %" PRIu64 " (%+" PRId64, what, a, b, tpu_compare_delta(a, b));
  if (a != 0) {
    printf(", %+.2f %%", 100 * (double)tpu_compare_delta(a, b) / (double)a);
  }
  printf(")\n");
}

static void print_causes(const struct tpu_record *a, const struct tpu_record *b) {
  enum tpu_path_cause order[TPU_CAUSE_COUNT];
  const unsigned count = tpu_compare_causes(a, b, order);
  for (unsigned i = 0; i < count; ++i) {
    const int64_t d = tpu_compare_delta(a->cause[order[i]], b->cause[order[i]]);
    printf("%s%s %s by %" PRId64, i == 0 ? "  why          " : ", ", tpu_cause_name(order[i]),
           d > 0 ? "grew" : "fell", d > 0 ? d : -d);
  }
  printf("%s", count != 0 ? " cycles\n" : "");
}

static void print_units(const struct tpu_record *a, const struct tpu_record *b) {
  for (unsigned u = 0; u < TPU_UNIT_COUNT; ++u) {
    int begun = 0;
    for (unsigned c = 0; c < TPU_COUNTER_COUNT; ++c) {
      const int64_t d = tpu_compare_delta(a->unit[u].count[c], b->unit[u].count[c]);
      if (d != 0) {
        printf(begun ? ", " : "  %-12s ", tpu_unit_name((enum tpu_unit)u));
        printf("%s %+" PRId64, tpu_counter_name((enum tpu_counter)c), d);
        begun = 1;
      }
    }
    printf("%s", begun ? "\n" : "");
  }
}

static void print_change(const struct tpu_pair *p) {
  print_verdict(p->a, p->b);
  if (p->a->cycles != p->b->cycles) {
    print_number(", cycles", p->a->cycles, p->b->cycles);
  } else {
    printf(", cycles %" PRIu64 "\n", p->a->cycles);
  }
  print_causes(p->a, p->b);
  if (p->a->end_to_end != p->b->end_to_end) {
    print_number("  end to end  ", p->a->end_to_end, p->b->end_to_end);
  }
  print_units(p->a, p->b);
}

static void print_text(const struct comparison *x) {
  print_settings(x);
  for (size_t i = 0; i < x->pairs; ++i) {
    const struct tpu_pair *p = &x->pair[i];
    if (p->a == NULL || p->b == NULL) {
      const int first = p->b == NULL;
      printf("%s: only in %s\n", (first ? p->a : p->b)->name, x->path[first ? 0 : 1]);
    } else if (tpu_compare_changed(p->a, p->b, x->tolerance)) {
      print_change(p);
    }
  }
  printf("%s: %zu compared, %zu changed by more than %g %%, %zu in only one of the two\n",
         tpu_record_kind_name(x->file[0].kind), x->compared, x->changed, x->tolerance, x->lonely);
}

/* ---- JSON ---- */

static void put_two(struct tpu_json_writer *w, const char *key, uint64_t a, uint64_t b) {
  tpu_json_begin_object(w, key);
  tpu_json_put_u64(w, "a", a);
  tpu_json_put_u64(w, "b", b);
  tpu_json_end(w);
}

static void put_texts(struct tpu_json_writer *w, const char *key, const char *a, const char *b) {
  tpu_json_begin_object(w, key);
  tpu_json_put_string(w, "a", a);
  tpu_json_put_string(w, "b", b);
  tpu_json_end(w);
}

static void put_settings(const struct comparison *x, struct tpu_json_writer *w) {
  struct tpu_setting_change change[TPU_MAX_SETTING_CHANGES];
  const size_t count = tpu_compare_settings(&x->file[0], &x->file[1], change);
  tpu_json_begin_object(w, "configuration");
  for (size_t i = 0; i < count; ++i) {
    put_texts(w, change[i].key, change[i].a, change[i].b);
  }
  tpu_json_end(w);
}

static void put_units(const struct tpu_record *a, const struct tpu_record *b,
                      struct tpu_json_writer *w) {
  tpu_json_begin_object(w, "units");
  for (unsigned u = 0; u < TPU_UNIT_COUNT; ++u) {
    if (memcmp(&a->unit[u], &b->unit[u], sizeof a->unit[u]) == 0) {
      continue;
    }
    tpu_json_begin_object(w, tpu_unit_name((enum tpu_unit)u));
    for (unsigned c = 0; c < TPU_COUNTER_COUNT; ++c) {
      if (a->unit[u].count[c] != b->unit[u].count[c]) {
        put_two(w, tpu_counter_name((enum tpu_counter)c), a->unit[u].count[c], b->unit[u].count[c]);
      }
    }
    tpu_json_end(w);
  }
  tpu_json_end(w);
}

static void put_change(const struct tpu_pair *p, struct tpu_json_writer *w) {
  enum tpu_path_cause order[TPU_CAUSE_COUNT];
  const unsigned count = tpu_compare_causes(p->a, p->b, order);
  tpu_json_begin_object(w, NULL);
  tpu_json_put_string(w, "name", p->a->name);
  put_texts(w, "verdict", p->a->verdict, p->b->verdict);
  put_two(w, "cycles", p->a->cycles, p->b->cycles);
  if (p->a->has_end_to_end) {
    put_two(w, "end_to_end", p->a->end_to_end, p->b->end_to_end);
  }
  tpu_json_begin_array(w, "causes");
  for (unsigned i = 0; i < count; ++i) {
    tpu_json_begin_object(w, NULL);
    tpu_json_put_string(w, "cause", tpu_cause_id(order[i]));
    tpu_json_put_i64(w, "change", tpu_compare_delta(p->a->cause[order[i]], p->b->cause[order[i]]));
    tpu_json_end(w);
  }
  tpu_json_end(w);
  put_units(p->a, p->b, w);
  tpu_json_end(w);
}

static void put_lonely(const struct comparison *x, int of_b, struct tpu_json_writer *w) {
  tpu_json_begin_array(w, of_b ? "only_in_b" : "only_in_a");
  for (size_t i = 0; i < x->pairs; ++i) {
    const struct tpu_pair *p = &x->pair[i];
    if ((of_b ? p->a : p->b) == NULL) {
      tpu_json_put_string(w, NULL, (of_b ? p->b : p->a)->name);
    }
  }
  tpu_json_end(w);
}

static int print_json(const struct comparison *x, struct tpu_report *r) {
  struct tpu_json_writer *w = tpu_document_new(r);
  if (w == NULL) {
    return 0;
  }
  tpu_json_begin_object(w, NULL);
  tpu_json_put_string(w, "kind", tpu_record_kind_name(x->file[0].kind));
  tpu_json_put_double(w, "tolerance", x->tolerance);
  tpu_json_put_u64(w, "compared", x->compared);
  put_settings(x, w);
  tpu_json_begin_array(w, "changed");
  for (size_t i = 0; i < x->pairs; ++i) {
    const struct tpu_pair *p = &x->pair[i];
    if (p->a != NULL && p->b != NULL && tpu_compare_changed(p->a, p->b, x->tolerance)) {
      put_change(p, w);
    }
  }
  tpu_json_end(w);
  put_lonely(x, 0, w);
  put_lonely(x, 1, w);
  tpu_json_end(w);
  return tpu_print_json(w, r);
}

/* ---- the command ---- */

/* Digits, and a fraction: per cent. */
static int read_tolerance(const struct tpu_args *args, double *out, struct tpu_report *r) {
  const char *text = args->value[TPU_OPTION_TOLERANCE];
  char *end = NULL;
  *out = 0;
  if (text == NULL) {
    return 1;
  }
  if (text[0] >= '0' && text[0] <= '9' && strspn(text, "0123456789.") == strlen(text)) {
    *out = strtod(text, &end);
  }
  return (end != NULL && *end == '\0' && *out <= 1e6) ||
         tpu_report_fail(r, TPU_ERR_RANGE,
                         "option '--tolerance' is '%s': per cent are due, 0..1000000, e.g. 0.5",
                         text);
}

static int read_file(const char *path, struct tpu_records *out, struct tpu_report *r) {
  char *text = NULL;
  size_t size = 0;
  if (!tpu_read_file(path, most_bytes, &text, &size, r)) {
    return 0;
  }
  const int good = tpu_records_parse(path, text, size, out, r);
  free(text);
  return good;
}

static int compare(struct comparison *x, struct tpu_report *r) {
  const struct tpu_records *a = &x->file[0];
  const struct tpu_records *b = &x->file[1];
  if (a->kind != b->kind) {
    return tpu_report_fail(r, TPU_ERR_USE, "%s is a %s, %s a %s: allowed are two of one kind",
                           x->path[0], tpu_record_kind_name(a->kind), x->path[1],
                           tpu_record_kind_name(b->kind));
  }
  x->pair = malloc((a->count + b->count + 1) * sizeof *x->pair);
  x->pairs = x->pair != NULL ? tpu_compare_pairs(a, b, x->pair) : SIZE_MAX;
  if (x->pairs == SIZE_MAX) {
    return tpu_report_fail(r, TPU_ERR_CAPACITY, "out of memory");
  }
  for (size_t i = 0; i < x->pairs; ++i) {
    const struct tpu_pair *p = &x->pair[i];
    if (p->a == NULL || p->b == NULL) {
      ++x->lonely;
      continue;
    }
    ++x->compared;
    if (tpu_compare_changed(p->a, p->b, x->tolerance)) {
      ++x->changed;
    }
  }
  return 1;
}

int tpu_command_compare(const struct tpu_args *args, struct tpu_report *r) {
  struct comparison x = {.path = {args->operand[0], args->operand[1]}};
  if (args->operands != 2) {
    (void)tpu_report_fail(r, TPU_ERR_SYNTAX,
                          "'compare' needs two files: tpuvp compare A.json B.json");
    return TPU_EXIT_USAGE;
  }
  if (args->sets != 0 || tpu_args_have(args, TPU_OPTION_CONFIG)) {
    (void)tpu_report_fail(r, TPU_ERR_SYNTAX,
                          "option '--%s' has no meaning for 'compare', which runs nothing",
                          args->sets != 0 ? "set" : "config");
    return TPU_EXIT_USAGE;
  }
  int good = read_tolerance(args, &x.tolerance, r) && read_file(x.path[0], &x.file[0], r) &&
             read_file(x.path[1], &x.file[1], r) && compare(&x, r);
  if (good && !tpu_args_have(args, TPU_OPTION_JSON)) {
    print_text(&x);
  } else if (good) {
    good = print_json(&x, r);
  }
  const int differs = x.changed != 0 || x.lonely != 0;
  free(x.pair);
  tpu_records_release(&x.file[0]);
  tpu_records_release(&x.file[1]);
  return !good ? TPU_EXIT_USAGE : differs ? TPU_EXIT_VERDICT : TPU_EXIT_OK;
}
