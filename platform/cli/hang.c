/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/cli/hang.h"

#include <stdio.h>
#include <string.h>

/* Up to the index of an instance of the array, or of its stream. */
static size_t base(const char *name) { return strcspn(name, "["); }

static int same_base(const char *a, const char *b) {
  return base(a) == base(b) && strncmp(a, b, base(a)) == 0;
}

/* Instances of the array that wait alike are one line. */
struct group {
  const struct tpu_hang_process *first;
  size_t members, holding;
};

static int belongs(const struct group *g, const struct tpu_hang_process *p) {
  return p->name[base(p->name)] != '\0' && same_base(g->first->name, p->name) &&
         g->first->get == p->get && same_base(g->first->stream, p->stream);
}

/* Six units, and the accesses that loaders and PEs have. */
enum { GROUPS = 6 + 5 + 9 };

static size_t group(const struct tpu_hang *h, struct group groups[GROUPS]) {
  size_t count = 0;
  for (size_t i = 0; i < h->processes; ++i) {
    const struct tpu_hang_process *p = &h->process[i];
    size_t k = 0;
    while (k < count && !belongs(&groups[k], p)) {
      ++k;
    }
    if (k == count && count < GROUPS) {
      groups[count++] = (struct group){p, 0, 0};
    }
    if (k < count) {
      ++groups[k].members;
      groups[k].holding += p->held[0] != '\0';
    }
  }
  return count;
}

enum { LINE = 320 };

static void describe(const struct group *g, char line[LINE]) {
  const struct tpu_hang_process *p = g->first;
  const char *access = p->get ? "get from" : "put into";
  if (g->members == 1) {
    (void)snprintf(line, LINE, "%-12s waits to %s %s, %u of %u tokens%s%s", p->name, access,
                   p->stream, p->occupancy, p->depth, p->held[0] == '\0' ? "" : "; holds back ",
                   p->held);
    return;
  }
  char who[24];
  char holding[48] = "";
  (void)snprintf(who, sizeof who, "%zu %.*s", g->members, (int)base(p->name), p->name);
  if (g->holding != 0) {
    (void)snprintf(holding, sizeof holding, "; %zu hold back %s", g->holding,
                   same_base(p->name, "pe") ? "rows" : "a weight");
  }
  (void)snprintf(line, LINE, "%-12s wait to %s their %.*s, %u of %u tokens%s", who, access,
                 (int)base(p->stream), p->stream, p->occupancy, p->depth, holding);
}

/* Calls use with a line for each group. */
static void each_line(const struct tpu_hang *h, void (*use)(void *context, const char *line),
                      void *context) {
  struct group groups[GROUPS];
  const size_t count = group(h, groups);
  for (size_t k = 0; k < count; ++k) {
    char line[LINE];
    describe(&groups[k], line);
    use(context, line);
  }
}

static void print_line(void *context, const char *line) {
  (void)context;
  printf("  %s\n", line);
}

static void put_line(void *context, const char *line) { tpu_json_put_string(context, NULL, line); }

void tpu_hang_print(const struct tpu_hang *h) {
  printf("\n  %zu processes wait; %s\n", h->processes,
         h->clauses == 0 ? "none in a circle:" : "the circle:");
  for (size_t i = 0; i < h->clauses; ++i) {
    printf("    %s\n", h->clause[i]);
  }
  if (h->clauses != 0) {
    printf("  all that wait:\n");
  }
  each_line(h, print_line, NULL);
}

void tpu_hang_put_lines(const struct tpu_hang *h, const char *key, struct tpu_json_writer *w) {
  tpu_json_begin_array(w, key);
  each_line(h, put_line, w);
  tpu_json_end(w);
}

void tpu_hang_put(const struct tpu_hang *h, const char *key, struct tpu_json_writer *w) {
  tpu_json_begin_object(w, key);
  tpu_json_begin_array(w, "processes");
  for (size_t i = 0; i < h->processes; ++i) {
    const struct tpu_hang_process *p = &h->process[i];
    tpu_json_begin_object(w, NULL);
    tpu_json_put_string(w, "name", p->name);
    tpu_json_put_string(w, "access", p->get ? "get" : "put");
    tpu_json_put_string(w, "stream", p->stream);
    tpu_json_put_u64(w, "occupancy", p->occupancy);
    tpu_json_put_u64(w, "depth", p->depth);
    tpu_json_put_string(w, "waits_for", p->waits_for);
    tpu_json_put_text_or_null(w, "held", p->held);
    tpu_json_end(w);
  }
  tpu_json_end(w);
  tpu_json_begin_array(w, "cycle");
  for (size_t i = 0; i < h->circle_length; ++i) {
    tpu_json_put_string(w, NULL, h->circle[i]);
  }
  tpu_json_end(w);
  tpu_json_begin_array(w, "words");
  for (size_t i = 0; i < h->clauses; ++i) {
    tpu_json_put_string(w, NULL, h->clause[i]);
  }
  tpu_json_end(w);
  tpu_json_end(w);
}
