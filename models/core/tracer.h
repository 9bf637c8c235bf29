// SPDX-License-Identifier: Apache-2.0
// Turns what units log of their waits, in whatever order they are evaluated, into the trace of a
// run in the order of time.
//
// Between two waits a process moves every cycle, so a log entry completes all segments up to the
// cycle that it is of. Segments of each process queue up until every process has one: then none can
// come that begins earlier than the earliest, which goes out. What a process that waits long holds
// up meanwhile goes to a temporary file, beyond what memory is allowed.
#ifndef TPU_MODELS_CORE_TRACER_H
#define TPU_MODELS_CORE_TRACER_H

#include <deque>

#include "models/core/network.h"
#include "models/core/spill_queue.h"
#include "models/core/tournament.h"
#include "models/core/trace.h"

namespace tpu::core {

class tracer final : public run_observer {
public:
  // segments: how many may wait in memory; more go to a file.
  tracer(network &net, trace_sink &sink, std::size_t segments = std::size_t{1} << 19);
  ~tracer() override;
  tracer(const tracer &) = delete;
  tracer &operator=(const tracer &) = delete;

  const trace_shape &shape() const { return shape_; }
  // Segments were lost, since the temporary file could not be read back.
  bool broken() const { return broken_; }
  // The most that waited in memory.
  std::size_t peak() const { return peak_; }

  void started() override;
  void waited(std::size_t process, const path_entry &e) override;
  void dispatched(const tpu_issue &issue, const unit_work &items) override;
  void ran() override;
  void ended() override;
  const wait_sums &waits(std::size_t process) const override { return waits_[process]; }

private:
  // The first item of an instruction among those of a unit.
  struct share {
    std::int64_t first;
    std::int32_t issue;
    std::uint32_t insn;
  };
  // The instructions of a unit that not all of its instances have begun.
  struct schedule {
    std::vector<share> shares;
    std::int64_t first = 0; // number of shares.front()
    std::int64_t items = 0;
  };
  // A segment that waits for its turn. It begins where the one before it of its process ends, and
  // when busy with the step after that one's.
  struct waiting_segment {
    static constexpr std::uint64_t to_the_end = (std::uint64_t{1} << 48) - 1;
    std::uint64_t to : 48;
    std::uint64_t state : 8;
    std::uint64_t on : 8;
    std::int32_t issue;
    std::uint32_t insn;
  };
  static_assert(sizeof(waiting_segment) == 16);
  struct alignas(64) track {
    spill_queue<waiting_segment> queue; // a line of a cache
    process_id id;
    std::uint32_t number = 0; // of trace_shape::processes
    bool leads = false;       // it has steps before its first item
    wait_reader log;
    std::int64_t next = 0;   // where its next instruction begins, if that is known
    std::int64_t told = 0;   // steps that are in segments
    std::int64_t begun = 0;  // shares of its unit that it has begun
    std::int32_t issue = -1; // of the last it has begun
    std::uint32_t insn = 0;
    std::int64_t item_steps = 1; // steps per item of its unit's work
    std::size_t siblings = 1;    // instances of its unit
    bool open = false;           // its start is told
    bool closed = false;         // and its end
  };
  // Tokens that passed an end of a stream, one a cycle.
  struct passage {
    cycle from;
    std::uint32_t count;
  };
  struct ends {
    const stream_timing *stream;
    std::uint64_t puts = 0, takes = 0; // those seen
    std::deque<passage> put, taken;
    std::uint32_t tokens = 0;
  };
  // The first segment of a process, as one number in whose order they go out.
  static constexpr unsigned process_bits = 16; // 2 * T * T and six fit, and 2^47 cycles
  static std::uint64_t head(std::uint64_t from, std::uint32_t process) {
    return from << process_bits | process;
  }

  void open(track &t);
  void move(track &t, std::int64_t until);
  std::int64_t boundary(const track &t) const;
  std::int64_t accept(track &t);
  void advance_all();
  void forget();
  void push(track &t, cycle from, cycle to, unit_state state, std::uint8_t on = TPU_WAIT_COUNT,
            bool of_issue = true);
  trace_segment take_out(std::uint32_t process, cycle from, const waiting_segment &s);
  void close(track &t, cycle elapsed);
  void hold_front(track &t);
  void poll();
  void drain(bool all);
  void spill();
  void change_until(cycle until);
  void hand_out();

  network &net_;
  trace_sink &sink_;
  const std::size_t allowed_;
  trace_shape shape_;
  std::vector<track> tracks_;
  std::vector<std::int64_t> steps_out_;  // of each process, in segments that have gone out
  std::vector<wait_sums> waits_;         // of each process
  std::vector<std::int64_t> item_steps_; // of each process
  std::vector<std::size_t> siblings_;
  std::array<schedule, TPU_UNIT_COUNT> schedules_;
  std::vector<ends> ends_;
  cycle next_change_ = 0; // no stream's occupancy changes before
  std::vector<trace_segment> going_out_;
  tournament heads_;        // of the processes that have one
  std::size_t lacking_ = 0; // processes that have no segment yet, and are not closed
  std::int32_t issues_ = 0;
  std::size_t waiting_ = 0; // segments in memory
  std::size_t looked_at_ = 0;
  std::size_t peak_ = 0;
  spill_file file_;
  bool broken_ = false;
};

} // namespace tpu::core
#endif
