// SPDX-License-Identifier: Apache-2.0
// What the PEs compute: activation rows inside the array times the weights of their mm.
#ifndef TPU_MODELS_CORE_PRODUCTS_H
#define TPU_MODELS_CORE_PRODUCTS_H

#include "models/core/stream.h"

namespace tpu::core {

// Numbers are kept in 16 bits, and weights in pairs of rows: processors multiply two and add them
// up in one instruction.
class products {
public:
  // t: lanes, at most 64; inside: the most rows between the array's first and last element.
  products(std::size_t t, std::size_t inside);

  // The next `count` rows of `from`, not taken yet, are activation rows row, row + 1, ...
  void enter(std::int64_t row, std::uint32_t count, const row_stream<std::int8_t> &from);
  // Their results, sum over i of activation[i] * weights[weight_place(t, i, j)], are rows `ahead`
  // and on of what is next put to `to`.
  void leave(std::int64_t row, std::uint32_t count, const std::int16_t *weights,
             std::uint32_t ahead, row_stream<std::int32_t> &to) const;
  // Of row i, column j of t x t weights, among so many places.
  static std::size_t weight_place(std::size_t t, std::size_t i, std::size_t j) {
    return (i / 2 * t + j) * 2 + i % 2;
  }
  static std::size_t weight_places(std::size_t t) { return (t + 1) / 2 * 2 * t; }

private:
  template <std::size_t T>
  void multiply(std::int64_t row, std::uint32_t count, const std::int16_t *weights,
                std::uint32_t ahead, row_stream<std::int32_t> &to) const;
  void multiply_any(std::int64_t row, std::uint32_t count, const std::int16_t *weights,
                    std::uint32_t ahead, row_stream<std::int32_t> &to) const;
  const std::int16_t *activation(std::int64_t row) const {
    return &rows_[(static_cast<std::size_t>(row) & mask_) * t_];
  }

  // Of `count` rows from that one on, how many follow each other in the ring.
  std::uint32_t in_a_row(std::int64_t row, std::uint32_t count) const {
    const std::size_t place = static_cast<std::size_t>(row) & mask_;
    return static_cast<std::uint32_t>(std::min<std::size_t>(count, mask_ + 1 - place));
  }

  std::size_t t_;
  std::size_t mask_;
  std::vector<std::int16_t> rows_; // a ring
};

} // namespace tpu::core
#endif
