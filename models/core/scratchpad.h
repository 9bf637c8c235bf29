// SPDX-License-Identifier: Apache-2.0
// spm: owns the scratchpad. Writes rows that arrive from dma_ld, copies rows to the vector
// registers, and for an mm sends the row count and T weight rows to the array.
//   reads   c_spm, dma2sp      writes  sp2vr, wcol[0]        promised  rows + (T + 1) per mm
#ifndef TPU_MODELS_CORE_SCRATCHPAD_H
#define TPU_MODELS_CORE_SCRATCHPAD_H

#include "models/core/machine.h"

namespace tpu::core {

class scratchpad final : public row_pipeline {
public:
  // Its memory holds garbage from `seed`: nothing on chip is ever cleared.
  scratchpad(const tpu_params &p, const timing_profile &timing, stream_set &streams,
             std::uint32_t seed);

protected:
  void prepare(const tpu_counts &counts) override { set_work(counts.spm); }
  row_op decode(const command &c, std::uint32_t k) override;
  void execute(const row_op &op, std::size_t slot, cycle t) override;
  bool emit(const row_op &op, std::size_t slot, cycle t) override;

private:
  const std::size_t lanes_;
  stream_set &streams_;
  std::vector<std::int8_t> rows_;
  std::vector<std::int8_t> held_; // ring words between read and put
};

} // namespace tpu::core
#endif
