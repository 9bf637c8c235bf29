/* SPDX-License-Identifier: Apache-2.0 */
// The trace of a run as a Value Change Dump (IEEE 1800, clause 21.7), which GTKWave opens.
// SystemC's own tracing samples signals as simulation time goes by; units here run ahead of it,
// each by another distance, so the dump is written from the trace, which is in order.
//
// One cycle is 1 ns. A scope for each process, wld_I_J and pe_I_J each on its own, has
//   state        2 bits: 0 idle, 1 busy, 2 starved, 3 blocked
//   on           what it waits on: 8 bits, the row of the second table of docs/counters.md, from 0
//   instruction  32 bits: of the program, counted from 0; x for none
// and the scope `streams` has the tokens in each stream.
#ifndef TPU_PLATFORM_TRACE_VCD_H
#define TPU_PLATFORM_TRACE_VCD_H

#include "platform/trace/file_sink.h"

namespace tpu::trace {

class vcd_writer final : public file_sink {
public:
  void begin(const core::trace_shape &shape) override;
  void segment(const core::trace_segment &s) override;
  void segments(const core::trace_segment *first, std::size_t count) override;
  void occupancy(core::cycle at, std::size_t stream, std::uint32_t tokens) override;
  void end(core::cycle elapsed) override;

private:
  struct identifier { // and an end of line
    std::array<char, 7> text;
    std::uint8_t length;
  };
  struct process_variables {
    identifier state, on, instruction;
    std::uint32_t shown_instruction = no_instruction;
    core::unit_state shown_state = core::unit_state::idle;
    std::uint8_t shown_on = TPU_WAIT_COUNT;
  };
  struct stream_variable {
    identifier tokens;
  };

  static constexpr std::uint32_t no_instruction = UINT32_MAX; // beyond any program

  static identifier number(unsigned n);
  void time(core::cycle at);
  void bits(std::uint32_t value, const identifier &id);
  template <class Text> static std::size_t put(char *at, const Text &value, const identifier &id);
  void declare(const char *name, int bits, const identifier &id);

  std::vector<process_variables> processes_;
  std::vector<stream_variable> streams_;
  core::cycle at_ = -1;
};

} // namespace tpu::trace
#endif
