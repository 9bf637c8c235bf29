// SPDX-License-Identifier: Apache-2.0
#include "models/core/dma_load.h"

#include <algorithm>
#include <cstring>

#include "isa/encoding.h"

namespace tpu::core {

dma_load::dma_load(const tpu_params &p, const timing_profile &timing, stream_set &streams,
                   memory_port &memory)
    : row_pipeline("dma_ld", streams.c_dld, {timing.load_stages, 1, 0, timing.load_put_stage}, 0),
      p_(p), timing_(timing), streams_(streams), memory_(memory),
      a_(static_cast<std::size_t>(p.maxdim) * p.maxdim), b_(a_.size()) {}

void dma_load::prepare(const tpu_counts &counts) {
  set_work(counts.dma_ld);
  a_rows_ = std::min(counts.a_span, p_.maxdim); // a span past the image is the header's fault
  b_rows_ = std::min(counts.b_span, p_.maxdim);
  burst_due_ = counts.dma_ld != 0;
  burst_steps_ = 0;
  setup_steps_ = 0;
  burst_of_b_ = false;
}

// Both images are read at once; the longer burst counts. A step takes words of both, one a cycle at
// best, from the first data of both on; the last has the last data. Setup, steps and what the
// memory adds are busy cycles before the first row.
bool dma_load::burst() {
  const cycle words = static_cast<cycle>(std::max(a_rows_, b_rows_)) * tpu_words_per_row(&p_);
  const cycle steps = (words + p_.dma_words - 1) / p_.dma_words;
  const bool large = p_.nvr > static_cast<std::uint32_t>(timing_.large_memory_rows);
  const auto [a, b] =
      memory_.read_both(start_, {addresses_.a, a_.data(), std::size_t{a_rows_} * p_.maxdim},
                        {addresses_.b, b_.data(), std::size_t{b_rows_} * p_.maxdim});
  const cycle last_data = std::max(a.end(), b.end());
  if (!a.ok || !b.ok) {
    const bool is_a = !a.ok;
    return fail(
        {TPU_HW_ERROR_BUS, static_cast<std::uint32_t>(is_a ? addresses_.a : addresses_.b),
         std::string("dma_ld: the operand burst of ") + (is_a ? "A" : "B") + " failed on the bus",
         start_ + last_data});
  }
  setup_steps_ = timing_.load_setup_cycles + (large ? timing_.large_memory_cycles : 0);
  const cycle taken = setup_steps_ + std::max(std::max(a.latency, b.latency) + steps, last_data);
  burst_steps_ = taken;
  burst_of_b_ = b_rows_ > a_rows_;
  last_ += taken;
  counters_.busy += taken;
  return true;
}

bool dma_load::advance() {
  if (burst_due_) {
    if (!burst()) {
      return false;
    }
    burst_due_ = false;
  }
  return row_pipeline::advance();
}

row_pipeline::route dma_load::accesses(const command &c) { return {nullptr, &destination(c)}; }

row_stream<std::int8_t> &dma_load::destination(const command &c) {
  return (c.mode & TPU_DMA_DEST_VR) != 0 ? streams_.dma2vr : streams_.dma2sp;
}

void dma_load::execute(const row_range &, const cycle *) {}

bool dma_load::emit(const row_range &rows, const cycle *t) {
  const std::vector<std::int8_t> &image = (rows.c.mode & TPU_DMA_SOURCE_B) != 0 ? b_ : a_;
  row_stream<std::int8_t> &to = destination(rows.c);
  const std::size_t column = std::size_t{rows.c.address[1]} * p_.t;
  for (std::uint32_t k = 0; k < rows.count; ++k) {
    const std::size_t row = rows.c.address[0] + rows.k + k;
    std::memcpy(to.back(k), &image[row * p_.maxdim + column], p_.t);
  }
  to.put_at(t, rows.count);
  return true;
}

} // namespace tpu::core
