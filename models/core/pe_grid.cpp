// SPDX-License-Identifier: Apache-2.0
#include "models/core/pe_grid.h"

#include <algorithm>

namespace tpu::core {

void pe_grid::begin(std::uint32_t rows, cycle start) {
  rows_ = rows;
  start_ = start;
  finished_ = rows == 0 ? pes_.size() : 0;
  result_mm_ = 0;
  result_boundary_ = 0;
  put_off_.clear();
  has_put_off_ = false;
  take_all_ = false;
  stretch_put_off_ = false;
  ready_.clear(); // every PE is first tried when its first weight arrives
  for (timeline &t : timelines_) {
    t.restart(start);
  }
  settled_ = 0;
  clock_ = 0;
  open_.assign(open_.size(), unsettled | ended);
  for (std::size_t k = 0; k < pes_.size(); ++k) {
    open_[k] = static_cast<std::uint8_t>(unsettled | ((1U << pes_[k].count) - 1));
  }
  due_.assign(due_.size(), never);
  change_.assign(pes_.size(), never);
  changing_.clear();
  waits_for_.assign(pes_.size(), nullptr);
  boundary_.assign(pes_.size(), 0);
  for (pe &x : pes_) {
    x.starved = 0;
    x.blocked = 0;
  }
}

// With all links in force, as they are between the first rows and the last.
inline void pe_grid::meet_all(const pe &x, reach &r) const {
  const index n = x.own->n();
  const link *limit = nullptr;
  index until = r.until;
  cycle offset = r.offset;
  bool late = false;
  for (const link *l = x.links, *const end = l + x.count; l != end; ++l) {
    const timeline &other = *l->other;
    const index known = other.n() - l->ahead;
    limit = known < until ? l : limit;
    until = std::min(until, known);
    late |= other.newest().from > n + l->ahead;
    offset = std::max(offset, other.newest().offset + l->offset);
  }
  r = {until, limit, !late, offset};
}

// Row by row at the ends of the run: a link is in force for the rows that are there.
void pe_grid::meet_some(const pe &x, reach &r) const {
  const index n = x.own->n();
  for (int k = 0; k < x.count; ++k) {
    const link &l = x.links[k];
    const index end = l.stage + rows_;
    if (n >= end) {
      continue;
    }
    const index known = std::max<index>(l.other->n() - l.ahead, from(l));
    if (known < std::min(r.until, end)) {
      r.until = known;
      r.by = &l;
    }
    if (n >= from(l) && l.other->newest().from <= n + l.ahead) {
      r.offset = std::max(r.offset, l.other->newest().offset + l.offset);
    } else {
      r.flat = false;
    }
  }
}

// Weights that come late are met on the way, not here; except the one without which it cannot
// start.
inline pe_grid::reach pe_grid::look(const pe &x) const {
  const index n = x.own->n();
  if (lacks_weight(x.k)) {
    return {n, nullptr, false, 0};
  }
  reach r{n < rows_ ? rows_ : end(x.k), nullptr, true, unconstrained};
  if (n >= x.ramp && n < rows_) {
    meet_all(x, r);
  } else {
    meet_some(x, r);
  }
  return r;
}

pe_grid::reach pe_grid::survey(const pe &x) const { return look(x); }

bool pe_grid::worth_it(const pe &x, const reach &r) const {
  return take_all_ || r.by == nullptr || 2 * (r.until - x.own->n()) > qd_;
}

// Its next cycle, and those after it, wait longer than the last one did, by `gap`: for arrivals, or
// slots.
void pe_grid::account(pe &x, cycle gap) {
  const index n = x.own->n();
  const cycle offset = x.own->newest().offset;
  const bool blocked = std::any_of(x.links + x.gets, x.links + x.count, [&](const link &l) {
    return n >= from(l) && n < l.stage + rows_ && l.other->offset(n + l.ahead) + l.offset == offset;
  });
  (blocked ? x.blocked : x.starved) += gap;
  if (log_ != nullptr) {
    record(x, blocked);
  }
}

// Logs what set the next cycle of x: the term that equals its offset.
void pe_grid::record(pe &x, bool blocked) {
  const index n = x.own->n();
  const cycle t = n + x.own->newest().offset;
  for (int k = blocked ? x.gets : 0; k < (blocked ? x.count : x.gets); ++k) {
    const link &l = x.links[k];
    if (n >= from(l) && n < l.stage + rows_ && l.other->at(n + l.ahead) + l.offset - l.ahead == t) {
      process_id by{TPU_UNIT_PE, static_cast<std::uint32_t>(number(l.other))};
      if (l.other == &entry_) {
        by = {TPU_UNIT_VRU, 0};
      } else if (l.other == &exit_) {
        by = {TPU_UNIT_ACCU, 0};
      }
      log_->add(first_process_ + x.k,
                {t, t - (l.offset - l.ahead), by, n, l.stage, blocked, stream_of(x, l.access)});
      return;
    }
  }
  path_entry e = weights_.weight_cause(x.k, t);
  e.step = n;
  log_->add(first_process_ + x.k, e);
}

// What the weight imposes on the cycle in which the mm begins.
cycle pe_grid::weight_offset(std::size_t k) const {
  return weights_.weight_ready(k) - boundary_[k];
}

// Where the mm ends whose weight PE k takes next: as promised, no later.
pe_grid::index pe_grid::next_boundary(std::size_t k) const {
  return std::min<index>(boundary_[k] + weights_.rows(weights_.weights_taken(k)), rows_);
}

void pe_grid::take_weight(std::size_t k) {
  const index next = next_boundary(k);
  weights_.take_weight(k, timelines_[k].at(boundary_[k]));
  boundary_[k] = next;
}

// Runs as far as r, or as its weights, let it. From one change to the next: of a neighbour's
// offset, of the mm.
void pe_grid::run(pe &x, const reach &r) {
  const timeline::segment *at[6] = {};
  for (index c = x.own->n(); c < r.until;) {
    cycle offset = r.offset;
    index next = r.until;
    if (!r.flat) {
      next = std::min(meet_segments(x, c, at, offset), r.until);
    }
    const bool enters = enters_mm(x.k, c);
    if (enters) {
      if (!weights_.weight_known(x.k)) {
        return;
      }
      offset = std::max(offset, weight_offset(x.k));
    }
    if (const cycle gap = offset - x.own->newest().offset; gap > 0) {
      x.own->raise(offset);
      rose_at_ = std::min(rose_at_, c);
      account(x, gap);
    }
    if (enters) {
      take_weight(x.k);
    }
    const index boundary = boundary_[x.k];
    c = boundary > c ? std::min(next, boundary) : next;
    x.own->extend(c);
  }
}

// What cycle c of x waits for, and the next cycle in which that is more, and more than x waits
// anyway: of neighbours that impose as much, if not yet, since offsets never decrease. at: the
// segments of the neighbours that c was in the last time, or null.
pe_grid::index pe_grid::meet_segments(const pe &x, index c, const timeline::segment *at[],
                                      cycle &offset) const {
  cycle anyway = x.own->newest().offset;
  const auto at_last = [](const link &l) { return l.other->newest().offset + l.offset; };
  index next = never;
  unsigned rising = 0; // links that impose more at last than now, a bit each
  offset = unconstrained;
  for (int k = 0; k < x.count; ++k) {
    const link &l = x.links[k];
    if (at_last(l) <= anyway || c >= l.stage + rows_) {
      continue;
    }
    if (c < from(l)) {
      next = std::min(next, from(l));
    } else if (c + l.ahead >= l.other->newest().from) {
      offset = std::max(offset, at_last(l));
    } else {
      rising |= 1U << k;
      at[k] = l.other->find(c + l.ahead, at[k]);
      offset = std::max(offset, at[k]->offset + l.offset);
    }
  }
  anyway = std::max(offset, anyway);
  for (; rising != 0; rising &= rising - 1) {
    const int k = __builtin_ctz(rising);
    const link &l = x.links[k];
    if (at_last(l) > anyway) {
      next = std::min(next, l.other->rise_above(anyway - l.offset, *at[k]) - l.ahead);
    }
  }
  return next;
}

// The next cycle of x in which it has to wait longer, as far as is known.
pe_grid::index pe_grid::next_change(const pe &x) const {
  const index n = x.own->n();
  const timeline::segment *at[6] = {};
  cycle offset = 0;
  const index next = meet_segments(x, n, at, offset);
  return offset > x.own->newest().offset ? n : next;
}

bool pe_grid::advance(std::size_t k) {
  if (stretch_put_off_ && settled(k)) {
    put_off_.insert(k);
    return false;
  }
  pe &x = pes_[k];
  const index before = x.own->n();
  const timeline *waits_for = nullptr;
  bool flat = false;
  rose_at_ = never;
  for (index n = before; n < end(k); n = x.own->n()) {
    const reach r = look(x);
    if (r.until > n) {
      if (!worth_it(x, r)) {
        put_off_.insert(k);
        has_put_off_ = true;
        waits_for = r.by->other;
        break;
      }
      flat = r.flat;
      if (flat && r.offset <= x.own->newest().offset && r.until <= boundary_[k]) {
        x.own->extend(r.until);
      } else {
        run(x, r);
      }
    }
    if (lacks_weight(k)) {
      weights_.await_weight(k);
      break;
    }
    if (r.by != nullptr) {
      waits_for = r.by->other; // nobody else moves meanwhile: it stands where that lets it
      break;
    }
  }
  waits_for_[k] = waits_for;
  const index n = x.own->n();
  if (n == before) {
    return false;
  }
  if (k == 0 || k + 1 == pes_.size()) {
    exchange(x, before);
  }
  const index next = flat ? never : next_change(x);
  if (n == end(k)) {
    finish(k);
  } else if (n < x.ramp || lacks_weight(k) || (next == n && !acyclic_)) {
    unsettle(k);
  } else {
    settle(k, next);
  }
  if (rose_at_ != never) {
    announce(x, rose_at_, false);
  }
  for (const auto *d = x.dependents, *const last = d + x.dependent_count; d != last; ++d) {
    if (waits_for_[d->k] == x.own) {
      ready_.insert(d->k);
    }
  }
  return true;
}

bool pe_grid::sweep() {
  bool together = false;
  while (advance_together()) {
    together = true;
  }
  bool alone = false;
  ready_.drain([&](std::size_t k) { alone = advance(k) || alone; });
  take_all_ = false;
  quiet_ = !alone;
  return together || alone;
}

void pe_grid::recall_put_off() {
  put_off_.drain([this](std::size_t k) { ready_.insert(k); });
  has_put_off_ = false;
  take_all_ = true;
}

bool pe_grid::lacks_activation() const {
  return pes_.front().own->n() < rows_ && streams_.acol.tokens_known() == 0;
}

bool pe_grid::lacks_result_slot() const {
  const pe &x = pes_.back();
  return x.own->n() < end(x.k) && streams_.cw.slots_known() == 0;
}

cycle pe_grid::last_cycle() const {
  cycle latest = start_ - 1;
  for (const pe &x : pes_) {
    latest = std::max(latest, x.own->last());
  }
  return latest;
}

} // namespace tpu::core
