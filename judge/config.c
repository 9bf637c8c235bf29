/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/config.h"

#include "judge/config_table.h"

#include <stdio.h>
#include <string.h>

const struct tpu_config_key tpu_config_integers[TPU_CONFIG_INTEGER_COUNT] = {
#define TPU_CONFIG_ROW(section, key, set_key, field, lowest, highest)                              \
  {section, key, set_key, offsetof(struct tpu_platform_config, field), lowest, highest},
    TPU_CONFIG_INTEGERS(TPU_CONFIG_ROW)
#undef TPU_CONFIG_ROW
};

const char *const tpu_memory_ports_names[2] = {"shared", "per_initiator"};

uint32_t *tpu_config_field(struct tpu_platform_config *c, const struct tpu_config_key *k) {
  return (uint32_t *)(void *)((char *)c + k->offset);
}

void tpu_config_give(struct tpu_platform_config *c, const struct tpu_config_key *k,
                     uint32_t value) {
  uint32_t *const field = tpu_config_field(c, k);
  *field = value;
  if (field == &c->memory.latency_cycles)
    c->memory.latency_ns = c->memory.clock_mhz = 0;
  if (field == &c->memory.latency_ns || field == &c->memory.clock_mhz)
    c->memory.latency_cycles = 0;
}

struct tpu_platform_config tpu_config_default(void) {
  return (struct tpu_platform_config){
      .params = tpu_params_default(),
      .memory = {.outstanding = 1, .ports = TPU_PORTS_SHARED},
      .cpu = {.load_cycles = 1, .mul_cycles = 1, .div_cycles = 1},
      .timing = "hls-2023.2",
  };
}

static int resolve_latency(struct tpu_memory_config *m, const char *source, struct tpu_report *r) {
  if (m->latency_ns == 0 && m->clock_mhz == 0)
    return 1;
  if (m->latency_ns == 0 || m->clock_mhz == 0)
    return tpu_report_fail(r, TPU_ERR_RANGE,
                           "%s: $.memory: %s is given without %s; a latency in ns needs both, one "
                           "in cycles neither",
                           source, m->latency_ns != 0 ? "latency_ns" : "clock_mhz",
                           m->latency_ns != 0 ? "clock_mhz" : "latency_ns");
  const uint64_t cycles = ((uint64_t)m->latency_ns * m->clock_mhz + 999) / 1000;
  if (cycles > TPU_CONFIG_MOST_LATENCY_CYCLES)
    return tpu_report_fail(r, TPU_ERR_RANGE,
                           "%s: $.memory: %u ns at %u MHz are %llu cycles; allowed are up to %d",
                           source, m->latency_ns, m->clock_mhz, (unsigned long long)cycles,
                           TPU_CONFIG_MOST_LATENCY_CYCLES);
  m->latency_cycles = (uint32_t)cycles;
  return 1;
}

int tpu_config_resolve(struct tpu_platform_config *c, const char *source, struct tpu_report *r) {
  struct tpu_error e;
  if (!resolve_latency(&c->memory, source, r))
    return 0;
  if (tpu_params_resolve(&c->params, &e))
    return 1;
  char place[480];
  (void)snprintf(place, sizeof place, "%s: $.accelerator", source);
  return tpu_report_wrap(r, place, &e);
}

int tpu_config_need_default(const struct tpu_platform_config *c, const char *section,
                            const char *source, const char *why, struct tpu_report *r) {
  struct tpu_platform_config given = *c;
  struct tpu_platform_config due = tpu_config_default();
  if (!tpu_config_resolve(&due, source, r))
    return 0;
  for (size_t i = 0; i < TPU_CONFIG_INTEGER_COUNT; i++) {
    const struct tpu_config_key *k = &tpu_config_integers[i];
    const uint32_t value = *tpu_config_field(&given, k);
    const uint32_t allowed = *tpu_config_field(&due, k);
    if (strcmp(k->section, section) == 0 && value != allowed)
      return tpu_report_fail(r, TPU_ERR_RANGE, "%s: $.%s.%s is %u; only %u is allowed: %s", source,
                             section, k->key, value, allowed, why);
  }
  if (strcmp(section, "memory") == 0 && c->memory.ports != due.memory.ports)
    return tpu_report_fail(r, TPU_ERR_RANGE, "%s: $.memory.ports is %s; only %s is allowed: %s",
                           source, tpu_memory_ports_names[c->memory.ports],
                           tpu_memory_ports_names[due.memory.ports], why);
  return 1;
}

int tpu_memory_is_ideal(const struct tpu_memory_config *m) {
  return m->latency_cycles == 0 && m->bytes_per_cycle == 0;
}

int tpu_config_need_ideal(const struct tpu_platform_config *c, const char *source, const char *why,
                          struct tpu_report *r) {
  const int late = c->memory.latency_cycles != 0;
  return tpu_memory_is_ideal(&c->memory) ||
         tpu_report_fail(r, TPU_ERR_RANGE, "%s: $.memory.%s is %u; only 0 is allowed: %s", source,
                         late ? "latency_cycles" : "bytes_per_cycle",
                         late ? c->memory.latency_cycles : c->memory.bytes_per_cycle, why);
}

/* Of assignments that exclude each other neither is the later one by intention. */
static int one_latency(const char *const *assignments, size_t count, struct tpu_report *r) {
  static const char *const keys[] = {
      "memory.latency_cycles=", "memory.latency_ns=", "memory.clock_mhz="};
  int given[3] = {0, 0, 0};
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < 3; k++)
      given[k] |= strncmp(assignments[i], keys[k], strlen(keys[k])) == 0;
  return !given[0] || (!given[1] && !given[2]) ||
         tpu_report_fail(r, TPU_ERR_RANGE,
                         "--set memory.%s: memory.latency_cycles is set too; allowed is one of the "
                         "two",
                         given[1] ? "latency_ns" : "clock_mhz");
}

const char *tpu_config_source(const char *path, const char *const *assignments, size_t count,
                              char out[TPU_CONFIG_SOURCE_BYTES]) {
  const size_t capacity = TPU_CONFIG_SOURCE_BYTES;
  char shown[360];
  size_t at = (size_t)snprintf(out, capacity, "%s",
                               path != NULL ? tpu_shorten(path, 1, shown, sizeof shown)
                                            : "default configuration");
  for (size_t i = 0; i < count; i++) {
    const size_t more = strlen(assignments[i]) + strlen(" --set ");
    if (at + more + 5 < capacity)
      at += (size_t)snprintf(out + at, capacity - at, " --set %s", assignments[i]);
    else
      (void)snprintf(out + at, capacity - at, " ...");
  }
  return out;
}

int tpu_config_assign(struct tpu_platform_config *c, const char *const *assignments, size_t count,
                      struct tpu_report *r) {
  if (!one_latency(assignments, count, r))
    return 0;
  for (size_t i = 0; i < count; i++)
    if (!tpu_config_set(c, assignments[i], r))
      return 0;
  return 1;
}

int tpu_config_load(const char *path, const char *const *assignments, size_t count,
                    struct tpu_platform_config *c, struct tpu_report *r) {
  *c = tpu_config_default();
  if (path != NULL && !tpu_config_read(path, c, r))
    return 0;
  char source[TPU_CONFIG_SOURCE_BYTES];
  return tpu_config_assign(c, assignments, count, r) &&
         tpu_config_resolve(c, tpu_config_source(path, assignments, count, source), r);
}
