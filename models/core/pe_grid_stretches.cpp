// SPDX-License-Identifier: Apache-2.0
// Stretches in which PEs move together, one row each cycle.
#include <algorithm>

#include "models/core/pe_grid.h"

namespace tpu::core {

void pe_grid::settle(std::size_t k) {
  if (settled(k)) {
    return;
  }
  open_[k] &= static_cast<std::uint8_t>(~unsettled);
  ++settled_;
  for (int i = 0; i < pes_[k].dependent_count; ++i) {
    const pe::dependent &d = pes_[k].dependents[i];
    open_[d.k] &= static_cast<std::uint8_t>(~d.links);
  }
}

void pe_grid::unsettle(std::size_t k) {
  if (!settled(k)) {
    return;
  }
  open_[k] |= unsettled;
  --settled_;
  for (int i = 0; i < pes_[k].dependent_count; ++i) {
    const pe::dependent &d = pes_[k].dependents[i];
    open_[d.k] |= d.links;
  }
}

// How many cycles the settled PEs can advance at once, as far as their neighbours let them that
// are not settled. One that stands because of such a neighbour is left behind; for the array's edge
// all wait.
pe_grid::index pe_grid::border() {
  const pe &head = pes_.front();
  const pe &tail = pes_.back();
  const index rows_in = entry_.n() - head.own->n();
  const index slots_out = exit_.n() - tail.links[tail.count - 1].ahead - tail.own->n();
  if ((settled(0) && rows_in <= 0) || (settled(pes_.size() - 1) && !take_all_ && slots_out <= 0)) {
    return 0;
  }
  if (settled_ == pes_.size() && slots_out > 0) {
    return std::min(rows_in, slots_out);
  }
  for (;;) {
    index cycles = rows_;
    const std::size_t before = settled_;
    for (std::size_t k = 0; k < pes_.size(); ++k) {
      if (!settled(k)) {
        continue;
      }
      const pe &x = pes_[k];
      index own = cycles;
      for (unsigned left = open_[k]; left != 0; left &= left - 1) {
        const link &l = x.links[__builtin_ctz(left)];
        own = std::min(own, l.other->n() - l.ahead - x.own->n());
      }
      if (own <= 0) {
        unsettle(k);
      }
      cycles = std::max<index>(own, 1);
    }
    if (settled_ == before) {
      return cycles;
    }
  }
}

// How many cycles the settled PEs can advance with no offset changed: then that is the least
// solution, since offsets never decrease.
pe_grid::index pe_grid::stride() {
  index cycles = border();
  takers_.clear();
  if (cycles == 0 || settled_ == 0) {
    return 0;
  }
  for (std::size_t k = 0; k < pes_.size(); ++k) {
    if (const index rest = to_weight_[k]; rest <= cycles && settled(k)) {
      const pe &x = pes_[k];
      cycles = std::min(cycles, rows_ - 1 - x.own->n());
      if (rest < cycles) {
        const bool in_time = weight_known(x) && weight_offset(x) <= x.own->newest().offset;
        cycles = std::min<index>(cycles, rest + (in_time ? weights_.rows(x.mm) : 0));
      }
      takers_.push_back(k);
    }
  }
  return cycles;
}

bool pe_grid::advance_together() {
  const index cycles = settled_ != 0 ? stride() : 0;
  if (cycles <= 0) {
    return false;
  }
  if (!take_all_ && 2 * cycles <= qd_) {
    has_put_off_ = true;
    return false;
  }
  for (std::size_t k = 0; k < pes_.size(); ++k) {
    if (settled(k)) {
      timeline &own = timelines_[k];
      own.extend(own.n() + cycles);
      to_weight_[k] -= static_cast<std::int32_t>(cycles);
    } else if (awaits_settled(k)) {
      ready_.insert(k);
    }
  }
  for (const std::size_t k : takers_) {
    pe &x = pes_[k];
    if (x.boundary < x.own->n()) {
      take_weight(x);
      to_weight_[k] = static_cast<std::int32_t>(x.boundary - x.own->n());
    }
    if (lacks_weight(x)) {
      weights_.await_weight(x.i, x.j);
    }
  }
  for (const pe *x : {&pes_.front(), &pes_.back()}) {
    if (settled(number(x->own))) {
      exchange(*x, x->own->n() - cycles);
    }
  }
  return true;
}

} // namespace tpu::core
