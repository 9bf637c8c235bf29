// SPDX-License-Identifier: Apache-2.0
// The walk back from the last event of a run to its start.
//
// An event is a cycle of a process in which it moved. Between the wait that set it going last and
// the event, the process owns the cycles; before that, whoever put the token or freed the slot that
// it waited for owns those until the token or slot could be used; then the walk goes on from there.
// An event of cycle t ends at t, so the parts are the cycles between the events, and the cycle in
// which the units start is the last of the start-up.
//
// The cycles that a process owns belong to the instruction of the item - row, word, fetch - whose
// access the event was, from that item's entry into the pipeline on, and before that to those of
// the items ahead of it.
#ifndef TPU_MODELS_CORE_CRITICAL_PATH_H
#define TPU_MODELS_CORE_CRITICAL_PATH_H

#include <functional>

#include "models/core/machine.h"

namespace tpu::core {

// What the walk must know of a finished run.
struct path_facts {
  std::uint32_t t = 0;
  std::uint32_t qd = 0;
  timing_profile timing;
  cycle elapsed = 0;
  cycle units_start = 0;    // when the units started
  cycle prefetch_steps = 0; // enabled cycles of the sequencer before its first fetch
  cycle setup_steps = 0;    // of dma_ld before its burst moves data
  cycle burst_steps = 0;    // of dma_ld before its first row, set-up included
  bool burst_of_b = false;  // B's part of the burst was the longer
  bool responded = false;   // the run ended with the last response:
  cycle last_request = 0;
  cycle last_response = 0;
  std::function<const path_log &(process_id)> log;
  std::function<std::int64_t(process_id)> steps; // enabled cycles; of a loader words, not registers
  std::function<const work_log &(enum tpu_unit)> work; // pe: rows of mm; wld: mms
  std::function<bool(std::int32_t)> is_mm;             // of an issue
};

// In the order of time, without gaps, from 0 to elapsed. strays, unless null, receives how many
// accesses on the path do not fit what waited for them, a token of another instruction or a PE
// whose row was at another stage: none, or steps and rows have been logged wrong.
std::vector<path_stretch> walk_critical_path(const path_facts &facts, std::size_t *strays);

} // namespace tpu::core
#endif
