/* SPDX-License-Identifier: Apache-2.0 */
// The assembled machine: core, bus, memory, devices, and the accelerator. One per process, since
// SystemC elaborates once; any number of images run on it one after the other, and what a reset of
// the core does not touch - memory beyond the image, on-chip memories, device time - persists, as
// it does in hardware.
#ifndef TPU_PLATFORM_PLATFORM_H
#define TPU_PLATFORM_PLATFORM_H

#include "judge/config.h"
#include "models/accelerator.h"
#include "platform/bus/accelerator_registers.h"
#include "platform/bus/console.h"
#include "platform/bus/cpu.h"
#include "platform/bus/dram.h"
#include "platform/bus/finisher.h"
#include "platform/bus/router.h"
#include "platform/bus/timer.h"

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <systemc>
#include <vector>

namespace tpu {

enum class run_end {
  finished,   // the image wrote the finisher: exit_code
  trapped,    // a trap that no handler took
  asleep,     // the core sleeps and nothing will ever wake it
  over_limit, // still running after the cycles it was given
  broken      // the simulation itself reported an error
};

struct run_status {
  run_end end = run_end::broken;
  std::uint32_t exit_code = 0; // when finished
  bool passed = false;         // finished as passed; a failure may carry code 0
  std::uint64_t cycles = 0;    // from reset to the end
  std::uint64_t instructions = 0;
  std::string text; // one line, unless finished: what ended the run, where
};

// What the memory did for an initiator since the image was loaded.
struct initiator_account {
  const char *name;
  port_account memory;
  std::uint64_t on_bus = 0; // cycles that its transactions took, as the bus saw them
};

// Of an ideal memory all zeros: it is never busy, and nothing waits for it.
struct memory_account {
  struct port {
    std::string name; // the initiator's whose own it is, or "shared"
    std::uint64_t cycles = 0, busy = 0, idle = 0;
  };
  std::vector<initiator_account> initiators;
  std::vector<port> ports;
  // "", or what does not add up: for each initiator the time its transactions took is waiting +
  // requests * latency + busy, for each port busy + idle are its cycles.
  std::string broken;
};

class platform : public sc_core::sc_module {
public:
  static constexpr std::uint64_t no_limit = UINT64_MAX;

  // config: resolved. console_out may be null. seed: garbage of the on-chip memories.
  platform(const sc_core::sc_module_name &name, const tpu_platform_config &config,
           const core::timing_profile &timing, std::ostream *console_out, std::uint32_t seed);

  // Puts an ELF image into memory and resets core and devices to start it; a run of the accelerator
  // that is still under way goes on. Returns 1, or 0 with one line that names the file; then
  // nothing has changed.
  int load(const std::string &file, const std::uint8_t *image, std::size_t bytes,
           struct tpu_report *r);

  // Whether the accelerator logs the critical path of its runs, from the next one on.
  void record_path(bool on) { accelerator_.record_path(on); }

  // Runs what was loaded until it ends, at most `limit` cycles. Lack of memory is a std::bad_alloc.
  run_status run(std::uint64_t limit = no_limit);

  // Runs the accelerator alone on what lies in memory, to its outcome, while the core stands still:
  // before an image is loaded, or after one has ended. Registers and interrupt have no part in it.
  // Returns 1; 0 when the simulation itself reported an error. Lack of memory is a std::bad_alloc.
  int run_accelerator(const core::run_addresses &addresses, struct tpu_report *r);

  // Memory as it is; null unless [address, address + bytes) lies in DRAM.
  std::uint8_t *memory(std::uint32_t address, std::size_t bytes);

  // Since the image was loaded, to the present or the last data under way.
  memory_account memory_use() const;

  const std::string &console_text() const { return console_.text(); }
  const accelerator &device() const { return accelerator_; }
  accelerator &device() { return accelerator_; }
  // For who observes starts and the interrupt.
  accelerator_registers &registers() { return registers_; }
  // Of a run that ended in run_end::trapped.
  const rv_report &trap() const { return cpu_.core().report; }

private:
  std::string describe_trap(const rv_report &report) const;

  cpu cpu_;
  router router_;
  dram dram_;
  console console_;
  timer timer_;
  finisher finisher_;
  accelerator accelerator_;
  accelerator_registers registers_;
  std::uint64_t retired_before_ = 0; // instructions, when the image was loaded
};

// Keeps SystemC's banner and its reports away from the streams of the program; to be called before
// anything of SystemC's is constructed. Errors still end in an exception, which platform::run
// turns into a status.
void silence_systemc();

} // namespace tpu
#endif
