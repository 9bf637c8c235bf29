// SPDX-License-Identifier: Apache-2.0
#include "bench/machine.h"

#include "firmware/bench/kernels.h"
#include "firmware/bench/order.h"
#include "models/core/tracer.h"
#include "platform/platform.h"
#include "platform/timing_file.h"
#include "platform/trace/fan_out.h"
#include "platform/trace/page_record.h"
#include "platform/trace/perfetto.h"
#include "platform/trace/vcd.h"
#include "platform/trace/windows.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <unistd.h>
#include <vector>

namespace tpu::bench {

namespace {

// Wall and processor time between the write that starts a run and the interrupt that ends it.
class stopwatch : public sc_core::sc_module {
public:
  stopwatch(const sc_core::sc_module_name &name, platform &machine)
      : sc_module(name), device_(machine.device()) {
    SC_HAS_PROCESS(stopwatch);
    machine.registers().on_start([this] {
      running_ = true;
      began_ = now_seconds();
      cpu_began_ = cpu_seconds();
    });
    SC_METHOD(interrupted);
    sensitive << machine.registers().interrupt.raised_event();
    dont_initialize();
  }

  double seconds() const { return seconds_; }
  double cpu() const { return cpu_seconds_; }
  std::uint64_t cycles() const { return cycles_; }
  std::uint32_t runs() const { return runs_; }

private:
  void interrupted() {
    if (!running_)
      return;
    seconds_ += now_seconds() - began_;
    cpu_seconds_ += cpu_seconds() - cpu_began_;
    running_ = false;
    cycles_ += static_cast<std::uint64_t>(device_.elapsed());
    ++runs_;
  }

