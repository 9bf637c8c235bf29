// SPDX-License-Identifier: Apache-2.0
// Series of samples with a target each, and how they are told.
#ifndef TPU_BENCH_RESULTS_H
#define TPU_BENCH_RESULTS_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tpu::bench {

enum class goal { none, at_least, at_most };

// What is measured: stated once, sampled once a repetition.
struct quantity {
  std::string name; // of the JSON document; unique
  std::string what;
  std::string unit;
  goal direction = goal::none;
  double target = 0;
};

struct summary {
  double median, min, max;
};
// Of at least one sample; the median of an even number is the mean of the middle two.
summary summarise(std::vector<double> samples);

// How and on what the samples came about.
struct circumstances {
  std::uint32_t repetitions = 0;
  std::uint32_t starts = 0;
  std::uint32_t rounds = 0;
  std::uint32_t edge = 0;
  double load_before = 0; // run queue of the last minute: above the core count, times are not these
  double load_after = 0;
};

class results {
public:
  void add(const quantity &q, double sample);
  unsigned missed() const; // targets that a median does not reach
  std::string text(const circumstances &c) const;
  std::string json(const circumstances &c) const; // "" when memory lacks

private:
  struct series {
    quantity what;
    std::vector<double> samples;
  };
  static bool met(const series &s);

  std::vector<series> all_; // in the order of their first sample
};

} // namespace tpu::bench
#endif
