// SPDX-License-Identifier: Apache-2.0
#include "models/core/accumulator.h"

#include <algorithm>

#include "isa/encoding.h"
#include "models/core/garbage.h"

namespace tpu::core {

accumulator::accumulator(const tpu_params &p, const timing_profile &timing, stream_set &streams,
                         std::uint32_t seed)
    : row_pipeline("accu", streams.c_acc,
                   {timing.accumulator_stages, 1, timing.accumulator_get_stage,
                    timing.accumulator_put_stage},
                   p.t),
      lanes_(p.t), streams_(streams), rows_(std::size_t{p.nar} * p.t), first_row_(p.t) {
  fill_with_garbage(rows_, seed);
}

row_pipeline::route accumulator::accesses(const command &c) {
  switch (c.op) {
  case TPU_OP_MM:
    return {&streams_.cw, nullptr};
  case TPU_OP_MVOUT:
    return {nullptr, &streams_.ac2sp};
  default:
    return {};
  }
}

void accumulator::execute(const row_range &rows, const cycle *t) {
  const auto row = [&](int field, std::uint32_t k) {
    return &rows_[(rows.c.address[static_cast<std::size_t>(field)] + k) * lanes_];
  };
  const std::uint32_t end = rows.k + rows.count;
  switch (rows.c.op) {
  case TPU_OP_MM:
    if (rows.c.mode == 0) {
      streams_.cw.read(row(0, rows.k), rows.count);
    } else {
      for (std::uint32_t k = 0; k < rows.count;) {
        const std::uint32_t run = streams_.cw.in_a_row(k, rows.count - k);
        add(row(0, rows.k + k), row(0, rows.k + k), streams_.cw.front(k), run);
        k += run;
      }
    }
    streams_.cw.take_at(t, rows.count);
    break;
  case TPU_OP_VADD: // the first source on the even step, the second and the write on the odd one
    for (std::uint32_t k = rows.k; k < end; ++k) {
      if (k % 2 == 0) {
        std::copy_n(row(1, k / 2), lanes_, first_row_.begin());
      } else {
        add(row(0, k / 2), first_row_.data(), row(2, k / 2), 1);
      }
    }
    break;
  case TPU_OP_VRELU:
    for (std::uint32_t k = rows.k; k < end; ++k) {
      std::transform(row(1, k), row(1, k) + lanes_, row(0, k),
                     [](std::int32_t x) { return std::max(x, 0); });
    }
    break;
  default: // mvout
    for (std::uint32_t k = 0; k < rows.count; ++k) {
      const std::int32_t *from = row(0, rows.k + k);
      std::transform(from, from + lanes_, kept(rows.place + k), [](std::int32_t x) {
        return static_cast<std::int8_t>(std::clamp(x, -128, 127));
      });
    }
    break;
  }
}

// to = a + b for so many rows, as 32-bit adders do; they may be the same ones.
void accumulator::add(std::int32_t *to, const std::int32_t *a, const std::int32_t *b,
                      std::size_t rows) const {
  for (std::size_t j = 0; j < rows * lanes_; ++j) {
    to[j] = static_cast<std::int32_t>(static_cast<std::uint32_t>(a[j]) +
                                      static_cast<std::uint32_t>(b[j]));
  }
}

bool accumulator::emit(const row_range &rows, const cycle *t) {
  put_kept(rows, streams_.ac2sp, t);
  return true;
}

} // namespace tpu::core
