// SPDX-License-Identifier: Apache-2.0
// What the PEs compute: activation rows inside the array times the weights of their mm.
#ifndef TPU_MODELS_CORE_PRODUCTS_H
#define TPU_MODELS_CORE_PRODUCTS_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tpu::core {

class products {
public:
  // t: lanes; inside: the most rows that are between the array's first and last element.
  products(std::size_t t, std::size_t inside);

  // Activation row number `row`: t elements.
  void enter(std::int64_t row, const std::int8_t *activations);
  // sums[j] = sum over i of activation[row][i] * weights[i * t + j]; wraps as 32-bit adders do.
  void leave(std::int64_t row, const std::int8_t *weights, std::int32_t *sums) const;

private:
  const std::int8_t *activation(std::int64_t row) const {
    return &rows_[(static_cast<std::size_t>(row) & mask_) * t_];
  }

  std::size_t t_;
  std::size_t mask_;
  std::vector<std::int8_t> rows_; // a ring
};

} // namespace tpu::core
#endif
