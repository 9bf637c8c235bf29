// SPDX-License-Identifier: Apache-2.0
// The grid as a whole: its stretches in which every PE moves each cycle, and the data at its edges.
#include <algorithm>

#include "models/core/pe_grid.h"

namespace tpu::core {

// All its neighbours have had their last gap at a row that x is past, and none holds it up: while
// all move each cycle, so does x.
bool pe_grid::settled(const pe &x) const {
  const index n = x.own->n();
  if (n <= x.ramp || n >= rows_) {
    return false;
  }
  for (int k = 0; k < x.count; ++k) {
    const link &l = x.links[k];
    const timeline::segment &s = l.other->newest();
    if (l.other != &entry_ && l.other != &exit_ &&
        (s.from > n + l.ahead || s.offset + l.offset > x.own->newest().offset)) {
      return false;
    }
  }
  return true;
}

bool pe_grid::settled() {
  if (!settled(pes_[unsettled_])) { // likely the same again
    return false;
  }
  const auto bad =
      std::find_if(pes_.begin(), pes_.end(), [this](const pe &x) { return !settled(x); });
  unsettled_ = bad == pes_.end() ? 0 : static_cast<std::size_t>(bad - pes_.begin());
  return bad == pes_.end();
}

// How many cycles all PEs can advance with no offset changed: then that is the least solution,
// since offsets never decrease.
pe_grid::index pe_grid::stride() const {
  const pe &head = pes_.front();
  const pe &tail = pes_.back();
  const auto on_time = [](const pe &x, const timeline &edge, int k) {
    return edge.newest().offset + x.links[k].offset <= x.own->newest().offset;
  };
  if (!on_time(head, entry_, 0) || !on_time(tail, exit_, tail.count - 1)) {
    return 0;
  }
  index cycles = std::min(entry_.n(), rows_ - 1) - head.own->n();
  cycles = std::min(cycles, exit_.n() - tail.links[tail.count - 1].ahead - tail.own->n());
  for (const pe &x : pes_) {
    const index rest = x.boundary - x.own->n(); // of its mm
    if (rest >= cycles) {
      continue;
    }
    const bool in_time = weight_known(x) && weight_offset(x) <= x.own->newest().offset;
    cycles = std::min<index>(cycles, rest + (in_time ? weights_.rows(x.mm) : 0));
  }
  return cycles;
}

bool pe_grid::advance_together() {
  if (!steady_) {
    return false;
  }
  const index cycles = stride();
  if (cycles <= 0) {
    return false;
  }
  if (!take_all_ && 2 * cycles <= qd_) {
    has_put_off_ = true;
    return false;
  }
  for (pe &x : pes_) {
    const index until = x.own->n() + cycles;
    if (x.boundary < until) {
      take_weight(x);
    }
    x.own->extend(until);
    if (lacks_weight(x)) {
      weights_.await_weight(x.i, x.j);
    }
  }
  exchange(pes_.front(), pes_.front().own->n() - cycles);
  exchange(pes_.back(), pes_.back().own->n() - cycles);
  return true;
}

// The tokens of a corner PE that has advanced from cycle `from`: activation rows enter, the result
// words that the bottom row has packed leave.
void pe_grid::exchange(const pe &x, index from) {
  if (first(x)) {
    const index until = std::min(x.own->n(), rows_);
    if (from < until) {
      const auto count = static_cast<std::uint32_t>(until - from);
      products_.enter(from, count, streams_.acol);
      x.own->times(from, until, times_.data());
      streams_.acol.take_at(times_.data(), count);
    }
  } else if (last(x)) {
    const index begin = std::max<index>(from - x.last_stage, 0);
    const index end = std::min(x.own->n() - x.last_stage, rows_);
    if (begin < end) {
      for (index row = begin; row < end;) {
        if (row == result_boundary_) {
          result_mm_ += row != 0 ? 1U : 0U;
          result_boundary_ += weights_.rows(result_mm_);
          weights_.release_before(result_mm_);
        }
        const index until = std::min(end, result_boundary_);
        products_.leave(row, static_cast<std::uint32_t>(until - row), weights_.weights(result_mm_),
                        static_cast<std::uint32_t>(row - begin), streams_.cw);
        row = until;
      }
      x.own->times(begin + x.last_stage, end + x.last_stage, times_.data());
      streams_.cw.put_at(times_.data(), static_cast<std::uint32_t>(end - begin));
    }
  }
}

} // namespace tpu::core
