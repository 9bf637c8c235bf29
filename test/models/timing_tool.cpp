// SPDX-License-Identifier: Apache-2.0
// Reads timing profiles with the project's reader, for tests in other languages:
//   tpu_timing_tool timing FILE...
// prints one line a file: "ok" or the reader's report.
#include <cstdio>

#include "platform/timing_file.h"

int main(int argc, char **argv) {
  for (int i = 2; i < argc; ++i) {
    tpu::core::timing_profile profile;
    tpu_report r{};
    std::puts(tpu::read_timing_profile(argv[i], profile, &r) != 0 ? "ok" : r.text);
  }
  return argc > 2 ? 0 : 1;
}
