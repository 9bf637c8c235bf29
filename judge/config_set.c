/* SPDX-License-Identifier: Apache-2.0 */
/* Assignments of the command line. */
#include "judge/config.h"

#include "judge/config_table.h"
#include "judge/number.h"
#include "judge/suggest.h"

#include <string.h>

enum { PORTS_COUNT = sizeof tpu_memory_ports_names / sizeof tpu_memory_ports_names[0] };

const char *const *tpu_config_keys(size_t *count) {
  static const char *const keys[] = {
#define TPU_CONFIG_SET_KEY(section, key, set_key, field, lowest, highest) set_key,
      TPU_CONFIG_INTEGERS(TPU_CONFIG_SET_KEY)
#undef TPU_CONFIG_SET_KEY
          TPU_CONFIG_PORTS_KEY,
  };
  *count = sizeof keys / sizeof keys[0];
  return keys;
}

static int set_integer(struct tpu_platform_config *c, const struct tpu_config_key *k,
                       const char *value, struct tpu_report *r) {
  uint64_t v = 0;
  if (tpu_number_decimal(value, strlen(value), NULL, &v) == TPU_NUMBER_OK && v >= k->lowest &&
      v <= k->highest) {
    tpu_config_give(c, k, (uint32_t)v);
    return 1;
  }
  char shown[64];
  return tpu_report_fail(r, TPU_ERR_RANGE,
                         "--set %s: is \"%s\"; must be an integer from %u to %u%s", k->set_key,
                         tpu_shorten(value, 0, shown, sizeof shown), k->lowest, k->highest,
                         strchr(value, ',') != NULL ? "; only sweep takes a list" : "");
}

static int set_ports(struct tpu_platform_config *c, const char *value, struct tpu_report *r) {
  for (uint32_t i = 0; i < PORTS_COUNT; i++) {
    if (strcmp(value, tpu_memory_ports_names[i]) == 0) {
      c->memory.ports = i;
      return 1;
    }
  }
  char shown[64];
  return tpu_report_fail(r, TPU_ERR_RANGE, "--set %s: is \"%s\"; must be \"%s\" or \"%s\"",
                         TPU_CONFIG_PORTS_KEY, tpu_shorten(value, 0, shown, sizeof shown),
                         tpu_memory_ports_names[TPU_PORTS_SHARED],
                         tpu_memory_ports_names[TPU_PORTS_PER_INITIATOR]);
}

int tpu_config_set(struct tpu_platform_config *c, const char *assignment, struct tpu_report *r) {
  char shown[64];
  (void)tpu_shorten(assignment, 0, shown, sizeof shown);
  const char *sign = strchr(assignment, '=');
  if (sign == NULL)
    return tpu_report_fail(r, TPU_ERR_SYNTAX, "--set %s: must be KEY=VALUE, for example T=8",
                           shown);
  const size_t length = (size_t)(sign - assignment);
  for (size_t i = 0; i < TPU_CONFIG_INTEGER_COUNT; i++) {
    const struct tpu_config_key *k = &tpu_config_integers[i];
    if (strlen(k->set_key) == length && memcmp(k->set_key, assignment, length) == 0)
      return set_integer(c, k, sign + 1, r);
  }
  if (strlen(TPU_CONFIG_PORTS_KEY) == length &&
      memcmp(TPU_CONFIG_PORTS_KEY, assignment, length) == 0)
    return set_ports(c, sign + 1, r);
  size_t count = 0;
  const char *const *keys = tpu_config_keys(&count);
  char allowed[512];
  char key[64];
  const size_t keep = length < sizeof key ? length : sizeof key - 1;
  memcpy(key, assignment, keep);
  key[keep] = '\0';
  return tpu_report_fail(r, TPU_ERR_SYNTAX, "--set %s: unknown key; %s", shown,
                         tpu_allowed(key, keys, count, allowed, sizeof allowed));
}
