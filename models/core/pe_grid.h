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
// and every arrival or slot is an enabled cycle of a neighbour plus a constant, so the grid is a
// stencil over the arrays e. Rows are numbered through the whole run.
#ifndef TPU_MODELS_CORE_PE_GRID_H
#define TPU_MODELS_CORE_PE_GRID_H

#include "models/core/weight_loaders.h"

namespace tpu::core {

class pe_grid {
public:
  pe_grid(const tpu_params &p, const timing_profile &timing, stream_set &streams,
          weight_loaders &weights);

  void begin(std::uint32_t rows, cycle start);
  // Advances every PE once as far as information goes; true if any moved.
  bool sweep();
  bool finished() const { return finished_ == pes_.size(); }
  bool lacks_activation() const;  // PE (0, 0) waits for the vector registers
  bool lacks_result_slot() const; // the last PE waits for the accumulator

  cycle last_cycle() const; // the latest in which a PE moved
  unit_counters counters(std::size_t i, std::size_t j, cycle elapsed) const;
  void report_blocked(std::vector<blocked_access> &out) const;

private:
  using index = std::int64_t; // a row, or an enabled cycle

  // The accesses of a PE; what a report names.
  enum class port {
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

  struct pe {
    std::size_t i = 0, j = 0;
    index last_stage = 0; // where sum or result leaves
    index n = 0;          // enabled cycles evaluated
    index base = 0;       // enabled cycle of e[0]
    index boundary = 0;   // row at which the next weight is taken
    std::uint64_t mm = 0; // weights taken
    cycle last = 0;
    cycle starved = 0, blocked = 0;
    std::vector<cycle> e;
  };

  // What one enabled cycle waits for.
  struct terms {
    cycle get, put;
    port lacking = port::none; // information that is not there
  };

  bool advance(pe &x);
  terms gather(const pe &x, index c) const;
  index bulk_limit(const pe &x) const;
  void run_bulk(pe &x, index until);
  bool step(pe &x);
  void append(pe &x, cycle t);
  void produce_result(index row, cycle t);
  cycle at(const pe &x, index c) const { return x.e[static_cast<std::size_t>(c - x.base)]; }
  const pe &west(const pe &x) const { return pes_[x.i * t_ + x.j - 1]; }
  const pe &east(const pe &x) const { return pes_[x.i * t_ + x.j + 1]; }
  const pe &north(const pe &x) const { return pes_[(x.i - 1) * t_ + x.j]; }
  const pe &south(const pe &x) const { return pes_[(x.i + 1) * t_ + x.j]; }
  blocked_access describe(const pe &x, port lacking) const;

  const std::size_t t_;
  const index qd_;
  const index forward_, collect_;
  stream_set &streams_;
  weight_loaders &weights_;
  stream_timing column_shape_, forward_shape_, partial_shape_, result_shape_; // latencies only
  index guard_;    // history kept; also constraint-free entries before cycle 0
  index capacity_; // entries of pe::e
  index rows_ = 0;
  cycle start_ = 0;
  std::size_t finished_ = 0;
  std::vector<pe> pes_;
  std::vector<std::int8_t> activations_; // ring of rows inside the array
  std::size_t activation_mask_;
  std::uint64_t result_mm_ = 0; // mm of the next result row
  index result_boundary_ = 0;   // row at which the one after begins
  std::vector<std::int32_t> sum_;
};

} // namespace tpu::core
#endif
