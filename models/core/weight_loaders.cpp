// SPDX-License-Identifier: Apache-2.0
#include "models/core/weight_loaders.h"

#include <algorithm>

namespace tpu::core {

namespace {
constexpr std::uint32_t queue_bits = 32; // weight and row count
} // namespace

weight_loaders::weight_loaders(const tpu_params &p, const timing_profile &timing,
                               stream_set &streams, ready_set &pes)
    : t_(p.t), streams_(streams), columns_(t_), loaders_(t_ * t_), places_(t_ * t_),
      waits_(t_ * t_), heads_(t_), queue_depth_(std::min<std::uint32_t>(p.qd, TPU_WEIGHT_QD)),
      depth_(p.qd), ready_(t_ * t_), pes_(pes), tiles_(4) {
  const std::uint32_t row_bits = 8 * p.t;
  stream_timing shape;
  shape.configure("", queue_depth_, queue_bits, timing);
  queue_latency_ = shape.latency();
  shape.configure("", p.qd, row_bits, timing);
  latency_ = shape.latency();
  mask_ = static_cast<std::uint32_t>(shape.ring_size()) - 1;
  sent_at_.resize(loaders_.size() * shape.ring_size());
  for (std::size_t k = 0; k < loaders_.size(); ++k) {
    places_[k] = {static_cast<std::uint8_t>(k / t_), static_cast<std::uint8_t>(k % t_)};
  }
  for (std::size_t i = 0; i < t_; ++i) {
    if (i > 0) {
      columns_[i].configure("wcol[" + std::to_string(i) + "]", p.qd, row_bits, timing);
      columns_[i].connect(name("wld", i - 1, 0), name("wld", i, 0));
      columns_[i].connect(number((i - 1) * t_), number(i * t_), TPU_WAIT_WCOL);
    }
    heads_[i].in = i > 0 ? &columns_[i] : static_cast<stream_timing *>(&streams_.wcol);
    heads_[i].south = i + 1 < t_ ? &columns_[i + 1] : nullptr;
    heads_[i].words = static_cast<std::uint32_t>(t_ + 1 - i);
  }
}

void weight_loaders::begin(std::uint32_t mms, cycle start) {
  mms_ = mms;
  start_ = start;
  first_tile_ = 0;
  next_tile_ = 0;
  fewest_rows_ = TPU_MAX_ROWS;
  finished_ = mms == 0 ? loaders_.size() : 0;
  ready_.clear();
  for (stream_timing &s : columns_) {
    s.reset();
  }
  for (head &h : heads_) {
    h.passed = 0;
    h.word = 0;
  }
  loaders_.assign(loaders_.size(),
                  {start - 1, start - 1, {}, 0, 0, 0, false, false, true, mms == 0});
  waits_.assign(waits_.size(), {});
}

bool weight_loaders::lacks_input() const {
  return heads_[0].passed < words_promised(0) && streams_.wcol.tokens_known() == 0;
}

// Where the weights of the next mm go.
weight_loaders::tile &weight_loaders::enter_tile() {
  if (next_tile_ - first_tile_ == tiles_.size()) {
    std::vector<tile> more(2 * tiles_.size());
    for (std::uint64_t m = first_tile_; m < next_tile_; ++m) {
      more[m & (more.size() - 1)] = std::move(tiles_[m & (tiles_.size() - 1)]);
    }
    tiles_ = std::move(more);
  }
  return tiles_[next_tile_++ & (tiles_.size() - 1)];
}

// The words enter the array at loader (0, 0), which all of them pass.
void weight_loaders::receive(const head &h) {
  const std::int8_t *row = streams_.wcol.front();
  if (h.word == 0) {
    tile &entered = enter_tile();
    entered.rows = static_cast<std::uint8_t>(row[0]);
    entered.weights.resize(products::weight_places(t_));
    fewest_rows_ = std::min(fewest_rows_, entered.rows);
  } else {
    tile &entered = tiles_[(next_tile_ - 1) & (tiles_.size() - 1)];
    for (std::size_t j = 0; j < t_; ++j) {
      entered.weights[products::weight_place(t_, h.word - 1, j)] = std::int16_t{row[j]};
    }
  }
}

// The weight in the register waits for its slot, until cycle t.
void weight_loaders::record_register(std::size_t k, cycle t) {
  const process_id pe{TPU_UNIT_PE, static_cast<std::uint32_t>(k)};
  log_->add(first_register_ + k, {t, t - 1, pe, loaders_[k].delivered, 0, true, TPU_WAIT_WQ});
}

// The weight that waits in the register, since the last word's cycle, goes to the PE's queue,
// unless that is full.
inline void weight_loaders::deliver(std::size_t k, cycle since) {
  loader &l = loaders_[k];
  if (l.delivered - l.taken == queue_depth_) {
    return;
  }
  cycle slot = since;
  if (l.delivered >= queue_depth_) {
    slot = l.at[(l.delivered - queue_depth_) % TPU_WEIGHT_QD] + 1;
  }
  if (log_ != nullptr && slot > since) { // else it goes with the last word
    record_register(k, slot);
  }
  l.queued = std::max(since, slot);
  l.at[l.delivered++ % TPU_WEIGHT_QD] = l.queued;
  l.pending = false;
  if (l.awaited) {
    tell_pe(k);
  }
}

void weight_loaders::tell_pe(std::size_t k) {
  loaders_[k].awaited = false;
  pes_.insert(k);
}

// The next word of loader (i, 0) comes in, and goes south and east if it does; false when
// information lacks.
inline bool weight_loaders::pass_down(std::size_t k) {
  loader &l = loaders_[k];
  head &h = heads_[places_[k].i];
  stream_timing &in = *h.in;
  stream_timing *const south = h.word != 1 ? h.south : nullptr;
  const bool east = h.word <= 1;
  if (in.tokens_known() == 0 || (south != nullptr && south->slots_known() == 0) ||
      (east && lacks_slot_east(k))) {
    return false;
  }
  const cycle next = l.last + 1;
  cycle put = h.word + 1 == h.words ? std::max(next, l.queued + 1) : next;
  put = south != nullptr ? std::max(put, south->slot_ready()) : put;
  put = east ? std::max(put, slot_east(k)) : put;
  const cycle get = in.token_ready();
  const cycle t = std::max(get, put);
  waits_[k][put >= get] += t - next;
  if (log_ != nullptr && t > next) {
    record(k, t, put >= get);
  }
  l.last = t;
  if (&in == &streams_.wcol) {
    receive(h);
  }
  in.take_at(t);
  if (south != nullptr) {
    south->put_at(t);
  }
  if (east) {
    sent_at(k)[l.sent++ & mask_] = t;
  }
  ++h.passed;
  h.word = h.word + 1 == h.words ? 0 : h.word + 1;
  return true;
}

// A loader in column 0, as far as information goes. The last word of an mm needs the register,
// which the weight before holds while its queue is full.
void weight_loaders::run_head(std::size_t k) {
  loader &l = loaders_[k];
  head &h = heads_[places_[k].i];
  if (l.pending) {
    deliver(k, h.pending_since);
  }
  for (const std::int64_t all = words_promised(k); h.passed < all;) {
    l.stuck = l.pending && h.word + 1 == h.words;
    if (l.stuck || !pass_down(k)) {
      return;
    }
    if (h.word == 0) {
      l.pending = true;
      h.pending_since = l.last;
      deliver(k, l.last);
    }
  }
}

// The same of another: all words go east, the second is the last. True if words have passed.
template <bool has_east> inline bool weight_loaders::run_east(std::size_t k) {
  loader &l = loaders_[k];
  const std::size_t ring = std::size_t{mask_} + 1;
  const std::size_t mask = mask_;
  cycle *const sent = &sent_at_[k * ring];
  const cycle *const from_west = sent - ring;
  const cycle *const to_east = sent + ring;
  auto &waits = waits_[k];
  const cycle latency = latency_;
  const std::uint32_t depth = depth_;
  const std::uint32_t west = loaders_[k - 1].sent;
  const std::uint32_t until = has_east ? std::min(west, loaders_[k + 1].sent + depth) : west;
  const std::uint32_t before = l.sent;
  std::uint32_t word = before;
  cycle last = l.last;
  if (l.pending) {
    deliver(k, sent[(word - 1 - word % 2) & mask]);
  }
  const auto pass = [&](cycle earliest) {
    cycle put = earliest;
    if (has_east && word >= depth) {
      put = std::max(put, slot_of(word, to_east));
    }
    const cycle get = from_west[word & mask] + latency;
    const cycle t = std::max(get, put);
    waits[put >= get] += t - (last + 1);
    if (log_ != nullptr && t > last + 1) {
      l.sent = word;
      record(k, t, put >= get);
    }
    sent[word & mask] = t;
    last = t;
    ++word;
  };
  for (;;) {
    if (word % 2 == 0) {
      if (word >= until) {
        break;
      }
      pass(last + 1);
    }
    if (word >= until) {
      break;
    }
    l.stuck = l.pending;
    if (l.stuck) {
      break;
    }
    pass(std::max(last, l.queued) + 1);
    l.pending = true;
    deliver(k, last);
  }
  if (word == before) {
    return false;
  }
  l.sent = word;
  l.last = last;
  if (west - before == depth) { // its west was held up
    ready_.insert(k - 1);
  }
  return true;
}

void weight_loaders::record(std::size_t k, cycle t, bool blocked) {
  path_entry e = cause(k, t, blocked);
  e.slot = blocked;
  e.step = words_done(k);
  log_->add(first_process_ + k, e);
}

// What the word of cycle t waited for.
path_entry weight_loaders::cause(std::size_t k, cycle t, bool blocked) const {
  const bool head_of_row = in_column_0(k);
  const head &h = head_of(k);
  if (!blocked) {
    return head_of_row ? h.in->token_cause(t)
                       : path_entry{t, t - latency_, number(k - 1), 0, 0, false, TPU_WAIT_WROW};
  }
  if (head_of_row && h.south != nullptr && h.word != 1 && h.south->slot_ready() == t) {
    return h.south->slot_cause(t);
  }
  if ((!head_of_row || h.word <= 1) && slot_east(k) == t) {
    return {t, t - 1, number(k + 1), 0, 0, true, TPU_WAIT_WROW};
  }
  return {t, loaders_[k].queued, its_register(k), 0, 0, true, TPU_WAIT_WQ};
}

// Advances loader k; true if words have passed. It makes those ready that have something to do
// then: down the streams there are words, up the stream there is room, if there was none.
inline bool weight_loaders::advance_head(std::size_t k) {
  const head &h = head_of(k);
  const std::int64_t before = h.passed;
  const bool was_full = h.in->slots_known() == 0;
  const std::uint32_t sent = loaders_[k].sent;
  run_head(k);
  if (h.passed == before) {
    return false;
  }
  if (was_full && k > 0) {
    ready_.insert(k - t_);
  }
  if (h.south != nullptr) {
    ready_.insert(k + t_);
  }
  return loaders_[k].sent != sent;
}

void weight_loaders::advance(std::size_t k) {
  loader &l = loaders_[k];
  if (l.done || l.stuck) {
    return;
  }
  if (!has_east(k)) {
    run_east<false>(k);
  } else if (in_column_0(k) ? advance_head(k) : run_east<true>(k)) {
    ready_.insert(k + 1);
  }
  if (!l.pending && words_done(k) == words_promised(k)) {
    l.done = true;
    ++finished_;
  }
}

void weight_loaders::sweep() {
  ready_.drain([this](std::size_t k) { advance(k); });
}

} // namespace tpu::core
