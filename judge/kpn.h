/* SPDX-License-Identifier: Apache-2.0 */
/* The accelerator as a Kahn process network: processes and streams of the unit table, tokens, no
 * time and no pipelines. What it can tell is whether the units' promised work is the work that the
 * sequencer dispatches; whether stall pipelines hang at a depth it cannot (judge/engine.h can).
 *
 * Execution is barrier-synchronous. A process is a sequence of accesses, each a get or a put of one
 * token of one stream. In a round every process offers its next access in program order, and all
 * that are possible against the state at the round's start happen at once: a get from a stream that
 * is not empty, a put into one that is not full. What the network does not depend on this order;
 * how many rounds it takes does.
 *
 * The program order of an iteration is that of the unit table, gets before puts: of a PE the
 * activation, the partial sum and the result word from the west, then acol, a_fwd, p_fwd, cw; of a
 * wld, for each word, the get, then wcol, wrow, and wq after the last. A wld and its PE are two
 * processes. Steps of accu without an access (vadd, vrelu) take no round, nor does the DRAM. */
#ifndef TPU_JUDGE_KPN_H
#define TPU_JUDGE_KPN_H

#include "isa/header.h"
#include "judge/report.h"
#include "platform/hw/registers.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Work, in the units of the engine's counters: rows; of spm also words down the array; of wld words
 * and of pe rows, each summed over the instances; of the sequencer fetches. */
struct tpu_kpn_work {
  uint64_t promised;   /* by the header; to the sequencer, by the program */
  uint64_t dispatched; /* by the whole program, whether the network got there or not */
  uint64_t done;
};

struct tpu_kpn {
  int agrees;        /* every process ended, every stream is empty, promised = dispatched = done */
  uint64_t rounds;   /* until the last access */
  uint64_t accesses; /* of all processes */
  uint32_t waiting;  /* processes that still wait after the last round */
  struct tpu_kpn_work unit[TPU_UNIT_COUNT];
  enum tpu_unit culprit; /* the first unit at fault, in the order of the table, if !agrees */
  char text[248];        /* what is at fault, one sentence; "" if agrees */
};

const char *tpu_unit_name(enum tpu_unit unit); /* "?" outside the table */

/* Runs the network: the code, which must have passed tpu_check_loops and have rows in every data
 * instruction, under a header that promises these counts, each at most TPU_MAX_COUNT. p: resolved.
 * Returns 1 with *out, whatever it says; 0 for want of memory.
 * Resources: time linear in the accesses, about T*T times the mm rows; memory T*T x 176 bytes. */
int tpu_kpn_run(const struct tpu_params *p, const struct tpu_code *code,
                const struct tpu_counts *promised, struct tpu_kpn *out, struct tpu_report *r);

#ifdef __cplusplus
}
#endif
#endif
