/* SPDX-License-Identifier: Apache-2.0 */
/* A configuration as JSON, in and out. */
#include "judge/config.h"

#include "judge/config_table.h"

#include <stdio.h>
#include <string.h>

enum { MAX_SECTION_KEYS = 12, MAX_DESCRIPTION = 1000 };

/* Keys of a section, as far as the table of integers has them. */
static size_t section_keys(const char *section, const char **keys) {
  size_t n = 0;
  for (size_t i = 0; i < TPU_CONFIG_INTEGER_COUNT; i++)
    if (strcmp(tpu_config_integers[i].section, section) == 0)
      keys[n++] = tpu_config_integers[i].key;
  return n;
}

static int read_ports(struct tpu_json section, struct tpu_platform_config *c,
                      struct tpu_report *r) {
  struct tpu_json v;
  return !tpu_json_get(section, "ports", &v) ||
         tpu_json_enum(v, tpu_memory_ports_names, 2, &c->memory.ports, r);
}

static int read_one_latency(struct tpu_json section, struct tpu_report *r) {
  struct tpu_json cycles;
  struct tpu_json ns;
  return !tpu_json_get(section, "latency_cycles", &cycles) ||
         !tpu_json_get(section, "latency_ns", &ns) ||
         tpu_json_fail(ns, r, "is given beside latency_cycles; allowed is one of the two");
}

static int read_keys(struct tpu_json section, const char *name, struct tpu_platform_config *c,
                     struct tpu_report *r) {
  const int is_memory = strcmp(name, "memory") == 0;
  const char *keys[MAX_SECTION_KEYS];
  size_t count = section_keys(name, keys);
  if (is_memory)
    keys[count++] = "ports";
  if (!tpu_json_object(section, keys, count, r))
    return 0;
  for (size_t i = 0; i < TPU_CONFIG_INTEGER_COUNT; i++) {
    const struct tpu_config_key *k = &tpu_config_integers[i];
    struct tpu_json v;
    uint32_t value = 0;
    if (strcmp(k->section, name) != 0 || !tpu_json_get(section, k->key, &v))
      continue;
    if (!tpu_json_u32(v, k->lowest, k->highest, &value, r))
      return 0;
    tpu_config_give(c, k, value);
  }
  return !is_memory || (read_one_latency(section, r) && read_ports(section, c, r));
}

static int read_section(struct tpu_json root, const char *name, struct tpu_platform_config *c,
                        struct tpu_report *r) {
  struct tpu_json section;
  return !tpu_json_get(root, name, &section) || read_keys(section, name, c, r);
}

int tpu_config_read_params(struct tpu_json v, struct tpu_params *out, struct tpu_report *r) {
  struct tpu_platform_config c = tpu_config_default();
  struct tpu_error e;
  if (!read_keys(v, "accelerator", &c, r))
    return 0;
  if (!tpu_params_resolve(&c.params, &e))
    return tpu_json_fail(v, r, "%s", e.text);
  *out = c.params;
  return 1;
}

/* The name becomes part of a path: no separators. */
static int read_timing(struct tpu_json root, struct tpu_platform_config *c, struct tpu_report *r) {
  struct tpu_json v;
  const char *name = NULL;
  if (!tpu_json_get(root, "timing", &v))
    return 1;
  if (!tpu_json_string(v, 1, TPU_TIMING_NAME_BYTES - 1, &name, r))
    return 0;
  if (name[0] == '.' || strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                     "0123456789._-") != strlen(name))
    return tpu_json_fail(v, r,
                         "is \"%s\"; must name a timing profile in letters, digits, '.', '_' and "
                         "'-', not beginning with '.'",
                         name);
  (void)snprintf(c->timing, sizeof c->timing, "%s", name);
  return 1;
}

static int read_root(struct tpu_json root, struct tpu_platform_config *c, struct tpu_report *r) {
  static const char *const keys[] = {"description", "accelerator", "memory", "cpu", "timing"};
  struct tpu_json v;
  const char *description = NULL;
  if (!tpu_json_object(root, keys, sizeof keys / sizeof keys[0], r))
    return 0;
  if (tpu_json_get(root, "description", &v) &&
      !tpu_json_string(v, 1, MAX_DESCRIPTION, &description, r))
    return 0;
  return read_section(root, "accelerator", c, r) && read_section(root, "memory", c, r) &&
         read_section(root, "cpu", c, r) && read_timing(root, c, r);
}

int tpu_config_read(const char *path, struct tpu_platform_config *c, struct tpu_report *r) {
  struct tpu_json_doc *doc = tpu_json_open(path, r);
  if (doc == NULL)
    return 0;
  struct tpu_platform_config read = *c;
  const int ok = read_root(tpu_json_root(doc), &read, r);
  tpu_json_close(doc);
  if (ok)
    *c = read;
  return ok;
}

void tpu_config_put(const struct tpu_platform_config *c, const char *key,
                    struct tpu_json_writer *w) {
  static const char *const sections[] = {"accelerator", "memory", "cpu"};
  struct tpu_platform_config copy = *c;
  tpu_json_begin_object(w, key);
  for (size_t s = 0; s < sizeof sections / sizeof sections[0]; s++) {
    tpu_json_begin_object(w, sections[s]);
    for (size_t i = 0; i < TPU_CONFIG_INTEGER_COUNT; i++) {
      const struct tpu_config_key *k = &tpu_config_integers[i];
      const uint32_t *field = tpu_config_field(&copy, k);
      const int not_given = (*field == 0 && k->lowest != 0) ||
                            (field == &copy.memory.latency_cycles && copy.memory.latency_ns != 0);
      if (strcmp(k->section, sections[s]) == 0 && !not_given)
        tpu_json_put_u64(w, k->key, *field);
    }
    if (strcmp(sections[s], "memory") == 0)
      tpu_json_put_string(w, "ports", tpu_memory_ports_names[c->memory.ports & 1U]);
    tpu_json_end(w);
  }
  tpu_json_put_string(w, "timing", c->timing);
  tpu_json_end(w);
}
