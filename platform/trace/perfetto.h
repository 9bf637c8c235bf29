/* SPDX-License-Identifier: Apache-2.0 */
// The trace of a run in the Trace Event Format, which Perfetto and Chrome open:
// docs/perfetto.schema.json.
//
// One track a unit, and of the array those of wld[0][0] and pe[0][0], where words and rows enter:
// every other instance does the same instructions in the same order, some cycles later. A slice for
// each instruction, from the cycle in which the unit accepts it to the next one's, or to a wait for
// it; in it slices of the waits; and counters of the tokens in each stream. A cycle is shown as 1
// us.
#ifndef TPU_PLATFORM_TRACE_PERFETTO_H
#define TPU_PLATFORM_TRACE_PERFETTO_H

#include "platform/trace/file_sink.h"

namespace tpu::trace {

class perfetto_writer final : public file_sink {
public:
  // instructions: the text of each of the program, without characters that JSON escapes.
  explicit perfetto_writer(std::vector<std::string> instructions)
      : instructions_(std::move(instructions)) {}

  void begin(const core::trace_shape &shape) override;
  void segment(const core::trace_segment &s) override;
  void segments(const core::trace_segment *first, std::size_t count) override;
  void occupancy(core::cycle at, std::size_t stream, std::uint32_t tokens) override;
  void end(core::cycle elapsed) override;

private:
  struct track {
    bool open = false; // an instruction's slice
    std::int32_t issue = -1;
    core::cycle busy = 0; // of the open slice
  };

  void event(char phase, std::uint32_t process, core::cycle at);
  void close_slice(track &t, std::uint32_t process, core::cycle at);

  std::vector<std::string> instructions_;
  std::vector<track> tracks_;
  std::vector<std::uint8_t> shown_; // whether a process has a track to be seen
  std::vector<std::string> counters_;
};

} // namespace tpu::trace
#endif
