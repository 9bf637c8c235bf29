// SPDX-License-Identifier: Apache-2.0
// Stretches in which PEs move together. A PE is settled when it can go on for as long as its
// neighbours do: settled PEs have one cycle more each with every tick of a clock that they share,
// so that a stretch is a sum, whatever their number. The clock counts cycles, not time: a PE whose
// offset rises goes on with the others, later. Where that may happen is known beforehand: its next
// change is the cycle in which a neighbour's rise reaches it, or a weight that comes late. With no
// change to come, constant offsets are the least solution, since offsets never decrease.
//
// That settled PEs wait for each other only for what is there when they come to it holds by the
// links of the grid if it is acyclic. Else, in queues of two or three rows, a PE settles only when
// nothing holds it up: cycles that wait for each other would have offsets that cannot all be met.
#include <algorithm>
#include <cstring>

#include "models/core/pe_grid.h"

namespace tpu::core {

// next: its cycle in which it meets the next change.
void pe_grid::settle(std::size_t k, index next) {
  const pe &x = pes_[k];
  if (!settled(k)) {
    open_[k] &= static_cast<std::uint8_t>(~unsettled);
    ++settled_;
    x.own->join(clock_);
    for (int i = 0; i < x.dependent_count; ++i) {
      const pe::dependent &d = x.dependents[i];
      open_[d.k] &= static_cast<std::uint8_t>(~d.links);
    }
  }
  expect_due(k, weight_due(k));
  expect_change(k, in_clock(k, next));
}

void pe_grid::unsettle(std::size_t k) {
  if (!settled(k)) {
    return;
  }
  open_[k] |= unsettled;
  --settled_;
  pes_[k].own->leave();
  expect_due(k, never);
  expect_change(k, never);
  for (int i = 0; i < pes_[k].dependent_count; ++i) {
    const pe::dependent &d = pes_[k].dependents[i];
    open_[d.k] |= d.links;
  }
}

void pe_grid::finish(std::size_t k) {
  unsettle(k);
  open_[k] |= ended;
  ++finished_;
}

// The offset of x rises in cycle c: those that wait for it longer than they do anyway meet that
// when they come to it. in_stretch: x is settled, and on its way.
void pe_grid::announce(const pe &x, index c, bool in_stretch) {
  for (int i = 0; i < x.dependent_count; ++i) {
    const pe::dependent &d = x.dependents[i];
    for (unsigned left = d.links; left != 0 && settled(d.k); left &= left - 1) {
      const pe &y = pes_[d.k];
      const link &l = y.links[__builtin_ctz(left)];
      if (c - l.ahead >= l.stage + rows_ ||
          x.own->newest().offset + l.offset <= y.own->newest().offset) {
        continue;
      }
      const index at = std::max(clock_, in_clock(d.k, c - l.ahead));
      if (at > clock_ || in_stretch || acyclic_) {
        expect_change(d.k, std::min(change_[d.k], at));
      } else {
        unsettle(d.k);
        ready_.insert(d.k);
      }
    }
  }
}

// Visits the PEs that `choose` picks from eight bytes of open_ at once: by the high bit of each
// byte of its result.
template <class Choose, class Visit> void pe_grid::each_open(Choose choose, Visit visit) {
  for (std::size_t k = 0; k < open_.size(); k += 8) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, &open_[k], 8);
    for (std::uint64_t left = choose(eight) & highs; left != 0; left &= left - 1) {
      visit(k + static_cast<std::size_t>(__builtin_ctzll(left)) / 8);
    }
  }
}

// Visits all PEs that are due within so many cycles, and maybe others: at most 2^16 - 1 of them.
template <class Visit> void pe_grid::each_due(index cycles, Visit visit) {
  using eight = std::uint16_t __attribute__((vector_size(16)));
  const auto now = static_cast<std::uint16_t>(clock_);
  const auto limit = static_cast<std::uint16_t>(cycles);
  for (std::size_t k = 0; k < due_bits_.size(); k += 8) {
    eight due;
    std::memcpy(&due, &due_bits_[k], sizeof due);
    const auto soon = due - now <= limit;
    std::uint64_t half[2];
    std::memcpy(half, &soon, sizeof half);
    if ((half[0] | half[1]) == 0) {
      continue;
    }
    for (std::size_t h = 0; h < 2; ++h) {
      constexpr std::uint64_t ones = 0x0001000100010001;
      for (std::uint64_t left = half[h] & ones; left != 0; left &= left - 1) {
        visit(k + 4 * h + static_cast<std::size_t>(__builtin_ctzll(left)) / 16);
      }
    }
  }
}

// The others go on; PE k stands after `own` cycles, where that neighbour lets it.
void pe_grid::leave_behind(std::size_t k, const timeline *waits_for, index own) {
  unsettle(k);
  waits_for_[k] = waits_for;
  if (own > 0) {
    put_off_.insert(k);
    has_put_off_ = true;
  }
}

