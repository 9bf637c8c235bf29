// SPDX-License-Identifier: Apache-2.0
#include "models/core/unit.h"

namespace tpu::core {

void wake(unit &sleeper) {
  if (sleeper.state_ == unit::state::stalled) {
    sleeper.state_ = unit::state::scheduled;
    ++sleeper.host_->active_;
    sleeper.host_->schedule(sleeper);
  }
}

void unit::reset() {
  if (state_ == state::scheduled) {
    --host_->active_;
  }
  state_ = state::idle;
  counters_ = {};
  start_ = 0;
  last_ = -1;
  stall_on_ = nullptr;
  path_.clear();
}

void unit::begin(const tpu_counts &counts, cycle start) {
  start_ = start;
  last_ = start - 1;
  counters_ = {};
  prepare(counts);
  state_ = state::scheduled;
  ++host_->active_;
  host_->schedule(*this);
}

void unit::run() {
  if (state_ != state::scheduled) {
    return;
  }
  yields_ = false;
  const bool finished = advance();
  if (yields_) {
    host_->schedule(*this);
    return;
  }
  if (state_ != state::failed) {
    state_ = finished ? state::finished : state::stalled;
  }
  if (--host_->active_ == 0) {
    host_->quiet();
  }
}

unit_counters unit::counters(cycle elapsed) const {
  unit_counters c = counters_;
  const cycle tail = elapsed - end();
  c.idle = start_;
  if (state_ == state::stalled) {
    (stall_kind_ == access_kind::get ? c.starved : c.blocked) += tail;
  } else {
    c.idle += tail;
  }
  return c;
}

void unit::report_blocked(std::vector<blocked_access> &out) const {
  if (state_ == state::stalled && stall_on_ != nullptr) {
    const std::string &peer =
        stall_kind_ == access_kind::get ? stall_on_->producer() : stall_on_->consumer();
    out.push_back({name_, stall_kind_, stall_on_->name(), stall_on_->occupancy(),
                   stall_on_->depth(), peer, held()});
  }
}

bool unit::lacks_token(stream_timing &s) {
  if (s.tokens_known() > 0) {
    return false;
  }
  s.await_token(*this);
  stall_kind_ = access_kind::get;
  stall_on_ = &s;
  return true;
}

bool unit::lacks_slot(stream_timing &s) {
  if (s.slots_known() > 0) {
    return false;
  }
  s.await_slot(*this);
  stall_kind_ = access_kind::put;
  stall_on_ = &s;
  return true;
}

bool unit::fail(fault what) {
  fault_ = std::move(what);
  state_ = state::failed;
  return false;
}

} // namespace tpu::core
