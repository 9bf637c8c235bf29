// SPDX-License-Identifier: Apache-2.0
// The PEs in bulk: a stretch of rows of one PE inside one mm, with the pipeline full and every
// neighbour's times at hand, is a running maximum over a few arrays; where the neighbours run at
// one row a cycle all along, it is a running maximum over a few numbers.
#include <algorithm>
#include <iterator>

#include "models/core/pe_grid.h"

namespace tpu::core {

// How far x can go in bulk from where it is.
pe_grid::stretch pe_grid::plan(const pe &x) const {
  const index n = x.f->n;
  if (n <= x.last_stage || n >= rows_ || n == x.boundary ||
      n - x.last_stage < qd_) { // the first slots are still fresh
    return {n, nullptr, false, 0, 0};
  }
  stretch s{std::min({x.boundary, rows_, n + (capacity_ - guard_)}), nullptr, true, unconstrained,
            unconstrained};
  if (first(x)) {
    s.until = std::min<index>(s.until, n + streams_.acol.tokens_known());
  } else if (last(x)) {
    s.until = std::min<index>(s.until, n + streams_.cw.slots_known());
  }
  for (int k = 0; k < x.count; ++k) {
    const link &l = x.links[k];
    const frontier &other = *l.other;
    const index until = other.n - l.ahead;
    if (until < s.until) {
      s.until = until;
      s.by = &l;
    }
    s.flat = s.flat && other.flat_from <= n + l.ahead;
    // Its cycle n + ahead, were it flat from there on.
    const cycle time = other.last - (other.n - 1 - (n + l.ahead)) + l.delay;
    cycle &term = k < x.gets ? s.get : s.put;
    term = std::max(term, time);
  }
  if (s.until <= n && s.by != nullptr) {
    s.until = n;
  }
  return s;
}

bool pe_grid::worth_it(const pe &x, const stretch &s) const {
  return take_all_ || s.by == nullptr || 2 * (s.until - x.f->n) > qd_;
}

// Every neighbour flat over the whole stretch: its first row tells, the others follow at one a
// cycle, since times never fall behind.
void pe_grid::run_flat(pe &x, const stretch &s) {
  const index n = x.f->n;
  const cycle next = x.f->last + 1;
  const cycle t = std::max({next, s.get, s.put});
  if (t != next) {
    (s.put >= s.get ? x.blocked : x.starved) += t - next;
    x.f->flat_from = n;
    if (recording_) {
      record(x, n, t, s.put >= s.get);
    }
  }
  cycle *const own = x.f->origin;
  for (index c = n; c < s.until; ++c) {
    own[c] = t + (c - n);
  }
  x.f->last = t + (s.until - n) - 1;
  x.f->n = s.until;
}

// edge_get, edge_put: times at the array's edge for each row from x.f->n on, or null.
void pe_grid::run_stretch(pe &x, index until, const cycle *edge_get, const cycle *edge_put) {
  const cycle *from[6];
  std::fill(std::begin(from), std::end(from), x.e.data()); // the unused ones point somewhere, too
  for (int k = 0; k < x.count; ++k) {
    const link &l = x.links[k];
    from[k] = l.other->origin + l.ahead;
  }
  cycle *const own = x.f->origin;
  cycle latest = x.f->last;
  for (index c = x.f->n; c < until; ++c) {
    cycle get = edge_get != nullptr ? edge_get[c - x.f->n] : unconstrained;
    for (int k = 0; k < x.gets; ++k) {
      get = std::max(get, from[k][c] + x.links[k].delay);
    }
    cycle put = edge_put != nullptr ? edge_put[c - x.f->n] : unconstrained;
    for (int k = x.gets; k < x.count; ++k) {
      put = std::max(put, from[k][c] + x.links[k].delay);
    }
    const cycle next = latest + 1;
    latest = std::max({next, get, put});
    own[c] = latest;
    if (latest != next) {
      (put >= get ? x.blocked : x.starved) += latest - next;
      x.f->flat_from = c;
      if (recording_) {
        record(x, c, latest, put >= get);
      }
    }
  }
  x.f->last = latest;
  x.f->n = until;
}

void pe_grid::run_bulk(pe &x, const stretch &s) {
  make_room(x, s.until);
  const index begin = x.f->n;
  const auto count = static_cast<std::uint32_t>(s.until - begin);
  if (first(x)) {
    for (std::uint32_t k = 0; k < count; ++k) {
      edge_[k] = streams_.acol.token_ready(k);
    }
    run_stretch(x, s.until, edge_.data(), nullptr);
    for (index c = begin; c < s.until; ++c) {
      take_activation(c, x.f->origin[c]);
    }
  } else if (last(x)) {
    for (std::uint32_t k = 0; k < count; ++k) {
      edge_[k] = streams_.cw.slot_ready(k);
    }
    run_stretch(x, s.until, nullptr, edge_.data());
    for (index c = begin; c < s.until; ++c) {
      produce_result(c - x.last_stage, x.f->origin[c]);
    }
  } else if (s.flat) {
    run_flat(x, s);
  } else {
    run_stretch(x, s.until, nullptr, nullptr);
  }
}

} // namespace tpu::core
