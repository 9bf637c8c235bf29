// SPDX-License-Identifier: Apache-2.0
#include "models/core/products.h"

#include <algorithm>
#include <cstring>

namespace tpu::core {

namespace {

// T: lanes when the compiler may know them, else 0.
template <std::size_t T>
void multiply(std::size_t t, const std::int8_t *activations, const std::int8_t *weights,
              std::int32_t *sums) {
  const std::size_t lanes = T != 0 ? T : t;
  std::fill(sums, sums + lanes, 0);
  for (std::size_t i = 0; i < lanes; ++i) {
    const std::int16_t a = activations[i];
    const std::int8_t *w = weights + i * lanes;
    for (std::size_t j = 0; j < lanes; ++j) {
      const auto product = static_cast<std::int16_t>(a * w[j]); // at most 2^14
      sums[j] += product;
    }
  }
}

} // namespace

products::products(std::size_t t, std::size_t inside) : t_(t) {
  std::size_t ring = 1;
  while (ring <= inside) {
    ring *= 2;
  }
  mask_ = ring - 1;
  rows_.resize(ring * t);
}

void products::enter(std::int64_t row, const std::int8_t *activations) {
  std::memcpy(&rows_[(static_cast<std::size_t>(row) & mask_) * t_], activations, t_);
}

void products::leave(std::int64_t row, const std::int8_t *weights, std::int32_t *sums) const {
  switch (t_) {
  case 4:
    return multiply<4>(t_, activation(row), weights, sums);
  case 8:
    return multiply<8>(t_, activation(row), weights, sums);
  case 16:
    return multiply<16>(t_, activation(row), weights, sums);
  default:
    return multiply<0>(t_, activation(row), weights, sums);
  }
}

} // namespace tpu::core
