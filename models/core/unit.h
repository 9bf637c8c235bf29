// SPDX-License-Identifier: Apache-2.0
// A unit of the accelerator: one process that advances in local time until it lacks information,
// and is woken when the stream it waits on has some.
#ifndef TPU_MODELS_CORE_UNIT_H
#define TPU_MODELS_CORE_UNIT_H

#include <cstdint>
#include <string>
#include <vector>

#include "isa/header.h"
#include "models/core/stream.h"

namespace tpu::core {

class unit;

// What a unit does in a cycle.
enum class unit_state : std::uint8_t { idle, busy, starved, blocked };

// How a run ends for a unit: after its last cycle it waits so many, and idles the rest.
struct run_tail {
  unit_state state = unit_state::idle; // starved or blocked, if it waits
  std::uint8_t on = TPU_WAIT_COUNT;    // enum tpu_wait
  cycle waited = 0;
};

// Cycles of a unit; with idle (what is left of the run) they sum to the run.
struct unit_counters {
  std::uint64_t promised = 0; // work the header promises
  std::uint64_t done = 0;     // work done
  cycle busy = 0;             // cycles in which it moved
  cycle starved = 0;          // gaps set by a token that came late
  cycle blocked = 0;          // gaps set by a slot or a response that came late; ties too
  cycle idle = 0;             // before its start and after its last cycle

  std::uint64_t value(enum tpu_counter c) const;
  unit_counters &operator+=(const unit_counters &other);
  // The cycles after its last one.
  void add(const run_tail &tail, cycle length) {
    starved += tail.state == unit_state::starved ? tail.waited : 0;
    blocked += tail.state == unit_state::blocked ? tail.waited : 0;
    idle += length - tail.waited;
  }
};

enum class access_kind { get, put };

// A process that cannot go: at a hang, the report; while running, what a unit sleeps on.
struct blocked_access {
  std::string process;     // who
  access_kind kind;        // which access
  std::string stream;      // of which stream
  std::uint32_t occupancy; // tokens in it
  std::uint32_t depth;
  std::string peer; // the process at the other end
  std::string held; // what its pipeline holds back meanwhile, in words; may be empty
};

// What a unit met that it cannot execute.
struct fault {
  int code = 0;           // enum tpu_hw_error of the register map
  std::uint32_t info = 0; // what ERROR_INFO shows
  std::string text;       // one sentence
  cycle at = 0;           // when
};

// Whoever runs the units: the SystemC kernel, or a plain loop.
class host {
public:
  host() = default;
  host(const host &) = delete;
  host &operator=(const host &) = delete;
  virtual ~host() = default;

  // u, which does not run, has something to do: call u.run() from u's own process, not from inside
  // this call, and better after the units already scheduled.
  virtual void schedule(unit &u) = 0;
  // The same of the caller, at the end of its run(): better after all others had their turn.
  virtual void postpone(unit &u) = 0;
  // No unit can go and none waits for the bus. Called from the last one's run().
  virtual void quiet() = 0;

protected:
  run_observer *observer_ = nullptr; // of the units' runs, or null

private:
  friend class unit;
  friend void wake(unit &sleeper);
  int active_ = 0; // units that run, are scheduled to, or wait for the bus
};

class unit {
public:
  explicit unit(std::string name) : name_(std::move(name)) {}
  unit(const unit &) = delete;
  unit &operator=(const unit &) = delete;
  virtual ~unit() = default;

  const std::string &name() const { return name_; }
  void attach(host &h) { host_ = &h; }
  // Its transfers over the bus may take simulation time.
  virtual bool masters_bus() const { return false; }
  // A number for the host's own use.
  void set_slot(std::size_t slot) { slot_ = slot; }
  std::size_t slot() const { return slot_; }

  // Forgets any earlier run; the unit does nothing until begin(). On-chip memories keep theirs.
  virtual void reset();
  // The header has been read: the unit is promised its work and starts at cycle `start`.
  void begin(const tpu_counts &counts, cycle start);
  // Advances as far as information goes. Only when scheduled.
  void run();

