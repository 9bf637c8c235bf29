// SPDX-License-Identifier: Apache-2.0
// The least of many keys of which one after the other changes.
#ifndef TPU_MODELS_CORE_TOURNAMENT_H
#define TPU_MODELS_CORE_TOURNAMENT_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tpu::core {

class tournament {
public:
  static constexpr std::uint64_t absent = UINT64_MAX; // of a player without a key

  // Of so many players, at least one; none has a key.
  explicit tournament(std::size_t players = 1) {
    while (first_ < players) {
      first_ *= 2;
    }
    least_.assign(2 * first_, absent);
  }

  void clear() { least_.assign(least_.size(), absent); }
  void set(std::size_t player, std::uint64_t key) {
    std::size_t k = first_ + player;
    least_[k] = key;
    for (; k != 1; k /= 2) {
      key = std::min(key, least_[k ^ 1]);
      least_[k / 2] = key;
    }
  }
  // The least key of all, or absent.
  std::uint64_t least() const { return least_[1]; }

private:
  std::size_t first_ = 1;            // where the players' own keys are, a power of two
  std::vector<std::uint64_t> least_; // at k the lesser of those at 2 k and 2 k + 1
};

} // namespace tpu::core
#endif
