// SPDX-License-Identifier: Apache-2.0
#include "models/core/systolic_array.h"

#include <algorithm>

namespace tpu::core {

systolic_array::systolic_array(const tpu_params &p, const timing_profile &timing,
                               stream_set &streams)
    : unit("array"), streams_(streams), loaders_(p, timing, streams),
      grid_(p, timing, streams, loaders_) {}

void systolic_array::reset() {
  unit::reset();
  loaders_.begin(0, 0);
  grid_.begin(0, 0);
}

void systolic_array::prepare(const tpu_counts &counts) {
  loaders_.begin(counts.mm, start_);
  grid_.begin(counts.mm_rows, start_);
}

bool systolic_array::advance() {
  bool moved = true;
  while (moved) {
    moved = loaders_.sweep();
    moved = grid_.sweep() || moved;
  }
  last_ = last_cycle();
  if (loaders_.finished() && grid_.finished()) {
    return true;
  }
  if (loaders_.lacks_input()) {
    lacks_token(streams_.wcol);
  }
  if (grid_.lacks_activation()) {
    lacks_token(streams_.acol);
  }
  if (grid_.lacks_result_slot()) {
    lacks_slot(streams_.cw);
  }
  return false;
}

cycle systolic_array::last_cycle() const {
  return std::max(loaders_.last_cycle(), grid_.last_cycle());
}

void systolic_array::report_blocked(std::vector<blocked_access> &out) const {
  loaders_.report_blocked(out);
  grid_.report_blocked(out);
}

} // namespace tpu::core
