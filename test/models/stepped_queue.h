// SPDX-License-Identifier: Apache-2.0
// The queues between the processes of the cycle-stepped machine.
#ifndef TPU_TEST_MODELS_STEPPED_QUEUE_H
#define TPU_TEST_MODELS_STEPPED_QUEUE_H

#include <cstdint>
#include <deque>
#include <vector>

#include "models/core/timing.h"

namespace oracle {

using tpu::core::timing_profile;
using time = std::int64_t;

struct token {
  time put;
  std::int64_t rows; // iterations of a command, activation rows of a weight word
  int kind;
};

// State is that of the start of the cycle until settle().
class queue {
public:
  void shape(std::int64_t depth, std::int64_t bits, const timing_profile &t) {
    depth_ = depth;
    latency_ = t.stream_latency + (bits * depth > t.stream_ram_bits ? t.stream_ram_cycles : 0);
  }
  bool has_token(time now) const {
    return !tokens_.empty() && tokens_.front().put + latency_ <= now;
  }
  bool has_slot() const { return static_cast<std::int64_t>(tokens_.size()) < depth_; }
  const token &front() const { return tokens_.front(); }
  void take() { taken_ = true; }
  void put(const token &t) { incoming_.push_back(t); }
  // The last cycle at whose start it was full.
  time last_full() const { return last_full_; }
  void settle(time now) {
    last_full_ = has_slot() ? last_full_ : now;
    if (taken_) {
      tokens_.pop_front();
      taken_ = false;
    }
    tokens_.insert(tokens_.end(), incoming_.begin(), incoming_.end());
    incoming_.clear();
  }

private:
  std::int64_t depth_ = 0, latency_ = 0;
  time last_full_ = -1;
  std::deque<token> tokens_;
  std::vector<token> incoming_;
  bool taken_ = false;
};

} // namespace oracle
#endif
