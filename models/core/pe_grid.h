// SPDX-License-Identifier: Apache-2.0
// pe[T][T]: the processing elements. Each takes one activation per row, from the west (column 0:
// from the north), and the partial sum from the north at its entry; passes the activation on at its
// forward stage, and the new sum south at its last. In the bottom row the result word is packed as
// it travels east instead.
//   promised  mm rows
//
// A PE is a stall pipeline: enabled cycle c happens at
//   e(c) = max( e(c-1) + 1,
//               arrivals of row c: activation, partial sum, weight where an mm begins,
//               arrival of the result word of row c - collect from the west (bottom row),
//               slots for row c - forward (east, and south in column 0) and row c - last (sum) )
// and every arrival or slot is a cycle of a neighbour plus a constant: a link. The grid is a
// stencil over timelines, stated once as the links of each PE; vru's puts and accu's takes at its
// corners are timelines too. Rows are numbered through the whole run.
#ifndef TPU_MODELS_CORE_PE_GRID_H
#define TPU_MODELS_CORE_PE_GRID_H

#include "models/core/products.h"
#include "models/core/timeline.h"
#include "models/core/weight_loaders.h"

namespace tpu::core {

class pe_grid {
public:
  pe_grid(const tpu_params &p, const timing_profile &timing, stream_set &streams,
          weight_loaders &weights, ready_set &ready);

  void begin(std::uint32_t rows, cycle start);
  // New rows, or new slots for results, at the array's edges.
  void edges_changed();
  // Advances the PEs that may move; true if any did. One that could go a few rows only is put off:
  // more will come, and a stretch costs the same whatever its length.
  bool sweep();
  // Whether a sweep may move anything: not when the last one found that no PE that it tried alone
  // could move, until there is news for one.
  bool may_move() const { return !quiet_ || !ready_.empty(); }
  bool has_put_off() const { return has_put_off_; }
  // Those put off may move with the next sweep, however little.
  void recall_put_off();
  bool finished() const { return finished_ == pes_.size(); }
  bool lacks_activation() const;  // PE (0, 0) waits for the vector registers
  bool lacks_result_slot() const; // the last PE waits for the accumulator

  // PE k, row-major, logs as process first + k.
  void record_path(run_log *log, std::size_t first) {
    log_ = log;
    first_process_ = first;
  }
  cycle steps(std::size_t k) const { return pes_[k].own->n(); }
  cycle last_cycle() const; // the latest in which a PE moved
  unit_counters counters(std::size_t i, std::size_t j, cycle elapsed) const;
  run_tail tail(std::size_t i, std::size_t j, cycle elapsed) const;
  void report_blocked(std::vector<blocked_access> &out) const;

private:
  using index = timeline::index; // a row, or an enabled cycle

  // The accesses of a PE; gets before puts.
  enum class port : std::int8_t {
    weight,
    activation,
    partial,
    collect,
    forward_east,
    forward_south,
    sum_south,
    result
  };
  static bool is_get(port p) { return p <= port::collect; }

  // Cycle c of its owner comes no earlier than `delay` after cycle c + ahead of `other`, if the row
  // that is at `stage` in cycle c exists and, for a slot, is not among the first, which find it
  // free: for c in [from, stage + rows).
  struct link {
    const timeline *other;
    std::int16_t ahead;
    std::int16_t offset; // ahead + delay: what it adds to the other's offset
    std::int16_t stage;
    port access;
  };
  index from(const link &l) const { return l.stage + (is_get(l.access) ? 0 : qd_); }

  struct alignas(64) pe { // what each advance reads comes first
    timeline *own = nullptr;
    std::int16_t ramp = 0; // from this cycle on every slot link counts
    std::uint16_t k = 0;   // its number
    std::int8_t gets = 0;  // links[0 .. gets) are arrivals, the rest slots
    std::int8_t count = 0;
    std::int8_t dependent_count = 0;
    std::uint8_t i = 0, j = 0;
    link links[6] = {};
    struct dependent { // a PE with links to this one
      std::uint16_t k;
      std::uint8_t links; // a bit each
    } dependents[4] = {};
    cycle starved = 0, blocked = 0;
  };

  // How far a PE can go from where it is, and what its first cycle then waits for.
  struct reach {
    index until;    // exclusive
    const link *by; // the first that does not reach further, or null
    bool flat;      // no neighbour's offset changes on the way: then
    cycle offset;   // is what they impose on its own
  };

  // What ends the reach of a PE that cannot go: without a link it is the weight.
  static port lacking(const reach &r) { return r.by != nullptr ? r.by->access : port::weight; }
  void connect(pe &x, const timing_profile &timing, const tpu_params &p);
  void depend(std::size_t k, int l);
  bool find_acyclic() const;

