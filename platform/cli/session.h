/* SPDX-License-Identifier: Apache-2.0 */
// The one platform of a process, and jobs run on it one after the other.
#ifndef TPU_PLATFORM_CLI_SESSION_H
#define TPU_PLATFORM_CLI_SESSION_H

#include "platform/cli/hang_of.h"
#include "platform/cli/image_bytes.h"
#include "platform/cli/setup.h"
#include "platform/platform.h"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace tpu::cli {

// Counters of one unit, or of one instance of the array.
struct unit_account {
  std::string name;
  std::uint32_t instances = 1; // cycles are summed over these
  core::unit_counters counters;
  core::wait_sums waits; // of starved and blocked
  // done / (instances * cycles): the share of its cycles in which it did the work that counts.
  double utilization = 0;
};

// What the accelerator did in the run that ended last.
struct device_account {
  bool completed = false;
  std::uint64_t cycles = 0;
  std::vector<unit_account> units;      // by TPU_UNITS
  std::vector<unit_account> wld, pe;    // T * T each, row-major
  std::unique_ptr<const hang> deadlock; // when it hung
  // When completed or hung: where every cycle went, from 0 to `cycles` without gaps.
  std::vector<core::path_stretch> path;
  // When completed: its cycles by unit, without the start of the units before and the finish after
  // them; and the unit that owns most of them, the first in data-path order on a tie.
  std::array<std::uint64_t, TPU_UNIT_COUNT> critical_path{};
  std::string critical_unit;
  double array_utilization = 0; // MACs of the array / (T * T * cycles)
};

// One job, run and judged; or not run, and why.
struct job_report {
  bool ran = false;
  tpu_job_verdict verdict{};
  run_status status;
  tpu_result result{}; // the application's, when it reported
  device_account device;
  memory_account memory;
};

// Cycles that any run may take unless told otherwise: hundreds of times what the corpus takes.
constexpr std::uint64_t default_limit = 2000000000;

// What the options say of a run.
struct run_options {
  tpu_platform_config config{};
  char config_path[TPU_PATH_SIZE] = {};
  std::uint32_t seed = 0;
  std::uint64_t limit = 0;
};

// --seed, --limit, --config and --set; 0 for bad input.
int read_run_options(const tpu_args *args, run_options &out, tpu_report *r);

// What an image that brings its own workload, or none, ended with.
struct image_verdict {
  std::string word; // a verdict's name when the corpus application reported, else PASSED, FAILED
  std::string reason;
  bool exact = false;
};

class session {
public:
  // Null, with the report, when the timing profile cannot be read, or for lack of memory. console:
  // where the guest's lines go as they come; may be null.
  static std::unique_ptr<session> open(const tpu_platform_config &config, const char *config_path,
                                       std::uint32_t seed, std::ostream *console, tpu_report *r);

  const tpu_platform_config &config() const { return config_; }
  platform &machine() { return machine_; }

  // Runs a prepared job as an image and judges it. 0 for what prevented that, not for a verdict.
  int run(const tpu_job &job, const tpu_application &application, std::uint64_t limit,
          job_report &out, tpu_report *r);

  // Runs the image that was loaded into machine(). 0 for lack of memory.
  int run_image(std::uint64_t limit, job_report &out, image_verdict &verdict, tpu_report *r);

  // The account of the accelerator's last run; array_macs for its utilization.
  device_account account(std::uint64_t array_macs) const;

private:
  session(const tpu_platform_config &config, const core::timing_profile &timing, std::uint32_t seed,
          std::ostream *console);
  void judge(const tpu_job &job, job_report &out);
  image_verdict run_loaded(std::uint64_t limit, job_report &out);

  tpu_platform_config config_;
  platform machine_;
};

// What more there is to say of a run that did not finish by itself; else "".
std::string after_end(const run_status &status, session &s);

} // namespace tpu::cli
#endif
