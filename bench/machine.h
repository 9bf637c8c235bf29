// SPDX-License-Identifier: Apache-2.0
// One platform, elaborated in this process, with a stopwatch on what it does.
#ifndef TPU_BENCH_MACHINE_H
#define TPU_BENCH_MACHINE_H

#include "bench/child.h"

#include <cstdint>
#include <string>

namespace tpu::bench {

// Where the build tree has what is measured.
struct places {
  std::string program;      // tpuvp
  std::string firmware;     // directory of images
  std::string configs;      // directory of configurations
  std::string corpus;       // directory of specs
  std::string long_program; // program file of bench/long.s
};

// The places of the build tree that this executable lies in; "" or why not.
std::string find_places(places &out);

// What is told of the runs that are measured: nothing, the log of the critical path, or a trace:
// VCD, trace events, windows of 100 cycles, written to /dev/null.
enum class observation { none, path, trace };

// The GEMM edge x edge x edge, mapped once and started `starts` times at this T (MAXDIM 64, QD 16),
// its last result checked; numbers by accelerator_number.
enum accelerator_number {
  DEVICE_CYCLES,      // of all runs, start to done
  DEVICE_SECONDS,     // of wall time, from the write of CONTROL to the interrupt, all runs
  DEVICE_CPU_SECONDS, // the same in processor time
  WHOLE_CYCLES,       // of the image, from reset to its end
  WHOLE_SECONDS,
  ELABORATION_SECONDS,
  ACCELERATOR_NUMBERS
};
outcome measure_accelerator(const places &where, std::uint32_t t, std::uint32_t edge,
                            std::uint32_t starts, observation how);

// The kernels of firmware/bench, `rounds` times, on the core of the default configuration, their
// checksum held against the host's.
enum core_number { CORE_INSTRUCTIONS, CORE_SECONDS, CORE_CPU_SECONDS, CORE_NUMBERS };
outcome measure_core(const places &where, std::uint32_t rounds);

} // namespace tpu::bench
#endif
