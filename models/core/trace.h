// SPDX-License-Identifier: Apache-2.0
// What a run did, as it is told to who observes it: segments of time in which a process was in one
// state, in the order of time although the units are evaluated in any other.
#ifndef TPU_MODELS_CORE_TRACE_H
#define TPU_MODELS_CORE_TRACE_H

#include <string>
#include <vector>

#include "isa/issue.h"
#include "models/core/unit.h"

namespace tpu::core {

// A process and a stream as a trace names them.
struct traced_process {
  process_id id;
  std::string name; // "accu", "pe[3][0]"
  int fill;         // steps before its first row is done; of PEs
};
struct traced_stream {
  std::string name; // "c_acc", "acol[0]"
  std::uint32_t depth;
};

// Whose trace it is: processes in data-path order, instances row-major, and the streams between
// units; not those inside the array.
struct trace_shape {
  std::uint32_t t = 0;
  std::vector<traced_process> processes;
  std::vector<traced_stream> streams;
};

// Cycles [from, to) of a process, from the start of the run, all in one state.
struct trace_segment {
  static constexpr cycle to_the_end = INT64_MAX;

  cycle from, to;
  std::int64_t step;     // when busy: which of its enabled cycles `from` is
  std::int32_t issue;    // the dispatched instruction that it had accepted last; -1: none
  std::uint32_t insn;    // which of the program that is
  std::uint32_t process; // of trace_shape::processes
  unit_state state;
  std::uint8_t on; // when starved or blocked: enum tpu_wait
};

// Receives the trace of a run: begin, then dispatches, segments and occupancies, then end. The
// segments of a process follow one another from cycle 0 to the end without gap, each as long as it
// can be; one that idles to the end of the run says so, for that end is not known yet. They come
// sorted by their first cycle, then by process, and so the same whatever the order in which units
// were evaluated.
class trace_sink {
public:
  trace_sink() = default;
  trace_sink(const trace_sink &) = delete;
  trace_sink &operator=(const trace_sink &) = delete;
  virtual ~trace_sink() = default;

  virtual void begin(const trace_shape &) {}
  // Instruction number `issue` in the order of dispatch, from 0; before any segment of its.
  virtual void dispatched(std::int32_t /*issue*/, const tpu_issue &) {}
  virtual void segment(const trace_segment &) {}
  // Several, one after the other.
  virtual void segments(const trace_segment *first, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) {
      segment(first[k]);
    }
  }
  // From cycle `at` on a stream holds so many tokens, as they stand at the start of a cycle; before
  // segments that begin there. All hold none at first.
  virtual void occupancy(cycle /*at*/, std::size_t /*stream*/, std::uint32_t /*tokens*/) {}
  virtual void end(cycle /*elapsed*/) {}
};

} // namespace tpu::core
#endif
