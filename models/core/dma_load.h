// SPDX-License-Identifier: Apache-2.0
// dma_ld: bursts the DRAM rows of A and B that the header's spans name, both at once, then hands
// packed words to scratchpad and vector registers, one a cycle.
//   reads   c_dld, DRAM        writes  dma2sp, dma2vr        promised  dma_ld rows
#ifndef TPU_MODELS_CORE_DMA_LOAD_H
#define TPU_MODELS_CORE_DMA_LOAD_H

#include "models/core/machine.h"

namespace tpu::core {

class dma_load final : public row_pipeline {
public:
  dma_load(const tpu_params &p, const timing_profile &timing, stream_set &streams,
           memory_port &memory);
  bool masters_bus() const override { return true; }
  void set_addresses(const run_addresses &addresses) { addresses_ = addresses; }

  // Enabled cycles before the first row; of them those before data move; whether B's part of the
  // burst was the longer.
  cycle burst_steps() const { return burst_steps_; }
  cycle setup_steps() const { return setup_steps_; }
  bool burst_of_b() const { return burst_of_b_; }

protected:
  void prepare(const tpu_counts &counts) override;
  bool advance() override;
  route accesses(const command &c) override;
  void execute(const row_range &rows, const cycle *t) override;
  bool emit(const row_range &rows, const cycle *t) override;

private:
  bool burst();
  row_stream<std::int8_t> &destination(const command &c);

  const tpu_params p_;
  const timing_profile timing_;
  stream_set &streams_;
  memory_port &memory_;
  run_addresses addresses_;
  std::uint32_t a_rows_ = 0;
  std::uint32_t b_rows_ = 0;
  bool burst_due_ = false;
  cycle burst_steps_ = 0;
  cycle setup_steps_ = 0;
  bool burst_of_b_ = false;
  std::vector<std::int8_t> a_, b_; // the burst rows, MAXDIM bytes each
};

} // namespace tpu::core
#endif
