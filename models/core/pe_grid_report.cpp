// SPDX-License-Identifier: Apache-2.0
// Counters of the PEs, and what each is blocked on at a hang.
#include <algorithm>

#include "models/core/pe_grid.h"

namespace tpu::core {

unit_counters pe_grid::counters(std::size_t i, std::size_t j, cycle elapsed) const {
  const pe &x = pes_[i * t_ + j];
  unit_counters c;
  c.promised = static_cast<std::uint64_t>(rows_);
  c.done = static_cast<std::uint64_t>(std::clamp<index>(x.own->n() - last_stage(x.k), 0, rows_));
  c.busy = x.own->n();
  c.starved = x.starved;
  c.blocked = x.blocked;
  c.idle = start_;
  c.add(tail(i, j, elapsed), elapsed - (x.own->last() + 1));
  return c;
}

run_tail pe_grid::tail(std::size_t i, std::size_t j, cycle elapsed) const {
  const pe &x = pes_[i * t_ + j];
  if (x.own->n() == end(x.k)) {
    return {};
  }
  const port lacks = lacking(survey(x));
  return {is_get(lacks) ? unit_state::starved : unit_state::blocked, stream_of(x, lacks),
          elapsed - (x.own->last() + 1)};
}

std::uint8_t pe_grid::stream_of(const pe &x, port access) {
  switch (access) {
  case port::weight:
    return TPU_WAIT_WQ;
  case port::activation:
    return x.j > 0 ? TPU_WAIT_A_FWD : TPU_WAIT_ACOL;
  case port::forward_east:
    return TPU_WAIT_A_FWD;
  case port::forward_south:
    return TPU_WAIT_ACOL;
  case port::partial:
  case port::sum_south:
    return TPU_WAIT_P_FWD;
  default: // collect, result
    return TPU_WAIT_CW;
  }
}

blocked_access pe_grid::describe(const pe &x, const reach &r) const {
  const auto name = [](const char *what, std::size_t i, std::size_t j) {
    return std::string(what) + "[" + std::to_string(i) + "][" + std::to_string(j) + "]";
  };
  const auto column = [](const char *what, std::size_t i) {
    return std::string(what) + "[" + std::to_string(i) + "]";
  };
  const auto put_so_far = [&](const timeline &from, index stage) {
    return std::clamp<index>(from.n() - stage, 0, rows_);
  };
  const timeline *const behind = r.by != nullptr ? r.by->other : nullptr;
  const auto taken = [&](index stage) { // by the neighbour that lacks room
    return behind != nullptr ? put_so_far(*behind, stage) : 0;
  };
  blocked_access b;
  b.process = name("pe", x.i, x.j);
  b.kind = is_get(lacking(r)) ? access_kind::get : access_kind::put;
  b.depth = static_cast<std::uint32_t>(qd_);
  if (behind != nullptr && number(behind) < pes_.size()) {
    const pe &neighbour = pes_[number(behind)];
    b.peer = name("pe", neighbour.i, neighbour.j);
  }
  index occupancy = 0; // gets find it empty
  switch (lacking(r)) {
  case port::weight:
    b.stream = name("wq", x.i, x.j);
    b.depth = weights_.queue_depth();
    b.peer = name("wld", x.i, x.j);
    break;
  case port::activation:
    b.stream = x.j > 0 ? name("a_fwd", x.i, x.j - 1) : column("acol", x.i);
    b.peer = first(x) ? "vru" : b.peer;
    break;
  case port::partial:
    b.stream = name("p_fwd", x.i - 1, x.j);
    break;
  case port::collect:
    b.stream = column("cw", x.j - 1);
    break;
  case port::forward_east:
    b.stream = name("a_fwd", x.i, x.j);
    occupancy = put_so_far(*x.own, forward_) - taken(0);
    break;
  case port::forward_south:
    b.stream = column("acol", x.i + 1);
    occupancy = put_so_far(*x.own, forward_) - taken(0);
    break;
  case port::sum_south:
    b.stream = name("p_fwd", x.i, x.j);
    occupancy = put_so_far(*x.own, last_stage(x.k)) - taken(0);
    break;
  default: // result
    b.stream = column("cw", x.j);
    b.peer = last(x) ? "accu" : b.peer;
    occupancy = last(x) ? static_cast<index>(streams_.cw.occupancy())
                        : put_so_far(*x.own, last_stage(x.k)) - taken(collect_);
    break;
  }
  b.occupancy = static_cast<std::uint32_t>(occupancy);
  const index inside = std::min(x.own->n(), rows_) - put_so_far(*x.own, last_stage(x.k));
  if (inside > 0) {
    b.held = std::to_string(inside) + " rows";
  }
  return b;
}

void pe_grid::report_blocked(std::vector<blocked_access> &out) const {
  for (const pe &x : pes_) {
    if (x.own->n() < end(x.k)) {
      out.push_back(describe(x, survey(x)));
    }
  }
}

} // namespace tpu::core
