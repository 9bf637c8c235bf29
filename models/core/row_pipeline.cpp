// SPDX-License-Identifier: Apache-2.0
#include "models/core/row_pipeline.h"

#include <algorithm>

namespace tpu::core {

row_pipeline::row_pipeline(std::string name, stream<command> &commands, const pipeline_shape &shape)
    : unit(std::move(name)), commands_(commands), shape_(shape) {}

void row_pipeline::set_work(std::uint64_t iterations) {
  counters_.promised = iterations;
  work_ = static_cast<std::int64_t>(iterations);
  limit_ = work_ == 0 ? 0 : (work_ - 1) * shape_.interval + shape_.stages;
  n_ = 0;
  left_ = 0;
}

// The iteration that is at `stage` in enabled cycle n, if there is one.
inline bool row_pipeline::iteration_at(std::int64_t n, int stage, std::int64_t &iteration) const {
  const std::int64_t since = n - stage;
  if (since < 0) {
    return false;
  }
  if (shape_.interval == 1) {
    iteration = since;
  } else {
    if (since % shape_.interval != 0) {
      return false;
    }
    iteration = since / shape_.interval;
  }
  return iteration < work_;
}

bool row_pipeline::advance() {
  while (n_ < limit_) {
    std::int64_t entering = 0;
    std::int64_t getting = 0;
    std::int64_t putting = 0;
    cycle get_ready = no_time;
    cycle put_ready = no_time;
    const stream_timing *get_on = nullptr;
    const stream_timing *put_on = nullptr;

    const bool enters = iteration_at(n_, 0, entering);
    const bool fetches = enters && left_ == 0;
    if (fetches) {
      if (lacks_token(commands_)) {
        return false;
      }
      get_ready = commands_.token_ready();
      get_on = &commands_;
    }
    if (enters) {
      const command &c = fetches ? commands_.front() : current_;
      ops_[static_cast<std::size_t>(entering) % ring] = decode(c, fetches ? 0 : c.rows - left_);
    }
    row_op *get_op = nullptr;
    if (iteration_at(n_, shape_.get_stage, getting)) {
      get_op = &ops_[static_cast<std::size_t>(getting) % ring];
      if (get_op->get != nullptr) {
        if (lacks_token(*get_op->get)) {
          return false;
        }
        if (const cycle ready = get_op->get->token_ready(); ready > get_ready) {
          get_ready = ready;
          get_on = get_op->get;
        }
      }
    }
    row_op *put_op = nullptr;
    const bool leaves = iteration_at(n_, shape_.put_stage, putting);
    if (leaves) {
      put_op = &ops_[static_cast<std::size_t>(putting) % ring];
      if (put_op->put != nullptr) {
        if (lacks_slot(*put_op->put)) {
          return false;
        }
        put_ready = put_op->put->slot_ready();
        put_on = put_op->put;
      } else {
        put_op = nullptr;
      }
    }

    const cycle t = enable(get_ready, get_on, put_ready, put_on);
    if (fetches) {
      current_ = commands_.front();
      left_ = current_.rows;
      commands_.take(t);
    }
    if (enters) {
      --left_;
    }
    if (get_op != nullptr) {
      execute(*get_op, static_cast<std::size_t>(getting) % ring, t);
    }
    if (put_op != nullptr && !emit(*put_op, static_cast<std::size_t>(putting) % ring, t)) {
      return false;
    }
    counters_.done += leaves ? 1U : 0U;
    ++n_;
  }
  return true;
}

std::string row_pipeline::held() const {
  const std::int64_t entered = std::min((n_ + shape_.interval - 1) / shape_.interval, work_);
  std::int64_t first = n_ - shape_.put_stage <= 0 ? 0 : (n_ - shape_.put_stage) / shape_.interval;
  std::int64_t waiting = 0;
  for (; first < entered; ++first) {
    waiting += ops_[static_cast<std::size_t>(first) % ring].put != nullptr ? 1 : 0;
  }
  return waiting == 0 ? std::string() : std::to_string(waiting) + " computed words";
}

} // namespace tpu::core
