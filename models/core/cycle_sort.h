// SPDX-License-Identifier: Apache-2.0
// Sorts by cycle what lies in a window of cycles, in time linear in both.
#ifndef TPU_MODELS_CORE_CYCLE_SORT_H
#define TPU_MODELS_CORE_CYCLE_SORT_H

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/core/timing.h"

namespace tpu::core {

// T::from is its cycle.
template <class T> class cycle_sort {
public:
  // Begins again, with nothing: for a window from cycle `begin` on.
  void open(cycle begin) {
    begin_ = begin;
    places_.clear();
    added_.clear();
  }
  void add(const T &value) {
    if (place(value) >= places_.size()) { // no longer than what is in it
      places_.resize(place(value) + 1);
    }
    ++places_[place(value)];
    added_.push_back(value);
  }
  // Ends it: all, by their cycle, those of one in the order in which they were added. Valid until
  // the next open().
  const std::vector<T> &close() {
    std::uint32_t before = 0;
    for (std::uint32_t &p : places_) {
      before += std::exchange(p, before);
    }
    sorted_.resize(added_.size());
    for (const T &value : added_) {
      sorted_[places_[place(value)]++] = value;
    }
    return sorted_;
  }

private:
  std::size_t place(const T &value) const { return static_cast<std::size_t>(value.from - begin_); }

  cycle begin_ = 0;
  std::vector<std::uint32_t> places_; // of each cycle: how many, then where the next one goes
  std::vector<T> added_;
  std::vector<T> sorted_;
};

} // namespace tpu::core
#endif
