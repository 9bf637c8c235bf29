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
  route accesses(const command &c) override;
  void execute(const row_range &rows, const cycle *t) override;
  bool emit(const row_range &rows, const cycle *t) override;

private:
  const std::size_t lanes_;
  stream_set &streams_;
  std::vector<std::int8_t> rows_;
  std::vector<std::int8_t> header_; // of an mm: its row count in lane 0
};

} // namespace tpu::core
#endif
