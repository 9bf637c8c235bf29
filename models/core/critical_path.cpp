// SPDX-License-Identifier: Apache-2.0
#include "models/core/critical_path.h"

#include <algorithm>

namespace tpu::core {

namespace {

class walk {
public:
  explicit walk(const path_facts &facts) : facts_(facts) {}
  std::vector<path_stretch> run();
  std::size_t strays() const { return strays_; }

private:
  // A process has moved in a cycle, in which this item of its work made the access that counts.
  struct event {
    process_id who;
    cycle at;
    std::int64_t item;
  };
  // The stages of a row pipeline, and its enabled cycles per item.
  struct shape {
    int get, put, interval;
  };

  shape shape_of(std::uint32_t unit) const;
  // The accelerator's part outside the items of a unit: its enabled cycles before the first.
  cycle lead(std::uint32_t unit) const;
  std::int64_t interval(process_id who) const;
  // The item that is at `stage` in an enabled cycle; the first one's, before it is there.
  std::int64_t item_at(process_id who, std::int64_t step, int stage) const;
  std::int64_t step_at(process_id who, cycle t) const;
  work_log::share share_of(process_id who, std::int64_t item) const;
  path_cause cause_of(process_id who, std::int32_t issue) const;
  bool is_register(process_id who) const {
    return who.unit == TPU_UNIT_WLD && who.instance >= facts_.t * facts_.t;
  }

  bool last_event(event &found) const;
  std::int64_t item_that_waited(const event &e, const path_entry &wait) const;
  event cause_event(const event &e, const path_entry &wait) const;
  bool strays_from(const event &e, const path_entry &wait, const event &cause) const;
  void own(const event &e, cycle since);
  void add(cycle from, cycle to, process_id owner, path_cause cause, std::int32_t issue);

