/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/trace/windows.h"

#include <algorithm>

namespace tpu::trace {

namespace {
const char *const unit_names[] = {
#define TPU_WINDOW_UNIT(id, name) name,
    TPU_UNITS(TPU_WINDOW_UNIT)
#undef TPU_WINDOW_UNIT
};
} // namespace

void window_writer::begin(const core::trace_shape &shape) {
  shape_ = shape;
  instances_ = {};
  windows_.clear();
  from_ = 0;
  for (const core::traced_process &p : shape.processes)
    ++instances_[p.id.unit];
  file_ << "from,to,unit,busy,starved,blocked,idle,macs\n";
}

template <class Each> void window_writer::spread(core::cycle from, core::cycle to, Each each) {
  // Most lie in the first.
  auto k =
      from < from_ + length_ ? std::size_t{0} : static_cast<std::size_t>((from - from_) / length_);
  for (; from < to; ++k) {
    if (k >= windows_.size())
      windows_.resize(k + 1);
    const core::cycle until = std::min(to, from_ + static_cast<core::cycle>(k + 1) * length_);
    each(windows_[k], until - from);
    from = until;
  }
}

void window_writer::segment(const core::trace_segment &s) {
  while (s.from >= from_ + length_) { // nothing begins in there any more
    if (windows_.empty())
      windows_.emplace_back();
    write(windows_.front(), from_ + length_);
    windows_.pop_front();
  }
  const std::uint32_t unit = shape_.processes[s.process].id.unit;
  if (s.state == core::unit_state::idle)
    return; // what is left
  spread(s.from, s.to, [&](window &w, core::cycle cycles) {
    (s.state == core::unit_state::busy      ? w[unit].busy
     : s.state == core::unit_state::starved ? w[unit].starved
                                            : w[unit].blocked) += cycles;
  });
  if (unit == TPU_UNIT_PE && s.state == core::unit_state::busy) {
    const core::cycle filling = std::max<core::cycle>(shape_.processes[s.process].fill - s.step, 0);
    spread(std::min(s.from + filling, s.to), s.to,
           [&](window &w, core::cycle cycles) { w[unit].macs += cycles; });
  }
}

void window_writer::write(const window &w, core::cycle until) {
  for (std::size_t u = 0; u < w.size(); ++u) {
    const account &c = w[u];
    const core::cycle all = (until - from_) * instances_[u];
    file_ << from_ << ',' << until << ',' << unit_names[u] << ',' << c.busy << ',' << c.starved
          << ',' << c.blocked << ',' << all - c.busy - c.starved - c.blocked << ',' << c.macs
          << '\n';
  }
  from_ = until;
}

void window_writer::end(core::cycle elapsed) {
  while (from_ < elapsed) {
    if (windows_.empty())
      windows_.emplace_back();
    write(windows_.front(), std::min(from_ + length_, elapsed));
    windows_.pop_front();
  }
}

} // namespace tpu::trace
