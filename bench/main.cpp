// SPDX-License-Identifier: Apache-2.0
// Speed of the simulation: the accelerator between start and interrupt, the core, the judge, the
// program as a whole. Repetitions go round all measurements, so that what disturbs the machine for
// a while disturbs them alike, and ratios are of neighbours in time.
#include "bench/child.h"
#include "bench/layers.h"
#include "bench/machine.h"
#include "bench/results.h"
#include "bench/settings.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>

namespace tpu::bench {

namespace {

constexpr std::uint32_t edge = 64;
constexpr double million = 1e6;

std::string at_t(std::uint32_t t) { return "T=" + std::to_string(t); }
std::string key_of(std::uint32_t t) { return "t" + std::to_string(t); }

quantity device_rate(std::uint32_t t) {
  const double target = t == 4 ? 10 : t == 8 ? 4 : 2;
  return {key_of(t) + "_accelerator", at_t(t) + " accelerator, start to done", "Mcycles/s",
          goal::at_least, target};
}

quantity ratio_of(std::uint32_t t) {
  return {key_of(t) + "_ratio", at_t(t) + " accelerator against T=4", "of its rate", goal::none, 0};
}

// Each adds one sample of all its quantities; "" or what prevented it.
std::string sample_accelerator(const places &where, const settings &s, results &r) {
  double first = 0;
  for (const std::uint32_t t : {4U, 8U, 16U}) {
    const auto measure = [&](observation how) {
      return in_child([&] { return measure_accelerator(where, t, edge, s.starts, how); });
    };
    const outcome o = measure(observation::none);
    const outcome recorded = measure(observation::path);
    const outcome traced = measure(observation::trace);
    for (const outcome *one : {&o, &recorded, &traced})
      if (!one->error.empty())
        return at_t(t) + ": " + one->error;
    const double rate = o.numbers[DEVICE_CYCLES] / o.numbers[DEVICE_SECONDS] / million;
    r.add(device_rate(t), rate);
    r.add({key_of(t) + "_accelerator_cpu", at_t(t) + " accelerator, by processor time", "Mcycles/s",
           goal::none, 0},
          o.numbers[DEVICE_CYCLES] / o.numbers[DEVICE_CPU_SECONDS] / million);
    if (t == 4)
      first = rate;
    else
      r.add(ratio_of(t), rate / first);
    r.add({key_of(t) + "_recording", at_t(t) + " with the critical path recorded", "of its time",
           goal::at_most, 1.3},
          recorded.numbers[DEVICE_CPU_SECONDS] / o.numbers[DEVICE_CPU_SECONDS]);
    r.add({key_of(t) + "_tracing", at_t(t) + " with a trace written", "of its time", goal::at_most,
           5},
          traced.numbers[DEVICE_CPU_SECONDS] / o.numbers[DEVICE_CPU_SECONDS]);
    r.add({key_of(t) + "_run", at_t(t) + " accelerator, one run", "ms", goal::none, 0},
          o.numbers[DEVICE_SECONDS] / s.starts * 1e3);
    r.add({key_of(t) + "_cycles", at_t(t) + " accelerator, one run", "cycles", goal::none, 0},
          o.numbers[DEVICE_CYCLES] / s.starts);
    r.add({key_of(t) + "_end_to_end", at_t(t) + " end to end", "Mcycles/s", goal::none, 0},
          o.numbers[WHOLE_CYCLES] / o.numbers[WHOLE_SECONDS] / million);
    r.add({key_of(t) + "_elaboration", at_t(t) + " elaboration", "ms", goal::none, 0},
          o.numbers[ELABORATION_SECONDS] * 1e3);
  }
  return "";
}

std::string sample_core(const places &where, const settings &s, results &r) {
  const outcome o = in_child([&] { return measure_core(where, s.rounds); });
  if (!o.error.empty())
    return "core: " + o.error;
  r.add({"core", "core, RV32IM with DMI", "MIPS", goal::at_least, 60},
        o.numbers[CORE_INSTRUCTIONS] / o.numbers[CORE_SECONDS] / million);
  r.add({"core_cpu", "core, by processor time", "MIPS", goal::none, 0},
        o.numbers[CORE_INSTRUCTIONS] / o.numbers[CORE_CPU_SECONDS] / million);
  r.add({"core_instructions", "core, instructions", "million", goal::none, 0},
        o.numbers[CORE_INSTRUCTIONS] / million);
  return "";
}

// A command of the program from its start to its end, with the most milliseconds it may take (0: no
// target), and its memory.
struct command {
  const char *name;
  std::vector<std::string> words;
  double most_ms;
  const char *what = nullptr; // how it is told, if not by its words
};

std::string sample_commands(const places &where, const std::vector<command> &commands, results &r) {
  for (const command &one : commands) {
    std::vector<std::string> words{where.program};
    std::string what = "tpuvp";
    for (const std::string &word : one.words) {
      words.push_back(word);
      what += " " + word;
    }
    what = one.what != nullptr ? one.what : what;
    const process_usage p = run_process(words);
    if (!p.error.empty())
      return p.error;
    r.add({std::string(one.name) + "_wall", what + ", wall", "ms",
           one.most_ms > 0 ? goal::at_most : goal::none, one.most_ms},
          p.seconds * 1e3);
    r.add({std::string(one.name) + "_memory", what + ", peak", "MB", goal::at_most, 64},
          p.peak_bytes / million);
  }
  return "";
}

std::string sample_processes(const places &where, results &r) {
  return sample_commands(
      where,
      {{"run_4", {"run", "gemm_4x4x4"}, 30},
       {"run_64", {"run", "gemm_steady_64x64x64"}, 0},
       {"trace_long",
        {"trace", "--program", where.long_program, "--set", "memory.latency_cycles=1000", "--set",
         "memory.outstanding=1", "--vcd", "/dev/null", "--perfetto", "/dev/null", "--csv",
         "/dev/null"},
        0,
        "tpuvp trace of 15.9 million cycles"},
       {"corpus", {"corpus"}, 0},
       {"sweep", // 990 points
        {"sweep", "--set", "T=4,8,16", "--set", "QD=4,8,12,16,32", "--set", "DMA_WORDS=1,2,4"},
        20000},
       {"fidelity", {"fidelity"}, 500}},
      r);
}

std::string sample_judge(const places &where, results &r) {
  const char *const spec = "gemm_16x16x16";
  const outcome o = in_child([&] { return measure_layers(where, spec); });
  if (!o.error.empty())
    return o.error;
  r.add({"judge_contracts", std::string(spec) + ", layers isa, encoding and spec", "us",
         goal::at_most, 50},
        o.numbers[CONTRACT_SECONDS] * million);
  r.add({"judge_protocol", std::string(spec) + ", layer protocol", "us", goal::none, 0},
        o.numbers[PROTOCOL_SECONDS] * million);
  return sample_commands(where,
                         {{"judge_correct", {"judge", "correct", "--set", "MAXDIM=16"}, 1000},
                          {"judge_fast", {"judge", "fast", "--simulate"}, 1000}},
                         r);
}

// The largest command: a projection of a language model, on the default configuration.
std::string sample_tile(const places &where, const settings &s, results &r) {
  return sample_commands(where,
                         {{"tile", {"tile", "128", "768", std::to_string(s.columns)}, 10000}}, r);
}

double load_average() {
  double load = 0;
  return getloadavg(&load, 1) == 1 ? load : 0;
}

int complain(const std::string &why) {
  (void)std::fprintf(stderr, "tpuvp_bench: %s\n", why.c_str());
  return 2;
}

int run(const settings &s) {
  places where;
  if (std::string why = find_places(where); !why.empty())
    return complain(why);
  circumstances c{s.repetitions, s.starts, s.rounds, edge, load_average(), 0};
  results r;
  for (std::uint32_t i = 0; i < s.repetitions; ++i) {
    if (isatty(STDERR_FILENO) == 1)
      (void)std::fprintf(stderr, "repetition %u of %u\n", i + 1, s.repetitions);
    std::string why;
    if (s.accelerator)
      why = sample_accelerator(where, s, r);
    if (s.core && why.empty())
      why = sample_core(where, s, r);
    if (s.judge && why.empty())
      why = sample_judge(where, r);
    if (s.process && why.empty())
      why = sample_processes(where, r);
    if (s.tile && why.empty())
      why = sample_tile(where, s, r);
    if (!why.empty())
      return complain(why);
  }
  c.load_after = load_average();
  const std::string told = s.json ? r.json(c) : r.text(c);
  if (told.empty())
    return complain("the JSON document could not be built");
  if (std::fputs(told.c_str(), stdout) < 0 || std::fflush(stdout) != 0)
    return complain("cannot write standard output");
  return s.check && r.missed() > 0 ? 1 : 0;
}

} // namespace

} // namespace tpu::bench

int main(int argc, char *argv[]) {
  tpu::bench::settings s;
  if (std::string why = tpu::bench::parse_settings(argc, argv, s); !why.empty())
    return tpu::bench::complain(why);
  if (s.help)
    return std::fputs(tpu::bench::usage, stdout) < 0 ? 2 : 0;
  return tpu::bench::run(s);
}

// SystemC's library asks for an sc_main at link time; nothing calls it.
extern "C" int sc_main(int argc, char *argv[]);
int sc_main(int, char *[]) { return 2; }
