// SPDX-License-Identifier: Apache-2.0
#include "models/core/scratchpad.h"

#include "isa/encoding.h"
#include "models/core/garbage.h"

namespace tpu::core {

scratchpad::scratchpad(const tpu_params &p, const timing_profile &timing, stream_set &streams,
                       std::uint32_t seed)
    : row_pipeline(
          "spm", streams.c_spm,
          {timing.scratchpad_stages, 1, timing.scratchpad_get_stage, timing.scratchpad_put_stage},
          p.t),
      lanes_(p.t), streams_(streams), rows_(std::size_t{p.spad_rows} * p.t), header_(p.t) {
  fill_with_garbage(rows_, seed);
}

row_pipeline::route scratchpad::accesses(const command &c) {
  switch (c.op) {
  case TPU_OP_DMA_LD:
    return {&streams_.dma2sp, nullptr};
  case TPU_OP_VLD:
    return {nullptr, &streams_.sp2vr};
  default: // mm
    return {nullptr, &streams_.wcol};
  }
}

void scratchpad::execute(const row_range &rows, const cycle *t) {
  std::int8_t *row = rows_.data() + (rows.c.address[0] + rows.k) * lanes_;
  if (rows.c.op == TPU_OP_DMA_LD) {
    streams_.dma2sp.read(row, rows.count);
    streams_.dma2sp.take_at(t, rows.count);
  } else if (rows.c.op == TPU_OP_VLD) {
    keep(rows, row);
  } else if (rows.k != 0) { // mm: a header word goes before its weight rows
    keep(rows, row - lanes_);
  } else {
    header_[0] = static_cast<std::int8_t>(rows.c.payload); // 1..127
    keep({rows.c, 0, 1, rows.place}, header_.data());
    keep({rows.c, 1, rows.count - 1, rows.place + 1}, row);
  }
}

bool scratchpad::emit(const row_range &rows, const cycle *t) {
  put_kept(rows, rows.c.op == TPU_OP_VLD ? streams_.sp2vr : streams_.wcol, t);
  return true;
}

} // namespace tpu::core
