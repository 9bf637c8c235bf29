// SPDX-License-Identifier: Apache-2.0
#include "models/core/dma_store.h"

#include <algorithm>
#include <cstring>

namespace tpu::core {

dma_store::dma_store(const tpu_params &p, const timing_profile &timing, stream_set &streams,
                     memory_port &memory)
    : row_pipeline("dma_st", streams.c_dst,
                   {timing.store_stages, timing.store_interval, timing.store_get_stage,
                    timing.store_request_stage}),
      lanes_(p.t), maxdim_(p.maxdim), timing_(timing), streams_(streams), memory_(memory),
      held_(ring * std::size_t{p.t}) {
  window_.configure("write window", static_cast<std::uint32_t>(timing.store_window), 1, timing);
  window_.connect("dma_st", "memory");
}

void dma_store::prepare(const tpu_counts &counts) {
  set_work(counts.dma_st);
  window_.reset();
  last_response_ = start_ - 1;
  last_request_ = start_ - 1;
}

row_pipeline::row_op dma_store::decode(const command &c, std::uint32_t k) {
  row_op op;
  op.get = &streams_.ac2sp;
  op.put = &window_;
  op.row = c.address[0] + k;
  op.other = c.address[1];
  return op;
}

void dma_store::execute(const row_op &, std::size_t slot, cycle t) {
  std::memcpy(&held_[slot * lanes_], streams_.ac2sp.front(), lanes_);
  streams_.ac2sp.take_at(t);
}

bool dma_store::emit(const row_op &op, std::size_t slot, cycle t) {
  const std::uint64_t address =
      addresses_.c + std::uint64_t{op.row} * maxdim_ + std::uint64_t{op.other} * lanes_;
  const transfer w = memory_.write(t, address, &held_[slot * lanes_], lanes_);
  if (!w.ok) {
    return fail({TPU_HW_ERROR_BUS, static_cast<std::uint32_t>(address),
                 "dma_st: a write of C failed on the bus"},
                t);
  }
  // The next write may go in the cycle in which the response of this one is back.
  const cycle response = t + timing_.store_round_trip + w.latency + w.occupancy;
  last_response_ = std::max(last_response_, response);
  last_request_ = t;
  window_.put_at(t);
  window_.take_at(response - 1);
  return true;
}

// A response that is waited for goes back to its own request.
path_entry dma_store::put_cause(const stream_timing &s, cycle at) const {
  return {at, s.slot_filled(), {TPU_UNIT_DMA_ST, 0}};
}

unit_counters dma_store::counters(cycle elapsed) const {
  unit_counters c = row_pipeline::counters(elapsed);
  if (finished() && last_response_ > last_) { // waiting for responses is not idling
    const cycle waited = last_response_ - last_;
    c.blocked += waited;
    c.idle -= waited;
  }
  return c;
}

} // namespace tpu::core
