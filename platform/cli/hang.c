/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/cli/hang.h"

#include <stdio.h>
#include <string.h>

static int in_circle(const struct tpu_hang *h, const char *name) {
  for (size_t i = 0; i < h->circle_length; ++i) {
    if (strcmp(h->circle[i], name) == 0) {
      return 1;
    }
  }
  return h->circle_length == 0;
}

void tpu_hang_print(const struct tpu_hang *h) {
  printf("\n  %zu processes wait; %s\n", h->processes,
         h->circle_length == 0 ? "none of them in a circle:" : "these in a circle:");
  for (size_t i = 0; i < h->processes; ++i) {
    const struct tpu_hang_process *p = &h->process[i];
    if (in_circle(h, p->name)) {
      printf("  %-12s %s %s, %u of %u tokens%s%s\n", p->name,
             p->get ? "waits to get from" : "waits to put into", p->stream, p->occupancy, p->depth,
             p->held[0] == '\0' ? "" : "; holds ", p->held);
    }
  }
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
    if (p->held[0] == '\0') {
      tpu_json_put_null(w, "held");
    } else {
      tpu_json_put_string(w, "held", p->held);
    }
    tpu_json_end(w);
  }
  tpu_json_end(w);
  tpu_json_begin_array(w, "cycle");
  for (size_t i = 0; i < h->circle_length; ++i) {
    tpu_json_put_string(w, NULL, h->circle[i]);
  }
  tpu_json_end(w);
  tpu_json_end(w);
}
