/* SPDX-License-Identifier: Apache-2.0 */
// The core as a SystemC initiator: runs ahead of simulation time by up to a quantum, and yet takes
// every interrupt and does every bus access at the cycle it would without running ahead.
#ifndef TPU_PLATFORM_BUS_CPU_H
#define TPU_PLATFORM_BUS_CPU_H

#include "platform/bus/irq_line.h"
#include "platform/cpu/core.h"

#include <functional>
#include <systemc>
#include <tlm.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <utility>
#include <vector>

namespace tpu {

struct cpu_config {
  rv_config core = {0, 1, 1, 1};
  std::uint64_t quantum_cycles = 10000; // at least 1; changes speed, never a result
  bool use_dmi = true;
};

enum class cpu_state {
  waiting,  // not reset yet
  running,  // executing, as far as it got
  sleeping, // in wfi
  halted,   // by halt()
  trapped   // by a trap nobody handles: core().report
};

// How time is kept deterministic: local cycle c of the core is simulation time c and a half.
// Devices act at whole cycles, so whatever they do at cycle c is complete when the core looks,
// whichever process ran first. Bus accesses other than through DMI first let simulation time catch
// up, and carry half a cycle of annotated delay: they arrive at whole cycle c + 1. Interrupt
// sources say ahead when they will raise their line (irq_line.h). Instruction fetch takes no bus
// time: it is hidden by prefetch. Data accesses take what the bus or the DMI latencies say.
class cpu : public sc_core::sc_module {
public:
  tlm_utils::simple_initiator_socket<cpu> socket;

  // A configuration with a 0 where a count of cycles is due is replaced by 1 there: check before.
  cpu(const sc_core::sc_module_name &name, const cpu_config &config);
  ~cpu() override;

  // Connects an interrupt source to a bit of mip; before simulation starts.
  void connect(unsigned irq, const irq_line &line);

  // mtime at an absolute cycle, for the time CSR; without it the cycle itself.
  void set_time(std::function<std::uint64_t(std::uint64_t)> time) { time_ = std::move(time); }

  // Starts, or starts again, at entry, at the present time; before or between calls of sc_start.
  void reset(std::uint32_t entry);

  // Stops after the instruction now executing; from a target the core is accessing.
  void halt();

  cpu_state state() const { return state_; }
  const rv_core &core() const { return core_; }
  std::uint64_t start_cycle() const { return start_cycle_; } // of the last reset, absolute

private:
  struct input {
    unsigned irq;
    const irq_line *line;
  };

  void run();
  void start();
  void step();
  void sleep();
  void stop(cpu_state state);
  void synchronise();
  void sample_interrupts();
  std::uint64_t bound() const;
  bool find_window(std::uint32_t address);
  bool through_window(bool write, std::uint32_t address, std::uint32_t bytes, void *data);
  bool access(bool write, rv_access kind, std::uint32_t address, std::uint32_t bytes, void *data);
  void invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end);

  static int read(void *context, rv_core *core, rv_access kind, std::uint32_t address,
                  std::uint32_t bytes, std::uint32_t *value);
  static int write(void *context, rv_core *core, std::uint32_t address, std::uint32_t bytes,
                   std::uint32_t value);
  static std::uint64_t time(void *context, std::uint64_t cycle);

  cpu_config config_;
  rv_core core_{};
  cpu_state state_ = cpu_state::waiting;
  std::vector<input> inputs_;
  sc_core::sc_event_or_list wake_;
  sc_core::sc_event reset_event_;
  std::function<std::uint64_t(std::uint64_t)> time_;
  bool reset_pending_ = false;
  std::uint32_t entry_ = 0;
  std::uint64_t start_cycle_ = 0;
};

} // namespace tpu
#endif
