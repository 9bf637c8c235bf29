// SPDX-License-Identifier: Apache-2.0
#include "models/core/row_pipeline.h"

#include <algorithm>
#include <cstring>

namespace tpu::core {

row_pipeline::row_pipeline(std::string name, stream<command> &commands, const pipeline_shape &shape,
                           std::size_t lanes)
    : unit(std::move(name)), commands_(commands), shape_(shape), lanes_(lanes),
      kept_(ring * lanes) {}

void row_pipeline::set_work(std::uint64_t iterations) {
  counters_.promised = iterations;
  work_ = static_cast<std::int64_t>(iterations);
  limit_ = work_ == 0 ? 0 : (work_ - 1) * shape_.interval + shape_.stages;
  n_ = 0;
  left_ = 0;
  current_ = 0;
}

// The iteration that is at `stage` in enabled cycle n, if there is one.
inline bool row_pipeline::iteration_at(std::int64_t n, int stage, std::int64_t &number) const {
  const std::int64_t since = n - stage;
  if (since < 0) {
    return false;
  }
  if (shape_.interval == 1) {
    number = since;
  } else {
    if (since % shape_.interval != 0) {
      return false;
    }
    number = since / shape_.interval;
  }
  return number < work_;
}

bool row_pipeline::advance() {
  while (n_ < limit_) {
    if (advance_stretch() ? lacks_next() : !step()) {
      return false;
    }
  }
  return true;
}

// After a stretch: whether the next row of the same command, if there is one, lacks what its
// streams are to give. Its accesses are of rows that go the same way.
bool row_pipeline::lacks_next() {
  const route &where = commands_inside_[current_].where;
  return left_ != 0 && ((where.get != nullptr && lacks_token(*where.get)) ||
                        (where.put != nullptr && lacks_slot(*where.put)));
}

// One enabled cycle with all its accesses; false when information lacks, or at a fault.
bool row_pipeline::step() {
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
  if (enters) { // may be tried again
    const std::size_t slot = fetches ? (current_ + 1) % ring : current_;
    active &a = commands_inside_[slot];
    if (fetches) {
      a = {commands_.front(), accesses(commands_.front())};
    }
    inside(entering) = {&a, fetches ? 0 : a.c.rows - left_};
  }
  const iteration *gets = nullptr;
  if (iteration_at(n_, shape_.get_stage, getting)) {
    gets = &inside(getting);
    if (stream_timing *from = gets->of->where.get; from != nullptr) {
      if (lacks_token(*from)) {
        return false;
      }
      if (const cycle ready = from->token_ready(); ready > get_ready) {
        get_ready = ready;
        get_on = from;
      }
    }
  }
  const iteration *puts = nullptr;
  const bool leaves = iteration_at(n_, shape_.put_stage, putting);
  if (leaves) {
    if (stream_timing *to = inside(putting).of->where.put; to != nullptr) {
      if (lacks_slot(*to)) {
        return false;
      }
      puts = &inside(putting);
      put_ready = to->slot_ready();
      put_on = to;
    }
  }

  const cycle t = enable(get_ready, get_on, put_ready, put_on);
  if (fetches) {
    current_ = (current_ + 1) % ring;
    left_ = commands_inside_[current_].c.rows;
    commands_.take(t);
  }
  if (enters) {
    --left_;
  }
  if (gets != nullptr) {
    execute({gets->of->c, gets->k, 1, static_cast<std::size_t>(getting)}, &t);
  }
  if (puts != nullptr && !emit({puts->of->c, puts->k, 1, static_cast<std::size_t>(putting)}, &t)) {
    return false;
  }
  counters_.done += leaves ? 1U : 0U;
  ++n_;
  return true;
}

// A stretch of the current command, when every row at a stage with an access is its own or of one
// before it that goes the same way: the times are a running maximum, the data move in bulk. False:
// not now.
bool row_pipeline::advance_stretch() {
  const active &a = commands_inside_[current_];
  const std::uint32_t k = a.c.rows - left_;
  const auto get_stage = static_cast<std::uint32_t>(shape_.get_stage);
  const auto put_stage = static_cast<std::uint32_t>(shape_.put_stage);
  if (!shape_.stretches || shape_.interval != 1 || left_ < 2 || n_ >= work_) {
    return false;
  }
  if (k < put_stage) {
    const active &before = commands_inside_[(current_ - 1) % ring];
    if (n_ < put_stage || before.c.rows < put_stage || before.where.get != a.where.get ||
        before.where.put != a.where.put) {
      return false;
    }
  }
  auto count = std::min(left_, static_cast<std::uint32_t>(ring - (put_stage - get_stage)));
  count = static_cast<std::uint32_t>(std::min<std::int64_t>(count, work_ - n_));
  stream_timing *const get = a.where.get;
  stream_timing *const put = a.where.put;
  count = get != nullptr ? std::min(count, get->tokens_known()) : count;
  count = put != nullptr ? std::min(count, put->slots_known()) : count;
  if (count < 2) {
    return false;
  }
  cycle t[ring];
  enable(get, put, count, t);
  const auto at_stage = [&](std::uint32_t stage, auto visit) {
    const std::uint32_t of_before = std::min(count, stage - std::min(stage, k));
    const auto place = static_cast<std::size_t>(n_) - stage;
    if (of_before != 0) {
      const command &before = commands_inside_[(current_ - 1) % ring].c;
      visit({before, before.rows + k - stage, of_before, place}, t);
    }
    if (of_before != count) {
      visit({a.c, k + of_before - stage, count - of_before, place + of_before}, t + of_before);
    }
  };
  at_stage(get_stage, [this](const row_range &rows, const cycle *at) { execute(rows, at); });
  if (put != nullptr) {
    at_stage(put_stage, [this](const row_range &rows, const cycle *at) { emit(rows, at); });
  }
  for (std::uint32_t j = count - std::min(count, put_stage); j < count; ++j) { // do not leave yet
    inside(n_ + j) = {&a, k + j};
  }
  left_ -= count;
  counters_.done += count;
  n_ += count;
  return true;
}

void row_pipeline::keep(const row_range &rows, const std::int8_t *from) {
  for (std::uint32_t k = 0; k < rows.count;) {
    const std::uint32_t run = kept_in_a_row(rows, k);
    std::memcpy(kept(rows.place + k), from + k * lanes_, run * lanes_);
    k += run;
  }
}

void row_pipeline::put_kept(const row_range &rows, row_stream<std::int8_t> &to, const cycle *t) {
  for (std::uint32_t k = 0; k < rows.count;) {
    const std::uint32_t run = kept_in_a_row(rows, k);
    to.write(kept(rows.place + k), k, run);
    k += run;
  }
  to.put_at(t, rows.count);
}

std::string row_pipeline::held() const {
  const std::int64_t entered = std::min((n_ + shape_.interval - 1) / shape_.interval, work_);
  std::int64_t first = n_ - shape_.put_stage <= 0 ? 0 : (n_ - shape_.put_stage) / shape_.interval;
  std::int64_t waiting = 0;
  for (; first < entered; ++first) {
    const active *of = inside_[static_cast<std::size_t>(first) % ring].of;
    waiting += of->where.put != nullptr ? 1 : 0;
  }
  return waiting == 0 ? std::string() : std::to_string(waiting) + " computed words";
}

} // namespace tpu::core
