/* SPDX-License-Identifier: Apache-2.0 */
// The one clock of the platform: a cycle is 1 ns of simulation time, for every module.
#ifndef TPU_PLATFORM_BUS_CLOCK_H
#define TPU_PLATFORM_BUS_CLOCK_H

#include <cstdint>
#include <systemc>

namespace tpu {

// Ticks of SystemC's default time resolution, 1 ps, which nothing here changes.
constexpr std::uint64_t ticks_per_cycle = 1000;

inline sc_core::sc_time cycles_to_time(std::uint64_t cycles) {
  return sc_core::sc_time::from_value(cycles * ticks_per_cycle);
}

// What is done half a cycle in has seen all that was done at the whole one.
inline sc_core::sc_time half_cycle() { return sc_core::sc_time::from_value(ticks_per_cycle / 2); }

// Whole cycles; a fraction counts as a cycle, so that nothing is ever seen early.
inline std::uint64_t time_to_cycles(const sc_core::sc_time &t) {
  return (t.value() + ticks_per_cycle - 1) / ticks_per_cycle;
}

} // namespace tpu
#endif
