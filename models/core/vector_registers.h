// SPDX-License-Identifier: Apache-2.0
// vru: owns the operand vector registers. Writes rows that arrive from dma_ld or the scratchpad and
// streams activation rows into the array.
//   reads   c_vru, dma2vr, sp2vr      writes  acol[0]        promised  rows
#ifndef TPU_MODELS_CORE_VECTOR_REGISTERS_H
#define TPU_MODELS_CORE_VECTOR_REGISTERS_H

#include "models/core/machine.h"

namespace tpu::core {

class vector_registers final : public row_pipeline {
public:
  vector_registers(const tpu_params &p, const timing_profile &timing, stream_set &streams,
                   std::uint32_t seed);

protected:
  void prepare(const tpu_counts &counts) override { set_work(counts.vru); }
  route accesses(const command &c) override;
  void execute(const row_range &rows, const cycle *t) override;
  bool emit(const row_range &rows, const cycle *t) override;

private:
  const std::size_t lanes_;
  stream_set &streams_;
  std::vector<std::int8_t> rows_;
};

} // namespace tpu::core
#endif
