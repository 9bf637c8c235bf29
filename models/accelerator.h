// SPDX-License-Identifier: Apache-2.0
// The accelerator: a process per unit, joined by timestamped streams, with three bus masters
// (program, operands, results). Registers and interrupt are the platform's; they start a run here
// and are told when it has an outcome.
#ifndef TPU_MODELS_ACCELERATOR_H
#define TPU_MODELS_ACCELERATOR_H

#include <array>
#include <functional>
#include <memory>
#include <vector>

#include "isa/random.h"
#include "models/bus_port.h"
#include "models/core/network.h"
#include "models/unit_module.h"

namespace tpu {

// The bus masters come first: the network is built upon them.
struct bus_masters {
  bus_masters(const memory_traits &memory, const sc_core::sc_time &period)
      : program("program_bus", memory, period), operands("operand_bus", memory, period),
        results("result_bus", memory, period) {}

  bus_port program;
  bus_port operands;
  bus_port results;
};

class accelerator final : public sc_core::sc_module, public bus_masters, public core::network {
public:
  // memory: the one behind the bus. seed: garbage of on-chip memories.
  // order: 0, or the seed of other orders in which its modules are made and, one a delta, woken;
  // changes no result.
  accelerator(const sc_core::sc_module_name &name, const tpu_params &p,
              const core::timing_profile &timing, const memory_traits &memory,
              const sc_core::sc_time &period, std::uint32_t seed, std::uint32_t order = 0);

  // Starts a run whose cycle 0 is at `origin`, now or later. Not while one is under way.
  void start(const core::run_addresses &addresses, const sc_core::sc_time &origin);
  // Its units have not come to an outcome; the outcome may lie in the future of simulation time.
  bool undetermined() const { return undetermined_; }
  const sc_core::sc_time &origin() const { return origin_; }
  // When a run with an outcome ends: origin plus elapsed() cycles.
  sc_core::sc_time end_time() const;
  // Called once per run when it has its outcome, at or before end_time().
  void on_outcome(std::function<void()> listener) { listener_ = std::move(listener); }

protected:
  void schedule(core::unit &u) override;
  void postpone(core::unit &u) override;
  void ended() override;

private:
  void wake_scheduled();
  template <class List> void shuffle(List &list);

  const sc_core::sc_time period_;
  std::array<std::unique_ptr<unit_module>, unit_count> modules_;
  tpu_random order_;
  bool shuffles_;
  sc_core::sc_event scheduled_any_;
  std::vector<core::unit *> scheduled_; // to be woken in the next delta
  std::vector<core::unit *> waking_;
  std::function<void()> listener_;
  sc_core::sc_time origin_;
  bool undetermined_ = false;
};

} // namespace tpu
#endif
