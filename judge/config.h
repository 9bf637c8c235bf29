/* SPDX-License-Identifier: Apache-2.0 */
/* The configuration of a platform: accelerator, memory, processor, timing profile. */
#ifndef TPU_JUDGE_CONFIG_H
#define TPU_JUDGE_CONFIG_H

#include "isa/params.h"
#include "judge/json.h"
#include "judge/json_write.h"
#include "judge/report.h"

#ifdef __cplusplus
extern "C" {
#endif

enum tpu_memory_ports {
  TPU_PORTS_SHARED,       /* all initiators share one bandwidth and one window */
  TPU_PORTS_PER_INITIATOR /* each has its own */
};

/* The defaults are an ideal memory and a processor of one cycle an instruction. Latency is given
 * in cycles, or in ns together with a clock; then resolution sets latency_cycles, rounded up. */
struct tpu_memory_config {
  uint32_t latency_cycles;  /* 0..100000, default 0: from request to first data */
  uint32_t latency_ns;      /* 1..1000000, or 0: not given */
  uint32_t clock_mhz;       /* 1..10000, or 0: not given */
  uint32_t bytes_per_cycle; /* 0..65536, default 0: unlimited */
  uint32_t outstanding;     /* 1..1024, default 1: requests of a port under way at once */
  uint32_t ports;           /* enum tpu_memory_ports, default shared */
};

/* Of a resolved configuration: it answers at once, and whatever else is configured cannot matter.
 */
int tpu_memory_is_ideal(const struct tpu_memory_config *m);

/* Cycles of an instruction of the class, 1..1000, default 1. */
struct tpu_cpu_config {
  uint32_t load_cycles;
  uint32_t mul_cycles;
  uint32_t div_cycles;
};

enum { TPU_TIMING_NAME_BYTES = 48 };

struct tpu_platform_config {
  struct tpu_params params;
  struct tpu_memory_config memory;
  struct tpu_cpu_config cpu;
  char timing[TPU_TIMING_NAME_BYTES]; /* the profile's file is configs/timing/NAME.json */
};

/* T=4, MAXDIM=64, QD=16, DMA_WORDS=1, an ideal memory, one cycle an instruction, timing
 * hls-2023.2; what params derives is still 0. */
struct tpu_platform_config tpu_config_default(void);

/* Changes in *c what the file states; all keys are optional, unknown ones are errors. */
int tpu_config_read(const char *path, struct tpu_platform_config *c, struct tpu_report *r);

/* Applies "KEY=VALUE". The keys are those of tpu_config_keys. A latency in cycles takes the place
 * of one in ns with its clock, and the reverse. */
int tpu_config_set(struct tpu_platform_config *c, const char *assignment, struct tpu_report *r);

/* Applies them in order; of those that exclude each other one only is allowed. */
int tpu_config_assign(struct tpu_platform_config *c, const char *const *assignments, size_t count,
                      struct tpu_report *r);

/* The keys of tpu_config_set in their order; *count receives their number. */
const char *const *tpu_config_keys(size_t *count);

/* Derives what is left and checks what concerns several keys at once; source is named in the
 * message. To be called once, after all else. */
int tpu_config_resolve(struct tpu_platform_config *c, const char *source, struct tpu_report *r);

/* All of the above: the defaults, then the file (NULL: none), then the assignments in order, then
 * resolution. */
int tpu_config_load(const char *path, const char *const *assignments, size_t count,
                    struct tpu_platform_config *c, struct tpu_report *r);

/* Reads parameters from an object like the section accelerator of a file, and resolves them. */
int tpu_config_read_params(struct tpu_json v, struct tpu_params *out, struct tpu_report *r);

enum { TPU_CONFIG_SOURCE_BYTES = 456 };

/* What a configuration comes from, for messages: the file (NULL: none), then the assignments, as
 * many as fit. Returns out. */
const char *tpu_config_source(const char *path, const char *const *assignments, size_t count,
                              char out[TPU_CONFIG_SOURCE_BYTES]);

/* For a command that runs the accelerator by itself: refuses a resolved configuration whose memory
 * is not ideal, in a line that begins with source and ends with why. */
int tpu_config_need_ideal(const struct tpu_platform_config *c, const char *source, const char *why,
                          struct tpu_report *r);

/* For a command that a section of a resolved configuration says nothing to: refuses one in which a
 * key of it is not at its default, in a line that begins with source and ends with why. */
int tpu_config_need_default(const struct tpu_platform_config *c, const char *section,
                            const char *source, const char *why, struct tpu_report *r);

/* Writes a resolved configuration as an object, every value stated, in the form of a file. */
void tpu_config_put(const struct tpu_platform_config *c, const char *key,
                    struct tpu_json_writer *w);

#ifdef __cplusplus
}
#endif
#endif
