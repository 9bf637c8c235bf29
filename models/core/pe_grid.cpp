// SPDX-License-Identifier: Apache-2.0
#include "models/core/pe_grid.h"

#include <algorithm>
#include <cstring>

namespace tpu::core {

namespace {

constexpr cycle unconstrained = INT64_MIN / 2;
constexpr std::uint32_t activation_bits = 8;
constexpr std::uint32_t partial_bits = 32;

std::size_t power_of_two(std::size_t n) {
  std::size_t p = 1;
  while (p < n) {
    p *= 2;
  }
  return p;
}

} // namespace

pe_grid::pe_grid(const tpu_params &p, const timing_profile &timing, stream_set &streams,
                 weight_loaders &weights)
    : t_(p.t), qd_(p.qd), forward_(timing.pe_forward_stage), collect_(timing.pe_collect_stage),
      streams_(streams), weights_(weights), pes_(t_ * t_), sum_(t_) {
  column_shape_.configure("acol", p.qd, 8 * p.t, timing);
  forward_shape_.configure("a_fwd", p.qd, activation_bits, timing);
  partial_shape_.configure("p_fwd", p.qd, partial_bits, timing);
  result_shape_.configure("cw", p.qd, 32 * p.t, timing);
  const index deepest = std::max(timing.pe_stages, timing.pe_top_stages);
  guard_ = qd_ + 2 * deepest;
  capacity_ = 3 * guard_ + 64;
  for (std::size_t k = 0; k < pes_.size(); ++k) {
    pe &x = pes_[k];
    x.i = k / t_;
    x.j = k % t_;
    x.last_stage = (x.i == 0 ? timing.pe_top_stages : timing.pe_stages) - 1;
    x.e.resize(static_cast<std::size_t>(capacity_));
  }
  // A row is inside from PE (0, 0) to the last PE: at most a queue and a pipeline per hop.
  const std::size_t inside = 2 * t_ * static_cast<std::size_t>(qd_ + deepest);
  const std::size_t ring = power_of_two(inside + 1);
  activation_mask_ = ring - 1;
  activations_.resize(ring * t_);
}

void pe_grid::begin(std::uint32_t rows, cycle start) {
  rows_ = rows;
  start_ = start;
  finished_ = rows == 0 ? pes_.size() : 0;
  result_mm_ = 0;
  result_boundary_ = 0;
  for (pe &x : pes_) {
    x.n = 0;
    x.base = -guard_;
    x.boundary = 0;
    x.mm = 0;
    x.last = start - 1;
    x.starved = 0;
    x.blocked = 0;
    std::fill(x.e.begin(), x.e.begin() + guard_, unconstrained);
  }
}

// The terms of enabled cycle c of x, or the access whose neighbour has not got that far.
pe_grid::terms pe_grid::gather(const pe &x, index c) const {
  terms t{unconstrained, unconstrained, port::none};
  const bool bottom = x.i + 1 == t_;
  const auto arrival = [&](const pe &from, index its_cycle, int latency, port lacking) {
    if (from.n <= its_cycle) {
      t.lacking = lacking;
      return false;
    }
    t.get = std::max(t.get, at(from, its_cycle) + latency);
    return true;
  };
  const auto slot = [&](const pe &to, index its_cycle, index row, port lacking) {
    if (row < qd_) { // a slot never used before
      return true;
    }
    if (to.n <= its_cycle) {
      t.lacking = lacking;
      return false;
    }
    t.put = std::max(t.put, at(to, its_cycle) + 1);
    return true;
  };

  if (c < rows_) {
    if (c == x.boundary) {
      const stream_timing &queue = weights_.queue(x.i, x.j);
      if (queue.tokens_known() == 0) {
        t.lacking = port::weight;
        return t;
      }
      t.get = std::max(t.get, queue.token_ready());
    }
    if (x.i == 0 && x.j == 0) {
      if (streams_.acol.tokens_known() == 0) {
        t.lacking = port::activation;
        return t;
      }
      t.get = std::max(t.get, streams_.acol.token_ready());
    } else if (x.j == 0
                   ? !arrival(north(x), c + forward_, column_shape_.latency(), port::activation)
                   : !arrival(west(x), c + forward_, forward_shape_.latency(), port::activation)) {
      return t;
    }
    if (x.i > 0 &&
        !arrival(north(x), c + north(x).last_stage, partial_shape_.latency(), port::partial)) {
      return t;
    }
  }
  const index collected = c - collect_;
  if (bottom && x.j > 0 && collected >= 0 && collected < rows_ &&
      !arrival(west(x), collected + west(x).last_stage, result_shape_.latency(), port::collect)) {
    return t;
  }
  const index forwarded = c - forward_;
  if (forwarded >= 0 && forwarded < rows_) {
    if (x.j + 1 < t_ && !slot(east(x), forwarded - qd_, forwarded, port::forward_east)) {
      return t;
    }
    if (x.j == 0 && !bottom && !slot(south(x), forwarded - qd_, forwarded, port::forward_south)) {
      return t;
    }
  }
  const index leaving = c - x.last_stage;
  if (leaving >= 0 && leaving < rows_) {
    if (!bottom) {
      slot(south(x), leaving - qd_, leaving, port::sum_south);
    } else if (x.j + 1 < t_) {
      slot(east(x), leaving - qd_ + collect_, leaving, port::result);
    } else if (streams_.cw.slots_known() == 0) {
      t.lacking = port::result;
    } else {
      t.put = std::max(t.put, streams_.cw.slot_ready());
    }
  }
  return t;
}

void pe_grid::append(pe &x, cycle t) {
  if (x.n - x.base == capacity_) { // keep what neighbours may still ask for
    std::copy(x.e.end() - guard_, x.e.end(), x.e.begin());
    x.base = x.n - guard_;
  }
  x.e[static_cast<std::size_t>(x.n - x.base)] = t;
  x.last = t;
  ++x.n;
}

// One enabled cycle with all its accesses; false when information lacks.
bool pe_grid::step(pe &x) {
  const index c = x.n;
  const terms w = gather(x, c);
  if (w.lacking != port::none) {
    return false;
  }
  const cycle next = x.last + 1;
  const cycle ready = std::max(w.get, w.put);
  const cycle t = std::max(next, ready);
  (w.put >= w.get ? x.blocked : x.starved) += t - next;
  if (c < rows_) {
    if (c == x.boundary) {
      weights_.queue(x.i, x.j).take_at(t);
      x.boundary += weights_.rows(x.mm);
      ++x.mm;
    }
    if (x.i == 0 && x.j == 0) {
      std::memcpy(&activations_[(static_cast<std::size_t>(c) & activation_mask_) * t_],
                  streams_.acol.front(), t_);
      streams_.acol.take_at(t);
    }
  }
  append(x, t);
  const index leaving = c - x.last_stage;
  if (x.i + 1 == t_ && x.j + 1 == t_ && leaving >= 0 && leaving < rows_) {
    produce_result(leaving, t);
  }
  return true;
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
    const std::int32_t activation = a[i];
    for (std::size_t j = 0; j < t_; ++j) {
      sum_[j] += activation * w[i * t_ + j];
    }
  }
  std::copy(sum_.begin(), sum_.end(), streams_.cw.back());
  streams_.cw.put_at(t);
}

