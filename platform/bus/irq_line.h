/* SPDX-License-Identifier: Apache-2.0 */
// An interrupt wire that also says what it is going to do. Determinism rests on it: the CPU runs
// ahead of simulation time, so a source publishes when it will raise the line before the CPU gets
// there, or states that it does not know yet.
//
// Contract of a source:
// - The line changes at whole cycles. What a source does in answer to a bus access belongs to the
//   next whole cycle: time_to_cycles(sc_time_stamp()). The CPU acts half a cycle after a whole one
//   and therefore sees everything of that cycle, in whatever order processes ran.
// - quiet: the line stays as it is until somebody accesses the source over the bus.
// - scheduled: it turns high at a known time. Until then the source touches no memory either.
// - undetermined: it may turn high, or write memory, at a time not known yet. The CPU then steps
//   one instruction at a time (or sleeps), which is slow: sources leave this state when they can.
#ifndef TPU_PLATFORM_BUS_IRQ_LINE_H
#define TPU_PLATFORM_BUS_IRQ_LINE_H

#include <systemc>

namespace tpu {

class irq_line {
public:
  explicit irq_line(const char *name) : event_(name) {}

  // High from `at` on (now, if that is past); ends undetermined.
  void schedule(const sc_core::sc_time &at) {
    const sc_core::sc_time &now = sc_core::sc_time_stamp();
    undetermined_ = false;
    high_from_ = at > now ? at : now;
    event_.cancel();
    event_.notify(high_from_ - now);
  }

  // High from now on; ends undetermined.
  void raise() { schedule(sc_core::sc_time_stamp()); }

  // Low, and nothing scheduled; undetermined stays as it is.
  void clear() {
    high_from_ = sc_core::sc_max_time();
    event_.cancel();
  }

  void set_undetermined(bool undetermined) { undetermined_ = undetermined; }
  bool undetermined() const { return undetermined_; }

  bool level() const { return high_from_ <= sc_core::sc_time_stamp(); }

  // The line cannot change of itself.
  bool quiet() const { return !undetermined_ && (never() || level()); }

  // When the line turns high (past, if it is); sc_max_time() = nothing scheduled.
  const sc_core::sc_time &high_from() const { return high_from_; }

  // Notified when the line turns high: what a sleeping CPU waits for.
  const sc_core::sc_event &raised_event() const { return event_; }

private:
  bool never() const { return high_from_ == sc_core::sc_max_time(); }

  sc_core::sc_event event_;
  sc_core::sc_time high_from_ = sc_core::sc_max_time();
  bool undetermined_ = false;
};

} // namespace tpu
#endif
