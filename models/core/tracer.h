// SPDX-License-Identifier: Apache-2.0
// Turns what units log of their waits, in whatever order they are evaluated, into the trace of a
// run in the order of time.
//
// Between two waits a process moves every cycle, so a log entry completes all segments up to the
// cycle that it is of. Segments of each process queue up; those that begin before the cycle up to
// which every process is known go out, a window of cycles at a time, sorted. What a process that
// waits long holds up meanwhile goes to a temporary file, beyond what memory is allowed.
#ifndef TPU_MODELS_CORE_TRACER_H
#define TPU_MODELS_CORE_TRACER_H

#include "models/core/network.h"
#include "models/core/occupancies.h"
#include "models/core/spill_queue.h"
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
    std::int64_t next = 0;              // where its next instruction begins, if that is known
    std::int64_t told = 0;              // steps that are in segments
    std::int64_t begun = 0;             // shares of its unit that it has begun
    wait_reader log;
    std::uint32_t number = 0; // of trace_shape::processes
    std::int32_t issue = -1;  // of the last share it has begun
    std::uint32_t insn = 0;
    process_id id;
    bool leads = false;  // it has steps before its first item
    bool open = false;   // its start is told
    bool closed = false; // and its end
  };

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
  void drain(bool all);
  void gather(cycle until, cycle stop);
  void hand_out();
  void spill();

  network &net_;
  trace_sink &sink_;
  const std::size_t allowed_;
  trace_shape shape_;
  std::vector<track> tracks_;
  // Of each process: where its first segment that waits begins and where the last one ends, and the
  // steps that are in segments which have gone out.
  std::vector<cycle> next_out_, known_;
  std::vector<std::int64_t> steps_out_;
  std::vector<wait_sums> waits_;         // of each process
  std::vector<std::int64_t> item_steps_; // of each process: per item of its unit's work
  std::vector<std::size_t> siblings_;    // of each process: instances of its unit
  std::array<schedule, TPU_UNIT_COUNT> schedules_;
  occupancies occupancies_;
  cycle_sort<trace_segment> segments_; // those of a window
  cycle_sort<occupancy_change> changes_;
  std::int32_t issues_ = 0;
  std::size_t waiting_ = 0; // segments in memory
  std::size_t looked_at_ = 0;
  spill_file file_;
  bool broken_ = false;
};

} // namespace tpu::core
#endif