// How far x can go in bulk from x.n: rows inside one mm, all of the pipeline full, every
// neighbour's times known. The corner PEs touch streams and always go step by step.
pe_grid::index pe_grid::bulk_limit(const pe &x) const {
  const bool corner = (x.i == 0 && x.j == 0) || (x.i + 1 == t_ && x.j + 1 == t_);
  if (corner || x.n <= x.last_stage || x.n >= rows_ || x.n == x.boundary) {
    return x.n;
  }
  if (x.i + 1 == t_ && x.n - x.last_stage < qd_) { // its result slots are still fresh
    return x.n;
  }
  index until = std::min(x.boundary, rows_);
  const pe &a = x.j > 0 ? west(x) : north(x);
  until = std::min(until, a.n - forward_);
  if (x.i > 0) {
    until = std::min(until, north(x).n - north(x).last_stage);
  }
  if (x.j + 1 < t_) {
    until = std::min(until, east(x).n + qd_ + forward_);
  }
  if (x.i + 1 < t_) {
    until = std::min(until, south(x).n + qd_ +
                                (x.j == 0 ? std::min(forward_, x.last_stage) : x.last_stage));
  } else {
    if (x.j > 0) {
      until = std::min(until, west(x).n - west(x).last_stage + collect_);
    }
    until = std::min(until, east(x).n + qd_ + x.last_stage - collect_);
  }
  return std::min(until, x.n + (capacity_ - guard_));
}