  const path_facts &facts_;
  std::vector<path_stretch> back_; // latest first
  std::size_t strays_ = 0;
};

walk::shape walk::shape_of(std::uint32_t unit) const {
  const timing_profile &t = facts_.timing;
  switch (unit) {
  case TPU_UNIT_DMA_LD:
    return {0, t.load_put_stage, 1};
  case TPU_UNIT_SPM:
    return {t.scratchpad_get_stage, t.scratchpad_put_stage, 1};
  case TPU_UNIT_VRU:
    return {t.vector_get_stage, t.vector_put_stage, 1};
  case TPU_UNIT_ACCU:
    return {t.accumulator_get_stage, t.accumulator_put_stage, 1};
  default:
    return {t.store_get_stage, t.store_request_stage, t.store_interval};
  }
}

cycle walk::lead(std::uint32_t unit) const {
  return unit == TPU_UNIT_SEQUENCER ? facts_.prefetch_steps
         : unit == TPU_UNIT_DMA_LD  ? facts_.burst_steps
                                    : 0;
}

std::int64_t walk::interval(process_id who) const {
  return who.unit == TPU_UNIT_SEQUENCER ? facts_.timing.fetch_interval
         : who.unit == TPU_UNIT_DMA_ST  ? facts_.timing.store_interval
                                        : 1;
}

std::int64_t walk::item_at(process_id who, std::int64_t step, int stage) const {
  return std::max<std::int64_t>(step - lead(who.unit) - stage, 0) / interval(who);
}

std::int64_t walk::step_at(process_id who, cycle t) const {
  const path_entry *e = facts_.log(who).before(t);
  return e != nullptr ? e->step + (t - e->at) : t - facts_.units_start;
}

// Items of a loader are words, of which each mm has as many; its share is in mms.
work_log::share walk::share_of(process_id who, std::int64_t item) const {
  std::int64_t words = 1;
  if (who.unit == TPU_UNIT_WLD && !is_register(who)) {
    words = who.instance % facts_.t == 0 ? facts_.t + 1 - who.instance / facts_.t : 2;
  }
  work_log::share s = facts_.work(static_cast<enum tpu_unit>(who.unit)).of(item / words);
  s.first *= words;
  return s;
}

path_cause walk::cause_of(process_id who, std::int32_t issue) const {
  const bool mm = issue >= 0 && facts_.is_mm(issue);
  switch (who.unit) {
  case TPU_UNIT_SEQUENCER:
    return path_cause::dispatch;
  case TPU_UNIT_DMA_LD:
    return path_cause::operand_rows;
  case TPU_UNIT_SPM:
    return mm ? path_cause::weight_load : path_cause::operand_rows;
  case TPU_UNIT_VRU:
    return mm ? path_cause::array_rows : path_cause::operand_rows;
  case TPU_UNIT_WLD:
    return path_cause::weight_load;
  case TPU_UNIT_PE:
    return path_cause::array_rows;
  case TPU_UNIT_ACCU:
    return path_cause::accumulator;
  default:
    return path_cause::store;
  }
}

void walk::add(cycle from, cycle to, process_id owner, path_cause cause, std::int32_t issue) {
  if (from == to) {
    return;
  }
  if (!back_.empty()) {
    path_stretch &next = back_.back();
    if (next.owner.unit == owner.unit && next.owner.instance == owner.instance &&
        next.cause == cause && next.issue == issue) {
      next.from = from;
      return;
    }
  }
  back_.push_back({from, to, owner, cause, issue});
}

// The latest event of all, the first in data-path order on a tie; false when nothing ever moved.
bool walk::last_event(event &found) const {
  const std::uint32_t instances = facts_.t * facts_.t;
  bool any = false;
  const auto consider = [&](process_id who, std::int64_t steps) {
    const path_entry *e = facts_.log(who).last();
    if (is_register(who) ? e == nullptr : steps == 0) {
      return;
    }
    const cycle t = is_register(who) ? e->at
                    : e != nullptr   ? e->at + (steps - 1 - e->step)
                                     : facts_.units_start + steps - 1;
    if (!any || t > found.at) {
      const std::int64_t item = is_register(who) ? e->step : item_at(who, steps - 1, 0);
      found = {who, t, item};
      any = true;
    }
  };
  for (std::uint32_t u = 0; u < TPU_UNIT_COUNT; ++u) {
    const std::uint32_t count = u == TPU_UNIT_PE    ? instances
                                : u == TPU_UNIT_WLD ? 2 * instances
                                                    : 1;
    for (std::uint32_t k = 0; k < count; ++k) {
      const process_id who{u, k};
      consider(who, is_register(who) ? 0 : facts_.steps(who));
    }
  }
  return any;
}

// The cycles from `since` to the event, by the phases and instructions they belong to.
void walk::own(const event &e, cycle since) {
  const std::int64_t last = step_at(e.who, e.at);
  for (cycle to = e.at; to > since;) {
    const std::int64_t step = last - (e.at - to);
    std::int64_t first = 0; // the phase's first enabled cycle
    path_cause cause = path_cause::burst_setup;
    std::int32_t issue = -1;
    if (step >= lead(e.who.unit)) {
      const auto share = share_of(e.who, std::min(item_at(e.who, step, 0), e.item));
      first = lead(e.who.unit) + share.first * interval(e.who);
      issue = share.issue;
      cause = cause_of(e.who, issue);
    } else if (e.who.unit == TPU_UNIT_SEQUENCER) {
      cause = path_cause::prefetch;
    } else if (step >= facts_.setup_steps) {
      first = facts_.setup_steps;
      cause = facts_.burst_of_b ? path_cause::burst_b : path_cause::burst_a;
    }
    const cycle from = std::max(since, to - (step - first + 1));
    add(from, to, e.who, cause, issue);
    to = from;
  }
}

// The item of e's process whose access waited as the entry says; of row pipelines, for a token.
std::int64_t walk::item_that_waited(const event &e, const path_entry &wait) const {
  switch (e.who.unit) {
  case TPU_UNIT_SEQUENCER:
    return item_at(e.who, wait.step, 0);
  case TPU_UNIT_WLD:
    return wait.step;
  case TPU_UNIT_PE:
    return item_at(e.who, wait.step, wait.stage);
  default:
    break;
  }
  const int stage = wait.by.unit == TPU_UNIT_SEQUENCER ? 0 : shape_of(e.who.unit).get;
  return item_at(e.who, wait.step, stage);
}

// What the wait was for: the put of a token, the take that freed a slot.
walk::event walk::cause_event(const event &e, const path_entry &wait) const {
  event c{wait.by, wait.released, 0};
  if (is_register(c.who)) { // a weight that did not wait there has just come in
    const path_entry *const waited = facts_.log(c.who).before(c.at);
    if (waited != nullptr && waited->at == c.at) {
      c.item = waited->step;
      return c;
    }
    c.who.instance -= facts_.t * facts_.t;
  }
  const std::int64_t step = step_at(c.who, c.at);
  switch (c.who.unit) {
  case TPU_UNIT_SEQUENCER:
  case TPU_UNIT_WLD:
    c.item = item_at(c.who, step, 0);
    return c;
  case TPU_UNIT_PE:
    if (e.who.unit == TPU_UNIT_PE) { // tokens keep their row, a slot is that of QD rows before
      c.item = item_that_waited(e, wait) - (wait.slot ? facts_.qd : 0);
    } else if (e.who.unit == TPU_UNIT_ACCU) { // its results leave the last stage
      c.item = item_at(c.who, step, facts_.timing.pe_stages - 1);
    } else {
      c.item = item_at(c.who, step, 0);
    }
    return c;
  default:
    break;
  }
  const shape s = shape_of(c.who.unit);
  const bool put = !wait.slot || e.who.unit == c.who.unit; // dma_st waits for its own write
  c.item = item_at(c.who, step, put ? s.put : e.who.unit == TPU_UNIT_SEQUENCER ? 0 : s.get);
  return c;
}

// A token belongs to the instruction that waited for it; what a PE did for a neighbour it did with
// the row that was then at the stage of that access.
bool walk::strays_from(const event &e, const path_entry &wait, const event &cause) const {
  if (e.who.unit == TPU_UNIT_PE && cause.who.unit == TPU_UNIT_PE) {
    const timing_profile &t = facts_.timing;
    const std::int64_t passed = step_at(cause.who, cause.at) - cause.item;
    const int last = (cause.who.instance < facts_.t ? t.pe_top_stages : t.pe_stages) - 1;
    return wait.slot ? passed != 0 && passed != t.pe_collect_stage
                     : passed != t.pe_forward_stage && passed != last;
  }
  return !wait.slot &&
         share_of(cause.who, cause.item).issue != share_of(e.who, item_that_waited(e, wait)).issue;
}

std::vector<path_stretch> walk::run() {
  event e{};
  if (!last_event(e)) {
    return {{0, facts_.elapsed, {TPU_UNIT_SEQUENCER, 0}, path_cause::start_up, -1}};
  }
  if (facts_.responded && facts_.last_response >= e.at) { // it goes back to the last request
    const process_id store{TPU_UNIT_DMA_ST, 0};
    const std::int64_t step = step_at(store, facts_.last_request);
    e = {store, facts_.last_request, item_at(store, step, facts_.timing.store_request_stage)};
    add(facts_.last_response, facts_.elapsed, store, path_cause::finish, -1);
    add(e.at, facts_.last_response, store, path_cause::response_wait,
        share_of(store, e.item).issue);
  } else {
    add(e.at, facts_.elapsed, e.who, path_cause::finish, -1);
  }
  while (const path_entry *wait = facts_.log(e.who).before(e.at)) {
    own(e, wait->at);
    const event c = cause_event(e, *wait);
    const std::int32_t issue = share_of(c.who, c.item).issue;
    strays_ += strays_from(e, *wait, c) ? 1U : 0U;
    const bool response = wait->slot && e.who.unit == c.who.unit && c.who.unit == TPU_UNIT_DMA_ST;
    add(c.at, wait->at, c.who, response ? path_cause::response_wait : cause_of(c.who, issue),
        issue);
    e = c;
  }
  own(e, facts_.units_start);
  add(0, facts_.units_start, {TPU_UNIT_SEQUENCER, 0}, path_cause::start_up, -1);
  std::reverse(back_.begin(), back_.end());
  return std::move(back_);
}

} // namespace

std::vector<path_stretch> walk_critical_path(const path_facts &facts, std::size_t *strays) {
  walk w(facts);
  std::vector<path_stretch> path = w.run();
  if (strays != nullptr) {
    *strays = w.strays();
  }
  return path;
}

} // namespace tpu::core
