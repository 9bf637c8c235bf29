// SPDX-License-Identifier: Apache-2.0
#include "models/core/accumulator.h"

#include <algorithm>
#include <cstring>

#include "isa/encoding.h"
#include "models/core/garbage.h"

namespace tpu::core {

namespace {
enum : std::uint8_t { overwrite, accumulate, add_first, add_second, relu, retire };

std::int32_t wrapping_sum(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
}
} // namespace

accumulator::accumulator(const tpu_params &p, const timing_profile &timing, stream_set &streams,
                         std::uint32_t seed)
    : row_pipeline("accu", streams.c_acc,
                   {timing.accumulator_stages, 1, timing.accumulator_get_stage,
                    timing.accumulator_put_stage}),
      lanes_(p.t), streams_(streams), rows_(std::size_t{p.nar} * p.t),
      held_(ring * std::size_t{p.t}), first_row_(p.t) {
  fill_with_garbage(rows_, seed);
}

row_pipeline::row_op accumulator::decode(const command &c, std::uint32_t k) {
  row_op op;
  op.row = c.address[0] + k;
  switch (c.op) {
  case TPU_OP_MM:
    op.kind = c.mode != 0 ? accumulate : overwrite;
    op.get = &streams_.cw;
    break;
  case TPU_OP_VADD: // the first source on the even step, the second and the write on the odd one
    op.kind = k % 2 == 0 ? add_first : add_second;
    op.row = c.address[0] + k / 2;
    op.other = (k % 2 == 0 ? c.address[1] : c.address[2]) + k / 2;
    break;
  case TPU_OP_VRELU:
    op.kind = relu;
    op.other = c.address[1] + k;
    break;
  default: // mvout
    op.kind = retire;
    op.put = &streams_.ac2sp;
    break;
  }
  return op;
}

void accumulator::execute(const row_op &op, std::size_t slot, cycle t) {
  std::int32_t *row = &rows_[op.row * lanes_];
  const std::int32_t *source = &rows_[op.other * lanes_];
  switch (op.kind) {
  case overwrite:
    std::memcpy(row, streams_.cw.front(), lanes_ * sizeof *row);
    streams_.cw.take_at(t);
    break;
  case accumulate: {
    const std::int32_t *sum = streams_.cw.front();
    for (std::size_t j = 0; j < lanes_; ++j) {
      row[j] = wrapping_sum(row[j], sum[j]);
    }
    streams_.cw.take_at(t);
    break;
  }
  case add_first:
    std::copy(source, source + lanes_, first_row_.begin());
    break;
  case add_second:
    for (std::size_t j = 0; j < lanes_; ++j) {
      row[j] = wrapping_sum(first_row_[j], source[j]);
    }
    break;
  case relu:
    for (std::size_t j = 0; j < lanes_; ++j) {
      row[j] = std::max(source[j], 0);
    }
    break;
  default: // retire
    for (std::size_t j = 0; j < lanes_; ++j) {
      held_[slot * lanes_ + j] = static_cast<std::int8_t>(std::clamp(row[j], -128, 127));
    }
    break;
  }
}

bool accumulator::emit(const row_op &, std::size_t slot, cycle t) {
  std::memcpy(streams_.ac2sp.back(), &held_[slot * lanes_], lanes_);
  streams_.ac2sp.put_at(t);
  return true;
}

} // namespace tpu::core
