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
// and every arrival or slot inside the grid is an enabled cycle of a neighbour plus a constant: a
// link. The grid is a stencil over the arrays e, stated once as the links of each PE. Rows are
// numbered through the whole run.
#ifndef TPU_MODELS_CORE_PE_GRID_H
#define TPU_MODELS_CORE_PE_GRID_H

#include "models/core/weight_loaders.h"

namespace tpu::core {

class pe_grid {
public:
  pe_grid(const tpu_params &p, const timing_profile &timing, stream_set &streams,
          weight_loaders &weights, ready_set &ready);

  void begin(std::uint32_t rows, cycle start);
  // Advances the PEs that may move; true if there were any. A PE that could go a few rows only is
  // put off: more will come, and a stretch costs the same whatever its length.
  bool sweep();
  bool has_put_off() const { return has_put_off_; }
  // Those put off may move with the next sweep, however little.
  void recall_put_off();
  // New rows, or new slots for results, at the array's edges.
  void edges_changed();
  bool finished() const { return finished_ == pes_.size(); }
  bool lacks_activation() const;  // PE (0, 0) waits for the vector registers
  bool lacks_result_slot() const; // the last PE waits for the accumulator

  void record_path(bool on) { recording_ = on; }
  const path_log &path(std::size_t k) const { return pes_[k].path; } // of PE k, row-major
  cycle last_cycle() const; // the latest in which a PE moved
  unit_counters counters(std::size_t i, std::size_t j, cycle elapsed) const;
  void report_blocked(std::vector<blocked_access> &out) const;

private:
  using index = std::int64_t; // a row, or an enabled cycle

  // The accesses of a PE; gets before puts.
  enum class port : std::int8_t {
    none,
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

  // How far a PE has come: what its neighbours look at, kept small and together.
  struct frontier {
    index n = 0;             // enabled cycles evaluated
    index flat_from = 0;     // e(c+1) = e(c) + 1 for all c from here to n - 1
    cycle last = 0;          // e(n - 1)
    cycle *origin = nullptr; // origin[c] = e(c), for the cycles still kept
  };

  // Cycle c of its owner waits for cycle c + ahead of `other`, and delay more, if the row that is
  // at `stage` in cycle c exists (and, for a slot, is not among the first that find it free).
  struct link {
    const frontier *other;
    std::int32_t ahead;
    std::int16_t delay;
    std::int8_t stage;
    port access;
  };

  struct pe {
    std::size_t i = 0, j = 0;
    index last_stage = 0; // where sum or result leaves
    int gets = 0;         // links[0 .. gets) are arrivals, the rest slots
    int count = 0;
    link links[6] = {};
    std::size_t dependents[4] = {}; // PEs with a link to this one
    int dependent_count = 0;

    frontier *f = nullptr;
    index base = 0;       // enabled cycle of e[0]
    index boundary = 0;   // row at which the next weight is taken
    std::uint64_t mm = 0; // weights taken
    cycle starved = 0, blocked = 0;
    port waits = port::none;             // what it lacked when it stopped
    const frontier *waits_for = nullptr; // which neighbour that concerns
    std::vector<cycle> e;
    path_log path;
  };

  // What one enabled cycle waits for.
  struct terms {
    cycle get, put;
    port lacking;           // information that is not there, or none
    const frontier *behind; // the neighbour that has not got that far
  };

  void connect(pe &x, const timing_profile &timing, const tpu_params &p);

  void advance(pe &x);
  terms gather(const pe &x, index c) const;
  bool step(pe &x);
  void append(pe &x, cycle t);
  void record(pe &x, index c, cycle t, bool blocked);
  void make_room(pe &x, index until);
  // How far a PE can go in bulk, and what its first cycle of the stretch waits for.
  struct stretch {
    index until;    // exclusive; n itself: not in bulk
    const link *by; // the link that limits it, or null
    bool flat;      // every neighbour runs at one row a cycle all along
    cycle get, put; // then: the terms of the first cycle
  };
  stretch plan(const pe &x) const;
  bool worth_it(const pe &x, const stretch &s) const;
  void run_bulk(pe &x, const stretch &s);
  void run_flat(pe &x, const stretch &s);
  void run_stretch(pe &x, index until, const cycle *edge_get, const cycle *edge_put);
  void take_activation(index row, cycle t);
  void produce_result(index row, cycle t);
  bool first(const pe &x) const { return x.i == 0 && x.j == 0; }
  bool bottom(const pe &x) const { return x.i + 1 == t_; }
  bool last(const pe &x) const { return bottom(x) && x.j + 1 == t_; }
  const pe &owner(const frontier *f) const {
    return pes_[static_cast<std::size_t>(f - frontiers_.data())];
  }
  void set_base(pe &x, index base) {
    x.base = base;
    x.f->origin = x.e.data() - base;
  }
  blocked_access describe(const pe &x, const terms &w) const;

  static constexpr cycle unconstrained = INT64_MIN / 2;

  const std::size_t t_;
  const index qd_;
  const index forward_, collect_;
  stream_set &streams_;
  weight_loaders &weights_;
  ready_set &ready_;
  ready_set put_off_;
  bool has_put_off_ = false;
  bool take_all_ = false; // nothing is put off
  index guard_;           // history kept; also constraint-free entries before cycle 0
  index capacity_;        // entries of pe::e
  index rows_ = 0;
  cycle start_ = 0;
  bool recording_ = false;
  std::size_t finished_ = 0;
  std::vector<pe> pes_;
  std::vector<frontier> frontiers_;      // of PE k, row-major
  std::vector<cycle> edge_;              // times at the array's edge, for a bulk of a corner PE
  std::vector<std::int8_t> activations_; // ring of rows inside the array
  std::size_t activation_mask_;
  std::uint64_t result_mm_ = 0; // mm of the next result row
  index result_boundary_ = 0;   // row at which the one after begins
  std::vector<std::int32_t> sum_;
};

} // namespace tpu::core
#endif
