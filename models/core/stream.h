// SPDX-License-Identifier: Apache-2.0
// Timestamped streams. A stream is a bounded queue between two units in which each token carries
// the cycle it was put, and each slot the cycle it was freed: what a unit may do, and when, follows
// from these numbers alone, in whatever order the units are evaluated.
//
//   a token put at p can be taken from p + latency on
//   the slot of a token taken at t can be filled from t + 1 on
#ifndef TPU_MODELS_CORE_STREAM_H
#define TPU_MODELS_CORE_STREAM_H

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "models/core/path.h"
#include "models/core/timing.h"

namespace tpu::core {

class unit;
void wake(unit &sleeper); // unit.cpp

class alignas(64) stream_timing { // what accesses touch is one line of a cache
public:
  stream_timing() = default;
  stream_timing(const stream_timing &) = delete;
  stream_timing &operator=(const stream_timing &) = delete;
  // Once, before its first token. depth: tokens; width_bits decides between shift register and RAM.
  void configure(std::string name, std::uint32_t depth, std::uint32_t width_bits,
                 const timing_profile &timing);
  void reset();
  // The processes at its ends, for reports.
  void connect(std::string producer, std::string consumer);
  void connect(process_id producer, process_id consumer, enum tpu_wait kind);

  const std::string &name() const { return name_; }
  std::uint8_t kind() const { return kind_; } // enum tpu_wait
  const std::string &producer() const { return producer_name_; }
  const std::string &consumer() const { return consumer_name_; }

  // Who makes the next token, slot ready, and since when: what an access that waits is due to.
  path_entry token_cause(cycle at, std::uint32_t ahead = 0) const {
    return {at, token_ready(ahead) - latency_, producer_id_, 0, 0, false, kind_};
  }
  path_entry slot_cause(cycle at, std::uint32_t ahead = 0) const {
    return {at, slot_ready(ahead) - 1, consumer_id_, 0, 0, false, kind_};
  }
  // The cycle in which the token was put whose slot is filled next.
  cycle slot_filled() const { return put_time_[(puts_ - depth_) & mask_]; }
  std::uint32_t depth() const { return depth_; }
  int latency() const { return latency_; }
  std::uint64_t puts() const { return puts_; }
  std::uint64_t takes() const { return takes_; }
  std::uint32_t occupancy() const { return static_cast<std::uint32_t>(puts_ - takes_); }

  // Information at hand: how many tokens, slots can be reasoned about now.
  std::uint32_t tokens_known() const { return occupancy(); }
  std::uint32_t slots_known() const { return depth_ - occupancy(); }

  // The cycle from which the ahead-th token not yet taken can be taken; ahead < tokens_known().
  cycle token_ready(std::uint32_t ahead = 0) const {
    return put_time_[(takes_ + ahead) & mask_] + latency_;
  }
  // The cycle from which the ahead-th slot not yet filled can be filled; ahead < slots_known().
  cycle slot_ready(std::uint32_t ahead = 0) const {
    const std::uint64_t n = puts_ + ahead;
    return n < depth_ ? never_taken : take_time_[(n - depth_) & mask_] + 1;
  }

  // Position in the token ring of the next token to put, to take.
  std::size_t put_index(std::uint32_t ahead = 0) const { return (puts_ + ahead) & mask_; }
  std::size_t take_index(std::uint32_t ahead = 0) const { return (takes_ + ahead) & mask_; }
  std::size_t ring_size() const { return std::size_t{mask_} + 1; }

  void put_at(cycle t) {
    put_time_[puts_ & mask_] = t;
    ++puts_;
    if (consumer_ != nullptr) {
      wake(*std::exchange(consumer_, nullptr));
    }
  }
  void take_at(cycle t) {
    take_time_[takes_ & mask_] = t;
    ++takes_;
    if (producer_ != nullptr) {
      wake(*std::exchange(producer_, nullptr));
    }
  }

  // n tokens put, taken at times t[0 .. n), each later than the one before.
  void put_at(const cycle *t, std::uint32_t n) {
    put_by(n,
           [t](cycle *to, std::uint32_t k, std::uint32_t some) { std::copy_n(t + k, some, to); });
  }
  void take_at(const cycle *t, std::uint32_t n) {
    take_by(n,
            [t](cycle *to, std::uint32_t k, std::uint32_t some) { std::copy_n(t + k, some, to); });
  }
  // The same, when write(to, k, some) writes the times of the k-th and so many.
  template <class Write> void put_by(std::uint32_t n, Write write_times) {
    write(put_time_, puts_, n, write_times);
    puts_ += n;
    if (consumer_ != nullptr) {
      wake(*std::exchange(consumer_, nullptr));
    }
  }
  template <class Write> void take_by(std::uint32_t n, Write write_times) {
    write(take_time_, takes_, n, write_times);
    takes_ += n;
    if (producer_ != nullptr) {
      wake(*std::exchange(producer_, nullptr));
    }
  }
  // When token number n was put, taken; one of the latest `depth`.
  cycle put_time(std::uint64_t n) const { return put_time_[n & mask_]; }
  cycle take_time(std::uint64_t n) const { return take_time_[n & mask_]; }

