// SPDX-License-Identifier: Apache-2.0
// Counters of the loaders, and what each is blocked on at a hang.
#include <algorithm>

#include "models/core/weight_loaders.h"

namespace tpu::core {

std::string weight_loaders::name(const char *what, std::size_t i, std::size_t j) {
  return std::string(what) + "[" + std::to_string(i) + "][" + std::to_string(j) + "]";
}

cycle weight_loaders::last_cycle() const {
  cycle last = start_ - 1;
  for (const loader &l : loaders_) {
    last = std::max({last, l.last, l.queued});
  }
  return last;
}

run_tail weight_loaders::tail(std::size_t i, std::size_t j, cycle elapsed) const {
  const std::size_t k = i * t_ + j;
  if (words_done(k) == words_promised(k)) {
    return {};
  }
  const access waits = waits_for(k);
  return {waits.kind == access_kind::get ? unit_state::starved : unit_state::blocked,
          static_cast<std::uint8_t>(waits.on), elapsed - (loaders_[k].last + 1)};
}

unit_counters weight_loaders::counters(std::size_t i, std::size_t j, cycle elapsed) const {
  const std::size_t k = i * t_ + j;
  const loader &l = loaders_[k];
  unit_counters c;
  c.promised = static_cast<std::uint64_t>(words_promised(k));
  c.busy = words_done(k); // a word a cycle
  c.done = static_cast<std::uint64_t>(c.busy);
  c.starved = waits_[k][0];
  c.blocked = waits_[k][1];
  c.idle = start_;
  c.add(tail(i, j, elapsed), elapsed - (l.last + 1));
  return c;
}

// What a loader that cannot go lacks.
weight_loaders::access weight_loaders::waits_for(std::size_t k) const {
  const head &h = head_of(k);
  if (words_done(k) == words_promised(k)) {
    return {access_kind::put, TPU_WAIT_WQ};
  }
  if (!in_column_0(k)) {
    if (loaders_[k - 1].sent == loaders_[k].sent) {
      return {access_kind::get, TPU_WAIT_WROW};
    }
  } else if (h.in->tokens_known() == 0) {
    return {access_kind::get, TPU_WAIT_WCOL};
  } else if (h.word != 1 && h.south != nullptr && h.south->slots_known() == 0) {
    return {access_kind::put, TPU_WAIT_WCOL};
  } else if (h.word > 1) {
    return {access_kind::put, TPU_WAIT_WQ};
  }
  return {access_kind::put, lacks_slot_east(k) ? TPU_WAIT_WROW : TPU_WAIT_WQ};
}

blocked_access weight_loaders::describe(std::size_t k) const {
  const std::size_t i = k / t_;
  const std::size_t j = k % t_;
  const loader &l = loaders_[k];
  const access waits = waits_for(k);
  const bool gets = waits.kind == access_kind::get; // finds it empty
  blocked_access b;
  b.process = name("wld", i, j);
  b.kind = waits.kind;
  b.held = l.pending ? "one weight" : "";
  switch (waits.on) {
  case TPU_WAIT_WCOL: {
    const stream_timing &s = gets ? *heads_[i].in : *heads_[i].south;
    b.stream = s.name();
    b.occupancy = s.occupancy();
    b.depth = s.depth();
    b.peer = gets ? s.producer() : s.consumer();
    break;
  }
  case TPU_WAIT_WROW:
    b.stream = name("wrow", i, gets ? j - 1 : j);
    b.depth = depth_;
    b.occupancy = gets ? 0 : b.depth;
    b.peer = name("wld", i, gets ? j - 1 : j + 1);
    break;
  default:
    b.stream = name("wq", i, j);
    b.occupancy = l.delivered - l.taken;
    b.depth = queue_depth_;
    b.peer = name("pe", i, j);
    break;
  }
  return b;
}

void weight_loaders::report_blocked(std::vector<blocked_access> &out) const {
  for (std::size_t k = 0; k < loaders_.size(); ++k) {
    if (!loaders_[k].done) {
      out.push_back(describe(k));
    }
  }
}

} // namespace tpu::core
