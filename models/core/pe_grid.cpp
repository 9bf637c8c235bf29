// SPDX-License-Identifier: Apache-2.0
#include "models/core/pe_grid.h"

#include <algorithm>

namespace tpu::core {

pe_grid::pe_grid(const tpu_params &p, const timing_profile &timing, stream_set &streams,
                 weight_loaders &weights, ready_set &ready)
    : t_(p.t), qd_(p.qd), forward_(timing.pe_forward_stage), collect_(timing.pe_collect_stage),
      streams_(streams), weights_(weights), ready_(ready), put_off_(t_ * t_), pes_(t_ * t_),
      open_(t_ * t_), to_weight_(t_ * t_), waits_for_(t_ * t_), timelines_(t_ * t_ + 2),
      entry_(timelines_[t_ * t_]), exit_(timelines_[t_ * t_ + 1]), times_(p.qd),
      // A row is inside from PE (0, 0) to the last PE: at most a queue and a pipeline per hop.
      products_(t_, 2 * t_ *
                        static_cast<std::size_t>(
                            qd_ + std::max(timing.pe_stages, timing.pe_top_stages))) {
  const index deepest = std::max(timing.pe_stages, timing.pe_top_stages);
  for (timeline &t : timelines_) {
    t.configure(qd_ + 2 * deepest);
  }
  for (std::size_t k = 0; k < pes_.size(); ++k) {
    pe &x = pes_[k];
    x.i = static_cast<std::uint8_t>(k / t_);
    x.j = static_cast<std::uint8_t>(k % t_);
    x.last_stage =
        static_cast<std::int16_t>((x.i == 0 ? timing.pe_top_stages : timing.pe_stages) - 1);
    x.own = &timelines_[k];
  }
  for (pe &x : pes_) {
    connect(x, timing, p);
    for (int l = 0; l < x.count; ++l) {
      depend(number(x.own), l);
    }
  }
}

// The links of x: the one statement of what depends on what inside the grid.
void pe_grid::connect(pe &x, const timing_profile &timing, const tpu_params &p) {
  const auto latency = [&](std::uint32_t bits) {
    stream_timing shape;
    shape.configure("", p.qd, bits, timing);
    return shape.latency();
  };
  const pe *const west = x.j > 0 ? &pes_[x.i * t_ + x.j - 1] : nullptr;
  const pe *const east = x.j + 1U < t_ ? &pes_[x.i * t_ + x.j + 1] : nullptr;
  const pe *const north = x.i > 0 ? &pes_[(x.i - 1) * t_ + x.j] : nullptr;
  const pe *const south = !bottom(x) ? &pes_[(x.i + 1) * t_ + x.j] : nullptr;
  const auto add = [&](const timeline &other, index ahead, cycle delay, index stage, port access) {
    x.links[x.count++] = {&other, static_cast<std::int16_t>(ahead),
                          static_cast<std::int16_t>(ahead + delay),
                          static_cast<std::int16_t>(stage), access};
    x.ramp = std::max(x.ramp, static_cast<std::int16_t>(from(x.links[x.count - 1])));
  };
  // In its cycle r + stage x takes what the other put in its cycle r + put_stage.
  const auto arrival = [&](const timeline &other, index put_stage, cycle delay, index stage,
                           port access) {
    add(other, put_stage - stage, delay, stage, access);
    ++x.gets;
  };
  // In its cycle r + stage x fills the slot of row r - QD, which the other took in its cycle
  // r - QD + take_stage: it is free one cycle later.
  const auto slot = [&](const timeline &other, index take_stage, index stage, port access) {
    add(other, take_stage - stage - qd_, 1, stage, access);
  };
  if (west != nullptr) {
    arrival(*west->own, forward_, latency(8), 0, port::activation);
  } else {
    const bool corner = north == nullptr;
    arrival(corner ? entry_ : *north->own, corner ? 0 : forward_, latency(8 * p.t), 0,
            port::activation);
  }
  if (north != nullptr) {
    arrival(*north->own, north->last_stage, latency(32), 0, port::partial);
  }
  if (bottom(x) && west != nullptr) {
    arrival(*west->own, west->last_stage, latency(32 * p.t), collect_, port::collect);
  }
  if (east != nullptr) {
    slot(*east->own, 0, forward_, port::forward_east);
  }
  if (south != nullptr) {
    if (x.j == 0) {
      slot(*south->own, 0, forward_, port::forward_south);
    }
    slot(*south->own, 0, x.last_stage, port::sum_south);
  } else {
    slot(last(x) ? exit_ : *east->own, last(x) ? 0 : collect_, x.last_stage, port::result);
  }
}

// Makes PE k known to the one at the other end of its link l.
void pe_grid::depend(std::size_t k, int l) {
  const std::size_t other = number(pes_[k].links[l].other);
  if (other >= pes_.size()) {
    return;
  }
  pe &y = pes_[other];
  const auto end = y.dependents + y.dependent_count;
  const auto known = std::find_if(y.dependents, end, [k](const auto &d) { return d.k == k; });
  if (known == end) {
    ++y.dependent_count;
  }
  known->k = static_cast<std::uint16_t>(k);
  known->links = static_cast<std::uint8_t>(known->links | 1U << l);
}

void pe_grid::begin(std::uint32_t rows, cycle start) {
  rows_ = rows;
  start_ = start;
  finished_ = rows == 0 ? pes_.size() : 0;
  result_mm_ = 0;
  result_boundary_ = 0;
  put_off_.clear();
  has_put_off_ = false;
  take_all_ = false;
  ready_.clear(); // every PE is first tried when its first weight arrives
  for (timeline &t : timelines_) {
    t.restart(start);
  }
  settled_ = 0;
  for (std::size_t k = 0; k < pes_.size(); ++k) {
    open_[k] = static_cast<std::uint8_t>(unsettled | ((1U << pes_[k].count) - 1));
  }
  to_weight_.assign(pes_.size(), 0);
  waits_for_.assign(pes_.size(), nullptr);
  for (pe &x : pes_) {
    x.boundary = 0;
    x.mm = 0;
    x.starved = 0;
    x.blocked = 0;
    x.path.clear();
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
  if (lacks_weight(x)) {
    return {n, nullptr, false, 0};
  }
  reach r{n < rows_ ? rows_ : rows_ + x.last_stage, nullptr, true, unconstrained};
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

// Its next cycle, and those after it, wait longer than the last one did: for arrivals, or slots.
void pe_grid::raise(pe &x, cycle offset) {
  const index n = x.own->n();
  const auto imposed = [&](const link &l) {
    return n >= from(l) && n < l.stage + rows_ ? l.other->find(n + l.ahead)->offset + l.offset
                                               : unconstrained;
  };
  bool blocked = false;
  for (int k = x.gets; k < x.count; ++k) {
    blocked |= imposed(x.links[k]) == offset;
  }
  (blocked ? x.blocked : x.starved) += offset - x.own->newest().offset;
  x.own->raise(offset);
  rose_ = true;
  if (recording_) {
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
      x.path.add({t, t - (l.offset - l.ahead), by, n, l.stage, blocked, stream_of(x, l.access)});
      return;
    }
  }
  path_entry e = weights_.queue(x.i, x.j).token_cause(t);
  e.step = n;
  x.path.add(e);
}

// What the weight imposes on the cycle in which the mm begins.
cycle pe_grid::weight_offset(const pe &x) const {
  return weights_.queue(x.i, x.j).token_ready() - x.boundary;
}

void pe_grid::take_weight(pe &x) {
  weights_.queue(x.i, x.j).take_at(x.boundary + x.own->newest().offset);
  weights_.queue_freed(x.i, x.j);
  x.boundary = std::min<index>(x.boundary + weights_.rows(x.mm), rows_); // as promised, no more
  ++x.mm;
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
    const bool enters = enters_mm(x, c);
    if (enters) {
      if (!weight_known(x)) {
        return;
      }
      offset = std::max(offset, weight_offset(x));
    }
    if (offset > x.own->newest().offset) {
      raise(x, offset);
    }
    if (enters) {
      take_weight(x);
    }
    c = x.boundary > c ? std::min(next, x.boundary) : next;
    x.own->extend(c);
  }
}

// What cycle c of x waits for, and the next cycle in which that changes. at: the segments of the
// neighbours that c was in the last time, or null.
pe_grid::index pe_grid::meet_segments(const pe &x, index c, const timeline::segment *at[],
                                      cycle &offset) const {
  index next = INT64_MAX;
  offset = unconstrained;
  for (int k = 0; k < x.count; ++k) {
    const link &l = x.links[k];
    if (c >= l.stage + rows_) {
      continue;
    }
    if (c < from(l)) {
      next = std::min(next, from(l));
      continue;
    }
    at[k] = l.other->find(c + l.ahead, at[k]);
    next = std::min(next, l.other->end(*at[k]) - l.ahead);
    offset = std::max(offset, at[k]->offset + l.offset);
  }
  return next;
}

bool pe_grid::advance(std::size_t k) {
  pe &x = pes_[k];
  const index end = rows_ == 0 ? 0 : rows_ + x.last_stage;
  const index before = x.own->n();
  const timeline *waits_for = nullptr;
  bool flat = false;
  rose_ = false;
  for (index n = before; n < end; n = x.own->n()) {
    const reach r = look(x);
    if (r.until > n) {
      if (!worth_it(x, r)) {
        put_off_.insert(k);
        has_put_off_ = true;
        waits_for = r.by->other;
        break;
      }
      flat = r.flat;
      if (flat && r.offset <= x.own->newest().offset && r.until <= x.boundary) {
        x.own->extend(r.until);
      } else {
        run(x, r);
      }
    }
    if (lacks_weight(x)) {
      weights_.await_weight(x.i, x.j);
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
  to_weight_[k] = static_cast<std::int32_t>(x.boundary - n);
  if (k == 0 || k + 1 == pes_.size()) {
    exchange(x, before);
  }
  finished_ += n == end ? 1U : 0U;
  if (rose_) {
    unsettle(k);
  } else if (flat && n > x.ramp && n < rows_) {
    settle(k);
  }
  for (const auto *d = x.dependents, *const last = d + x.dependent_count; d != last; ++d) {
    if (rose_) {
      unsettle(d->k);
    }
    if (waits_for_[d->k] == x.own) {
      ready_.insert(d->k);
    }
  }
  return true;
}

bool pe_grid::sweep() {
  bool moved = advance_together();
  ready_.drain([&](std::size_t k) { moved = advance(k) || moved; });
  take_all_ = false;
  return moved;
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
  return x.own->n() < rows_ + x.last_stage && streams_.cw.slots_known() == 0;
}

cycle pe_grid::last_cycle() const {
  cycle latest = start_ - 1;
  for (const pe &x : pes_) {
    latest = std::max(latest, x.own->last());
  }
  return latest;
}

} // namespace tpu::core