  // The unit to wake at the next put (take).
  void await_token(unit &u) { consumer_ = &u; }
  void await_slot(unit &u) { producer_ = &u; }

private:
  template <class Write>
  void write(cycle *ring, std::uint64_t at, std::uint32_t n, Write write_times) const {
    const std::size_t first = at & mask_;
    const auto unbroken = static_cast<std::uint32_t>(std::min<std::size_t>(n, ring_size() - first));
    write_times(ring + first, 0, unbroken);
    if (unbroken < n) {
      write_times(ring, unbroken, n - unbroken);
    }
  }

  static constexpr cycle never_taken = INT64_MIN / 4; // a slot that was always free
  struct alignas(64) line {
    cycle at[8];
  };

  std::uint64_t puts_ = 0;
  std::uint64_t takes_ = 0;
  std::uint32_t mask_ = 0;
  std::uint32_t depth_ = 0;
  int latency_ = 0;
  unit *consumer_ = nullptr;
  unit *producer_ = nullptr;
  cycle *put_time_ = nullptr; // rings
  cycle *take_time_ = nullptr;
  std::vector<line> times_; // both of them
  process_id producer_id_;
  process_id consumer_id_;
  std::uint8_t kind_ = TPU_WAIT_COUNT;
  std::string name_;
  std::string producer_name_;
  std::string consumer_name_;
};

// A stream of values.
template <class Token> class stream : public stream_timing {
public:
  void configure(std::string name, std::uint32_t depth, std::uint32_t width_bits,
                 const timing_profile &timing) {
    stream_timing::configure(std::move(name), depth, width_bits, timing);
    tokens_.assign(ring_size(), Token());
  }
  const Token &front() const { return tokens_[take_index()]; }
  void put(cycle t, const Token &token) {
    tokens_[put_index()] = token;
    put_at(t);
  }
  void take(cycle t) { take_at(t); }

private:
  std::vector<Token> tokens_;
};

// A stream of packed words: rows of `lanes` elements.
template <class Lane> class row_stream : public stream_timing {
public:
  void configure(std::string name, std::uint32_t depth, std::uint32_t lanes,
                 const timing_profile &timing) {
    lanes_ = lanes;
    const auto bits = static_cast<std::uint32_t>(lanes * 8 * sizeof(Lane));
    stream_timing::configure(std::move(name), depth, bits, timing);
    data_.assign(ring_size() * lanes, Lane());
  }
  const Lane *front(std::uint32_t ahead = 0) const { return &data_[take_index(ahead) * lanes_]; }
  // Where to write the next row, and the ahead-th after it, before put_at().
  Lane *back(std::uint32_t ahead = 0) { return &data_[put_index(ahead) * lanes_]; }
  // How many rows can be written one after the other there.
  std::uint32_t room(std::uint32_t ahead) const {
    return static_cast<std::uint32_t>(ring_size() - put_index(ahead));
  }
  // Of the n rows from the ahead-th on, how many follow each other there.
  std::uint32_t in_a_row(std::uint32_t ahead, std::uint32_t n) const {
    return unbroken(take_index(ahead), n);
  }
  // Copies the next n rows out, before take_at().
  void read(Lane *to, std::uint32_t n) const {
    for (std::uint32_t k = 0; k < n;) {
      const std::uint32_t run = unbroken(take_index(k), n - k);
      std::memcpy(to + k * lanes_, front(k), run * lanes_ * sizeof(Lane));
      k += run;
    }
  }
  // Copies n rows in, the first of them `ahead` of the next row, before put_at().
  void write(const Lane *from, std::uint32_t ahead, std::uint32_t n) {
    for (std::uint32_t k = 0; k < n;) {
      const std::uint32_t run = unbroken(put_index(ahead + k), n - k);
      std::memcpy(back(ahead + k), from + k * lanes_, run * lanes_ * sizeof(Lane));
      k += run;
    }
  }

private:
  // Rows of n that follow each other in the ring from `index` on.
  std::uint32_t unbroken(std::size_t index, std::uint32_t n) const {
    return static_cast<std::uint32_t>(std::min<std::size_t>(n, ring_size() - index));
  }

  std::size_t lanes_ = 0;
  std::vector<Lane> data_;
};

} // namespace tpu::core
#endif