  bool finished() const { return state_ == state::finished; }
  // The fault that ended its part of the run, or null.
  const fault *failure() const { return state_ == state::failed ? &fault_ : nullptr; }
  // When it started, once begin() was called.
  cycle start() const { return start_; }
  // The cycle after its last one; its start if it has not moved.
  virtual cycle end() const { return last_ + 1; }
  // Counters of a run that took `elapsed` cycles: time after the last cycle is idle when finished
  // or failed, and belongs to what the unit waits for when it hangs.
  unit_counters counters(cycle elapsed) const;
  virtual run_tail tail(cycle elapsed) const;
  // Where the causes of its waits are logged from the next run on, as those of which process; null:
  // nowhere.
  void record_path(run_log *log, std::size_t process) {
    log_ = log;
    process_ = process;
  }
  cycle busy() const { return counters_.busy; }
  // Appends what it is blocked on, unless finished.
  virtual void report_blocked(std::vector<blocked_access> &out) const;

protected:
  // Sets total work and state for a new run. last_ and the counters are already set.
  virtual void prepare(const tpu_counts &counts) = 0;
  // Advances; true = finished, false = stalled (after lacks_token or lacks_slot, or a fault), or
  // yielding (after yield()).
  virtual bool advance() = 0;
  // Not stalled, but better run again after the other units had their turn.
  void yield() { yields_ = true; }
  // What the pipeline holds back, for the report.
  virtual std::string held() const { return {}; }

  // False when the information is there, else the unit will sleep until it is.
  bool lacks_token(stream_timing &s);
  bool lacks_slot(stream_timing &s);
  // It does nothing more in this run, which fails; the others go on as far as they can, so that the
  // end does not depend on who was first. Returns false, for `return fail(...)` in advance().
  bool fail(fault what);

  // The next enabled cycle: one after the last, or when get and put are ready; accounts the gap.
  // get_on, put_on: the streams that these times are of, of the ahead-th token or slot, for the
  // path.
  cycle enable(cycle get_ready, const stream_timing *get_on, cycle put_ready,
               const stream_timing *put_on, std::uint32_t ahead = 0) {
    const cycle next = last_ + 1;
    const cycle ready = get_ready > put_ready ? get_ready : put_ready;
    if (ready > next) {
      const bool blocked = put_ready >= get_ready;
      (blocked ? counters_.blocked : counters_.starved) += ready - next;
      last_ = ready;
      if (log_ != nullptr) {
        log_wait(blocked ? nullptr : get_on, put_on, ahead);
      }
    } else {
      last_ = next;
    }
    ++counters_.busy;
    return last_;
  }

  // The next `count` enabled cycles, each with a token of `get` and a slot of `put`, which are
  // known or null: their times.
  void enable(const stream_timing *get, const stream_timing *put, std::uint32_t count, cycle *t) {
    const auto on_time = [&](cycle last) { // tokens and slots are a cycle apart at least
      return (get == nullptr || get->token_ready(count - 1) <= last) &&
             (put == nullptr || put->slot_ready(count - 1) <= last);
    };
    for (std::uint32_t k = 0; k < count; ++k) {
      if (on_time(last_ + (count - k))) {
        counters_.busy += count - k;
        for (; k < count; ++k) {
          t[k] = ++last_;
        }
        return;
      }
      t[k] = enable(get != nullptr ? get->token_ready(k) : no_time, get,
                    put != nullptr ? put->slot_ready(k) : no_time, put, k);
    }
  }

  // What a wait for the ahead-th slot of s is due to.
  virtual path_entry put_cause(const stream_timing &s, cycle at, std::uint32_t ahead) const {
    return s.slot_cause(at, ahead);
  }

  static constexpr cycle no_time = INT64_MIN / 2;

  cycle start_ = 0;
  cycle last_ = -1; // the last enabled cycle
  unit_counters counters_;
  run_log *log_ = nullptr;
  std::size_t process_ = 0;

private:
  // Of the cycle last_: for a token, or if `get_on` is null for a slot. Not part of enable(), which
  // is in every unit's loop.
  [[gnu::noinline]] void log_wait(const stream_timing *get_on, const stream_timing *put_on,
                                  std::uint32_t ahead);

  friend void wake(unit &sleeper);
  enum class state { idle, scheduled, stalled, finished, failed };

  std::string name_;
  host *host_ = nullptr;
  std::size_t slot_ = 0;
  state state_ = state::idle;
  bool yields_ = false;
  access_kind stall_kind_ = access_kind::get;
  const stream_timing *stall_on_ = nullptr;
  fault fault_;
};

} // namespace tpu::core
#endif
