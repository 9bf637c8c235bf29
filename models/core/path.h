// SPDX-License-Identifier: Apache-2.0
// The critical path of a run. Each process logs when another's time, not its own last cycle, set
// one of its cycles, and the sequencer what work it dispatched; walked back from the last event
// (critical_path.cpp) these logs tell where every cycle went, and to which instruction.
#ifndef TPU_MODELS_CORE_PATH_H
#define TPU_MODELS_CORE_PATH_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "models/core/timing.h"
#include "platform/hw/counters.h"
#include "platform/hw/path_causes.h"

struct tpu_issue;

namespace tpu::core {

struct wait_sums;

// A process of the machine: its unit in the register map's order, and which instance of it. The
// register in which a weight loader keeps a weight for its PE counts T * T from the loader.
struct process_id {
  std::uint32_t unit = 0;
  std::uint32_t instance = 0;
};

// In cycle `at` the owner of the log moved because `by` had done its part in cycle `released`.
struct path_entry {
  cycle at;
  cycle released; // before `at`, or then
  process_id by;
  std::int64_t step = 0;  // which enabled cycle of the owner, from 0 at its start; a register's mm
  std::int16_t stage = 0; // PEs: the stage whose access waited
  bool slot = false;      // `by` freed a slot; else it put a token
  std::uint8_t on = TPU_WAIT_COUNT; // enum tpu_wait: what the owner waited on
};

// Work by unit, in the items that work_log counts.
using unit_work = std::array<std::uint32_t, TPU_UNIT_COUNT>;

// Who is told what is logged in place of the logs, while it happens; nothing of it is kept then.
// Calls come from inside the units' runs.
class run_observer {
public:
  run_observer() = default;
  run_observer(const run_observer &) = delete;
  run_observer &operator=(const run_observer &) = delete;
  virtual ~run_observer() = default;

  virtual void started() = 0;
  // An entry of a process's log, in the order of time for each; of loaders' registers too, which
  // number on after the processes.
  virtual void waited(std::size_t process, const path_entry &e) = 0;
  virtual void dispatched(const tpu_issue &issue, const unit_work &items) = 0;
  // A unit has run, as far as information went.
  virtual void ran() = 0;
  // The run has its outcome.
  virtual void ended() = 0;
  // What the waits of a process in the run that ended last were spent on.
  virtual const wait_sums &waits(std::size_t process) const = 0;
};

// The waits of one process, in the order of time. Between two of them every cycle is an enabled
// one.
class path_log {
public:
  void clear() { entries_.clear(); }
  void add(const path_entry &e) { entries_.push_back(e); }
  // What set the owner going last, at or before cycle t; null: its own start.
  const path_entry *before(cycle t) const {
    const auto after = std::upper_bound(entries_.begin(), entries_.end(), t,
                                        [](cycle c, const path_entry &e) { return c < e.at; });
    return after == entries_.begin() ? nullptr : &*(after - 1);
  }
  const std::vector<path_entry> &entries() const { return entries_; }
  const path_entry *last() const { return entries_.empty() ? nullptr : &entries_.back(); }

private:
  std::vector<path_entry> entries_;
};

// The waits of all processes in a run: as they come, one after the other in memory, since there are
// many processes and each waits now and then; sorted by process when first asked for.
class run_log {
public:
  // Without entries; those that come go to the observer instead, unless null.
  void begin(run_observer *observer) {
    records_.clear();
    sorted_ = 0;
    for (path_log &log : logs_) {
      log.clear();
    }
    observer_ = observer;
  }
  // Of each process in the order of time.
  void add(std::size_t process, const path_entry &e) {
    if (observer_ != nullptr) {
      observer_->waited(process, e);
    } else {
      records_.push_back({e.at, e.step, static_cast<std::int32_t>(e.at - e.released),
                          static_cast<std::uint16_t>(process),
                          static_cast<std::uint16_t>(e.by.instance),
                          static_cast<std::uint8_t>(e.by.unit), e.on, e.slot, e.stage});
    }
  }
  const path_log &of(std::size_t process) const {
    for (; sorted_ < records_.size(); ++sorted_) {
      const record &r = records_[sorted_];
      if (r.process >= logs_.size()) {
        logs_.resize(r.process + std::size_t{1});
      }
      logs_[r.process].add(
          {r.at, r.at - r.after, {r.by_unit, r.by_instance}, r.step, r.stage, r.slot, r.on});
    }
    return process < logs_.size() ? logs_[process] : none_;
  }

private:
  struct record { // a path_entry in half a line of a cache; there are at most 3 * 64 * 64 processes
    cycle at;
    std::int64_t step;
    std::int32_t after; // it was released: latencies at most
    std::uint16_t process;
    std::uint16_t by_instance;
    std::uint8_t by_unit;
    std::uint8_t on;
    bool slot;
    std::int16_t stage;
  };

  std::vector<record> records_;
  run_observer *observer_ = nullptr;
  mutable std::size_t sorted_ = 0; // of the records, those in the logs
  mutable std::vector<path_log> logs_;
  path_log none_;
};

// The work of a unit in the order of dispatch, and the instruction that each item belongs to.
class work_log {
public:
  struct share {
    std::int64_t first = 0; // the instruction's first item
    std::int32_t issue = -1;
  };

  void clear() {
    shares_.clear();
    items_ = 0;
  }
  void add(std::int64_t items, std::size_t issue) {
    shares_.push_back({items_, static_cast<std::int32_t>(issue)});
    items_ += items;
  }
  // Items past the last dispatched one count as its: a pipeline that drains.
  share of(std::int64_t item) const {
    const auto after = std::upper_bound(shares_.begin(), shares_.end(), item,
                                        [](std::int64_t i, const share &s) { return i < s.first; });
    return after == shares_.begin() ? share{} : *(after - 1);
  }

private:
  std::vector<share> shares_;
  std::int64_t items_ = 0;
};

// What a cycle of the critical path went to.
enum class path_cause : std::uint8_t {
#define TPU_PATH_CAUSE_ENUM(id, name, text) id,
  TPU_PATH_CAUSES(TPU_PATH_CAUSE_ENUM)
#undef TPU_PATH_CAUSE_ENUM
      count
};

// Cycles [from, to) of a run, from its start, on the critical path.
struct path_stretch {
  cycle from, to;
  process_id owner;
  path_cause cause;
  std::int32_t issue; // the instruction that owned them, in order of dispatch; -1: none
};

} // namespace tpu::core
#endif
