/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/trace/perfetto.h"

namespace tpu::trace {

namespace {

const char *const wait_names[] = {
#define TPU_PERFETTO_WAIT(id, name, text) #name,
    TPU_WAITS(TPU_PERFETTO_WAIT)
#undef TPU_PERFETTO_WAIT
};

} // namespace

void perfetto_writer::begin(const core::trace_shape &shape) {
  file_ << "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n"
           "{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":\"tpu, 1 us a "
           "cycle\"}}";
  tracks_.assign(shape.processes.size(), {});
  shown_.assign(shape.processes.size(), 0);
  counters_.clear();
  for (std::size_t k = 0; k < tracks_.size(); ++k) {
    if (shape.processes[k].id.instance != 0)
      continue;
    shown_[k] = 1;
    file_ << ",\n{\"ph\":\"M\",\"pid\":1,\"tid\":" << k + 1
          << ",\"name\":\"thread_name\",\"args\":{\"name\":\"" << shape.processes[k].name
          << "\"}},\n{\"ph\":\"M\",\"pid\":1,\"tid\":" << k + 1
          << ",\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":" << k << "}}";
  }
  for (const core::traced_stream &s : shape.streams)
    counters_.push_back(",\"name\":\"" + s.name + "\",\"args\":{\"tokens\":");
}

void perfetto_writer::event(char phase, std::uint32_t process, core::cycle at) {
  file_ << ",\n{\"ph\":\"" << phase << "\",\"pid\":1,\"tid\":" << process + 1 << ",\"ts\":" << at;
}

void perfetto_writer::close_slice(track &t, std::uint32_t process, core::cycle at) {
  if (!t.open)
    return;
  event('E', process, at);
  file_ << ",\"args\":{\"busy\":" << t.busy << "}}";
  t.open = false;
  t.busy = 0;
}

inline void perfetto_writer::segment(const core::trace_segment &s) {
  if (shown_[s.process] == 0)
    return;
  track &t = tracks_[s.process];
  // Busy without an instruction is what comes before the first: the burst, the prefetch.
  const bool inside = s.issue >= 0 || s.state == core::unit_state::busy;
  if (t.open && (!inside || t.issue != s.issue))
    close_slice(t, s.process, s.from);
  if (inside && !t.open) {
    event('B', s.process, s.from);
    if (s.issue < 0)
      file_ << ",\"cat\":\"setup\",\"name\":\"before the first instruction\"}";
    else
      file_ << ",\"cat\":\"instruction\",\"name\":\"[" << s.insn << "] " << instructions_[s.insn]
            << "\",\"args\":{\"issue\":" << s.issue << "}}";
    t.open = true;
    t.issue = s.issue;
  }
  if (s.state == core::unit_state::busy) {
    t.busy += s.to - s.from;
  } else if (s.state != core::unit_state::idle) {
    const char *const state = s.state == core::unit_state::starved ? "starved" : "blocked";
    event('X', s.process, s.from);
    file_ << ",\"dur\":" << s.to - s.from << ",\"cat\":\"" << state << "\",\"name\":\"" << state
          << ' ' << wait_names[s.on] << "\"}";
  }
}

void perfetto_writer::segments(const core::trace_segment *first, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k)
    segment(first[k]);
}

void perfetto_writer::occupancy(core::cycle at, std::size_t stream, std::uint32_t tokens) {
  file_ << ",\n{\"ph\":\"C\",\"pid\":1,\"ts\":" << at << counters_[stream] << tokens << "}}";
}

void perfetto_writer::end(core::cycle elapsed) {
  for (std::size_t k = 0; k < tracks_.size(); ++k)
    close_slice(tracks_[k], static_cast<std::uint32_t>(k), elapsed);
  file_ << "\n]}\n";
}

} // namespace tpu::trace
