// SPDX-License-Identifier: Apache-2.0
// Random legal programs: every data instruction, overlapping regions, loops with terms on several
// fields at once, the last rows of each memory.
#ifndef TPU_TEST_MODELS_RANDOM_PROGRAM_H
#define TPU_TEST_MODELS_RANDOM_PROGRAM_H

#include <cstdint>
#include <random>
#include <vector>

#include "isa/check.h"
#include "isa/program.h"

namespace random_program {

// Parameters with room for long programs.
tpu_params parameters(std::uint32_t t, std::uint32_t maxdim, std::uint32_t qd,
                      std::uint32_t dma_words = 1);

struct program {
  std::vector<tpu_word> words;
  std::vector<tpu_insn> insns;
  tpu_counts counts{};

  tpu_code code() {
    const auto n = static_cast<std::uint32_t>(insns.size());
    return {insns.data(), n, n};
  }
};

// A legal program (it passes tpu_check_program), the same for the same seed and parameters.
program make(const tpu_params &p, std::uint32_t seed);

} // namespace random_program
#endif
