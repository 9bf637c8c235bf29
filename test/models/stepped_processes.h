// SPDX-License-Identifier: Apache-2.0
// The processes of the cycle-stepped machine: a stall pipeline, a weight loader, the
// sequencer's front. cycle_stepped.cpp puts them together.
#ifndef TPU_TEST_MODELS_STEPPED_PROCESSES_H
#define TPU_TEST_MODELS_STEPPED_PROCESSES_H

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "isa/walk.h"
#include "models/core/timing.h"
#include "platform/hw/registers.h"
#include "test/models/cycle_stepped.h"
#include "test/models/stepped_queue.h"

namespace oracle {

struct action {
  std::int64_t stage;
  queue *on;
  bool is_put;
  token value;
};

enum command_kind { from_dma, from_scratchpad, matrix, alu, retire };

// Something that moves at most once a cycle. Decides on the state at the start of the cycle, acts
// in commit().
class process {
public:
  explicit process(enum tpu_unit which) : unit(which) {}
  virtual ~process() = default;
  // Sets get_missing, put_missing; true when it can go.
  virtual bool decide(time now) = 0;
  virtual void commit(time now) = 0;
  virtual bool finished() const = 0;
  // Side activity that is no cycle of its own; true if any.
  virtual bool background(time) { return false; }

  enum tpu_unit unit;
  time start = 0, last = -1;
  bool get_missing = false, put_missing = false;
  time last_get_missing = -1, last_put_missing = -1;
  account a;

  void wait_here(time now) {
    if (get_missing) {
      last_get_missing = now;
    }
    if (put_missing) {
      last_put_missing = now;
    }
  }
  void moved(time now, time busy_from) {
    const time gap = now - busy_from;
    if (gap > 0) {
      (last_put_missing >= last_get_missing ? a.blocked : a.starved) += gap;
    }
    last_get_missing = last_put_missing = -1;
    ++a.busy;
    last = now;
  }
};

// A loop pipelined at an interval whose stages freeze together.
class pipeline final : public process {
public:
  using decoder = std::function<std::vector<action>(const token &command, std::int64_t k)>;

  pipeline(enum tpu_unit which, std::int64_t stages, std::int64_t interval, std::int64_t done_stage,
           std::int64_t work, queue &commands, decoder decode)
      : process(which), stages_(stages), interval_(interval), done_stage_(done_stage), work_(work),
        commands_(commands), decode_(std::move(decode)) {}

  std::int64_t preamble = 0; // busy cycles before the first iteration
  std::int64_t window = 0;   // writes in flight; 0 = no writes
  std::int64_t write_stage = 0, round_trip = 0;
  std::vector<time> writes;

  bool finished() const override { return work_ == 0 || (issued_ == work_ && inside_.empty()); }

  bool decide(time now) override {
    get_missing = put_missing = false;
    if (n_ < 0) { // in the preamble
      return true;
    }
    fresh_.reset();
    if (issued_ < work_ && n_ % interval_ == 0) {
      token c = command_;
      std::int64_t left = left_;
      auto entering = std::make_unique<iteration>();
      if (left == 0) {
        if (!commands_.has_token(now)) {
          get_missing = true;
        } else {
          c = commands_.front();
          left = c.rows;
          entering->fetched = true;
        }
      }
      if (left > 0) {
        entering->entry = n_;
        entering->command = c;
        entering->actions = decode_(c, c.rows - left);
        fresh_ = std::move(entering);
      }
    }
    for (const auto &it : inside_) {
      check(*it, now);
    }
    if (fresh_ != nullptr) {
      check(*fresh_, now);
    }
    return !get_missing && !put_missing;
  }

  void commit(time now) override {
    if (n_ >= 0 && fresh_ != nullptr && fresh_->fetched) {
      own_up(*fresh_);
    }
    moved(now, last + 1);
    if (n_ >= 0) {
      if (fresh_ != nullptr) {
        if (fresh_->fetched) {
          commands_.take();
          command_ = fresh_->command;
          left_ = command_.rows;
        }
        --left_;
        ++issued_;
        inside_.push_back(std::move(fresh_));
      }
      for (const auto &it : inside_) {
        const std::int64_t stage = n_ - it->entry;
        for (const action &x : it->actions) {
          if (x.stage == stage) {
            if (x.is_put) {
              x.on->put({now, x.value.rows, x.value.kind});
            } else {
              x.on->take();
            }
          }
        }
        if (window > 0 && stage == write_stage) {
          writes.push_back(now);
        }
        a.done += stage == done_stage_ ? 1 : 0;
      }
      while (!inside_.empty() && n_ + 1 - inside_.front()->entry >= stages_) {
        inside_.pop_front();
      }
    }
    ++n_;
  }

  void begin() { n_ = -preamble; }

private:
  struct iteration {
    std::int64_t entry = 0;
    bool fetched = false;
    token command{};
    std::vector<action> actions;
  };

  // While a command was missing nobody knew what its first iteration would put: that lacked its
  // slot all the same.
  void own_up(const iteration &it) {
    for (const action &x : it.actions) {
      if (x.is_put && x.stage == 0) {
        last_put_missing = std::max(last_put_missing, x.on->last_full());
      }
    }
    const auto row = static_cast<std::int64_t>(writes.size());
    if (window > 0 && write_stage == 0 && row >= window) {
      last_put_missing = std::max(last_put_missing,
                                  writes[static_cast<std::size_t>(row - window)] + round_trip - 1);
    }
  }

