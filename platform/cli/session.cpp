/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/cli/session.h"

#include "platform/cli/engine_result.h"
#include "platform/cli/trap_text.h"
#include "platform/image.h"
#include "platform/timing_file.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace tpu::cli {

namespace {

unit_account account_of(std::string name, const core::unit_counters &c, const core::wait_sums &w,
                        std::uint32_t instances, std::uint64_t cycles) {
  unit_account out{std::move(name), instances, c, w, 0};
  if (cycles != 0)
    out.utilization = static_cast<double>(c.done) / (static_cast<double>(cycles) * instances);
  return out;
}

// The stretches of the path follow one another from the start to the end.
bool path_adds_up(const device_account &d) {
  core::cycle at = 0;
  for (const core::path_stretch &s : d.path) {
    if (s.from != at || s.to <= at)
      return false;
    at = s.to;
  }
  return static_cast<std::uint64_t>(at) == d.cycles;
}

// busy + starved + blocked + idle = elapsed, for every instance, its waits by stream are starved
// and blocked, and the critical path is elapsed; "" or what breaks it.
std::string broken_account(const device_account &d) {
  const auto adds_up = [&d](const unit_account &u) {
    return static_cast<std::uint64_t>(u.counters.busy + u.counters.starved + u.counters.blocked +
                                      u.counters.idle) == d.cycles * u.instances;
  };
  for (const auto *list : {&d.units, &d.wld, &d.pe})
    for (const unit_account &u : *list)
      if (!adds_up(u) || !u.waits.account_for(u.counters))
        return u.name;
  return d.path.empty() || path_adds_up(d) ? std::string() : std::string("the critical path");
}

std::string not_adding_up(const std::string &broken) {
  return "the cycles of " + broken + " do not add up to the run";
}

// How a verdict of the application reads here.
const char *word_of(std::uint32_t outcome) {
  switch (outcome) {
  case TPU_OUTCOME_EXACT:
    return tpu_verdict_name(TPU_VERDICT_EXACT);
  case TPU_OUTCOME_WRONG:
    return tpu_verdict_name(TPU_VERDICT_WRONG);
  case TPU_OUTCOME_CLOBBERED:
    return tpu_verdict_name(TPU_VERDICT_CLOBBERED);
  case TPU_OUTCOME_DEADLOCK:
    return tpu_verdict_name(TPU_VERDICT_DEADLOCK);
  case TPU_OUTCOME_SKIPPED:
    return tpu_verdict_name(TPU_VERDICT_SKIPPED);
  case TPU_OUTCOME_REFUSED:
    return tpu_verdict_name(TPU_VERDICT_DECLINED);
  case TPU_OUTCOME_COMPLETED:
    return "COMPLETED";
  default:
    return tpu_verdict_name(TPU_VERDICT_FAULT);
  }
}

std::string place(const char *unit, std::uint32_t i, std::uint32_t j) {
  return std::string(unit) + "[" + std::to_string(i) + "][" + std::to_string(j) + "]";
}

} // namespace

int read_run_options(const tpu_args *args, run_options &out, tpu_report *r) {
  return tpu_args_seed(args, &out.seed, r) != 0 &&
         tpu_args_number(args, TPU_OPTION_LIMIT, 1, UINT64_MAX, default_limit, &out.limit, r) !=
             0 &&
         tpu_setup_config(args, &out.config, out.config_path, r) != 0;
}

std::unique_ptr<session> session::open(const tpu_platform_config &config, const char *config_path,
                                       std::uint32_t seed, std::ostream *console, tpu_report *r) {
  char path[TPU_PATH_SIZE];
  core::timing_profile timing;
  if (tpu_setup_timing(&config, config_path, path, r) == 0 ||
      read_timing_profile(path, timing, r) == 0)
    return nullptr;
  silence_systemc();
  try {
    return std::unique_ptr<session>(new session(config, timing, seed, console));
  } catch (const std::bad_alloc &) {
    (void)out_of_memory(config.params, r);
    return nullptr;
  }
}

session::session(const tpu_platform_config &config, const core::timing_profile &timing,
                 std::uint32_t seed, std::ostream *console)
    : config_(config), machine_("platform", config, timing, console, seed) {
  machine_.record_path(true); // names the critical unit
}

device_account session::account(std::uint64_t array_macs) const {
  const core::network &net = machine_.device();
  const std::uint32_t t = config_.params.t;
  device_account out;
  out.completed = net.result() == core::outcome::completed;
  out.cycles = static_cast<std::uint64_t>(net.elapsed());
  for (int k = 0; k < TPU_UNIT_COUNT; ++k) {
    const auto u = static_cast<tpu_unit>(k);
    const bool array = u == TPU_UNIT_WLD || u == TPU_UNIT_PE;
    out.units.push_back(account_of(core::unit_name(u), net.counters(u), net.waits(u),
                                   array ? t * t : 1, out.cycles));
  }
  for (std::uint32_t i = 0; i < t; ++i) {
    for (std::uint32_t j = 0; j < t; ++j) {
      const std::uint32_t k = i * t + j;
      out.wld.push_back(account_of(place("wld", i, j), net.loader_counters(i, j),
                                   net.waits(core::process_id{TPU_UNIT_WLD, k}), 1, out.cycles));
      out.pe.push_back(account_of(place("pe", i, j), net.pe_counters(i, j),
                                  net.waits(core::process_id{TPU_UNIT_PE, k}), 1, out.cycles));
    }
  }
  if (net.result() == core::outcome::deadlock)
    out.deadlock = std::make_unique<const hang>(net);
  if ((out.completed || out.deadlock) && !net.observed())
    out.path = net.critical_path();
  if (out.completed && !out.path.empty()) {
    std::array<std::uint64_t, TPU_UNIT_COUNT> &path = out.critical_path;
    for (const core::path_stretch &s : out.path)
      if (s.cause != core::path_cause::start_up && s.cause != core::path_cause::finish)
        path[s.owner.unit] += static_cast<std::uint64_t>(s.to - s.from);
    const auto most = std::max_element(path.begin(), path.end());
    out.critical_unit = core::unit_name(static_cast<tpu_unit>(most - path.begin()));
    out.array_utilization = static_cast<double>(array_macs) /
                            (static_cast<double>(t) * t * static_cast<double>(out.cycles));
  }
  return out;
}

