// SPDX-License-Identifier: Apache-2.0
#include "bench/results.h"

#include "judge/json_write.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>

namespace tpu::bench {

namespace {

template <typename... Values> std::string format(const char *text, Values... values) {
  std::array<char, 256> line{};
  (void)std::snprintf(line.data(), line.size(), text, values...);
  return line.data();
}

// Three significant digits, without an exponent.
std::string shown(double value) {
  return format(value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : value >= 1 ? "%.2f" : "%.3f", value);
}

std::string shown_target(const quantity &q) {
  if (q.direction == goal::none)
    return "";
  return (q.direction == goal::at_least ? ">= " : "<= ") + format("%g", q.target);
}

} // namespace

summary summarise(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  const std::size_t half = samples.size() / 2;
  const double median =
      samples.size() % 2 == 1 ? samples[half] : (samples[half - 1] + samples[half]) / 2;
  return {median, samples.front(), samples.back()};
}

void results::add(const quantity &q, double sample) {
  for (series &s : all_) {
    if (s.what.name == q.name) {
      s.samples.push_back(sample);
      return;
    }
  }
  all_.push_back({q, {sample}});
}

bool results::met(const series &s) {
  const double median = summarise(s.samples).median;
  switch (s.what.direction) {
  case goal::at_least:
    return median >= s.what.target;
  case goal::at_most:
    return median <= s.what.target;
  case goal::none:
    break;
  }
  return true;
}

unsigned results::missed() const {
  return static_cast<unsigned>(
      std::count_if(all_.begin(), all_.end(), [](const series &s) { return !met(s); }));
}

std::string results::text(const circumstances &c) const {
  std::string out = format("medians of %u; MAXDIM=64 QD=16, ideal memory, traces off but where "
                           "said; load average %.2f before, "
                           "%.2f after\n",
                           c.repetitions, c.load_before, c.load_after);
  out += format("accelerator: gemm %ux%ux%u, %u starts on one platform, each from the write of "
                "CONTROL to the\n  interrupt, the core in wfi; end to end: the whole image, with "
                "its mapping\n",
                c.edge, c.edge, c.edge, c.starts);
  out += format("core: %u rounds of sieve, CRC-32, matrix product, heap sort, gcd, T=4, with DMI\n",
                c.rounds);
  out += "layers: mean of 1000 checks of the baseline, of 20 for the protocol\n";
  out += "process: the program as a user starts it, to its end\n\n";
  out += format("%-45s %9s %9s %9s %9s  %s\n", "what", "target", "median", "min", "max", "unit");
  for (const series &s : all_) {
    const summary sum = summarise(s.samples);
    out += format("%-45s %9s %9s %9s %9s  %s%s\n", s.what.what.c_str(),
                  shown_target(s.what).c_str(), shown(sum.median).c_str(), shown(sum.min).c_str(),
                  shown(sum.max).c_str(), s.what.unit.c_str(), met(s) ? "" : "  MISSED");
  }
  const unsigned count = missed();
  out += count == 0 ? "\nall targets reached\n" : format("\n%u targets missed\n", count);
  return out;
}

std::string results::json(const circumstances &c) const {
  const std::unique_ptr<tpu_json_writer, decltype(&tpu_json_writer_free)> writer(
      tpu_json_writer_new(), tpu_json_writer_free);
  tpu_json_writer *const w = writer.get();
  if (w == nullptr)
    return "";
  tpu_json_begin_object(w, nullptr);
  tpu_json_put_u64(w, "repetitions", c.repetitions);
  tpu_json_put_u64(w, "starts", c.starts);
  tpu_json_put_u64(w, "rounds", c.rounds);
  tpu_json_put_u64(w, "edge", c.edge);
  tpu_json_put_u64(w, "maxdim", 64);
  tpu_json_put_u64(w, "qd", 16);
  tpu_json_put_bool(w, "traces", 0);
  tpu_json_put_double(w, "load_before", c.load_before);
  tpu_json_put_double(w, "load_after", c.load_after);
  tpu_json_begin_array(w, "measurements");
  for (const series &s : all_) {
    const summary sum = summarise(s.samples);
    tpu_json_begin_object(w, nullptr);
    tpu_json_put_string(w, "name", s.what.name.c_str());
    tpu_json_put_string(w, "what", s.what.what.c_str());
    tpu_json_put_string(w, "unit", s.what.unit.c_str());
    if (s.what.direction == goal::none)
      tpu_json_put_null(w, "target");
    else
      tpu_json_put_double(w, "target", s.what.target);
    tpu_json_put_string(w, "goal",
                        s.what.direction == goal::none       ? "none"
                        : s.what.direction == goal::at_least ? "at least"
                                                             : "at most");
    tpu_json_put_bool(w, "met", met(s) ? 1 : 0);
    tpu_json_put_double(w, "median", sum.median);
    tpu_json_put_double(w, "min", sum.min);
    tpu_json_put_double(w, "max", sum.max);
    tpu_json_begin_array(w, "samples");
    for (const double sample : s.samples)
      tpu_json_put_double(w, nullptr, sample);
    tpu_json_end(w);
    tpu_json_end(w);
  }
  tpu_json_end(w);
  tpu_json_put_u64(w, "missed", missed());
  tpu_json_end(w);
  const std::unique_ptr<char, decltype(&std::free)> text(tpu_json_writer_text(w, 1), std::free);
  return text == nullptr ? "" : text.get();
}

} // namespace tpu::bench