// How many cycles the settled PEs can advance, as far as the array's edge lets them and neighbours
// that are not settled. One that could go less than half as far as the edge allows is left behind.
pe_grid::index pe_grid::border() {
  const pe &head = pes_.front();
  const pe &tail = pes_.back();
  index cap = qd_;
  if (settled(0) && entry_.n() < rows_) {
    cap = std::min(cap, entry_.n() - head.own->n());
  }
  if (cap <= 0) {
    return 0;
  }
  if (settled(pes_.size() - 1)) {
    const index slots_out = exit_.n() - tail.links[tail.count - 1].ahead - tail.own->n();
    if (slots_out <= 0 && !take_all_) {
      stretch_put_off_ = true;
      return 0;
    }
    if (2 * slots_out > cap) {
      cap = std::min(cap, slots_out);
      if (settled_ == pes_.size()) {
        return cap;
      }
    }
  }
  for (;;) {
    index cycles = cap;
    const std::size_t before = settled_;
    const auto settled_with_open_links = [](std::uint64_t eight) {
      return ((eight & ~highs) + ~highs) & ~eight;
    };
    each_open(settled_with_open_links, [&](std::size_t k) {
      const pe &x = pes_[k];
      index own = cycles;
      const timeline *waits_for = nullptr;
      for (unsigned left = open_[k]; left != 0; left &= left - 1) {
        const link &l = x.links[__builtin_ctz(left)];
        const index known = l.other->n() - l.ahead;
        if (known < l.stage + rows_ && known - x.own->n() < own) {
          own = known - x.own->n();
          waits_for = l.other;
        }
      }
      if (2 * own <= cap) {
        leave_behind(k, waits_for, own);
      } else {
        cycles = own;
      }
    });
    if (settled_ == before) {
      return cycles;
    }
  }
}

// How many cycles the settled PEs can advance, as far as border and weights let them: at most one
// weight each.
pe_grid::index pe_grid::stride() {
  index cycles = border();
  takers_.clear();
  if (cycles == 0 || settled_ == 0) {
    return 0;
  }
  each_due(cycles, [&](std::size_t k) {
    const index rest = due_[k] - clock_;
    if (rest > cycles) {
      return;
    }
    if (boundary_[k] == rows_) {
      cycles = std::min(cycles, rest);
    } else if (rest < cycles) {
      if (!weights_.weight_known(k)) {
        cycles = rest;
      } else {
        if (rest + weights_.fewest_rows() < cycles) {
          cycles = std::min(cycles, next_boundary(k) - timelines_[k].n());
        }
        expect_weight(k);
      }
    }
    takers_.push_back(k);
  });
  return cycles;
}

// If the next weight of PE k comes late, as far as is known, its begin of an mm is a change.
void pe_grid::expect_weight(std::size_t k) {
  if (weights_.weight_known(k) && weight_offset(k) > timelines_[k].newest().offset) {
    expect_change(k, std::min(change_[k], due_[k]));
  }
}

// PE k comes to a change: its next cycle.
void pe_grid::change(std::size_t k) {
  pe &x = pes_[k];
  const index n = x.own->n();
  const timeline::segment *at[6] = {};
  cycle offset = 0;
  const index next = meet_segments(x, n, at, offset);
  if (enters_mm(k, n) && weights_.weight_known(k)) {
    offset = std::max(offset, weight_offset(k));
  }
  if (const cycle before = x.own->newest().offset; offset > before) {
    if (std::none_of(rises_.begin(), rises_.end(), [k](const rise &r) { return r.k == k; })) {
      rises_.push_back({k, before});
    }
    x.own->raise(offset);
    announce(x, n, true);
  }
  expect_change(k, in_clock(k, next));
  if (n < boundary_[k]) {
    expect_weight(k);
  }
}

// The settled PEs advance, from one change to the next.
void pe_grid::run_clock(index until) {
  for (;;) {
    index soonest = until;
    changing_.visit([&](std::size_t k) { soonest = std::min(soonest, change_[k]); });
    if (soonest > clock_) { // nothing more rises in this cycle: what set it is known
      for (const rise &r : rises_) {
        account(pes_[r.k], pes_[r.k].own->newest().offset - r.before);
      }
      rises_.clear();
      clock_ = soonest;
    }
    if (clock_ == until) {
      return;
    }
    changing_.visit([&](std::size_t k) {
      if (change_[k] == clock_) {
        change(k);
      }
    });
  }
}

bool pe_grid::advance_together() {
  stretch_put_off_ = false;
  const index cycles = settled_ != 0 ? stride() : 0;
  if (cycles <= 0) {
    has_put_off_ = has_put_off_ || stretch_put_off_;
    return false;
  }
  if (!take_all_ && 2 * cycles <= qd_) {
    has_put_off_ = stretch_put_off_ = true;
    return false;
  }
  run_clock(clock_ + cycles);
  for (const pe *x : {&pes_.front(), &pes_.back()}) {
    if (settled(number(x->own))) {
      exchange(*x, x->own->n() - cycles);
    }
  }
  const auto standing = [](std::uint64_t eight) { return eight & ~(eight << 1); }; // not ended
  each_open(standing, [this](std::size_t k) {
    if (awaits_settled(k)) {
      ready_.insert(k);
    }
  });
  for (const std::size_t k : takers_) {
    const index n = timelines_[k].n();
    if (boundary_[k] < std::min(n, rows_)) {
      take_weight(k);
      expect_due(k, weight_due(k));
    }
    if (n == end(k)) {
      finish(k);
    } else if (lacks_weight(k)) {
      unsettle(k);
      waits_for_[k] = nullptr;
      weights_.await_weight(k);
    }
  }
  return true;
}

} // namespace tpu::core
