// SPDX-License-Identifier: Apache-2.0
#include "models/core/tracer.h"

#include <algorithm>

namespace tpu::core {

namespace {
constexpr std::size_t look_every = 1U << 14;   // segments that wait between two looks at all
constexpr std::size_t forget_every = 1U << 12; // dispatches
constexpr std::size_t at_once = 64;            // segments told
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
  heads_ = tournament(shape_.processes.size());
  net_.observe(this);
}

tracer::~tracer() { net_.observe(nullptr); }

void tracer::started() {
  tracks_.resize(shape_.processes.size());
  waits_.assign(tracks_.size(), {});
  steps_out_.assign(tracks_.size(), 0);
  heads_.clear();
  for (std::size_t k = 0; k < tracks_.size(); ++k) {
    spill_queue<waiting_segment> kept = std::move(tracks_[k].queue); // its memory
    kept.clear();
    tracks_[k] = track{};
    tracks_[k].queue = std::move(kept);
    tracks_[k].id = shape_.processes[k].id;
    tracks_[k].number = static_cast<std::uint32_t>(k);
    tracks_[k].leads =
        tracks_[k].id.unit == TPU_UNIT_SEQUENCER || tracks_[k].id.unit == TPU_UNIT_DMA_LD;
    tracks_[k].item_steps = item_steps_[k];
    tracks_[k].siblings = siblings_[k];
  }
  schedules_ = {};
  ends_.clear();
  for (const stream_timing *s : net_.streams()) {
    ends_.push_back({s, 0, 0, {}, {}, 0});
  }
  lacking_ = tracks_.size();
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
  if (t.queue.empty()) {
    heads_.set(t.number, head(static_cast<std::uint64_t>(from), t.number));
    --lacking_;
  }
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
  return k < s.shares.size() ? lead + s.shares[k].first * t.item_steps : never;
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

// The tokens that have passed since the last time: at most as many as a stream is deep, since the
// other end has not moved, so that their times are still there.
void tracer::poll() {
  const auto add = [](std::deque<passage> &to, cycle t) {
    if (!to.empty() && to.back().from + to.back().count == t) {
      ++to.back().count;
    } else {
      to.push_back({t, 1});
    }
  };
  for (ends &e : ends_) {
    const stream_timing &s = *e.stream;
    for (; e.puts < s.puts(); ++e.puts) {
      add(e.put, s.put_time(e.puts) + 1);
    }
    for (; e.takes < s.takes(); ++e.takes) {
      add(e.taken, s.take_time(e.takes) + 1);
    }
  }
}

// Tells the changes of occupancy up to a cycle before which all passages are known.
void tracer::change_until(cycle until) {
  if (next_change_ > until) {
    return;
  }
  const auto next = [](const std::deque<passage> &of) {
    return of.empty() ? never : of.front().from;
  };
  const auto use = [](std::deque<passage> &of, std::uint32_t count) {
    of.front().from += count;
    of.front().count -= count;
    if (of.front().count == 0) {
      of.pop_front();
    }
  };
  for (;;) {
    cycle at = never;
    for (ends &e : ends_) {
      while (next(e.put) == next(e.taken) && next(e.put) <= until) { // one in, one out
        const std::uint32_t both = std::min(e.put.front().count, e.taken.front().count);
        use(e.put, both);
        use(e.taken, both);
      }
      at = std::min({at, next(e.put), next(e.taken)});
    }
    next_change_ = at;
    if (at > until) {
      return;
    }
    for (std::size_t k = 0; k < ends_.size(); ++k) {
      ends &e = ends_[k];
      if (next(e.put) == next(e.taken) || std::min(next(e.put), next(e.taken)) != at) {
        continue;
      }
      hand_out();
      const bool in = next(e.put) == at;
      use(in ? e.put : e.taken, 1);
      e.tokens += in ? 1U : UINT32_MAX;
      sink_.occupancy(at, k, e.tokens);
    }
  }
}

void tracer::drain(bool all) {
  next_change_ = 0; // more may have come to pass
  while (all || lacking_ == 0) {
    const std::uint64_t first = heads_.least();
    if (first == tournament::absent) {
      break;
    }
    const auto number = static_cast<std::uint32_t>(first & ((1U << process_bits) - 1));
    const auto from = static_cast<cycle>(first >> process_bits);
    track &t = tracks_[number];
    hold_front(t);
    if (broken_) {
      break; // what follows is lost
    }
    change_until(from);
    const waiting_segment s = t.queue.front();
    if (!all || from < net_.elapsed()) {
      going_out_.push_back(take_out(number, from, s));
    }
    if (going_out_.size() == at_once) {
      hand_out();
    }
    t.queue.pop();
    --waiting_;
    if (!t.queue.empty()) {
      heads_.set(number, head(s.to, number));
    } else {
      heads_.set(number, tournament::absent);
      lacking_ += t.closed ? 0U : 1U;
    }
  }
  hand_out();
}

void tracer::hand_out() {
  sink_.segments(going_out_.data(), going_out_.size());
  going_out_.clear();
}

void tracer::hold_front(track &t) {
  if (t.queue.has_front()) {
    return;
  }
  const std::size_t before = t.queue.in_memory();
  broken_ = !t.queue.normalise(file_) || broken_;
  waiting_ += t.queue.in_memory() - before;
}

void tracer::spill() {
  for (track &t : tracks_) {
    const std::size_t before = t.queue.in_memory();
    t.queue.spill(file_);
    waiting_ -= before - t.queue.in_memory();
  }
}

void tracer::ran() {
  poll();
  for (std::size_t k = 0; k < tracks_.size(); k += tracks_[k].siblings) {
    if (!tracks_[k].closed && net_.finished(tracks_[k].id) &&
        net_.tail_of(tracks_[k].id, long_run).waited == 0) {
      for (std::size_t one = k; one < k + tracks_[k].siblings; ++one) {
        close(tracks_[one], long_run);
      }
    }
  }
  drain(false);
  peak_ = std::max(peak_, waiting_);
  if (waiting_ > looked_at_ + std::min(look_every, allowed_)) {
    advance_all();
    drain(false);
    if (waiting_ > allowed_) {
      spill();
    }
    looked_at_ = waiting_;
  }
  looked_at_ = std::min(looked_at_, waiting_);
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
  poll();
  for (track &t : tracks_) {
    if (!t.closed) {
      close(t, net_.elapsed());
    }
  }
  peak_ = std::max(peak_, waiting_);
  drain(true);
  change_until(net_.elapsed());
  sink_.end(net_.elapsed());
}

} // namespace tpu::core
