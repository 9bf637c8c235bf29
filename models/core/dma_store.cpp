// SPDX-License-Identifier: Apache-2.0
#include "models/core/dma_store.h"

#include <algorithm>

namespace tpu::core {

dma_store::dma_store(const tpu_params &p, const timing_profile &timing, stream_set &streams,
                     memory_port &memory)
    : row_pipeline("dma_st", streams.c_dst,
                   {timing.store_stages, timing.store_interval, timing.store_get_stage,
                    timing.store_request_stage, false},
                   p.t),
      lanes_(p.t), maxdim_(p.maxdim), timing_(timing), streams_(streams), memory_(memory) {
  window_.configure("write window", static_cast<std::uint32_t>(timing.store_window), 1, timing);
  window_.connect("dma_st", "memory");
}

void dma_store::reset() {
  row_pipeline::reset();
  last_answer_ = 0;
}

void dma_store::prepare(const tpu_counts &counts) {
  set_work(counts.dma_st);
  window_.reset();
  last_response_ = start_ - 1;
}

row_pipeline::route dma_store::accesses(const command &) { return {&streams_.ac2sp, &window_}; }

// Its rows come one by one: it takes no stretches.
void dma_store::execute(const row_range &rows, const cycle *t) {
  streams_.ac2sp.read(kept(rows.place), 1);
  streams_.ac2sp.take_at(t, 1);
}

bool dma_store::emit(const row_range &rows, const cycle *t) {
  return request(rows.c, rows.k, kept(rows.place), *t);
}

bool dma_store::request(const command &c, std::uint32_t k, const std::int8_t *row, cycle t) {
  const std::uint64_t address = addresses_.c + (std::uint64_t{c.address[0]} + k) * maxdim_ +
                                std::uint64_t{c.address[1]} * lanes_;
  const transfer w = memory_.write(t, address, row, lanes_);
  if (!w.ok) {
    return fail({TPU_HW_ERROR_BUS, static_cast<std::uint32_t>(address),
                 "dma_st: a write of C failed on the bus", t + w.end()});
  }
  // The next write may go in the cycle in which the response of this one is back.
  last_answer_ = t + w.end();
  const cycle response = last_answer_ + timing_.store_round_trip;
  last_response_ = std::max(last_response_, response);
  last_request_ = t;
  window_.put_at(t);
  window_.take_at(response - 1);
  return true;
}

// A response that is waited for goes back to its own request.
path_entry dma_store::put_cause(const stream_timing &s, cycle at, std::uint32_t) const {
  return {at, s.slot_filled(), {TPU_UNIT_DMA_ST, 0}, 0, 0, true, TPU_WAIT_RESPONSE};
}

run_tail dma_store::tail(cycle elapsed) const {
  if (finished() && last_response_ > last_) { // waiting for responses is not idling
    return {unit_state::blocked, TPU_WAIT_RESPONSE,
            std::min(last_response_ - last_, elapsed - end())};
  }
  return row_pipeline::tail(elapsed);
}

} // namespace tpu::core
