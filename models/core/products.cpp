// SPDX-License-Identifier: Apache-2.0
#include "models/core/products.h"

#include <algorithm>
#include <array>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "isa/params.h"

namespace tpu::core {

products::products(std::size_t t, std::size_t inside) : t_(t) {
  std::size_t ring = 1;
  while (ring <= inside) {
    ring *= 2;
  }
  mask_ = ring - 1;
  rows_.resize(ring * t);
}

void products::enter(std::int64_t row, std::uint32_t count, const row_stream<std::int8_t> &from) {
  for (std::uint32_t k = 0; k < count;) {
    const std::size_t place = static_cast<std::size_t>(row + k) & mask_;
    const auto run =
        std::min(from.in_a_row(k, count - k), static_cast<std::uint32_t>(mask_ + 1 - place));
    const std::int8_t *in = from.front(k);
    std::copy(in, in + run * t_, &rows_[place * t_]);
    k += run;
  }
}

#ifdef __SSE2__
// T: lanes, a multiple of 4.
template <std::size_t T>
void products::multiply(std::int64_t row, std::uint32_t count, const std::int16_t *weights,
                        std::uint32_t ahead, row_stream<std::int32_t> &to) const {
  __m128i w[T / 2 * (T / 4)]; // four columns each, of a pair of rows
  std::memcpy(w, weights, sizeof w);
  for (std::uint32_t k = 0; k < count;) {
    const std::int16_t *a = activation(row + k);
    std::int32_t *out = to.back(ahead + k);
    const std::uint32_t end = k + std::min(in_a_row(row + k, count - k), to.room(ahead + k));
    for (; k < end; ++k, a += T, out += T) {
      __m128i sums[T / 4] = {};
      for (std::size_t pair = 0; pair < T / 2; ++pair) {
        std::int32_t two = 0;
        std::memcpy(&two, a + 2 * pair, sizeof two);
        const __m128i twos = _mm_set1_epi32(two);
        for (std::size_t v = 0; v < T / 4; ++v) {
          sums[v] = _mm_add_epi32(sums[v], _mm_madd_epi16(twos, w[pair * T / 4 + v]));
        }
      }
      std::memcpy(out, sums, sizeof sums);
    }
  }
}
#endif

void products::multiply_any(std::int64_t row, std::uint32_t count, const std::int16_t *weights,
                            std::uint32_t ahead, row_stream<std::int32_t> &to) const {
  for (std::uint32_t k = 0; k < count; ++k) {
    const std::int16_t *a = activation(row + k);
    std::array<std::int32_t, TPU_MAX_T> sums{};
    for (std::size_t i = 0; i < t_; ++i) {
      for (std::size_t j = 0; j < t_; ++j) {
        sums[j] += a[i] * weights[weight_place(t_, i, j)];
      }
    }
    std::copy(sums.begin(), sums.begin() + static_cast<std::ptrdiff_t>(t_), to.back(ahead + k));
  }
}

void products::leave(std::int64_t row, std::uint32_t count, const std::int16_t *weights,
                     std::uint32_t ahead, row_stream<std::int32_t> &to) const {
  switch (t_) {
#ifdef __SSE2__
  case 4:
    return multiply<4>(row, count, weights, ahead, to);
  case 8:
    return multiply<8>(row, count, weights, ahead, to);
  case 16:
    return multiply<16>(row, count, weights, ahead, to);
  case 32:
    return multiply<32>(row, count, weights, ahead, to);
#endif
  default:
    return multiply_any(row, count, weights, ahead, to);
  }
}

} // namespace tpu::core
