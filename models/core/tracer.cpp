// SPDX-License-Identifier: Apache-2.0
#include "models/core/tracer.h"

#include <algorithm>

namespace tpu::core {

namespace {
constexpr std::size_t look_every = 1U << 13;     // segments that wait between two looks at all
constexpr std::size_t sorted_at_once = 1U << 16; // segments, if each were of one cycle
constexpr std::size_t forget_every = 1U << 12;   // dispatches
constexpr std::size_t at_once = 64;              // segments told
constexpr cycle never = INT64_MAX;
constexpr cycle long_run = INT64_MAX / 4; // of cycles that are not known yet

bool carries_instructions(std::uint8_t on) { return on <= TPU_WAIT_C_DST; }
} // namespace

tracer::tracer(network &net, trace_sink &sink, std::size_t segments)
    : net_(net), sink_(sink), allowed_(segments) {
  const std::uint32_t t = net.params().t;
  shape_.t = t;
  for (const process_id id : net.processes()) {
    const int last = id.instance < t ? net.timing().pe_top_stages : net.timing().pe_stages;
    shape_.processes.push_back({id, process_name(id, t), id.unit == TPU_UNIT_PE ? last - 1 : 0});
    std::int64_t steps = 1;
    if (id.unit == TPU_UNIT_SEQUENCER) {
      steps = net.timing().fetch_interval;
    } else if (id.unit == TPU_UNIT_DMA_ST) {
      steps = net.timing().store_interval;
    } else if (id.unit == TPU_UNIT_WLD) { // an item is the mm, a step a word
      steps = id.instance % t == 0 ? t + 1 - id.instance / t : 2;
    }
    item_steps_.push_back(steps);
    siblings_.push_back(id.unit == TPU_UNIT_WLD || id.unit == TPU_UNIT_PE ? t * t : 1);
  }
  for (const stream_timing *s : net.streams()) {
    shape_.streams.push_back({s->name(), s->depth()});
  }
  net_.observe(this);
}

tracer::~tracer() { net_.observe(nullptr); }

void tracer::started() {
  tracks_.resize(shape_.processes.size());
  waits_.assign(tracks_.size(), {});
  next_out_.assign(tracks_.size(), 0);
  known_.assign(tracks_.size(), 0);
  steps_out_.assign(tracks_.size(), 0);
  for (std::size_t k = 0; k < tracks_.size(); ++k) {
    spill_queue<waiting_segment> kept = std::move(tracks_[k].queue); // its memory
    kept.clear();
    tracks_[k] = track{};
    tracks_[k].queue = std::move(kept);
    tracks_[k].id = shape_.processes[k].id;
    tracks_[k].number = static_cast<std::uint32_t>(k);
    tracks_[k].leads =
        tracks_[k].id.unit == TPU_UNIT_SEQUENCER || tracks_[k].id.unit == TPU_UNIT_DMA_LD;
  }
  schedules_ = {};
  occupancies_.watch(net_.streams());
  issues_ = 0;
  waiting_ = 0;
  looked_at_ = 0;
  sink_.begin(shape_);
}

void tracer::dispatched(const tpu_issue &issue, const unit_work &items) {
  for (std::size_t u = 0; u < items.size(); ++u) {
    if (items[u] != 0) {
      schedules_[u].shares.push_back({schedules_[u].items, issues_, issue.index});
      schedules_[u].items += items[u];
    }
  }
  sink_.dispatched(issues_++, issue);
  if (issues_ % forget_every == 0) {
    forget();
  }
}

// of_issue: it belongs to the instruction that the process has accepted last.
void tracer::push(track &t, cycle from, cycle to, unit_state state, std::uint8_t on,
                  bool of_issue) {
  if (from == to) {
    return;
  }
  known_[t.number] = to;
  t.queue.push({static_cast<std::uint64_t>(to) & waiting_segment::to_the_end,
                static_cast<std::uint8_t>(state), on, of_issue ? t.issue : -1, t.insn});
  ++waiting_;
}

trace_segment tracer::take_out(std::uint32_t process, cycle from, const waiting_segment &s) {
  const auto state = static_cast<unit_state>(s.state);
  const auto to = static_cast<cycle>(s.to);
  trace_segment out{from, to, 0, s.issue, s.insn, process, state, static_cast<std::uint8_t>(s.on)};
  if (state == unit_state::busy) {
    out.step = steps_out_[process];
    steps_out_[process] += to - from;
  } else if (s.to == waiting_segment::to_the_end) {
    out.to = trace_segment::to_the_end;
  }
  return out;
}

// What lies before the first step.
void tracer::open(track &t) {
  if (t.open) {
    return;
  }
  t.open = true;
  const cycle units_start = net_.units_start();
  const cycle start = t.id.unit == TPU_UNIT_SEQUENCER ? net_.sequencer_start() : units_start;
  t.log = wait_reader(units_start);
  push(t, 0, start, unit_state::idle);
  push(t, start, units_start, unit_state::starved, TPU_WAIT_HEADER);
  waits_[t.number].add(unit_state::starved, TPU_WAIT_HEADER, units_start - start);
}

// The step with which the next instruction of its unit begins, if that is dispatched.
std::int64_t tracer::boundary(const track &t) const {
  const schedule &s = schedules_[t.id.unit];
  const auto k = static_cast<std::size_t>(t.begun - s.first);
  const cycle lead = t.leads ? net_.lead(t.id) : 0;
  return k < s.shares.size() ? lead + s.shares[k].first * item_steps_[t.number] : never;
}

// Accepts the instructions that begin by the step at hand; returns the step of the next one.
std::int64_t tracer::accept(track &t) {
  if (t.next > t.told) {
    return t.next;
  }
  for (; boundary(t) <= t.told; ++t.begun) {
    const schedule &s = schedules_[t.id.unit];
    const share &next = s.shares[static_cast<std::size_t>(t.begun - s.first)];
    t.issue = next.issue;
    t.insn = next.insn;
  }
  const std::int64_t next = boundary(t);
  t.next = next != never ? next : 0; // one may be dispatched yet
  return next;
}

// It has moved in all steps before `until`.
void tracer::move(track &t, std::int64_t until) {
  while (t.told < until) {
    const std::int64_t to = std::min(until, accept(t));
    push(t, t.log.time_of(t.told), t.log.time_of(to), unit_state::busy);
    t.told = to;
  }
}

void tracer::waited(std::size_t process, const path_entry &e) {
  if (process >= tracks_.size()) { // the register of a loader
    return;
  }
  track &t = tracks_[process];
  open(t);
  move(t, e.step);
  const logged_wait w = t.log.next(e);
  const bool idle = w.state == unit_state::starved && carries_instructions(w.on);
  push(t, w.from, w.to, w.state, w.on, !idle);
  waits_[t.number].add(w.state, w.on, w.to - w.from);
}

// Tells what is known of cycles without a wait: whole instructions, so that segments are the same
// whenever this is done.
void tracer::advance_all() {
  for (track &t : tracks_) {
    const std::int64_t steps = net_.steps(t.id);
    if (t.closed) {
      continue;
    }
    while (t.told < steps) {
      open(t);
      const std::int64_t next = accept(t);
      if (next > steps) {
        break;
      }
      move(t, next);
    }
  }
}

// Drops the instructions that all instances of their unit have begun, but for the last.
void tracer::forget() {
  std::array<std::int64_t, TPU_UNIT_COUNT> begun;
  begun.fill(never);
  for (const track &t : tracks_) {
    begun[t.id.unit] = std::min(begun[t.id.unit], t.begun);
  }
  for (std::size_t u = 0; u < schedules_.size(); ++u) {
    schedule &s = schedules_[u];
    const auto known = static_cast<std::int64_t>(s.shares.size());
    const std::int64_t done = std::max<std::int64_t>(std::min(begun[u] - s.first, known - 1), 0);
    s.shares.erase(s.shares.begin(), s.shares.begin() + done);
    s.first += done;
  }
}

// Tells what begins before the cycle up to which all is known, or the end of the run.
void tracer::drain(bool all) {
  const cycle stop = all ? net_.elapsed() : *std::min_element(known_.begin(), known_.end());
  const cycle last = all ? stop + 1 : stop; // streams change at the end, and no state does
  const cycle window = std::max<cycle>(sorted_at_once / tracks_.size(), 64);
  while (!broken_) {
    const cycle begin =
        std::min(*std::min_element(next_out_.begin(), next_out_.end()), occupancies_.next());
    if (begin >= last) {
      break;
    }
    const cycle until = std::min(last, begin + window);
    segments_.open(begin);
    changes_.open(begin);
    gather(until, stop);
    occupancies_.take(until, changes_);
    hand_out();
  }
}

// Takes the segments that begin before `until`, and drops those from `stop` on.
void tracer::gather(cycle until, cycle stop) {
  for (std::uint32_t k = 0; k < next_out_.size(); ++k) {
    spill_queue<waiting_segment> &queue = tracks_[k].queue;
    while (next_out_[k] < until) {
      if (!queue.has_front()) {
        const std::size_t before = queue.in_memory();
        if (!queue.normalise(file_)) {
          broken_ = true; // what follows is lost
          return;
        }
        waiting_ += queue.in_memory() - before;
      }
      const trace_segment s = take_out(k, next_out_[k], queue.front());
      queue.pop();
      --waiting_;
      next_out_[k] = s.to;
      if (s.from < stop) {
        segments_.add(s);
      }
    }
  }
}

// Tells what has been gathered.
void tracer::hand_out() {
  const std::vector<trace_segment> &sorted = segments_.close();
  const trace_segment *next = sorted.data();
  const trace_segment *const end = next + sorted.size();
  const auto tell_before = [&](cycle until) {
    while (next != end && next->from < until) {
      const trace_segment *const first = next;
      while (next != end && next->from < until && next != first + at_once) {
        ++next;
      }
      sink_.segments(first, static_cast<std::size_t>(next - first));
    }
  };
  for (const occupancy_change &c : changes_.close()) {
    tell_before(c.from);
    sink_.occupancy(c.from, c.stream, c.tokens);
  }
  tell_before(never);
}

void tracer::spill() {
  for (track &t : tracks_) {
    const std::size_t before = t.queue.in_memory();
    t.queue.spill(file_);
    waiting_ -= before - t.queue.in_memory();
  }
}

void tracer::ran() {
  occupancies_.poll();
  for (std::size_t k = 0; k < tracks_.size(); k += siblings_[k]) {
    if (!tracks_[k].closed && net_.finished(tracks_[k].id) &&
        net_.tail_of(tracks_[k].id, long_run).waited == 0) {
      for (std::size_t one = k; one < k + siblings_[k]; ++one) {
        close(tracks_[one], long_run);
      }
    }
  }
  if (waiting_ >= looked_at_ + std::min(look_every, allowed_)) {
    advance_all();
    drain(false);
    if (waiting_ > allowed_) {
      spill();
    }
    looked_at_ = waiting_;
  }
}

// What lies after the last step.
void tracer::close(track &t, cycle elapsed) {
  cycle end = 0;
  if (net_.units_start() != 0) { // else the header never came
    open(t);
    move(t, net_.steps(t.id));
    const run_tail tail = net_.tail_of(t.id, elapsed);
    const bool idle = tail.state == unit_state::starved && carries_instructions(tail.on);
    end = t.log.time_of(t.told);
    push(t, end, end + tail.waited, tail.state, tail.on, !idle);
    waits_[t.number].add(tail.state, tail.on, tail.waited);
    end += tail.waited;
  }
  push(t, end, trace_segment::to_the_end, unit_state::idle, TPU_WAIT_COUNT, false);
  t.closed = true;
}

void tracer::ended() {
  occupancies_.poll();
  for (track &t : tracks_) {
    if (!t.closed) {
      close(t, net_.elapsed());
    }
  }
  drain(true);
  sink_.end(net_.elapsed());
}

} // namespace tpu::core
