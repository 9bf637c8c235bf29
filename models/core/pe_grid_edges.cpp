// SPDX-License-Identifier: Apache-2.0
// The grid at its edges: what is known of its neighbours, and the data that enter and leave.
#include <algorithm>

#include "models/core/pe_grid.h"

namespace tpu::core {

// Brings an edge up to `until` cycles, which happen at time_of(cycle); true if its offset rises.
template <class Time> static bool follow(timeline &edge, timeline::index until, Time time_of) {
  const timeline::index n = edge.n();
  if (n == until) {
    return false;
  }
  const cycle before = edge.newest().offset;
  // Each later than the one before: one a cycle, if the last is no later than that makes it.
  if (time_of(n) - n == before && time_of(until - 1) - (until - 1) == before) {
    edge.extend(until);
    return false;
  }
  while (edge.n() < until) {
    edge.append(time_of(edge.n()));
  }
  return edge.newest().offset != before;
}

// The edge that settled PE k depends on rises, in one of its cycles from `from` on.
void pe_grid::edge_rises(std::size_t k, index from) {
  const pe &x = pes_[k];
  const index ahead = k == 0 ? x.links[0].ahead : x.links[x.count - 1].ahead;
  expect_change(k, std::min(change_[k], std::max(clock_, in_clock(k, from - ahead))));
}

// A settled PE at an edge goes with the others, if it goes: alone only when it stood there.
void pe_grid::edges_changed() {
  quiet_ = false;
  if (rows_ == 0) {
    return;
  }
  const index entered = entry_.n();
  if (follow(
          entry_, static_cast<index>(streams_.acol.puts()),
          [this](index row) { return streams_.acol.put_time(static_cast<std::uint64_t>(row)); }) &&
      settled(0)) {
    edge_rises(0, entered);
  }
  if (entry_.n() != entered && !settled(0)) { // nobody goes on without the first
    ready_.insert(0);
  }
  const index left = exit_.n();
  if (follow(
          exit_, static_cast<index>(streams_.cw.takes()),
          [this](index row) { return streams_.cw.take_time(static_cast<std::uint64_t>(row)); }) &&
      settled(pes_.size() - 1)) {
    edge_rises(pes_.size() - 1, left);
  }
  const pe &tail = pes_.back();
  if (exit_.n() != left &&
      (!settled(tail.k) || left - tail.links[tail.count - 1].ahead <= tail.own->n())) {
    ready_.insert(tail.k);
  }
}

// The tokens of a corner PE that has advanced from cycle `from`: activation rows enter, the result
// words that the bottom row has packed leave.
void pe_grid::exchange(const pe &x, index from) {
  if (first(x)) {
    const index until = std::min(x.own->n(), rows_);
    if (from < until) {
      const auto count = static_cast<std::uint32_t>(until - from);
      products_.enter(from, count, streams_.acol);
      streams_.acol.take_by(count, [&](cycle *to, std::uint32_t k, std::uint32_t some) {
        x.own->times(from + k, from + k + some, to);
      });
    }
  } else if (last(x)) {
    const index stage = last_stage(x.k);
    const index begin = std::max<index>(from - stage, 0);
    const index end = std::min(x.own->n() - stage, rows_);
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
      const index first = begin + stage;
      streams_.cw.put_by(static_cast<std::uint32_t>(end - begin),
                         [&](cycle *to, std::uint32_t k, std::uint32_t some) {
                           x.own->times(first + k, first + k + some, to);
                         });
    }
  }
}

} // namespace tpu::core