  void check(const iteration &it, time now) {
    const std::int64_t stage = n_ - it.entry;
    for (const action &x : it.actions) {
      if (x.stage != stage) {
        continue;
      }
      if (x.is_put) {
        put_missing = put_missing || !x.on->has_slot();
      } else {
        get_missing = get_missing || !x.on->has_token(now);
      }
    }
    const auto row = static_cast<std::int64_t>(writes.size());
    if (window > 0 && stage == write_stage && row >= window &&
        writes[static_cast<std::size_t>(row - window)] + round_trip > now) {
      put_missing = true;
    }
  }

  std::int64_t stages_, interval_, done_stage_, work_;
  queue &commands_;
  decoder decode_;
  std::int64_t n_ = 0, issued_ = 0, left_ = 0;
  token command_{};
  std::deque<std::unique_ptr<iteration>> inside_;
  std::unique_ptr<iteration> fresh_;
};

// Elastic: one word a cycle; a weight whose queue is full waits in a register.
class loader final : public process {
public:
  loader(std::int64_t words, std::int64_t mms, queue &in, queue *south, queue *east, queue &weights)
      : process(TPU_UNIT_WLD), words_(words), mms_(mms), in_(in), south_(south), east_(east),
        weights_(weights) {}

  bool finished() const override { return taken_ == mms_ && !pending_; }

  bool decide(time now) override {
    get_missing = put_missing = false;
    if (taken_ == mms_) {
      return false;
    }
    get_missing = !in_.has_token(now);
    const bool own = word_ == 1;
    const bool to_south = south_ != nullptr && !own;
    const bool to_east = east_ != nullptr && word_ <= 1;
    put_missing = (to_south && !south_->has_slot()) || (to_east && !east_->has_slot()) ||
                  (word_ + 1 == words_ && pending_);
    return !get_missing && !put_missing;
  }

  bool background(time now) override { // before commit, on the same state as decide
    flush_ = pending_ && weights_.has_slot();
    if (flush_) {
      weights_.put({now, rows_pending_, 0});
      queued_ = now;
    }
    return flush_;
  }

  void commit(time now) override {
    moved(now, last + 1);
    const token t = in_.front();
    in_.take();
    if (word_ == 0) {
      rows_ = t.rows;
    }
    if (south_ != nullptr && word_ != 1) {
      south_->put({now, t.rows, 0});
    }
    if (east_ != nullptr && word_ <= 1) {
      east_->put({now, t.rows, 0});
    }
    ++a.done;
    if (++word_ == words_) {
      word_ = 0;
      ++taken_;
      if (weights_.has_slot()) {
        weights_.put({now, rows_, 0});
        queued_ = now;
      } else {
        rows_pending_ = rows_;
        arming_ = true;
      }
    }
  }

  void settle() {
    if (flush_) {
      pending_ = false;
      flush_ = false;
    }
    if (arming_) {
      pending_ = true;
      arming_ = false;
    }
  }

  time queued() const { return queued_; }
  bool waiting_for_words() const { return taken_ < mms_; }

private:
  std::int64_t words_, mms_;
  queue &in_;
  queue *south_, *east_;
  queue &weights_;
  std::int64_t word_ = 0, taken_ = 0, rows_ = 0, rows_pending_ = 0;
  bool pending_ = false, flush_ = false, arming_ = false;
  time queued_ = -1;
};

struct outgoing {
  queue *to;
  token value;
};

// Fetches at an interval; the last cycle of a data instruction's fetch writes all its words.
class front final : public process {
public:
  front(const tpu_code &code, std::int64_t interval,
        std::function<std::vector<outgoing>(const tpu_issue &)> translate)
      : process(TPU_UNIT_SEQUENCER), interval_(interval), translate_(std::move(translate)) {
    tpu_walk w;
    tpu_issue i;
    tpu_walk_begin(&w, &code);
    while (tpu_walk_next(&w, &i) != 0) {
      issues_.push_back(i);
      fetch_of_.push_back(static_cast<std::int64_t>(w.fetches) - 1);
    }
    total_ = static_cast<std::int64_t>(tpu_total_fetches(&code));
  }

  std::int64_t preamble = 0;
  void begin() { n_ = -preamble; }
  bool finished() const override { return n_ == total_ * interval_; }

  bool decide(time) override {
    get_missing = put_missing = false;
    words_.clear();
    if (dispatches()) {
      words_ = translate_(issues_[next_]);
      for (const outgoing &o : words_) {
        put_missing = put_missing || !o.to->has_slot();
      }
    }
    return !put_missing;
  }

  void commit(time now) override {
    moved(now, last + 1);
    for (const outgoing &o : words_) {
      o.to->put({now, o.value.rows, o.value.kind});
    }
    next_ += dispatches() ? 1 : 0;
    ++n_;
    a.done = n_ < 0 ? 0 : n_ / interval_;
  }

private:
  bool dispatches() const {
    return n_ >= 0 && n_ % interval_ == interval_ - 1 && next_ < issues_.size() &&
           fetch_of_[next_] == n_ / interval_;
  }

  std::int64_t interval_;
  std::function<std::vector<outgoing>(const tpu_issue &)> translate_;
  std::vector<tpu_issue> issues_;
  std::vector<std::int64_t> fetch_of_;
  std::int64_t total_ = 0, n_ = 0;
  std::size_t next_ = 0;
  std::vector<outgoing> words_;
};

} // namespace oracle
#endif
