// SPDX-License-Identifier: Apache-2.0
// All units of one accelerator, joined by their streams, and the account of a run. Who runs the
// units is left to the heir: the SystemC module beside this folder, or the plain loop below.
#ifndef TPU_MODELS_CORE_NETWORK_H
#define TPU_MODELS_CORE_NETWORK_H

#include "models/core/accumulator.h"
#include "models/core/critical_path.h"
#include "models/core/dma_load.h"
#include "models/core/dma_store.h"
#include "models/core/scratchpad.h"
#include "models/core/sequencer.h"
#include "models/core/systolic_array.h"
#include "models/core/vector_registers.h"
#include "models/core/waits.h"

namespace tpu::core {

enum class outcome { none, completed, deadlock, failed };

// The ports of the bus-mastering units.
struct memory_ports {
  memory_port &program;
  memory_port &operands;
  memory_port &results;
};

class network : public host {
public:
  // seed: garbage of the on-chip memories.
  network(const tpu_params &p, const timing_profile &timing, memory_ports ports,
          std::uint32_t seed);

  const tpu_params &params() const { return p_; }
  const timing_profile &timing() const { return timing_; }

  // Starts a run at cycle 0 of its own clock. Not while another runs.
  void start(const run_addresses &addresses);

  // The outcome of the latest run; none while it runs, before the first, and once forgotten.
  outcome result() const { return outcome_; }
  // Not while one runs.
  void forget_result() { outcome_ = outcome::none; }
  // Cycles from start to done, to the detected deadlock, or, after a fault, until nothing moves and
  // no request is under way.
  cycle elapsed() const { return elapsed_; }
  // The earliest fault, of several in one cycle that of the unit listed first in units().
  const fault &failure() const { return fault_; }
  // Counters by register-map unit; wld and pe summed over instances. Any outcome but none.
  unit_counters counters(enum tpu_unit u) const;
  unit_counters loader_counters(std::size_t i, std::size_t j) const {
    return array_.loader_counters(i, j, elapsed_);
  }
  unit_counters pe_counters(std::size_t i, std::size_t j) const {
    return array_.pe_counters(i, j, elapsed_);
  }
  // At a deadlock: every blocked access, in data-path order, and the processes of a wait cycle
  // among them (empty when the chain of waits ends at a unit that has finished).
  std::vector<blocked_access> blocked() const;
  std::vector<std::string> wait_cycle() const;

  // Whether runs from now on log their critical path; costs some time.
  void record_path(bool on);
  // After a recorded run, whatever its outcome: where its cycles went, in the order of time, from 0
  // to elapsed() without gaps.
  std::vector<path_stretch> critical_path(std::size_t *strays = nullptr) const;
  // After a recorded run: what the starved and blocked cycles of a unit, as in counters(), and of
  // an instance, were spent on.
  wait_sums waits(enum tpu_unit u) const;
  wait_sums waits(process_id id) const;
  // Runs from now on are recorded, and told to the observer in place of being logged; null:
  // neither. While one observes there is no critical path.
  void observe(run_observer *observer);
  bool observed() const { return observer_ != nullptr; }

  // What a trace is made of. The processes in data-path order, the array's row-major; the streams
  // between units.
  std::vector<process_id> processes() const;
  std::vector<const stream_timing *> streams();
  // When the sequencer started, and the others; 0 before they do.
  cycle sequencer_start() const { return sequencer_.start(); }
  cycle units_start() const { return dma_load_.start(); }
  // Enabled cycles of a process so far; of them those before its first item.
  std::int64_t steps(process_id id) const;
  cycle lead(process_id id) const;
  // How a process ends in a run of so many cycles.
  run_tail tail_of(process_id id, cycle elapsed) const;
  // It has come to its end, whatever the run does yet.
  bool finished(process_id id) const { return of(static_cast<enum tpu_unit>(id.unit)).finished(); }

  // The instruction of a stretch's issue.
  const tpu_issue &issue(std::int32_t k) const {
    return sequencer_.issues()[static_cast<std::size_t>(k)];
  }

  static constexpr std::size_t unit_count = 7;
  const std::array<unit *, unit_count> &units() const { return units_; }

protected:
  // The run has an outcome, elapsed() cycles after its start.
  virtual void ended() = 0;
  void quiet() override;

private:
  void start_units(const tpu_counts &counts, cycle start);
  const unit &of(enum tpu_unit u) const;
  unit &of(enum tpu_unit u);
  const path_log &log_of(process_id id) const;
  std::uint32_t instances(std::uint32_t unit) const;
  // In processes(); the loaders' registers follow after.
  std::size_t place_of(process_id id) const;

  const tpu_params p_;
  const timing_profile timing_;
  stream_set streams_;
  sequencer sequencer_;
  dma_load dma_load_;
  scratchpad scratchpad_;
  vector_registers vector_registers_;
  systolic_array array_;
  accumulator accumulator_;
  dma_store dma_store_;
  std::array<unit *, unit_count> units_;

  run_log log_;
  outcome outcome_ = outcome::none;
  cycle elapsed_ = 0;
  fault fault_;
};

// A network run by a plain loop: ready units in first-come order, or shuffled from a seed.
class plain_network final : public network {
public:
  using network::network;
  outcome run(const run_addresses &addresses, std::uint32_t shuffle_seed = 0);

protected:
  void schedule(unit &u) override { ready_.push_back(&u); }
  void postpone(unit &u) override { ready_.push_back(&u); }
  void ended() override {}

private:
  std::vector<unit *> ready_;
};

} // namespace tpu::core
#endif
