// SPDX-License-Identifier: Apache-2.0
// accu: owns the accumulator registers and the vector ALU. Takes result rows from the array,
// adds and rectifies in place, and retires saturated rows to the store unit.
//   reads   c_acc, cw[T-1]     writes  ac2sp     promised  mm + vrelu + mvout rows + 2 x vadd rows
#ifndef TPU_MODELS_CORE_ACCUMULATOR_H
#define TPU_MODELS_CORE_ACCUMULATOR_H

#include "models/core/machine.h"

namespace tpu::core {

class accumulator final : public row_pipeline {
public:
  accumulator(const tpu_params &p, const timing_profile &timing, stream_set &streams,
              std::uint32_t seed);

protected:
  void prepare(const tpu_counts &counts) override { set_work(counts.accu); }
  route accesses(const command &c) override;
  void execute(const row_range &rows, const cycle *t) override;
  bool emit(const row_range &rows, const cycle *t) override;

private:
  void add(std::int32_t *to, const std::int32_t *a, const std::int32_t *b, std::size_t rows) const;

  const std::size_t lanes_;
  stream_set &streams_;
  std::vector<std::int32_t> rows_;
  std::vector<std::int32_t> first_row_; // vadd: source 1 between its two steps
};

} // namespace tpu::core
#endif
