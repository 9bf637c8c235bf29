// SPDX-License-Identifier: Apache-2.0
// The grid as it is built: what depends on what.
#include <algorithm>

#include "models/core/pe_grid.h"

namespace tpu::core {

pe_grid::pe_grid(const tpu_params &p, const timing_profile &timing, stream_set &streams,
                 weight_loaders &weights, ready_set &ready)
    : t_(p.t), qd_(p.qd), forward_(timing.pe_forward_stage), collect_(timing.pe_collect_stage),
      last_stage_(timing.pe_stages - 1), top_last_stage_(timing.pe_top_stages - 1),
      streams_(streams), weights_(weights), ready_(ready), put_off_(t_ * t_), pes_(t_ * t_),
      boundary_(t_ * t_), open_((t_ * t_ + 7) / 8 * 8), due_(open_.size()), due_bits_(open_.size()),
      change_(t_ * t_), changing_(t_ * t_), waits_for_(t_ * t_), timelines_(t_ * t_ + 2),
      entry_(timelines_[t_ * t_]), exit_(timelines_[t_ * t_ + 1]),
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
    x.k = static_cast<std::uint16_t>(k);
    x.i = static_cast<std::uint8_t>(k / t_);
    x.j = static_cast<std::uint8_t>(k % t_);
    x.own = &timelines_[k];
  }
  for (pe &x : pes_) {
    connect(x, timing, p);
    for (int l = 0; l < x.count; ++l) {
      depend(number(x.own), l);
    }
  }
  acyclic_ = find_acyclic();
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
    arrival(*north->own, last_stage(north->k), latency(32), 0, port::partial);
  }
  if (bottom(x) && west != nullptr) {
    arrival(*west->own, last_stage(west->k), latency(32 * p.t), collect_, port::collect);
  }
  if (east != nullptr) {
    slot(*east->own, 0, forward_, port::forward_east);
  }
  if (south != nullptr) {
    if (x.j == 0) {
      slot(*south->own, 0, forward_, port::forward_south);
    }
    slot(*south->own, 0, last_stage(x.k), port::sum_south);
  } else {
    slot(last(x) ? exit_ : *east->own, last(x) ? 0 : collect_, last_stage(x.k), port::result);
  }
}

// A way along links that comes back goes west as often as east, and north as often as south: none
// comes back to the same cycle if each such pair of steps leads to earlier ones.
bool pe_grid::find_acyclic() const {
  index west = INT64_MIN / 4;
  index east = west;
  index north = west;
  index south = west;
  for (const pe &x : pes_) {
    for (const link *l = x.links; l != x.links + x.count; ++l) {
      const std::size_t other = number(l->other);
      if (other >= pes_.size()) {
        continue;
      }
      const pe &y = pes_[other];
      index &way = y.j < x.j ? west : y.j > x.j ? east : y.i < x.i ? north : south;
      way = std::max<index>(way, l->ahead);
    }
  }
  return west + east < 0 && north + south < 0;
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

} // namespace tpu::core
