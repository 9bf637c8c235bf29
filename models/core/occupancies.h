// SPDX-License-Identifier: Apache-2.0
// How many tokens streams hold from which cycle on, from the times that their ends log.
#ifndef TPU_MODELS_CORE_OCCUPANCIES_H
#define TPU_MODELS_CORE_OCCUPANCIES_H

#include <vector>

#include "models/core/cycle_sort.h"
#include "models/core/stream.h"

namespace tpu::core {

// From cycle `from` on a stream holds so many tokens, as they stand at the start of a cycle.
struct occupancy_change {
  cycle from;
  std::uint32_t stream;
  std::uint32_t tokens;
};

class occupancies {
public:
  // Begins again, of streams that nothing has passed.
  void watch(const std::vector<const stream_timing *> &streams);
  // Notes the tokens that have passed since the last time: called whenever units have been
  // evaluated, they are at most as many as a stream is deep, so that their times are still there.
  void poll();
  // No change that is not taken yet comes before.
  cycle next() const;
  // Adds the changes before `end`, stream by stream; what passes before it has been noted.
  void take(cycle end, cycle_sort<occupancy_change> &to);

private:
  // Cycles from which on a token is there, or is gone: runs of one a cycle.
  class passages {
  public:
    static constexpr cycle none = INT64_MAX;

    cycle first() const { return next_ == runs_.size() ? none : runs_[next_].from; }
    std::uint32_t count() const { return runs_[next_].count; } // of the run of the first
    void add(cycle at);
    void use(std::uint32_t count); // at most count()
    void forget_used();

  private:
    struct run {
      cycle from;
      std::uint32_t count;
    };
    std::vector<run> runs_;
    std::size_t next_ = 0;
  };
  struct ends {
    const stream_timing *stream;
    std::uint64_t puts, takes; // those noted
    std::uint32_t tokens;      // by the changes taken
    passages put, taken;
  };
  std::vector<ends> ends_;
};

} // namespace tpu::core
#endif
