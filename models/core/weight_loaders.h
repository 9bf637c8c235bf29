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

#include <deque>

#include "models/core/machine.h"
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
  // PE (i, j) cannot go before its next weight; as none can at the start.
  void await_weight(std::size_t i, std::size_t j) { loaders_[i * t_ + j].awaited = true; }
  // New words at the array's edge; a weight of PE (i, j) was taken.
  void input_arrived() { ready_.insert(0); }
  void queue_freed(std::size_t i, std::size_t j) {
    if (loader &l = loaders_[i * t_ + j]; l.pending) {
      l.stuck = false;
      ready_.insert(i * t_ + j);
    }
  }
  bool finished() const { return finished_ == loaders_.size(); }
  bool lacks_input() const; // loader (0, 0) waits for the scratchpad

  // The queue of PE (i, j): token k is the weight of the k-th mm.
  stream_timing &queue(std::size_t i, std::size_t j) { return queues_[i * t_ + j]; }
  // Activation rows of mm k; known once its header has entered the array, before its weights.
  std::uint32_t rows(std::uint64_t k) const { return tiles_[k - first_tile_].rows; }
  // Weights of mm k, T x T row-major, as float; whole once its last weight has reached a queue.
  const float *weights(std::uint64_t k) const { return tiles_[k - first_tile_].weights.data(); }
  void release_before(std::uint64_t k); // these mms have left the array

  void record_path(bool on) { recording_ = on; }
  // Log of loader k, row-major; T * T further: of its register's waits for the PE's queue.
  path_log &path(std::size_t k) {
    return k < loaders_.size() ? loaders_[k].words_path : loaders_[k - loaders_.size()].queue_path;
  }
  const path_log &path(std::size_t k) const { return const_cast<weight_loaders *>(this)->path(k); }
  cycle steps(std::size_t k) const { return words_done(loaders_[k]); }
  cycle last_cycle() const; // the latest in which a loader moved
  run_tail tail(std::size_t i, std::size_t j, cycle elapsed) const;
  unit_counters counters(std::size_t i, std::size_t j, cycle elapsed) const;
  void report_blocked(std::vector<blocked_access> &out) const;

private:
  struct alignas(64) loader {    // what each word touches comes first
    stream_timing *in;           // from north or west
    stream_timing *south, *east; // null at the array's edge
    stream_timing *weights;      // to the PE
    cycle last;
    cycle queued;            // when the last weight went to its queue
    cycle pending_since;     // when pending: the last word's cycle
    std::uint32_t taken_mms; // mms whose last word was taken
    std::uint8_t word;       // next word of the current mm
    bool pending;            // a weight waits for a slot of its queue
    bool stuck;              // and so does the next word
    bool done;
    bool awaited;       // the PE is to be told of the next weight
    std::uint8_t words; // per mm
    std::uint8_t i, j;
    cycle starved, blocked;
    path_log words_path, queue_path;

    void restart(cycle start);
  };
  struct tile {
    std::uint32_t rows = 0;
    std::vector<float> weights;
  };

  struct access {
    access_kind kind;
    const stream_timing *on;
  };

  void wire(std::size_t i, std::size_t j);
  access waits_for(const loader &l) const;
  void advance(loader &l);
  bool deliver(loader &l);
  bool pass(loader &l, stream_timing *south, stream_timing *east, cycle earliest);
  template <bool first_column> void run(loader &l);
  void waited(loader &l, cycle t, bool blocked);
  void record(loader &l, cycle t, bool blocked);
  void receive(const loader &l);
  path_entry cause(const loader &l, cycle t, bool blocked) const;
  static std::int64_t words_done(const loader &l) {
    return std::int64_t{l.taken_mms} * l.words + l.word;
  }
  // The streams that its next word goes on to; null = does not.
  static stream_timing *to_south(const loader &l) { return l.word != 1 ? l.south : nullptr; }
  static stream_timing *to_east(const loader &l) { return l.word <= 1 ? l.east : nullptr; }

  const std::size_t t_;
  stream_set &streams_;
  std::vector<stream_timing> columns_; // wcol[1 .. T)
  std::vector<stream_timing> rows_;    // wrow[i][j], j < T - 1
  std::vector<stream_timing> queues_;  // wq[i][j]
  std::vector<loader> loaders_;
  ready_set ready_;
  ready_set &pes_;
  std::uint32_t mms_ = 0;
  cycle start_ = 0;
  bool recording_ = false;
  std::size_t finished_ = 0;
  std::deque<tile> tiles_;
  std::uint64_t first_tile_ = 0;
};

} // namespace tpu::core
#endif
