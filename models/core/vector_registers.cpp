// SPDX-License-Identifier: Apache-2.0
#include "models/core/vector_registers.h"

#include "isa/encoding.h"
#include "models/core/garbage.h"

namespace tpu::core {

vector_registers::vector_registers(const tpu_params &p, const timing_profile &timing,
                                   stream_set &streams, std::uint32_t seed)
    : row_pipeline("vru", streams.c_vru,
                   {timing.vector_stages, 1, timing.vector_get_stage, timing.vector_put_stage},
                   p.t),
      lanes_(p.t), streams_(streams), rows_(std::size_t{p.nvr} * p.t) {
  fill_with_garbage(rows_, seed);
}

row_pipeline::route vector_registers::accesses(const command &c) {
  switch (c.op) {
  case TPU_OP_DMA_LD:
    return {&streams_.dma2vr, nullptr};
  case TPU_OP_VLD:
    return {&streams_.sp2vr, nullptr};
  default: // mm
    return {nullptr, &streams_.acol};
  }
}

void vector_registers::execute(const row_range &rows, const cycle *t) {
  std::int8_t *row = &rows_[(rows.c.address[0] + rows.k) * lanes_];
  if (rows.c.op == TPU_OP_MM) {
    keep(rows, row);
    return;
  }
  row_stream<std::int8_t> &from = rows.c.op == TPU_OP_VLD ? streams_.sp2vr : streams_.dma2vr;
  from.read(row, rows.count);
  from.take_at(t, rows.count);
}

bool vector_registers::emit(const row_range &rows, const cycle *t) {
  put_kept(rows, streams_.acol, t);
  return true;
}

} // namespace tpu::core