  const accelerator &device_;
  bool running_ = false;
  double began_ = 0;
  double cpu_began_ = 0;
  double seconds_ = 0;
  double cpu_seconds_ = 0;
  std::uint64_t cycles_ = 0;
  std::uint32_t runs_ = 0;
};

std::string read_image(const std::string &file, std::vector<std::uint8_t> &out) {
  std::ifstream in(file, std::ios::binary);
  out.assign(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  return in.bad() || out.empty() ? file + ": cannot be read" : "";
}

// A platform with an image in it and an order at the payload's place.
class bench_machine {
public:
  // "" or why not. Once in a process.
  std::string open(const places &where, std::uint32_t t, const char *image) {
    const std::string assignment = "T=" + std::to_string(t);
    const std::array<const char *, 3> assignments{assignment.c_str(), "MAXDIM=64", "QD=16"};
    const std::string file = where.firmware + "/" + image;
    tpu_report r{};
    tpu_platform_config config{};
    core::timing_profile timing;
    std::vector<std::uint8_t> bytes;
    if (tpu_config_load(nullptr, assignments.data(), assignments.size(), &config, &r) == 0)
      return r.text;
    const std::string profile = where.configs + "/timing/" + config.timing + ".json";
    if (read_timing_profile(profile.c_str(), timing, &r) == 0)
      return r.text;
    if (std::string why = read_image(file, bytes); !why.empty())
      return why;
    silence_systemc();
    const double begin = now_seconds();
    platform_ = std::make_unique<platform>("platform", config, timing, nullptr, 1);
    stopwatch_ = std::make_unique<stopwatch>("stopwatch", *platform_);
    sc_core::sc_start(sc_core::SC_ZERO_TIME); // elaborates
    elaboration_ = now_seconds() - begin;
    return platform_->load(file, bytes.data(), bytes.size(), &r) != 0 ? "" : r.text;
  }

  // Runs to the end; "" or why it did not pass.
  std::string run() {
    const double begin = now_seconds();
    const double cpu_begin = cpu_seconds();
    status_ = platform_->run();
    seconds_ = now_seconds() - begin;
    cpu_seconds_ = cpu_seconds() - cpu_begin;
    if (status_.end != run_end::finished)
      return status_.text;
    return status_.exit_code == 0 ? "" : "the image failed: " + platform_->console_text();
  }

  accelerator &device() { return platform_->device(); }
  void record_path(bool on) { platform_->record_path(on); }
  template <typename Order> void put(const Order &order) {
    std::memcpy(platform_->memory(TPU_PAYLOAD_BASE, sizeof order), &order, sizeof order);
  }
  template <typename Order> void get(Order &order) {
    std::memcpy(&order, platform_->memory(TPU_PAYLOAD_BASE, sizeof order), sizeof order);
  }
  const std::int8_t *image(std::uint32_t address, std::size_t bytes) {
    return reinterpret_cast<const std::int8_t *>(platform_->memory(address, bytes));
  }
  std::uint32_t maxdim() const { return platform_->device().params().maxdim; }
  const stopwatch &watch() const { return *stopwatch_; }
  const run_status &status() const { return status_; }
  double seconds() const { return seconds_; }
  double cpu() const { return cpu_seconds_; }
  double elaboration() const { return elaboration_; }

private:
  std::unique_ptr<platform> platform_;
  std::unique_ptr<stopwatch> stopwatch_;
  run_status status_;
  double seconds_ = 0;
  double cpu_seconds_ = 0;
  double elaboration_ = 0;
};

// C against the saturated product, on the host; "" or the first place that differs.
std::string check_product(bench_machine &m, const bench_repeat &order) {
  const std::size_t pitch = m.maxdim();
  std::array<const std::int8_t *, 3> images{};
  for (std::size_t i = 0; i < images.size(); ++i) {
    images[i] = m.image(order.address[i], pitch * pitch);
    if (images[i] == nullptr)
      return "the image reports an operand outside memory";
  }
  for (std::size_t row = 0; row < order.edge; ++row) {
    for (std::size_t col = 0; col < order.edge; ++col) {
      int sum = 0;
      for (std::size_t k = 0; k < order.edge; ++k)
        sum += images[0][row * pitch + k] * images[1][k * pitch + col];
      if (images[2][row * pitch + col] != std::clamp(sum, -128, 127))
        return "wrong product at row " + std::to_string(row) + " column " + std::to_string(col);
    }
  }
  return "";
}

// All files of a trace, written and forgotten.
class trace_writers final : public trace::fan_out {
public:
  trace_writers() : events_(std::vector<std::string>(256, "instruction")), windows_(100) {}
  std::string open() {
    tpu_report r{};
    add(vcd_);
    add(events_);
    add(windows_);
    add(record_);
    const bool good = vcd_.open("/dev/null", &r) != 0 && events_.open("/dev/null", &r) != 0 &&
                      windows_.open("/dev/null", &r) != 0;
    return good ? "" : r.text;
  }

private:
  trace::vcd_writer vcd_;
  trace::perfetto_writer events_;
  trace::window_writer windows_;
  trace::page_record record_;
};

double number(std::uint64_t value) { return static_cast<double>(value); }

} // namespace

std::string find_places(places &out) {
  std::array<char, 4096> self{};
  const ssize_t n = readlink("/proc/self/exe", self.data(), self.size() - 1);
  std::string path = n > 0 ? std::string(self.data(), static_cast<std::size_t>(n)) : "";
  for (int level = 0; level < 2; ++level) // .../bench/tpuvp_bench
    path = path.substr(0, path.find_last_of('/'));
  out = {path + "/tpuvp", path + "/firmware", path + "/configs", path + "/corpus",
         path + "/bench/long.json"};
  for (const std::string &file : {out.program, out.firmware, out.configs, out.corpus})
    if (access(file.c_str(), R_OK) != 0)
      return file + ": cannot be read; the benchmark runs in its build tree, built as a whole";
  return "";
}

outcome measure_accelerator(const places &where, std::uint32_t t, std::uint32_t edge,
                            std::uint32_t starts, observation how) {
  bench_machine m;
  if (std::string why = m.open(where, t, "bench_repeat.elf"); !why.empty())
    return {{}, why};
  m.record_path(how == observation::path);
  trace_writers writers;
  std::optional<core::tracer> tracer;
  if (how == observation::trace) {
    if (std::string why = writers.open(); !why.empty())
      return {{}, why};
    tracer.emplace(m.device(), writers);
  }
  bench_repeat order{};
  order.magic = BENCH_REPEAT_MAGIC;
  order.starts = starts;
  order.edge = edge;
  m.put(order);
  if (std::string why = m.run(); !why.empty())
    return {{}, why};
  m.get(order);
  if (order.done != starts || m.watch().runs() != starts || m.watch().cycles() != order.cycles)
    return {{}, "the runs seen here are not those that the image reports"};
  if (std::string why = check_product(m, order); !why.empty())
    return {{}, why};
  std::vector<double> numbers(ACCELERATOR_NUMBERS);
  numbers[DEVICE_CYCLES] = number(m.watch().cycles());
  numbers[DEVICE_SECONDS] = m.watch().seconds();
  numbers[DEVICE_CPU_SECONDS] = m.watch().cpu();
  numbers[WHOLE_CYCLES] = number(m.status().cycles);
  numbers[WHOLE_SECONDS] = m.seconds();
  numbers[ELABORATION_SECONDS] = m.elaboration();
  return {numbers, ""};
}

outcome measure_core(const places &where, std::uint32_t rounds) {
  bench_machine m;
  if (std::string why = m.open(where, 4, "bench_mips.elf"); !why.empty())
    return {{}, why};
  bench_mips order{};
  order.magic = BENCH_MIPS_MAGIC;
  order.rounds = rounds;
  m.put(order);
  if (std::string why = m.run(); !why.empty())
    return {{}, why};
  m.get(order);
  const auto work = std::make_unique<bench_work>();
  std::uint32_t checksum = 0;
  for (std::uint32_t round = 0; round < rounds; ++round)
    checksum = bench_kernels_run(work.get(), checksum);
  if (order.done != rounds || order.checksum != checksum)
    return {{}, "the core's checksum is not the host's"};
  std::vector<double> numbers(CORE_NUMBERS);
  numbers[CORE_INSTRUCTIONS] = number(m.status().instructions);
  numbers[CORE_SECONDS] = m.seconds();
  numbers[CORE_CPU_SECONDS] = m.cpu();
  return {numbers, ""};
}

} // namespace tpu::bench
