/* SPDX-License-Identifier: Apache-2.0 */
// Random RV32IM_Zicsr programs for comparing the core with another implementation. Same seed, same
// program (from one compiler: it chooses the order in which arguments are drawn).
#ifndef TPU_TEST_CPU_RANDOM_PROGRAM_H
#define TPU_TEST_CPU_RANDOM_PROGRAM_H

#include <cstdint>
#include <vector>

struct random_program {
  static constexpr std::uint32_t code_base = 0x80000000;
  static constexpr std::uint32_t data_base = 0x80100000;

  std::vector<std::uint32_t> code; // entry at code_base
  std::vector<std::uint32_t> data; // at data_base
  std::size_t instructions = 0;    // random ones
};

// `sequences` sequences of `units` random instructions or short groups of them. Each starts from
// fresh register values and ends by printing registers, a checksum of memory and one of all traps
// (cause, value and place) on the console. Then the program stops through the finisher.
random_program make_random_program(std::uint32_t seed, unsigned sequences, unsigned units);

#endif
