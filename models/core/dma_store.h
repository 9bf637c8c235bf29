// SPDX-License-Identifier: Apache-2.0
// dma_st: writes retired rows to C, each as one single-beat write. A window of writes may be in
// flight; then each waits for the oldest response.
//   reads   c_dst, ac2sp       writes  DRAM      promised  mvout rows
#ifndef TPU_MODELS_CORE_DMA_STORE_H
#define TPU_MODELS_CORE_DMA_STORE_H

#include "models/core/machine.h"

namespace tpu::core {

class dma_store final : public row_pipeline {
public:
  dma_store(const tpu_params &p, const timing_profile &timing, stream_set &streams,
            memory_port &memory);
  bool masters_bus() const override { return true; }
  void set_addresses(const run_addresses &addresses) { addresses_ = addresses; }
  // The cycle of the last response, or of its last own cycle where that is later.
  cycle last_response() const { return last_response_; }
  // The cycle of the last request, where the run made one.
  cycle last_request() const { return last_request_; }
  // The cycle in which the memory, slower than the ideal one or not, had done the last request; 0
  // before there was one.
  cycle last_answer() const { return last_answer_; }
  void reset() override;
  run_tail tail(cycle elapsed) const override;

protected:
  void prepare(const tpu_counts &counts) override;
  route accesses(const command &c) override;
  void execute(const row_range &rows, const cycle *t) override;
  bool emit(const row_range &rows, const cycle *t) override;
  path_entry put_cause(const stream_timing &s, cycle at, std::uint32_t ahead) const override;

private:
  bool request(const command &c, std::uint32_t k, const std::int8_t *row, cycle t);

  const std::uint32_t lanes_;
  const std::uint32_t maxdim_;
  const timing_profile timing_;
  stream_set &streams_;
  memory_port &memory_;
  run_addresses addresses_;
  stream_timing window_; // a slot per write in flight; freed by its response
  cycle last_response_ = 0;
  cycle last_request_ = 0;
  cycle last_answer_ = 0;
};

} // namespace tpu::core
#endif
