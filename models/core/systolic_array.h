// SPDX-License-Identifier: Apache-2.0
// The array: weight loaders and processing elements, evaluated together as one process, so that a
// run costs no process switch per element.
//   reads   wcol[0], acol[0]       writes  cw[T-1]
#ifndef TPU_MODELS_CORE_SYSTOLIC_ARRAY_H
#define TPU_MODELS_CORE_SYSTOLIC_ARRAY_H

#include "models/core/pe_grid.h"

namespace tpu::core {

class systolic_array final : public unit {
public:
  systolic_array(const tpu_params &p, const timing_profile &timing, stream_set &streams);

  void reset() override;
  // Counters of one instance.
  unit_counters loader_counters(std::size_t i, std::size_t j, cycle elapsed) const {
    return loaders_.counters(i, j, elapsed);
  }
  unit_counters pe_counters(std::size_t i, std::size_t j, cycle elapsed) const {
    return grid_.counters(i, j, elapsed);
  }
  run_tail loader_tail(std::size_t i, std::size_t j, cycle elapsed) const {
    return loaders_.tail(i, j, elapsed);
  }
  run_tail pe_tail(std::size_t i, std::size_t j, cycle elapsed) const {
    return grid_.tail(i, j, elapsed);
  }
  // After the latest cycle in which a loader or PE moved.
  cycle end() const override;
  // The same of its processes: the first loader, the first PE, the first loader's register.
  void record_paths(run_log *log, std::size_t loaders, std::size_t pes, std::size_t registers) {
    loaders_.record_path(log, loaders, registers);
    grid_.record_path(log, pes);
  }
  cycle loader_steps(std::size_t k) const { return loaders_.steps(k); }
  cycle pe_steps(std::size_t k) const { return grid_.steps(k); }
  void report_blocked(std::vector<blocked_access> &out) const override;

protected:
  void prepare(const tpu_counts &counts) override;
  bool advance() override;

private:
  stream_set &streams_;
  ready_set pes_; // which PEs may move
  weight_loaders loaders_;
  pe_grid grid_;
  bool recall_ = false; // the last run put PEs off: this one takes them however little they can do
};

} // namespace tpu::core
#endif
