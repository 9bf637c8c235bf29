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
  if (!yields_ && state_ != state::failed) {
    state_ = finished ? state::finished : state::stalled;
  }
  if (host_->observer_ != nullptr) {
    host_->observer_->ran();
  }
  if (yields_) {
    host_->postpone(*this);
    return;
  }
  if (--host_->active_ == 0) {
    host_->quiet();
  }
}

unit_counters unit::counters(cycle elapsed) const {
  unit_counters c = counters_;
  c.idle = start_;
  c.add(tail(elapsed), elapsed - end());
  return c;
}

run_tail unit::tail(cycle elapsed) const {
  if (state_ != state::stalled || stall_on_ == nullptr) {
    return {};
  }
  return {stall_kind_ == access_kind::get ? unit_state::starved : unit_state::blocked,
          stall_on_->kind(), elapsed - end()};
}

std::uint64_t unit_counters::value(enum tpu_counter c) const {
  switch (c) {
#define TPU_COUNTER_VALUE(id, name, text)                                                          \
  case TPU_COUNTER_##id:                                                                           \
    return static_cast<std::uint64_t>(name);
    TPU_COUNTERS(TPU_COUNTER_VALUE)
#undef TPU_COUNTER_VALUE
  default:
    return 0;
  }
}

unit_counters &unit_counters::operator+=(const unit_counters &other) {
#define TPU_COUNTER_SUM(id, name, text) name += other.name;
  TPU_COUNTERS(TPU_COUNTER_SUM)
#undef TPU_COUNTER_SUM
  return *this;
}

void unit::report_blocked(std::vector<blocked_access> &out) const {
  if (state_ == state::stalled && stall_on_ != nullptr) {
    const std::string &peer =
        stall_kind_ == access_kind::get ? stall_on_->producer() : stall_on_->consumer();
    out.push_back({name_, stall_kind_, stall_on_->name(), stall_on_->occupancy(),
                   stall_on_->depth(), peer, held()});
  }
}

void unit::log_wait(const stream_timing *get_on, const stream_timing *put_on, std::uint32_t ahead) {
  const bool blocked = get_on == nullptr;
  path_entry e = blocked ? put_cause(*put_on, last_, ahead) : get_on->token_cause(last_, ahead);
  e.slot = blocked;
  e.step = counters_.busy;
  log_->add(process_, e);
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
