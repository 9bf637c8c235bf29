/* SPDX-License-Identifier: Apache-2.0 */
/* The keys of a configuration, stated once; internal to config*.c. */
#ifndef TPU_JUDGE_CONFIG_TABLE_H
#define TPU_JUDGE_CONFIG_TABLE_H

#include "judge/config.h"

#ifdef __cplusplus
extern "C" {
#endif

/* X(section, key, key of an assignment, field, lowest, highest): integers. A range that depends on
 * other keys is checked on resolution. A value that is derived or has no meaning is asked for by
 * leaving its key out, hence the 1; its field is 0 then. */
#define TPU_CONFIG_INTEGERS(X)                                                                     \
  X("accelerator", "T", "T", params.t, TPU_MIN_T, TPU_MAX_T)                                       \
  X("accelerator", "MAXDIM", "MAXDIM", params.maxdim, TPU_MIN_T, 65535)                            \
  X("accelerator", "QD", "QD", params.qd, TPU_MIN_QD, TPU_MAX_QD)                                  \
  X("accelerator", "DMA_WORDS", "DMA_WORDS", params.dma_words, 1, 65535)                           \
  X("accelerator", "SPAD_ROWS", "SPAD_ROWS", params.spad_rows, 1, TPU_MAX_MEM_ROWS)                \
  X("accelerator", "NVR", "NVR", params.nvr, 1, TPU_MAX_MEM_ROWS)                                  \
  X("accelerator", "NAR", "NAR", params.nar, 1, TPU_MAX_MEM_ROWS)                                  \
  X("accelerator", "IMEM_SIZE", "IMEM_SIZE", params.imem_size, 16, TPU_MAX_IMEM)                   \
  X("memory", "latency_cycles", "memory.latency_cycles", memory.latency_cycles, 0,                 \
    TPU_CONFIG_MOST_LATENCY_CYCLES)                                                                \
  X("memory", "latency_ns", "memory.latency_ns", memory.latency_ns, 1, 1000000)                    \
  X("memory", "clock_mhz", "memory.clock_mhz", memory.clock_mhz, 1, 10000)                         \
  X("memory", "bytes_per_cycle", "memory.bytes_per_cycle", memory.bytes_per_cycle, 0, 65536)       \
  X("memory", "outstanding", "memory.outstanding", memory.outstanding, 1, 1024)                    \
  X("cpu", "load_cycles", "cpu.load_cycles", cpu.load_cycles, 1, 1000)                             \
  X("cpu", "mul_cycles", "cpu.mul_cycles", cpu.mul_cycles, 1, 1000)                                \
  X("cpu", "div_cycles", "cpu.div_cycles", cpu.div_cycles, 1, 1000)

/* The one key that is no integer. */
#define TPU_CONFIG_PORTS_KEY "memory.ports"

struct tpu_config_key {
  const char *section;
  const char *key;
  const char *set_key;
  size_t offset; /* of a uint32_t in struct tpu_platform_config */
  uint32_t lowest, highest;
};

enum { TPU_CONFIG_MOST_LATENCY_CYCLES = 100000 };

enum {
#define TPU_CONFIG_COUNT(section, key, set_key, field, lowest, highest) +1
  TPU_CONFIG_INTEGER_COUNT = 0 TPU_CONFIG_INTEGERS(TPU_CONFIG_COUNT)
#undef TPU_CONFIG_COUNT
};

extern const struct tpu_config_key tpu_config_integers[TPU_CONFIG_INTEGER_COUNT];
extern const char *const tpu_memory_ports_names[2]; /* by enum tpu_memory_ports */

uint32_t *tpu_config_field(struct tpu_platform_config *c, const struct tpu_config_key *k);

/* Gives the field a value; what the value takes the place of is not given any more. */
void tpu_config_give(struct tpu_platform_config *c, const struct tpu_config_key *k, uint32_t value);

#ifdef __cplusplus
}
#endif
#endif
