/* SPDX-License-Identifier: Apache-2.0 */
/* An RV32IM_Zicsr core, machine mode only, without any idea of what surrounds it: memory outside
 * one directly reachable window, interrupt levels and real time come from the host through a table
 * of callbacks. An instruction takes one cycle, but for loads, multiplications and divisions as
 * configured, plus what the bus adds. */
#ifndef TPU_PLATFORM_CPU_CORE_H
#define TPU_PLATFORM_CPU_CORE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct rv_core;

/* Cycles one instruction of the class takes, 1 or more. */
struct rv_config {
  uint32_t hart_id;
  uint32_t load_cycles;
  uint32_t mul_cycles;
  uint32_t div_cycles;
};

enum rv_access { RV_ACCESS_FETCH, RV_ACCESS_LOAD, RV_ACCESS_STORE };

/* What the host provides. A bus callback gets a naturally aligned access of 1, 2 or 4 bytes, at
 * the core's present cycle (core->cycle), which it may advance; it returns 1, or 0 for an access
 * fault. It may set interrupt levels, change the window and call rv_request(). */
struct rv_host {
  void *context;
  int (*read)(void *context, struct rv_core *core, enum rv_access access, uint32_t address,
              uint32_t bytes, uint32_t *value);
  int (*write)(void *context, struct rv_core *core, uint32_t address, uint32_t bytes,
               uint32_t value);
  /* mtime at a cycle, for the time CSR; NULL: the cycle itself. */
  uint64_t (*time)(void *context, uint64_t cycle);
};

enum rv_cause {
  RV_CAUSE_FETCH_MISALIGNED = 0,
  RV_CAUSE_FETCH_FAULT = 1,
  RV_CAUSE_ILLEGAL = 2,
  RV_CAUSE_BREAKPOINT = 3,
  RV_CAUSE_LOAD_MISALIGNED = 4,
  RV_CAUSE_LOAD_FAULT = 5,
  RV_CAUSE_STORE_MISALIGNED = 6,
  RV_CAUSE_STORE_FAULT = 7,
  RV_CAUSE_ECALL = 11
};
#define RV_CAUSE_INTERRUPT UINT32_C(0x80000000)

enum { RV_IRQ_TIMER = 7, RV_IRQ_EXTERNAL = 11 }; /* bits of mip and mie */

/* Why rv_run came back. */
enum rv_stop {
  RV_STOP_CYCLE,     /* core->cycle reached the bound, or the host asked to yield */
  RV_STOP_SLEEP,     /* in wfi, and no enabled interrupt is pending */
  RV_STOP_UNHANDLED, /* a trap nobody handles: see core->report */
  RV_STOP_HOST       /* the host asked to stop */
};

/* A trap that ends the run: no handler (mtvec 0), or the handler's first instruction traps. */
struct rv_report {
  uint32_t pc;
  uint32_t cause; /* as in mcause */
  uint32_t value; /* as in mtval: address, instruction word or 0 */
  uint32_t insn;  /* the word at pc if it could be read, else 0 */
  uint64_t cycle;
};

enum rv_request { RV_REQUEST_NONE, RV_REQUEST_YIELD, RV_REQUEST_STOP };

/* Memory that needs no callback: host points at the byte of address base. */
struct rv_window {
  uint8_t *host;
  uint32_t base;
  uint32_t bytes;       /* 0 = no window; a multiple of 4, as is base */
  uint32_t load_extra;  /* cycles a load takes beyond load_cycles */
  uint32_t store_extra; /* cycles a store takes beyond 1 */
  int code_only;        /* loads and stores need the callbacks all the same */
};

/* One predecoded instruction; op 0 = not decoded yet. */
struct rv_insn {
  uint8_t op; /* enum rv_op of decode.h */
  uint8_t rd; /* x0 as a destination is RV_SINK */
  uint8_t rs1;
  uint8_t rs2;
  int32_t imm;
};

enum { RV_SINK = 32 }; /* the register writes to x0 go to */

struct rv_core {
  uint32_t x[RV_SINK + 1];
  uint32_t pc;
  uint64_t cycle;   /* absolute; never goes back */
  uint64_t retired; /* instructions, absolute */
  int sleeping;     /* in wfi */

  uint32_t mstatus; /* MIE and MPIE; MPP reads as machine */
  uint32_t mie;
  uint32_t mip;
  uint32_t mtvec;
  uint32_t mscratch;
  uint32_t mepc;
  uint32_t mcause;
  uint32_t mtval;
  uint32_t mcountinhibit;
  uint64_t cycle_base; /* mcycle = cycle - cycle_base; the frozen value while inhibited */
  uint64_t instret_base;

  struct rv_config config;
  struct rv_host host;
  struct rv_window window;
  struct rv_insn **pages; /* predecoded code of the window, per 4 KB, filled as it runs */
  enum rv_request request;
  struct rv_report report;
};

/* Returns 1; 0 when a configured number of cycles is 0. Leaves the core as after rv_reset(0). */
int rv_init(struct rv_core *core, const struct rv_config *config, const struct rv_host *host);

/* Frees what the core allocated. */
void rv_destroy(struct rv_core *core);

/* Registers and CSRs to their reset values (0; counters start from 0), pc to entry; forgets
 * decoded code. core->cycle, interrupt levels and the window stay. */
void rv_reset(struct rv_core *core, uint32_t entry);

/* Sets or (host NULL) removes the window. Returns 1; 0 when it is misaligned or memory is short:
 * then there is none and everything goes through the callbacks. */
int rv_set_window(struct rv_core *core, const struct rv_window *window);

/* Somebody else wrote here: decoded code of these bytes is forgotten. */
void rv_invalidate(struct rv_core *core, uint32_t address, uint32_t bytes);

/* Level of an interrupt line, RV_IRQ_TIMER or RV_IRQ_EXTERNAL. Between runs and in callbacks. */
void rv_set_irq(struct rv_core *core, unsigned irq, int level);

/* Would an interrupt wake the core from wfi (pending and enabled in mie)? */
int rv_irq_pending(const struct rv_core *core);

/* From a callback: end the run after this instruction. Stop outranks yield. */
void rv_request(struct rv_core *core, enum rv_request request);

/* Executes whole instructions until core->cycle >= until or another reason to return. Interrupts
 * are taken at the first instruction boundary at which they are enabled and their level is set. */
enum rv_stop rv_run(struct rv_core *core, uint64_t until);

#ifdef __cplusplus
}
#endif
#endif
