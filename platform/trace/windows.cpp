/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/trace/windows.h"

#include <algorithm>

#include "judge/kpn.h"

namespace tpu::trace {

void window_writer::begin(const core::trace_shape &shape) {
  processes_.clear();
  instances_ = {};
  window_ = {};
  later_.clear();
  from_ = 0;
  for (const core::traced_process &p : shape.processes) {
    ++instances_[p.id.unit];
    processes_.push_back(
        {static_cast<std::uint16_t>(p.id.unit), static_cast<std::uint16_t>(p.fill)});
  }
  file_ << "from,to,unit,busy,starved,blocked,idle,macs\n";
}

// The part of it that lies in the window that is open.
void window_writer::count(const stretch &s) {
  const core::cycle cycles = std::min(s.to, from_ + length_) - std::max(s.from, from_);
  window_[s.unit][s.counter] += std::max<core::cycle>(cycles, 0);
}

void window_writer::add(const stretch &s) {
  count(s);
  if (s.to > from_ + length_)
    later_.push_back(s);
}

void window_writer::next(core::cycle until) {
  write(until);
  window_ = {};
  from_ = until;
  std::size_t kept = 0;
  for (const stretch &s : later_) {
    count(s);
    if (s.to > from_ + length_)
      later_[kept++] = s;
  }
  later_.resize(kept);
}

inline void window_writer::segment(const core::trace_segment &s) {
  while (s.from >= from_ + length_)
    next(from_ + length_); // nothing begins in there any more
  if (s.state == core::unit_state::idle)
    return; // what is left
  const kind of = processes_[s.process];
  add({s.from, s.to, of.unit, static_cast<std::uint32_t>(s.state)});
  if (of.unit == TPU_UNIT_PE && s.state == core::unit_state::busy)
    add({std::min(s.to, s.from + std::max<core::cycle>(of.fill - s.step, 0)), s.to, of.unit, macs});
}

void window_writer::segments(const core::trace_segment *first, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k)
    segment(first[k]);
}

void window_writer::write(core::cycle until) {
  for (std::size_t u = 0; u < window_.size(); ++u) {
    const account &c = window_[u];
    const auto of = [&c](core::unit_state state) { return c[static_cast<std::size_t>(state)]; };
    const core::cycle busy = of(core::unit_state::busy);
    const core::cycle starved = of(core::unit_state::starved);
    const core::cycle blocked = of(core::unit_state::blocked);
    const core::cycle all = (until - from_) * instances_[u];
    file_ << from_ << ',' << until << ',' << tpu_unit_name(static_cast<tpu_unit>(u)) << ',' << busy
          << ',' << starved << ',' << blocked << ',' << all - busy - starved - blocked << ','
          << c[macs] << '\n';
  }
}

void window_writer::end(core::cycle elapsed) {
  while (from_ < elapsed)
    next(std::min(from_ + length_, elapsed));
}

} // namespace tpu::trace
