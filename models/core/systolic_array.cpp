// SPDX-License-Identifier: Apache-2.0
#include "models/core/systolic_array.h"

#include <algorithm>

namespace tpu::core {

systolic_array::systolic_array(const tpu_params &p, const timing_profile &timing,
                               stream_set &streams)
    : unit("array"), streams_(streams), pes_(std::size_t{p.t} * p.t),
      loaders_(p, timing, streams, pes_), grid_(p, timing, streams, loaders_, pes_) {}

void systolic_array::reset() {
  unit::reset();
  loaders_.begin(0, 0);
  grid_.begin(0, 0);
  recall_ = false;
}

void systolic_array::prepare(const tpu_counts &counts) {
  loaders_.begin(counts.mm, start_);
  grid_.begin(counts.mm_rows, start_);
}

bool systolic_array::advance() {
  loaders_.input_arrived();
  grid_.edges_changed();
  if (recall_) {
    grid_.recall_put_off();
    recall_ = false;
  }
  bool moved = false;
  do { // only what the grid takes lets the loaders go on, but for those a sweep left ready
    loaders_.sweep();
    moved = grid_.may_move() && grid_.sweep();
  } while (moved || loaders_.any_ready());
  if (grid_.has_put_off()) {
    recall_ = true;
    yield();
    return false;
  }
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

cycle systolic_array::end() const {
  return std::max(loaders_.last_cycle(), grid_.last_cycle()) + 1;
}

void systolic_array::report_blocked(std::vector<blocked_access> &out) const {
  loaders_.report_blocked(out);
  grid_.report_blocked(out);
}

} // namespace tpu::core
