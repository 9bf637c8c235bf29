// SPDX-License-Identifier: Apache-2.0
#include "models/core/vector_registers.h"

#include <cstring>

#include "isa/encoding.h"
#include "models/core/garbage.h"

namespace tpu::core {

namespace {
enum : std::uint8_t { from_dma, from_scratchpad, activation };
}

vector_registers::vector_registers(const tpu_params &p, const timing_profile &timing,
                                   stream_set &streams, std::uint32_t seed)
    : row_pipeline("vru", streams.c_vru,
                   {timing.vector_stages, 1, timing.vector_get_stage, timing.vector_put_stage}),
      lanes_(p.t), streams_(streams), rows_(std::size_t{p.nvr} * p.t),
      held_(ring * std::size_t{p.t}) {
  fill_with_garbage(rows_, seed);
}

row_pipeline::row_op vector_registers::decode(const command &c, std::uint32_t k) {
  row_op op;
  op.row = c.address[0] + k;
  switch (c.op) {
  case TPU_OP_DMA_LD:
    op.kind = from_dma;
    op.get = &streams_.dma2vr;
    break;
  case TPU_OP_VLD:
    op.kind = from_scratchpad;
    op.get = &streams_.sp2vr;
    break;
  default: // mm
    op.kind = activation;
    op.put = &streams_.acol;
    break;
  }
  return op;
}

void vector_registers::execute(const row_op &op, std::size_t slot, cycle t) {
  std::int8_t *row = &rows_[op.row * lanes_];
  if (op.kind == activation) {
    std::memcpy(&held_[slot * lanes_], row, lanes_);
    return;
  }
  auto &from = op.kind == from_dma ? streams_.dma2vr : streams_.sp2vr;
  std::memcpy(row, from.front(), lanes_);
  from.take_at(t);
}

bool vector_registers::emit(const row_op &, std::size_t slot, cycle t) {
  std::memcpy(streams_.acol.back(), &held_[slot * lanes_], lanes_);
  streams_.acol.put_at(t);
  return true;
}

} // namespace tpu::core
