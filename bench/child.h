// SPDX-License-Identifier: Apache-2.0
// Measurements in processes of their own: SystemC elaborates once per process, and peak memory is
// an account of a process.
#ifndef TPU_BENCH_CHILD_H
#define TPU_BENCH_CHILD_H

#include <functional>
#include <string>
#include <vector>

namespace tpu::bench {

// Numbers, in an order that the measurement and its reader agree on; or a sentence about why there
// are none.
struct outcome {
  std::vector<double> numbers;
  std::string error; // empty: it worked
};

// Runs work in a forked child and brings its outcome here. A child that dies is an outcome with an
// error. work must not rely on destructors of what it does not own: the child ends without them.
outcome in_child(const std::function<outcome()> &work);

struct process_usage {
  double seconds = 0;    // wall, from before it exists to after it is gone
  double peak_bytes = 0; // resident; at least what this process had when it started the child
  std::string error;     // empty: it exited with 0
};

// Runs a program to its end; what it says is discarded.
process_usage run_process(const std::vector<std::string> &words);

double now_seconds(); // monotonic
double cpu_seconds(); // of this process

} // namespace tpu::bench
#endif
