// SPDX-License-Identifier: Apache-2.0
#include "models/core/scratchpad.h"

#include <cstring>

#include "isa/encoding.h"
#include "models/core/garbage.h"

namespace tpu::core {

namespace {
enum : std::uint8_t { load_row, copy_row, weight_header, weight_row };
}

scratchpad::scratchpad(const tpu_params &p, const timing_profile &timing, stream_set &streams,
                       std::uint32_t seed)
    : row_pipeline(
          "spm", streams.c_spm,
          {timing.scratchpad_stages, 1, timing.scratchpad_get_stage, timing.scratchpad_put_stage}),
      lanes_(p.t), streams_(streams), rows_(std::size_t{p.spad_rows} * p.t),
      held_(ring * std::size_t{p.t}) {
  fill_with_garbage(rows_, seed);
}

row_pipeline::row_op scratchpad::decode(const command &c, std::uint32_t k) {
  row_op op;
  switch (c.op) {
  case TPU_OP_DMA_LD:
    op.kind = load_row;
    op.get = &streams_.dma2sp;
    op.row = c.address[0] + k;
    break;
  case TPU_OP_VLD:
    op.kind = copy_row;
    op.put = &streams_.sp2vr;
    op.row = c.address[0] + k;
    break;
  default: // mm
    op.kind = k == 0 ? weight_header : weight_row;
    op.put = &streams_.wcol;
    op.row = c.address[0] + (k == 0 ? 0 : k - 1);
    op.other = c.payload;
    break;
  }
  return op;
}

void scratchpad::execute(const row_op &op, std::size_t slot, cycle t) {
  std::int8_t *row = &rows_[op.row * lanes_];
  switch (op.kind) {
  case load_row:
    std::memcpy(row, streams_.dma2sp.front(), lanes_);
    streams_.dma2sp.take_at(t);
    break;
  case weight_header:
    held_[slot * lanes_] = static_cast<std::int8_t>(op.other); // 1..127
    break;
  default:
    std::memcpy(&held_[slot * lanes_], row, lanes_);
    break;
  }
}

bool scratchpad::emit(const row_op &op, std::size_t slot, cycle t) {
  auto &to = op.kind == copy_row ? streams_.sp2vr : streams_.wcol;
  std::memcpy(to.back(), &held_[slot * lanes_], lanes_);
  to.put_at(t);
  return true;
}

} // namespace tpu::core