void pe_grid::run_bulk(pe &x, index until) {
  if (until - x.base > capacity_) {
    const index keep = x.n - guard_;
    std::copy(x.e.begin() + (keep - x.base), x.e.begin() + (x.n - x.base), x.e.begin());
    x.base = keep;
  }
  // Pointers such that p[c] is the neighbour's cycle that bears on cycle c here; an absent
  // neighbour reads this PE's own constraint-free guard... so each case adds its own loop input.
  const auto times = [](const pe &from, index shift) { return from.e.data() - from.base + shift; };
  const cycle *get[3];
  cycle get_latency[3];
  int gets = 0;
  const cycle *put[3];
  int puts = 0;
  get[gets] = times(x.j > 0 ? west(x) : north(x), forward_);
  get_latency[gets++] = (x.j > 0 ? forward_shape_ : column_shape_).latency();
  if (x.i > 0) {
    get[gets] = times(north(x), north(x).last_stage);
    get_latency[gets++] = partial_shape_.latency();
  }
  if (x.i + 1 == t_ && x.j > 0) {
    get[gets] = times(west(x), west(x).last_stage - collect_);
    get_latency[gets++] = result_shape_.latency();
  }
  if (x.j + 1 < t_) {
    put[puts++] = times(east(x), -forward_ - qd_);
    if (x.i + 1 == t_) {
      put[puts++] = times(east(x), collect_ - x.last_stage - qd_);
    }
  }
  if (x.i + 1 < t_) {
    put[puts++] = times(south(x), -x.last_stage - qd_);
    if (x.j == 0) {
      put[puts++] = times(south(x), -forward_ - qd_);
    }
  }
  cycle *own = x.e.data() - x.base;
  cycle last = x.last;
  cycle starved = 0;
  cycle blocked = 0;
  for (index c = x.n; c < until; ++c) {
    cycle g = get[0][c] + get_latency[0];
    for (int k = 1; k < gets; ++k) {
      g = std::max(g, get[k][c] + get_latency[k]);
    }
    cycle p = unconstrained;
    for (int k = 0; k < puts; ++k) {
      p = std::max(p, put[k][c] + 1);
    }
    const cycle gap = std::max(std::max(g, p) - (last + 1), cycle{0});
    (p >= g ? blocked : starved) += gap;
    last += 1 + gap;
    own[c] = last;
  }
  x.starved += starved;
  x.blocked += blocked;
  x.last = last;
  x.n = until;
}

bool pe_grid::advance(pe &x) {
  const index limit = rows_ + x.last_stage;
  bool moved = false;
  while (x.n < limit) {
    const index until = bulk_limit(x);
    if (until > x.n) {
      run_bulk(x, until);
    } else if (!step(x)) {
      break;
    }
    moved = true;
  }
  finished_ += moved && x.n == limit ? 1U : 0U;
  return moved;
}

bool pe_grid::sweep() {
  if (finished()) {
    return false;
  }
  bool moved = false;
  for (pe &x : pes_) {
    moved = advance(x) || moved;
  }
  return moved;
}

bool pe_grid::lacks_activation() const {
  const pe &x = pes_.front();
  return x.n < rows_ && streams_.acol.tokens_known() == 0;
}

bool pe_grid::lacks_result_slot() const {
  const pe &x = pes_.back();
  return x.n < rows_ + x.last_stage && streams_.cw.slots_known() == 0;
}

cycle pe_grid::last_cycle() const {
  cycle last = start_ - 1;
  for (const pe &x : pes_) {
    last = std::max(last, x.last);
  }
  return last;
}