std::string after_end(const run_status &status, session &s) {
  if (status.end == run_end::trapped)
    return disassembly(s.machine().trap());
  return status.end == run_end::over_limit ? "; --limit allows more" : "";
}

void session::judge(const tpu_job &job, job_report &out) {
  const std::size_t image_bytes =
      static_cast<std::size_t>(config_.params.maxdim) * config_.params.maxdim;
  tpu_job_outcome outcome{};
  std::string abnormal;
  std::string circle;
  tpu_error e{};
  const bool started = machine_.device().result() != core::outcome::none;
  if (started) // also when the core did not come to its end after it
    out.device = account(std::uint64_t{job.counts.mm_rows} * config_.params.t * config_.params.t);
  if (out.status.end != run_end::finished) {
    abnormal = out.status.text + after_end(out.status, *this);
  } else if (tpu_result_read(machine_.memory(TPU_RESULT_BASE, TPU_RESULT_SIZE), TPU_RESULT_SIZE,
                             &out.result, &e) == 0) {
    abnormal = e.text;
  } else {
    outcome.result = &out.result;
    outcome.image = reinterpret_cast<const std::int8_t *>(
        machine_.memory(out.result.address[TPU_BUFFER_C], image_bytes));
    const std::size_t words = std::size_t{out.result.instructions} * sizeof(tpu_word);
    outcome.words = reinterpret_cast<const tpu_word *>(machine_.memory(
        out.result.address_program + TPU_HEADER_WORDS * sizeof(std::uint64_t), words));
    if (started) {
      const std::string broken = broken_account(out.device);
      if (out.device.cycles != out.result.accelerator)
        abnormal = "the core read " + std::to_string(out.result.accelerator) +
                   " accelerator cycles, the model counted " + std::to_string(out.device.cycles);
      else if (!broken.empty())
        abnormal = not_adding_up(broken);
      else if (!out.memory.broken.empty())
        abnormal = out.memory.broken + " do not add up";
      else if (out.device.deadlock)
        circle = out.device.deadlock->view().sentence;
    }
    if (outcome.image == nullptr && started)
      abnormal = "the application reports image C outside memory";
  }
  outcome.abnormal = abnormal.empty() ? nullptr : abnormal.c_str();
  outcome.hang = circle.empty() ? nullptr : circle.c_str();
  tpu_job_judge(&job, &outcome, &out.verdict);
}

int session::run_image(std::uint64_t limit, job_report &out, image_verdict &verdict,
                       tpu_report *r) {
  try {
    verdict = run_loaded(limit, out);
  } catch (const std::bad_alloc &) {
    return out_of_memory(config_.params, r);
  }
  return 1;
}

image_verdict session::run_loaded(std::uint64_t limit, job_report &out) {
  out = job_report{};
  out.ran = true;
  out.status = machine_.run(limit);
  out.memory = machine_.memory_use();
  if (machine_.device().result() != core::outcome::none)
    out.device = account(0);
  if (const std::string broken = broken_account(out.device); !broken.empty())
    return {tpu_verdict_name(TPU_VERDICT_FAULT), not_adding_up(broken), false};
  if (out.status.end != run_end::finished)
    return {tpu_verdict_name(TPU_VERDICT_FAULT), out.status.text, false};
  if (!out.memory.broken.empty())
    return {tpu_verdict_name(TPU_VERDICT_FAULT), out.memory.broken + " do not add up", false};
  tpu_error e{};
  if (tpu_result_read(machine_.memory(TPU_RESULT_BASE, TPU_RESULT_SIZE), TPU_RESULT_SIZE,
                      &out.result, &e) != 0)
    return {word_of(out.result.outcome), out.result.line, out.result.outcome == TPU_OUTCOME_EXACT};
  out.result = tpu_result{};
  if (out.status.passed)
    return {"PASSED", "", false};
  return {"FAILED", "failed with code " + std::to_string(out.status.exit_code), false};
}

int session::run(const tpu_job &job, const tpu_application &application, std::uint64_t limit,
                 job_report &out, tpu_report *r) {
  out = job_report{};
  if (job.verdict != TPU_VERDICT_NOT_RUN) {
    tpu_job_judge(&job, nullptr, &out.verdict);
    return 1;
  }
  std::uint8_t *image = nullptr;
  std::size_t bytes = 0;
  if (tpu_job_image(&job, &application, &image, &bytes, r) == 0)
    return 0;
  // What an earlier image reported must not pass for this one's report.
  std::memset(machine_.memory(TPU_RESULT_BASE, TPU_RESULT_SIZE), 0, TPU_RESULT_SIZE);
  const int loaded = machine_.load(job.name, image, bytes, r);
  std::free(image);
  if (loaded == 0)
    return 0;
  try {
    out.ran = true;
    out.status = machine_.run(limit);
    out.memory = machine_.memory_use();
    judge(job, out);
  } catch (const std::bad_alloc &) {
    return out_of_memory(config_.params, r);
  }
  return 1;
}

} // namespace tpu::cli
