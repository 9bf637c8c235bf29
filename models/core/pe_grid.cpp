// SPDX-License-Identifier: Apache-2.0
#include "models/core/pe_grid.h"

#include <algorithm>
#include <cstring>

namespace tpu::core {

pe_grid::pe_grid(const tpu_params &p, const timing_profile &timing, stream_set &streams,
                 weight_loaders &weights, ready_set &ready)
    : t_(p.t), qd_(p.qd), forward_(timing.pe_forward_stage), collect_(timing.pe_collect_stage),
      streams_(streams), weights_(weights), ready_(ready), put_off_(t_ * t_), pes_(t_ * t_),
      frontiers_(t_ * t_), edge_(p.qd), sum_(t_) {
  const index deepest = std::max(timing.pe_stages, timing.pe_top_stages);
  guard_ = qd_ + 2 * deepest;
  capacity_ = 3 * guard_ + 64;
  for (std::size_t k = 0; k < pes_.size(); ++k) {
    pe &x = pes_[k];
    x.i = k / t_;
    x.j = k % t_;
    x.last_stage = (x.i == 0 ? timing.pe_top_stages : timing.pe_stages) - 1;
    x.f = &frontiers_[k];
    x.e.resize(static_cast<std::size_t>(capacity_));
  }
  for (pe &x : pes_) {
    connect(x, timing, p);
  }
  // A row is inside from PE (0, 0) to the last PE: at most a queue and a pipeline per hop.
  const std::size_t inside = 2 * t_ * static_cast<std::size_t>(qd_ + deepest);
  std::size_t ring = 1;
  while (ring <= inside) {
    ring *= 2;
  }
  activation_mask_ = ring - 1;
  activations_.resize(ring * t_);
}

// The links of x: the one statement of what depends on what inside the grid.
void pe_grid::connect(pe &x, const timing_profile &timing, const tpu_params &p) {
  const auto latency = [&](std::uint32_t bits) {
    stream_timing shape;
    shape.configure("", p.qd, bits, timing);
    return shape.latency();
  };
  const pe *const west = x.j > 0 ? &pes_[x.i * t_ + x.j - 1] : nullptr;
  const pe *const east = x.j + 1 < t_ ? &pes_[x.i * t_ + x.j + 1] : nullptr;
  const pe *const north = x.i > 0 ? &pes_[(x.i - 1) * t_ + x.j] : nullptr;
  const pe *const south = !bottom(x) ? &pes_[(x.i + 1) * t_ + x.j] : nullptr;
  const auto add = [&](const pe *other, index ahead, cycle delay, index stage, port access) {
    if (other != nullptr) {
      x.links[x.count++] = {other->f, static_cast<std::int32_t>(ahead),
                            static_cast<std::int16_t>(delay), static_cast<std::int8_t>(stage),
                            access};
      x.gets += is_get(access) ? 1 : 0;
    }
  };
  // An arrival: the neighbour puts row r in its cycle r + its stage, latency cycles earlier.
  add(west, forward_, latency(8), 0, port::activation);
  if (x.j == 0) {
    add(north, forward_, latency(8 * p.t), 0, port::activation);
  }
  if (north != nullptr) {
    add(north, north->last_stage, latency(32), 0, port::partial);
  }
  if (bottom(x) && west != nullptr) {
    add(west, west->last_stage - collect_, latency(32 * p.t), collect_, port::collect);
  }
  // A slot: free one cycle after the neighbour has taken the row QD earlier.
  add(east, -forward_ - qd_, 1, forward_, port::forward_east);
  if (x.j == 0) {
    add(south, -forward_ - qd_, 1, forward_, port::forward_south);
  }
  add(south, -x.last_stage - qd_, 1, x.last_stage, port::sum_south);
  if (bottom(x)) {
    add(east, collect_ - x.last_stage - qd_, 1, x.last_stage, port::result);
  }
  for (const pe *neighbour : {west, east, north, south}) {
    if (neighbour != nullptr) {
      x.dependents[x.dependent_count++] = neighbour->i * t_ + neighbour->j;
    }
  }
}

void pe_grid::begin(std::uint32_t rows, cycle start) {
  rows_ = rows;
  start_ = start;
  finished_ = rows == 0 ? pes_.size() : 0;
  result_mm_ = 0;
  result_boundary_ = 0;
  put_off_.clear();
  has_put_off_ = false;
  ready_.clear(); // every PE is first tried when its first weight arrives
  for (pe &x : pes_) {
    x.f->n = 0;
    set_base(x, -guard_);
    x.f->flat_from = 0;
    x.boundary = 0;
    x.mm = 0;
    x.f->last = start - 1;
    x.starved = 0;
    x.blocked = 0;
    x.waits = port::none;
    x.waits_for = nullptr;
    x.path.clear();
    std::fill(x.e.begin(), x.e.begin() + guard_, unconstrained);
  }
}

// The terms of enabled cycle c of x, exactly; or what is not known yet.
pe_grid::terms pe_grid::gather(const pe &x, index c) const {
  terms t{unconstrained, unconstrained, port::none, nullptr};
  if (c < rows_) {
    if (c == x.boundary) {
      const stream_timing &queue = weights_.queue(x.i, x.j);
      if (queue.tokens_known() == 0) {
        t.lacking = port::weight;
        return t;
      }
      t.get = queue.token_ready();
    }
    if (first(x)) {
      if (streams_.acol.tokens_known() == 0) {
        t.lacking = port::activation;
        return t;
      }
      t.get = std::max(t.get, streams_.acol.token_ready());
    }
  }
  for (int k = 0; k < x.count; ++k) {
    const link &l = x.links[k];
    const index row = c - l.stage;
    if (row < 0 || row >= rows_ || (k >= x.gets && row < qd_)) {
      continue;
    }
    if (l.other->n <= c + l.ahead) {
      t.lacking = l.access;
      t.behind = l.other;
      return t;
    }
    cycle &term = k < x.gets ? t.get : t.put;
    term = std::max(term, l.other->origin[c + l.ahead] + l.delay);
  }
  const index leaving = c - x.last_stage;
  if (last(x) && leaving >= 0 && leaving < rows_) {
    if (streams_.cw.slots_known() == 0) {
      t.lacking = port::result;
      return t;
    }
    t.put = std::max(t.put, streams_.cw.slot_ready());
  }
  return t;
}

// Room in x.e up to cycle `until`, with the history that neighbours may still ask for.
void pe_grid::make_room(pe &x, index until) {
  if (until - x.base > capacity_) {
    const index keep = x.f->n - guard_;
    std::copy(x.e.begin() + (keep - x.base), x.e.begin() + (x.f->n - x.base), x.e.begin());
    set_base(x, keep);
  }
}

void pe_grid::append(pe &x, cycle t) {
  make_room(x, x.f->n + 1);
  x.f->origin[x.f->n] = t;
  if (t != x.f->last + 1) {
    x.f->flat_from = x.f->n;
  }
  x.f->last = t;
  ++x.f->n;
}

// One enabled cycle with all its accesses; false when information lacks.
bool pe_grid::step(pe &x) {
  const index c = x.f->n;
  const terms w = gather(x, c);
  x.waits = w.lacking;
  x.waits_for = w.behind;
  if (w.lacking != port::none) {
    return false;
  }
  const cycle next = x.f->last + 1;
  const cycle t = std::max({next, w.get, w.put});
  (w.put >= w.get ? x.blocked : x.starved) += t - next;
  if (recording_ && t > next) {
    record(x, c, t, w.put >= w.get);
  }
  if (c < rows_) {
    if (c == x.boundary) {
      weights_.queue(x.i, x.j).take_at(t);
      weights_.queue_freed(x.i, x.j);
      x.boundary += weights_.rows(x.mm);
      ++x.mm;
    }
    if (first(x)) {
      take_activation(c, t);
    }
  }
  append(x, t);
  const index leaving = c - x.last_stage;
  if (last(x) && leaving >= 0 && leaving < rows_) {
    produce_result(leaving, t);
  }
  return true;
}

// Logs what set cycle c of x, now t: the term that equals it. Before the accesses of c are made.
void pe_grid::record(pe &x, index c, cycle t, bool blocked) {
  const auto ahead = static_cast<std::uint32_t>(c - x.f->n); // rows of a bulk come before it
  for (int k = blocked ? x.gets : 0; k < (blocked ? x.count : x.gets); ++k) {
    const link &l = x.links[k];
    const index row = c - l.stage;
    if (row >= 0 && row < rows_ && (!blocked || row >= qd_) &&
        l.other->origin[c + l.ahead] + l.delay == t) {
      const auto other = static_cast<std::uint32_t>(l.other - frontiers_.data());
      x.path.add({t, t - l.delay, {TPU_UNIT_PE, other}});
      return;
    }
  }
  if (blocked) {
    x.path.add(streams_.cw.slot_cause(t, ahead));
  } else if (c == x.boundary && weights_.queue(x.i, x.j).token_ready() == t) {
    x.path.add(weights_.queue(x.i, x.j).token_cause(t));
  } else {
    x.path.add(streams_.acol.token_cause(t, ahead));
  }
}

void pe_grid::take_activation(index row, cycle t) {
  std::memcpy(&activations_[(static_cast<std::size_t>(row) & activation_mask_) * t_],
              streams_.acol.front(), t_);
  streams_.acol.take_at(t);
}

// The result word of a row: what the bottom row has packed, computed from the tokens at once.
void pe_grid::produce_result(index row, cycle t) {
  if (row == result_boundary_) {
    if (row != 0) {
      ++result_mm_;
    }
    result_boundary_ += weights_.rows(result_mm_);
    weights_.release_before(result_mm_);
  }
  const std::int8_t *w = weights_.weights(result_mm_);
  const std::int8_t *a = &activations_[(static_cast<std::size_t>(row) & activation_mask_) * t_];
  std::fill(sum_.begin(), sum_.end(), 0);
  for (std::size_t i = 0; i < t_; ++i) {
    const std::int32_t activation = +a[i]; // promoted
    for (std::size_t j = 0; j < t_; ++j) {
      sum_[j] += activation * w[i * t_ + j];
    }
  }
  std::copy(sum_.begin(), sum_.end(), streams_.cw.back());
  streams_.cw.put_at(t);
}

void pe_grid::advance(pe &x) {
  const index end = rows_ + x.last_stage;
  const index before = x.f->n;
  while (x.f->n < end) {
    const stretch l = plan(x);
    if (l.until > x.f->n) {
      if (!worth_it(x, l)) {
        put_off_.insert(x.i * t_ + x.j);
        has_put_off_ = true;
        break;
      }
      run_bulk(x, l);
    } else if (l.by == nullptr) {
      if (!step(x)) {
        break;
      }
      continue;
    }
    if (l.by != nullptr) { // nobody else moved meanwhile: it stands where that neighbour lets it
      x.waits = l.by->access;
      x.waits_for = l.by->other;
      break;
    }
  }
  if (x.f->n == before) {
    return;
  }
  finished_ += x.f->n == end ? 1U : 0U;
  for (int k = 0; k < x.dependent_count; ++k) {
    if (pes_[x.dependents[k]].waits_for == x.f) {
      ready_.insert(x.dependents[k]);
    }
  }
}

bool pe_grid::sweep() {
  const bool any = ready_.drain([this](std::size_t k) { advance(pes_[k]); });
  take_all_ = false;
  return any;
}

void pe_grid::recall_put_off() {
  put_off_.drain([this](std::size_t k) { ready_.insert(k); });
  has_put_off_ = false;
  take_all_ = true;
}

void pe_grid::edges_changed() {
  if (rows_ != 0) {
    ready_.insert(0);
    ready_.insert(pes_.size() - 1);
  }
}

bool pe_grid::lacks_activation() const {
  const pe &x = pes_.front();
  return x.f->n < rows_ && streams_.acol.tokens_known() == 0;
}

bool pe_grid::lacks_result_slot() const {
  const pe &x = pes_.back();
  return x.f->n < rows_ + x.last_stage && streams_.cw.slots_known() == 0;
}

cycle pe_grid::last_cycle() const {
  cycle latest = start_ - 1;
  for (const pe &x : pes_) {
    latest = std::max(latest, x.f->last);
  }
  return latest;
}

} // namespace tpu::core