unit_counters pe_grid::counters(std::size_t i, std::size_t j, cycle elapsed) const {
  const pe &x = pes_[i * t_ + j];
  unit_counters c;
  c.promised = static_cast<std::uint64_t>(rows_);
  c.done = static_cast<std::uint64_t>(std::clamp<index>(x.n - x.last_stage, 0, rows_));
  c.busy = x.n;
  c.starved = x.starved;
  c.blocked = x.blocked;
  c.idle = start_;
  const cycle tail = elapsed - (x.last + 1);
  if (rows_ == 0 || x.n == rows_ + x.last_stage) {
    c.idle += tail;
  } else if (const port lacking = gather(x, x.n).lacking; lacking <= port::collect) {
    c.starved += tail;
  } else {
    c.blocked += tail;
  }
  return c;
}

blocked_access pe_grid::describe(const pe &x, port lacking) const {
  const auto name = [](const char *what, std::size_t i, std::size_t j) {
    return std::string(what) + "[" + std::to_string(i) + "][" + std::to_string(j) + "]";
  };
  const auto put_so_far = [&](const pe &from, index stage) {
    return std::clamp<index>(from.n - stage, 0, rows_);
  };
  blocked_access b;
  b.process = name("pe", x.i, x.j);
  b.kind = lacking <= port::collect ? access_kind::get : access_kind::put;
  b.depth = static_cast<std::uint32_t>(qd_);
  index occupancy = 0; // gets find it empty
  switch (lacking) {
  case port::weight:
    b.stream = name("wq", x.i, x.j);
    b.depth = weights_.queue(x.i, x.j).depth();
    b.peer = name("wld", x.i, x.j);
    break;
  case port::activation:
    if (x.j > 0) {
      b.stream = name("a_fwd", x.i, x.j - 1);
      b.peer = name("pe", x.i, x.j - 1);
    } else {
      b.stream = "acol[" + std::to_string(x.i) + "]";
      b.peer = x.i == 0 ? "vru" : name("pe", x.i - 1, 0);
    }
    break;
  case port::partial:
    b.stream = name("p_fwd", x.i - 1, x.j);
    b.peer = name("pe", x.i - 1, x.j);
    break;
  case port::collect:
    b.stream = "cw[" + std::to_string(x.j - 1) + "]";
    b.peer = name("pe", x.i, x.j - 1);
    break;
  case port::forward_east:
    b.stream = name("a_fwd", x.i, x.j);
    b.peer = name("pe", x.i, x.j + 1);
    occupancy = put_so_far(x, forward_) - put_so_far(east(x), 0);
    break;
  case port::forward_south:
    b.stream = "acol[" + std::to_string(x.i + 1) + "]";
    b.peer = name("pe", x.i + 1, x.j);
    occupancy = put_so_far(x, forward_) - put_so_far(south(x), 0);
    break;
  case port::sum_south:
    b.stream = name("p_fwd", x.i, x.j);
    b.peer = name("pe", x.i + 1, x.j);
    occupancy = put_so_far(x, x.last_stage) - put_so_far(south(x), 0);
    break;
  default: // result
    b.stream = "cw[" + std::to_string(x.j) + "]";
    if (x.j + 1 < t_) {
      b.peer = name("pe", x.i, x.j + 1);
      occupancy = put_so_far(x, x.last_stage) - put_so_far(east(x), collect_);
    } else {
      b.peer = "accu";
      occupancy = streams_.cw.occupancy();
    }
    break;
  }
  b.occupancy = static_cast<std::uint32_t>(occupancy);
  const index inside = std::min(x.n, rows_) - put_so_far(x, x.last_stage);
  if (inside > 0) {
    b.held = std::to_string(inside) + " rows";
  }
  return b;
}

void pe_grid::report_blocked(std::vector<blocked_access> &out) const {
  for (const pe &x : pes_) {
    if (rows_ != 0 && x.n < rows_ + x.last_stage) {
      out.push_back(describe(x, gather(x, x.n).lacking));
    }
  }
}

} // namespace tpu::core
