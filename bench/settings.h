// SPDX-License-Identifier: Apache-2.0
// The benchmark's command line.
#ifndef TPU_BENCH_SETTINGS_H
#define TPU_BENCH_SETTINGS_H

#include <cstdint>
#include <string>

namespace tpu::bench {

struct settings {
  std::uint32_t repetitions = 5;
  std::uint32_t starts = 100;
  std::uint32_t rounds = 100;
  std::uint32_t columns = 768; // of C of the GEMM by tiles
  // What is measured.
  bool accelerator = true, core = true, judge = true, process = true, tile = true;
  bool json = false;
  bool check = false; // a missed target is exit code 1
  bool help = false;
};

// "" or one line: the word, what is wrong, what is allowed.
std::string parse_settings(int argc, const char *const argv[], settings &out);

extern const char *const usage;

} // namespace tpu::bench
#endif
