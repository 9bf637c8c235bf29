// SPDX-License-Identifier: Apache-2.0
// The interface from C++: one function maps a tile, the other lets an exception out.
#include "tpu_submission.h"

#include <algorithm>
#include <array>
#include <stdexcept>

TPU_SUBMISSION;

TPU_SUBMISSION_EXPORT int map_tile(const tpu_submission_workload *, const tpu_submission_params *,
                                   tpu_submission_program *program) {
  constexpr std::array<tpu_submission_word, 4> words = {{{{UINT64_C(0x0100000000000081), 0}},
                                                         {{UINT64_C(0x0100000000000041), 0}},
                                                         {{UINT64_C(0x0100000000000004), 0}},
                                                         {{UINT64_C(0x0100000000000007), 0}}}};
  std::copy(words.begin(), words.end(), program->words);
  program->count = words.size();
  return 0;
}

TPU_SUBMISSION_EXPORT int throws(const tpu_submission_workload *, const tpu_submission_params *,
                                 tpu_submission_program *) {
  throw std::runtime_error("no way");
}
