/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/trace/gantt.h"

#include <algorithm>
#include <cstdio>

namespace tpu::trace {

namespace {

using core::cycle;
using core::unit_state;

const char *const unit_names[] = {
#define TPU_GANTT_UNIT(id, name) name,
    TPU_UNITS(TPU_GANTT_UNIT)
#undef TPU_GANTT_UNIT
};

struct mark {
  unit_state state;
  const char *utf8, *ascii, *name;
};
constexpr std::array<mark, 4> marks = {{{unit_state::busy, "\u2588", "#", "busy"},
                                        {unit_state::blocked, "\u2592", "x", "blocked"},
                                        {unit_state::starved, "\u2591", ".", "starved"},
                                        {unit_state::idle, " ", " ", "idle"}}};

} // namespace

void gantt::begin(const core::trace_shape &shape) {
  for (const core::traced_process &p : shape.processes) {
    units_.push_back(p.id.unit);
    ++instances_[p.id.unit];
  }
}

// Two columns become one.
void gantt::widen() {
  for (auto &row : cells_) {
    for (std::size_t k = 0; k < columns; ++k) {
      cell sum;
      for (std::size_t part = 2 * k; part < std::min(2 * k + 2, columns); ++part)
        for (std::size_t s = 0; s < sum.cycles.size(); ++s)
          sum.cycles[s] += row[part].cycles[s];
      row[k] = sum;
    }
  }
  width_ *= 2;
}

void gantt::segment(const core::trace_segment &s) {
  if (s.state == unit_state::idle)
    return;
  while (s.to > width_ * static_cast<cycle>(columns))
    widen();
  for (cycle from = s.from; from < s.to;) {
    const cycle until = std::min(s.to, (from / width_ + 1) * width_);
    cell &c = cells_[units_[s.process]][static_cast<std::size_t>(from / width_)];
    c.cycles[static_cast<std::size_t>(s.state)] += until - from;
    from = until;
  }
}

std::string gantt::text(bool utf8) const {
  const auto shown = static_cast<std::size_t>((elapsed_ + width_ - 1) / width_);
  std::string out;
  for (std::size_t u = 0; u < cells_.size(); ++u) {
    char line[32];
    cycle busy = 0;
    (void)std::snprintf(line, sizeof line, "  %-10s ", unit_names[u]);
    out += line;
    for (std::size_t k = 0; k < std::min(shown, columns); ++k) {
      cell c = cells_[u][k];
      const cycle length = std::min(width_, elapsed_ - static_cast<cycle>(k) * width_);
      cycle &idle = c.cycles[static_cast<std::size_t>(unit_state::idle)];
      idle = length * instances_[u];
      for (const unit_state s : {unit_state::busy, unit_state::starved, unit_state::blocked})
        idle -= c.cycles[static_cast<std::size_t>(s)];
      const mark *most = &marks[0];
      for (const mark &m : marks)
        if (c.cycles[static_cast<std::size_t>(m.state)] >
            c.cycles[static_cast<std::size_t>(most->state)])
          most = &m;
      busy += c.cycles[static_cast<std::size_t>(unit_state::busy)];
      out += utf8 ? most->utf8 : most->ascii;
    }
    (void)std::snprintf(line, sizeof line, " %5.1f\n",
                        elapsed_ == 0 ? 0.0
                                      : 100 * static_cast<double>(busy) /
                                            static_cast<double>(elapsed_ * instances_[u]));
    out += line;
  }
  out += "  a column is " + std::to_string(width_) + " cycles, and shows what there is most of:";
  for (const mark &m : marks)
    out += std::string(m.state == unit_state::busy ? " " : ", ") +
           (m.state == unit_state::idle ? "blank"
            : utf8                      ? m.utf8
                                        : m.ascii) +
           " " + m.name;
  out += "\n  right: busy, in % of the cycles of the run\n";
  return out;
}

} // namespace tpu::trace
