// SPDX-License-Identifier: Apache-2.0
// wld[T][T]: the loaders that carry weights past the array. Loader (i, 0) takes the row count and
// T - i weight rows of each mm from the north, keeps the first row for its own array row, passes it
// east and the rest south; a loader further east takes two words and passes them on. The weight
// goes to the PE once the words for the rows below have gone. Loaders are elastic: a word waits for
// itself only, never for the next one, and a weight that finds its queue full waits in a register
// of its own.
//   promised  words: T + 1 - i per mm in column 0, 2 elsewhere
#ifndef TPU_MODELS_CORE_WEIGHT_LOADERS_H
#define TPU_MODELS_CORE_WEIGHT_LOADERS_H

#include <array>

#include "models/core/machine.h"
#include "models/core/products.h"
#include "models/core/ready_set.h"

namespace tpu::core {

class weight_loaders {
public:
  // pes: told which PE that awaits a weight has one in its queue.
  weight_loaders(const tpu_params &p, const timing_profile &timing, stream_set &streams,
                 ready_set &pes);

  void begin(std::uint32_t mms, cycle start);
  // Advances the loaders that may move, each once.
  void sweep();
  bool any_ready() const { return !ready_.empty(); }
  // PE k, row-major, cannot go before its next weight; as none can at the start.
  void await_weight(std::size_t k) { loaders_[k].awaited = true; }
  // New words at the array's edge.
  void input_arrived() { ready_.insert(0); }
  bool finished() const { return finished_ == loaders_.size(); }
  bool lacks_input() const; // loader (0, 0) waits for the scratchpad

  // The weights in the queue of PE k, one of each mm in turn: whether the next is known, the cycle
  // from which it can be taken, what a PE that took it then waited for; its take in cycle t; how
  // many it has taken.
  bool weight_known(std::size_t k) const { return loaders_[k].delivered != loaders_[k].taken; }
  cycle weight_ready(std::size_t k) const {
    const loader &l = loaders_[k];
    return l.at[l.taken % TPU_WEIGHT_QD] + queue_latency_;
  }
  path_entry weight_cause(std::size_t k, cycle t) const {
    return {t, weight_ready(k) - queue_latency_, its_register(k), 0, 0, false, TPU_WAIT_WQ};
  }
  void take_weight(std::size_t k, cycle t) {
    loader &l = loaders_[k];
    l.at[l.taken++ % TPU_WEIGHT_QD] = t;
    if (l.pending) {
      l.stuck = false;
      ready_.insert(k);
    }
  }
  std::uint32_t weights_taken(std::size_t k) const { return loaders_[k].taken; }
  std::uint32_t queue_depth() const { return queue_depth_; }
  // Activation rows of mm m; known once its header has entered the array, before its weights.
  std::uint32_t rows(std::uint64_t m) const { return tiles_[m & (tiles_.size() - 1)].rows; }
  // No mm known so far has fewer.
  std::uint32_t fewest_rows() const { return fewest_rows_; }
  // Weights of mm m as products takes them; whole once its last weight has reached a queue.
  const std::int16_t *weights(std::uint64_t m) const {
    return tiles_[m & (tiles_.size() - 1)].weights.data();
  }
  void release_before(std::uint64_t m) { first_tile_ = m; } // these mms have left the array

  // Loader k, row-major, logs as process first + k, and its register's waits for the PE's queue as
  // those of registers + k, with the mm for the step. A weight that does not wait there goes with
  // the last word of its mm.
  void record_path(run_log *log, std::size_t first, std::size_t registers) {
    log_ = log;
    first_process_ = first;
    first_register_ = registers;
  }
  cycle steps(std::size_t k) const { return words_done(k); }
  cycle last_cycle() const; // the latest in which a loader moved
  run_tail tail(std::size_t i, std::size_t j, cycle elapsed) const;
  unit_counters counters(std::size_t i, std::size_t j, cycle elapsed) const;
  void report_blocked(std::vector<blocked_access> &out) const;

private:
  // A loader, and the queue that it shares with its PE: one line of a cache.
  struct alignas(64) loader {
    cycle last;   // when its last word came in
    cycle queued; // when its last weight went to the queue
    // Of the token of mm m at m % 4: the cycle of its put, from when it was taken on that of its
    // take, which the slot of a later one waits for.
    cycle at[TPU_WEIGHT_QD];
    std::uint32_t delivered, taken; // tokens put, taken
    // Words that it has sent east, as it does with all of them but in column 0, if only beyond the
    // array's edge.
    std::uint32_t sent;
    bool pending; // a weight waits for a slot
    bool stuck;   // and so does the loader's next word
    bool awaited; // the PE is to be told of the next weight
    bool done;    // the loader is
  };
  static_assert(sizeof(loader) == 64);
  struct place {
    std::uint8_t i, j;
  };
  // Loader (i, 0).
  struct head {
    stream_timing *in;
    stream_timing *south; // null at the array's edge
    std::int64_t passed;  // words
    std::uint32_t word;   // next word of the current mm
    std::uint32_t words;  // per mm
    cycle pending_since;  // when its weight is pending: the cycle of its mm's last word
  };
  struct tile {
    std::uint32_t rows = 0;
    std::vector<std::int16_t> weights;
  };

