// SPDX-License-Identifier: Apache-2.0
// The PEs in bulk: a stretch of rows of one PE inside one mm, with the pipeline full and every
// neighbour's times at hand, is a running maximum over a few arrays; where the neighbours run at
// one row a cycle all along, it is a running maximum over a few numbers.
#include <algorithm>
#include <iterator>

#include "models/core/pe_grid.h"

namespace tpu::core {

// How far x can go in bulk from x.n.
pe_grid::limit pe_grid::bulk_limit(const pe &x) const {
  if (x.n <= x.last_stage || x.n >= rows_ || x.n == x.boundary ||
      x.n - x.last_stage < qd_) { // the first slots are still fresh
    return {x.n, nullptr};
  }
  limit l{std::min({x.boundary, rows_, x.n + (capacity_ - guard_)}), nullptr};
  if (first(x)) {
    l.until = std::min<index>(l.until, x.n + streams_.acol.tokens_known());
  } else if (last(x)) {
    l.until = std::min<index>(l.until, x.n + streams_.cw.slots_known());
  }
  for (int k = 0; k < x.count; ++k) {
    const index until = x.links[k].other->n - x.links[k].ahead;
    if (until < l.until) {
      l = {until, &x.links[k]};
    }
  }
  return l.until <= x.n && l.by != nullptr ? limit{x.n, l.by} : l;
}

bool pe_grid::worth_it(const pe &x, const limit &l) const {
  return take_all_ || l.by == nullptr || 2 * (l.until - x.n) > qd_;
}

// Every neighbour flat over the whole stretch: its first row tells, the others follow at one a
// cycle, since times never fall behind. False = not so.
bool pe_grid::run_flat(pe &x, index until) {
  cycle get = unconstrained;
  cycle put = unconstrained;
  for (int k = 0; k < x.count; ++k) {
    const link &l = x.links[k];
    if (l.other->flat_from > x.n + l.ahead) {
      return false;
    }
    cycle &term = k < x.gets ? get : put;
    term = std::max(term, at(*l.other, x.n + l.ahead) + l.delay);
  }
  const cycle next = x.last + 1;
  const cycle t = std::max({next, get, put});
  (put >= get ? x.blocked : x.starved) += t - next;
  if (t != next) {
    x.flat_from = x.n;
    if (recording_) {
      record(x, x.n, t, put >= get);
    }
  }
  cycle *const own = x.e.data() - x.base;
  for (index c = x.n; c < until; ++c) {
    own[c] = t + (c - x.n);
  }
  x.last = t + (until - x.n) - 1;
  x.n = until;
  return true;
}

// edge_get, edge_put: times at the array's edge for each row from x.n on, or null.
void pe_grid::run_stretch(pe &x, index until, const cycle *edge_get, const cycle *edge_put) {
  const cycle *from[6];
  std::fill(std::begin(from), std::end(from), x.e.data()); // the unused ones point somewhere, too
  for (int k = 0; k < x.count; ++k) {
    const link &l = x.links[k];
    from[k] = l.other->e.data() + (l.ahead - l.other->base);
  }
  cycle *const own = x.e.data() - x.base;
  cycle latest = x.last;
  for (index c = x.n; c < until; ++c) {
    cycle get = edge_get != nullptr ? edge_get[c - x.n] : unconstrained;
    for (int k = 0; k < x.gets; ++k) {
      get = std::max(get, from[k][c] + x.links[k].delay);
    }
    cycle put = edge_put != nullptr ? edge_put[c - x.n] : unconstrained;
    for (int k = x.gets; k < x.count; ++k) {
      put = std::max(put, from[k][c] + x.links[k].delay);
    }
    const cycle next = latest + 1;
    latest = std::max({next, get, put});
    own[c] = latest;
    if (latest != next) {
      (put >= get ? x.blocked : x.starved) += latest - next;
      x.flat_from = c;
      if (recording_) {
        record(x, c, latest, put >= get);
      }
    }
  }
  x.last = latest;
  x.n = until;
}

void pe_grid::run_bulk(pe &x, index until) {
  make_room(x, until);
  const index begin = x.n;
  const auto count = static_cast<std::uint32_t>(until - begin);
  if (first(x)) {
    for (std::uint32_t k = 0; k < count; ++k) {
      edge_[k] = streams_.acol.token_ready(k);
    }
    run_stretch(x, until, edge_.data(), nullptr);
    for (index c = begin; c < until; ++c) {
      take_activation(c, at(x, c));
    }
  } else if (last(x)) {
    for (std::uint32_t k = 0; k < count; ++k) {
      edge_[k] = streams_.cw.slot_ready(k);
    }
    run_stretch(x, until, nullptr, edge_.data());
    for (index c = begin; c < until; ++c) {
      produce_result(c - x.last_stage, at(x, c));
    }
  } else if (!run_flat(x, until)) {
    run_stretch(x, until, nullptr, nullptr);
  }
}

} // namespace tpu::core
