// SPDX-License-Identifier: Apache-2.0
#include "models/core/weight_loaders.h"

#include <algorithm>

namespace tpu::core {

namespace {
std::string at(const char *name, std::size_t i, std::size_t j) {
  return std::string(name) + "[" + std::to_string(i) + "][" + std::to_string(j) + "]";
}
constexpr std::uint32_t queue_bits = 32; // weight and row count
} // namespace

weight_loaders::weight_loaders(const tpu_params &p, const timing_profile &timing,
                               stream_set &streams, ready_set &pes)
    : t_(p.t), streams_(streams), columns_(t_), rows_(t_ * t_), queues_(t_ * t_), loaders_(t_ * t_),
      ready_(t_ * t_), pes_(pes) {
  const auto loader_id = [&](std::size_t i, std::size_t j) {
    return process_id{TPU_UNIT_WLD, static_cast<std::uint32_t>(i * t_ + j)};
  };
  const std::uint32_t row_bits = 8 * p.t;
  const std::uint32_t queue_depth = std::min<std::uint32_t>(p.qd, TPU_WEIGHT_QD);
  for (std::size_t i = 0; i < t_; ++i) {
    if (i > 0) {
      columns_[i].configure("wcol[" + std::to_string(i) + "]", p.qd, row_bits, timing);
      columns_[i].connect(at("wld", i - 1, 0), at("wld", i, 0));
      columns_[i].connect(loader_id(i - 1, 0), loader_id(i, 0), TPU_WAIT_WCOL);
    }
    for (std::size_t j = 0; j < t_; ++j) {
      if (j + 1 < t_) {
        rows_[i * t_ + j].configure(at("wrow", i, j), p.qd, row_bits, timing);
        rows_[i * t_ + j].connect(at("wld", i, j), at("wld", i, j + 1));
        rows_[i * t_ + j].connect(loader_id(i, j), loader_id(i, j + 1), TPU_WAIT_WROW);
      }
      queue(i, j).configure(at("wq", i, j), queue_depth, queue_bits, timing);
      queue(i, j).connect(at("wld", i, j), at("pe", i, j));
      process_id from = loader_id(i, j);
      from.instance += p.t * p.t; // its register
      queue(i, j).connect(from, process_id{TPU_UNIT_PE, loader_id(i, j).instance}, TPU_WAIT_WQ);
      wire(i, j);
    }
  }
}

// The streams of loader (i, j), and its words.
void weight_loaders::wire(std::size_t i, std::size_t j) {
  loader &l = loaders_[i * t_ + j];
  l.i = static_cast<std::uint8_t>(i);
  l.j = static_cast<std::uint8_t>(j);
  l.weights = &queue(i, j);
  l.east = j + 1 < t_ ? &rows_[i * t_ + j] : nullptr;
  if (j > 0) {
    l.in = &rows_[i * t_ + j - 1];
  } else {
    l.in = i > 0 ? &columns_[i] : static_cast<stream_timing *>(&streams_.wcol);
    l.south = i + 1 < t_ ? &columns_[i + 1] : nullptr;
  }
  l.words = static_cast<std::uint8_t>(j == 0 ? t_ + 1 - i : 2);
}

// Before its first word, which comes at `start` or later. The logs keep their memory.
void weight_loaders::loader::restart(cycle start) {
  last = start - 1;
  queued = start - 1;
  taken_mms = 0;
  word = 0;
  pending = false;
  stuck = false;
  awaited = true;
  starved = 0;
  blocked = 0;
  words_path.clear();
  queue_path.clear();
}

void weight_loaders::begin(std::uint32_t mms, cycle start) {
  mms_ = mms;
  start_ = start;
  tiles_.clear();
  first_tile_ = 0;
  finished_ = mms == 0 ? loaders_.size() : 0;
  ready_.clear();
  for (auto *set : {&columns_, &rows_, &queues_}) {
    for (stream_timing &s : *set) {
      s.reset();
    }
  }
  for (loader &l : loaders_) {
    l.restart(start);
    l.done = mms == 0;
  }
}

bool weight_loaders::lacks_input() const {
  const loader &l = loaders_.front();
  return !l.done && l.taken_mms < mms_ && streams_.wcol.tokens_known() == 0;
}

// The words enter the array at loader (0, 0), which all of them pass.
void weight_loaders::receive(const loader &l) {
  const std::int8_t *row = streams_.wcol.front();
  if (l.word == 0) {
    tiles_.emplace_back();
    tiles_.back().rows = static_cast<std::uint8_t>(row[0]);
    tiles_.back().weights.resize(t_ * t_);
  } else {
    std::copy(row, row + t_, &tiles_.back().weights[(l.word - 1) * t_]);
  }
}

// The weight that waits in the register goes to the PE's queue; false when that is full.
inline bool weight_loaders::deliver(loader &l) {
  stream_timing &weights = *l.weights;
  if (weights.slots_known() == 0) {
    return false;
  }
  l.queued = std::max(l.pending_since, weights.slot_ready());
  if (recording_) { // due to the PE, or to its own last word
    const auto own = static_cast<std::uint32_t>(l.i * t_ + l.j);
    const bool waited = l.queued > l.pending_since;
    path_entry e = waited ? weights.slot_cause(l.queued)
                          : path_entry{l.queued, l.pending_since, {TPU_UNIT_WLD, own}};
    e.slot = waited;
    l.queue_path.add(e);
  }
  weights.put_at(l.queued);
  if (std::exchange(l.awaited, false)) {
    pes_.insert(l.i * t_ + l.j);
  }
  l.pending = false;
  l.done = l.taken_mms == mms_;
  return true;
}

// Its next word comes in cycle t, later than it could.
inline void weight_loaders::waited(loader &l, cycle t, bool blocked) {
  (blocked ? l.blocked : l.starved) += t - (l.last + 1);
  if (recording_) {
    record(l, t, blocked);
  }
}

// The next word comes in, and goes south and east if it does, from cycle `earliest` on; false when
// information lacks.
inline bool weight_loaders::pass(loader &l, stream_timing *south, stream_timing *east,
                                 cycle earliest) {
  stream_timing &in = *l.in;
  if (in.tokens_known() == 0 || (south != nullptr && south->slots_known() == 0) ||
      (east != nullptr && east->slots_known() == 0)) {
    return false;
  }
  const cycle next = l.last + 1;
  cycle put = std::max(next, earliest);
  put = south != nullptr ? std::max(put, south->slot_ready()) : put;
  put = east != nullptr ? std::max(put, east->slot_ready()) : put;
  const cycle get = in.token_ready();
  const cycle t = std::max(get, put);
  if (t > next) {
    waited(l, t, put >= get);
  }
  l.last = t;
  if (&in == &streams_.wcol) {
    receive(l);
  }
  in.take_at(t);
  if (south != nullptr) {
    south->put_at(t);
  }
  if (east != nullptr) {
    east->put_at(t);
  }
  return true;
}

// As far as information goes. The last word of an mm needs the register, which the weight before
// holds while its queue is full.
template <bool first_column> inline void weight_loaders::run(loader &l) {
  const auto pass_word = [&](cycle earliest) {
    return first_column ? pass(l, to_south(l), to_east(l), earliest)
                        : pass(l, nullptr, l.east, earliest);
  };
  while (l.taken_mms < mms_) {
    const bool full = l.pending && !deliver(l);
    for (; l.word + 1 < l.words; ++l.word) {
      if (!pass_word(0)) {
        return;
      }
    }
    l.stuck = full;
    if (full || !pass_word(l.queued + 1)) {
      return;
    }
    l.word = 0;
    ++l.taken_mms;
    l.pending = true;
    l.pending_since = l.last;
  }
  if (l.pending) {
    deliver(l);
  }
}

void weight_loaders::record(loader &l, cycle t, bool blocked) {
  path_entry e = cause(l, t, blocked);
  e.slot = blocked;
  e.step = words_done(l);
  l.words_path.add(e);
}

// What the word of cycle t waited for.
path_entry weight_loaders::cause(const loader &l, cycle t, bool blocked) const {
  if (!blocked) {
    return l.in->token_cause(t);
  }
  for (const stream_timing *out : {to_south(l), to_east(l)}) {
    if (out != nullptr && out->slot_ready() == t) {
      return out->slot_cause(t);
    }
  }
  const auto own = static_cast<std::uint32_t>(l.i * t_ + l.j + t_ * t_);
  return {t, l.queued, {TPU_UNIT_WLD, own}, 0, 0, true, TPU_WAIT_WQ};
}

void weight_loaders::advance(loader &l) {
  if (l.done || l.stuck) {
    return;
  }
  const bool was_full = l.in->slots_known() == 0;
  const std::int64_t before = words_done(l);
  if (l.j == 0) {
    run<true>(l);
  } else {
    run<false>(l);
  }
  finished_ += l.done ? 1U : 0U;
  if (words_done(l) == before) {
    return;
  }
  // Down the streams there are words; up the stream there is room, if there was none.
  const std::size_t k = l.i * t_ + l.j;
  if (l.east != nullptr) {
    ready_.insert(k + 1);
  }
  if (l.south != nullptr) {
    ready_.insert(k + t_);
  }
  if (was_full && k != 0) {
    ready_.insert(l.j > 0 ? k - 1 : k - t_);
  }
}

void weight_loaders::sweep() {
  ready_.drain([this](std::size_t k) { advance(loaders_[k]); });
}

void weight_loaders::release_before(std::uint64_t k) {
  while (first_tile_ < k) {
    tiles_.pop_front();
    ++first_tile_;
  }
}

cycle weight_loaders::last_cycle() const {
  cycle last = start_ - 1;
  for (const loader &l : loaders_) {
    last = std::max({last, l.last, l.queued});
  }
  return last;
}

run_tail weight_loaders::tail(std::size_t i, std::size_t j, cycle elapsed) const {
  const loader &l = loaders_[i * t_ + j];
  if (l.taken_mms == mms_) {
    return {};
  }
  const access waits = waits_for(l);
  return {waits.kind == access_kind::get ? unit_state::starved : unit_state::blocked,
          waits.on->kind(), elapsed - (l.last + 1)};
}

unit_counters weight_loaders::counters(std::size_t i, std::size_t j, cycle elapsed) const {
  const loader &l = loaders_[i * t_ + j];
  unit_counters c;
  c.promised = std::uint64_t{mms_} * l.words;
  c.busy = words_done(l); // a word a cycle
  c.done = static_cast<std::uint64_t>(c.busy);
  c.starved = l.starved;
  c.blocked = l.blocked;
  c.idle = start_;
  c.add(tail(i, j, elapsed), elapsed - (l.last + 1));
  return c;
}

// What a loader that cannot go lacks.
weight_loaders::access weight_loaders::waits_for(const loader &l) const {
  if (l.taken_mms < mms_) {
    if (l.in->tokens_known() == 0) {
      return {access_kind::get, l.in};
    }
    for (const stream_timing *out : {to_south(l), to_east(l)}) {
      if (out != nullptr && out->slots_known() == 0) {
        return {access_kind::put, out};
      }
    }
  }
  return {access_kind::put, l.weights};
}

void weight_loaders::report_blocked(std::vector<blocked_access> &out) const {
  for (const loader &l : loaders_) {
    if (l.done) {
      continue;
    }
    const access waits = waits_for(l);
    const stream_timing &s = *waits.on;
    out.push_back({at("wld", l.i, l.j), waits.kind, s.name(), s.occupancy(), s.depth(),
                   waits.kind == access_kind::get ? s.producer() : s.consumer(),
                   l.pending ? "one weight" : ""});
  }
}

} // namespace tpu::core