  // Of PE k: what a stretch asks of many touches neither their links nor their counters.
  bool enters_mm(std::size_t k, index c) const { return c == boundary_[k] && c < rows_; }
  bool lacks_weight(std::size_t k) const {
    return enters_mm(k, timelines_[k].n()) && !weights_.weight_known(k);
  }
  cycle weight_offset(std::size_t k) const;
  index next_boundary(std::size_t k) const;
  void take_weight(std::size_t k);
  // Where sum or result leaves.
  index last_stage(std::size_t k) const { return k < t_ ? top_last_stage_ : last_stage_; }
  // Of its cycles.
  index end(std::size_t k) const { return rows_ == 0 ? 0 : rows_ + last_stage(k); }
  bool advance(std::size_t k);
  reach look(const pe &x) const;
  reach survey(const pe &x) const;
  void meet_all(const pe &x, reach &r) const;
  void meet_some(const pe &x, reach &r) const;
  bool worth_it(const pe &x, const reach &r) const;
  void run(pe &x, const reach &r);
  index meet_segments(const pe &x, index c, const timeline::segment *at[], cycle &offset) const;
  void account(pe &x, cycle gap);
  [[gnu::noinline]] void record(pe &x, bool blocked);
  void exchange(const pe &x, index from);

  // Of stretches: see pe_grid_stretches.cpp.
  bool settled(std::size_t k) const { return (open_[k] & unsettled) == 0; }
  bool awaits_settled(std::size_t k) const {
    const timeline *const t = waits_for_[k];
    return t != nullptr && t != &entry_ && t != &exit_ && settled(number(t));
  }
  // The clock when PE k comes to its cycle c.
  index in_clock(std::size_t k, index c) const {
    return c >= far ? never : clock_ + c - timelines_[k].n();
  }
  index weight_due(std::size_t k) const {
    return in_clock(k, boundary_[k] < rows_ ? boundary_[k] : end(k));
  }
  index next_change(const pe &x) const;
  void expect_due(std::size_t k, index at) {
    due_[k] = at;
    due_bits_[k] = static_cast<std::uint16_t>(at);
  }
  void expect_change(std::size_t k, index at) {
    change_[k] = at;
    at == never ? changing_.erase(k) : changing_.insert(k);
  }
  void expect_weight(std::size_t k);
  void edge_rises(std::size_t k, index from);
  void announce(const pe &x, index c, bool in_stretch);
  void settle(std::size_t k, index next);
  void unsettle(std::size_t k);
  void finish(std::size_t k);
  void leave_behind(std::size_t k, const timeline *waits_for, index own);
  template <class Choose, class Visit> void each_open(Choose choose, Visit visit);
  template <class Visit> void each_due(index cycles, Visit visit);
  index border();
  index stride();
  void change(std::size_t k);
  void run_clock(index until);
  bool advance_together();

  bool first(const pe &x) const { return x.i == 0 && x.j == 0; }
  bool bottom(const pe &x) const { return x.i + 1U == t_; }
  bool last(const pe &x) const { return bottom(x) && x.j + 1U == t_; }
  std::size_t number(const timeline *t) const {
    return static_cast<std::size_t>(t - timelines_.data());
  }
  static std::uint8_t stream_of(const pe &x, port access); // enum tpu_wait
  blocked_access describe(const pe &x, const reach &r) const;

  static constexpr cycle unconstrained = INT64_MIN / 2;
  static constexpr index never = INT64_MAX;
  static constexpr index far = INT64_MAX / 4; // beyond any cycle
  static constexpr std::uint8_t unsettled = 0x80;
  static constexpr std::uint8_t ended = 0x40; // and unsettled for good
  static constexpr std::uint64_t highs = 0x8080808080808080;

  const std::size_t t_;
  const index qd_;
  const index forward_, collect_, last_stage_, top_last_stage_;
  stream_set &streams_;
  weight_loaders &weights_;
  ready_set &ready_;
  ready_set put_off_;
  bool has_put_off_ = false;
  bool take_all_ = false; // nothing is put off
  bool quiet_ = false;
  bool stretch_put_off_ = false;
  index rose_at_ = never; // the cycle in which the offset of the PE that advances rose first
  index rows_ = 0;
  cycle start_ = 0;
  run_log *log_ = nullptr;
  std::size_t first_process_ = 0;
  std::size_t finished_ = 0;
  bool acyclic_ = false; // no cycle of a PE can depend on itself, however the PEs stand
  std::vector<pe> pes_;
  std::vector<index> boundary_; // of PE k: the row at which it takes its next weight
  // Of PE k: bit l says that its link l is to a PE that is not settled, or to the edge, `unsettled`
  // that itself is not. A multiple of eight.
  std::vector<std::uint8_t> open_;
  std::size_t settled_ = 0; // how many are
  index clock_ = 0;         // cycles that the settled have gone together
  std::vector<index> due_;  // of PE k, if settled: the clock when it takes a weight, or ends
  // The low bits of these: tell eight by eight which may be due soon. A multiple of eight.
  std::vector<std::uint16_t> due_bits_;
  std::vector<index> change_; // the same, when it meets its next change
  ready_set changing_;        // those that have one
  struct rise {
    std::size_t k;
    cycle before; // its offset
  };
  std::vector<rise> rises_;                 // in the cycle at hand
  std::vector<std::size_t> takers_;         // those that take a weight in the stretch at hand
  std::vector<const timeline *> waits_for_; // of PE k: the neighbour it lacked when it stopped
  std::vector<timeline> timelines_;         // of PE k, row-major; then of the two edges
  timeline &entry_;                         // vru's puts of activation rows
  timeline &exit_;                          // accu's takes of result rows
  products products_;
  std::uint64_t result_mm_ = 0; // mm of the next result row
  index result_boundary_ = 0;   // row at which the one after begins
};

} // namespace tpu::core
#endif