  // An access of a loader to the stream that is of this kind.
  struct access {
    access_kind kind;
    enum tpu_wait on;
  };

  static std::string name(const char *what, std::size_t i, std::size_t j);
  access waits_for(std::size_t k) const;
  blocked_access describe(std::size_t k) const;
  void advance(std::size_t k);
  void deliver(std::size_t k, cycle since);
  bool pass_down(std::size_t k);
  void run_head(std::size_t k);
  bool advance_head(std::size_t k);
  template <bool has_east> bool run_east(std::size_t k);
  bool has_east(std::size_t k) const { return places_[k].j + 1U < t_; }
  bool lacks_slot_east(std::size_t k) const {
    return has_east(k) && loaders_[k].sent - loaders_[k + 1].sent == depth_;
  }
  // When a word, not among the first, can be put where the loader with ring `east` takes it: once
  // that has taken the one that is as many before it as the queue is deep.
  cycle slot_of(std::uint32_t word, const cycle *east) const {
    return east[(word - depth_) & mask_] + 1;
  }
  // The same of the next word of loader k; the start when nothing holds it up.
  cycle slot_east(std::size_t k) const {
    const std::uint32_t word = loaders_[k].sent;
    return has_east(k) && word >= depth_ ? slot_of(word, sent_at(k + 1)) : start_;
  }
  // The cycles of the latest words that loader k has sent, in which each came in as well: a ring.
  cycle *sent_at(std::size_t k) { return &sent_at_[k * (std::size_t{mask_} + 1)]; }
  const cycle *sent_at(std::size_t k) const { return &sent_at_[k * (std::size_t{mask_} + 1)]; }
  // Not part of the loops that call them.
  [[gnu::noinline]] void tell_pe(std::size_t k);
  [[gnu::noinline]] void record(std::size_t k, cycle t, bool blocked);
  [[gnu::noinline]] void record_register(std::size_t k, cycle t);
  void receive(const head &h);
  tile &enter_tile();
  path_entry cause(std::size_t k, cycle t, bool blocked) const;
  bool in_column_0(std::size_t k) const { return places_[k].j == 0; }
  const head &head_of(std::size_t k) const { return heads_[places_[k].i]; }
  std::int64_t words_done(std::size_t k) const {
    return in_column_0(k) ? head_of(k).passed : std::int64_t{loaders_[k].sent};
  }
  std::int64_t words_promised(std::size_t k) const {
    return std::int64_t{mms_} * (in_column_0(k) ? head_of(k).words : 2);
  }
  static process_id number(std::size_t k) { return {TPU_UNIT_WLD, static_cast<std::uint32_t>(k)}; }
  process_id its_register(std::size_t k) const { return number(k + t_ * t_); }

  const std::size_t t_;
  stream_set &streams_;
  std::vector<stream_timing> columns_; // wcol[1 .. T)
  std::vector<loader> loaders_;
  std::vector<place> places_;
  std::vector<std::array<cycle, 2>> waits_; // of loader k: starved, blocked
  std::vector<head> heads_;
  std::uint32_t queue_depth_;
  cycle queue_latency_ = 0;
  // Of the queues between loaders of a row, wrow: depth, latency, and what each loader has sent.
  const std::uint32_t depth_;
  cycle latency_ = 0;
  std::uint32_t mask_ = 0;
  std::vector<cycle> sent_at_;
  ready_set ready_;
  ready_set &pes_;
  std::uint32_t mms_ = 0;
  cycle start_ = 0;
  run_log *log_ = nullptr;
  std::size_t first_process_ = 0;
  std::size_t first_register_ = 0;
  std::size_t finished_ = 0;
  std::vector<tile> tiles_; // a ring of 2^n
  std::uint64_t first_tile_ = 0;
  std::uint64_t next_tile_ = 0;
  std::uint32_t fewest_rows_ = 0;
};

} // namespace tpu::core
#endif
