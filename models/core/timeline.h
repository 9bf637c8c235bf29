// SPDX-License-Identifier: Apache-2.0
// The times of a process's enabled cycles. Cycle c happens at e(c) >= e(c-1) + 1, so the offset
// e(c) - c never decreases, and is constant while the process moves every cycle: a history is a few
// segments of constant offset, however many cycles it covers. Processes that move together each
// cycle share a clock: their number of cycles grows with it.
#ifndef TPU_MODELS_CORE_TIMELINE_H
#define TPU_MODELS_CORE_TIMELINE_H

#include <algorithm>
#include <vector>

#include "models/core/timing.h"

namespace tpu::core {

class alignas(64) timeline { // one line of a cache
public:
  using index = std::int64_t; // an enabled cycle

  struct segment {
    index from;
    cycle offset; // e(c) = c + offset from cycle `from` to the next segment
  };

  // history: how many of the latest cycles may be asked for.
  void configure(index history) {
    history_ = history;
    segments_.reserve(2 * static_cast<std::size_t>(history) + 16);
  }
  // No cycle yet; the first happens at `start` or later.
  void restart(cycle start) {
    base_ = 0;
    clock_ = &standing;
    newest_ = {0, start};
    segments_.assign(1, newest_);
  }

  index n() const { return base_ + *clock_; } // cycles known: 0 .. n - 1
  // From here on it has a cycle more, of the newest offset, whenever the clock has; or no longer.
  void join(const index &clock) {
    base_ = n() - clock;
    clock_ = &clock;
  }
  void leave() { join(standing); }
  const segment &newest() const { return newest_; }
  cycle last() const { return n() == 0 ? newest_.offset - 1 : at(n() - 1); }
  // The segment of cycle c, one of those kept.
  const segment *find(index c) const {
    const segment *s = &segments_.back();
    if (c < newest_.from) {
      do {
        --s;
      } while (s->from > c);
    }
    return s;
  }
  // The same, when `hint` is the segment of an earlier cycle, or null.
  const segment *find(index c, const segment *hint) const {
    const segment *s = hint != nullptr ? hint : find(c);
    while (end(*s) <= c) {
      ++s;
    }
    return s;
  }
  // The cycle after the last one of a segment; far off for the newest.
  index end(const segment &s) const {
    return &s == &segments_.back() ? INT64_MAX / 2 : (&s)[1].from;
  }
  // The first cycle of a segment after s, of larger offset than given, as the newest has.
  index rise_above(cycle offset, const segment &s) const {
    const segment *next = &s + 1;
    while (next->offset <= offset) {
      ++next;
    }
    return next->from;
  }
  cycle offset(index c) const { return c < newest_.from ? find(c)->offset : newest_.offset; }
  cycle at(index c) const { return c + offset(c); }
  // e(from) .. e(until - 1)
  void times(index from, index until, cycle *out) const;

  // Cycles from n on have this offset, larger than any before.
  void raise(cycle offset) {
    newest_.offset = offset;
    const index from = n();
    if (newest_.from == from) {
      segments_.back() = newest_;
      return;
    }
    newest_.from = from;
    if (segments_.size() == segments_.capacity()) {
      forget();
    }
    segments_.push_back(newest_);
  }
  // The cycles before `until` have the newest offset.
  void extend(index until) { base_ = until - *clock_; }
  void append(cycle t) {
    if (t - n() != newest_.offset) {
      raise(t - n());
    }
    ++base_;
  }

private:
  // Drops what lies before the history; at most one segment a cycle remains.
  void forget() {
    const segment *keep = find(std::max(n() - history_, segments_.front().from));
    segments_.erase(segments_.begin(), segments_.begin() + (keep - segments_.data()));
  }

  static constexpr index standing = 0;

  index base_ = 0; // n - *clock_
  const index *clock_ = &standing;
  segment newest_{0, 0}; // segments_.back()
  index history_ = 0;
  std::vector<segment> segments_;
};

} // namespace tpu::core
#endif
