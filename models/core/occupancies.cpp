// SPDX-License-Identifier: Apache-2.0
#include "models/core/occupancies.h"

#include <algorithm>

namespace tpu::core {

void occupancies::passages::add(cycle at) {
  if (next_ != runs_.size() && runs_.back().from + runs_.back().count == at) {
    ++runs_.back().count;
  } else {
    runs_.push_back({at, 1});
  }
}

void occupancies::passages::use(std::uint32_t count) {
  run &r = runs_[next_];
  r.from += count;
  r.count -= count;
  if (r.count == 0) {
    ++next_;
  }
}

// Once they are half of all, so that the others are moved no more than once each.
void occupancies::passages::forget_used() {
  if (2 * next_ >= runs_.size()) {
    runs_.erase(runs_.begin(), runs_.begin() + static_cast<std::ptrdiff_t>(next_));
    next_ = 0;
  }
}

void occupancies::watch(const std::vector<const stream_timing *> &streams) {
  ends_.clear();
  for (const stream_timing *s : streams) {
    ends_.push_back({s, 0, 0, 0, {}, {}});
  }
}

void occupancies::poll() {
  for (ends &e : ends_) {
    const stream_timing &s = *e.stream;
    for (; e.puts < s.puts(); ++e.puts) {
      e.put.add(s.put_time(e.puts) + 1);
    }
    for (; e.takes < s.takes(); ++e.takes) {
      e.taken.add(s.take_time(e.takes) + 1);
    }
  }
}

cycle occupancies::next() const {
  cycle least = passages::none;
  for (const ends &e : ends_) {
    least = std::min({least, e.put.first(), e.taken.first()});
  }
  return least;
}

void occupancies::take(cycle end, cycle_sort<occupancy_change> &to) {
  for (std::size_t k = 0; k < ends_.size(); ++k) {
    ends &e = ends_[k];
    for (;;) {
      const cycle in = e.put.first();
      const cycle out = e.taken.first();
      cycle at = std::min(in, out);
      if (at >= end) {
        break;
      }
      if (in == out) { // one in, one out
        const std::uint32_t both = std::min(e.put.count(), e.taken.count());
        e.put.use(both);
        e.taken.use(both);
        continue;
      }
      passages &alone = in < out ? e.put : e.taken;
      const cycle until = std::min({std::max(in, out), end, at + alone.count()});
      alone.use(static_cast<std::uint32_t>(until - at));
      for (; at < until; ++at) {
        e.tokens += in < out ? 1U : UINT32_MAX;
        to.add({at, static_cast<std::uint32_t>(k), e.tokens});
      }
    }
    e.put.forget_used();
    e.taken.forget_used();
  }
}

} // namespace tpu::core
