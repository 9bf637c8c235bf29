// SPDX-License-Identifier: Apache-2.0
// Which of a fixed number of elements have something to do: a bit each, visited in order.
#ifndef TPU_MODELS_CORE_READY_SET_H
#define TPU_MODELS_CORE_READY_SET_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tpu::core {

class ready_set {
public:
  explicit ready_set(std::size_t elements) : words_((elements + 63) / 64) {}

  void insert(std::size_t k) { words_[k / 64] |= std::uint64_t{1} << (k % 64); }
  void erase(std::size_t k) { words_[k / 64] &= ~(std::uint64_t{1} << (k % 64)); }
  bool empty() const {
    return std::all_of(words_.begin(), words_.end(), [](std::uint64_t w) { return w == 0; });
  }
  void clear() { words_.assign(words_.size(), 0); }

  // Removes each element in ascending order and visits it; elements inserted meanwhile are visited
  // too if they come later, and left if earlier.
  template <class Visit> void drain(Visit visit) {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      while (words_[w] != 0) {
        const auto bit = static_cast<std::size_t>(__builtin_ctzll(words_[w]));
        words_[w] &= words_[w] - 1;
        visit(w * 64 + bit);
      }
    }
  }

  // Visits each element in ascending order; those inserted meanwhile are visited or not.
  template <class Visit> void visit(Visit visit) const {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      for (std::uint64_t left = words_[w]; left != 0; left &= left - 1) {
        visit(w * 64 + static_cast<std::size_t>(__builtin_ctzll(left)));
      }
    }
  }

private:
  std::vector<std::uint64_t> words_;
};

} // namespace tpu::core
#endif
